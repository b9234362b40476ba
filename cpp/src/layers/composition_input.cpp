// SPDX-License-Identifier: BSD-3-Clause
#include "layers/composition_input.hpp"

#include <numeric>

#include "gram/pair_source.hpp"
#include "gramian/base/error.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/gram/product.hpp"
#include "gramian/linalg/finite.hpp"
#include "gramian/linalg/gemm.hpp"
#include "layers/rows.hpp"

namespace gramian {
namespace {

std::vector<Index> all_rows(Index count) {
  std::vector<Index> rows(static_cast<std::size_t>(count));
  std::iota(rows.begin(), rows.end(), Index(0));
  return rows;
}

Matrix pick_inner(MatrixView<const double> inner, const std::vector<Index>& rows, const std::vector<Index>& columns) {
  Matrix out(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      out(static_cast<Index>(i), static_cast<Index>(j)) = inner(rows[i], columns[j]);
    }
  }
  return out;
}

Matrix pick_rows(MatrixView<const double> X, const std::vector<Index>& rows) {
  Matrix out(static_cast<Index>(rows.size()), X.cols());
  for_entries(out.view(), [&](Index i, Index k) { out(i, k) = X(rows[static_cast<std::size_t>(i)], k); });
  return out;
}

Matrix pick_squares(const InnerProducts<double>& products, const std::vector<Index>& rows) {
  Matrix out(static_cast<Index>(rows.size()), 1);
  for (std::size_t i = 0; i < rows.size(); ++i) out(static_cast<Index>(i), 0) = products.x_square(rows[i]);
  return out;
}

}  // namespace

void check_input(const LayerInput& input) {
  require(input.size() >= 1, "the input has no samples");
  if (input.inner()) {
    require(input.products().one_set(), "the input's inner products must be those of one set, a square matrix");
    static_cast<void>(PairSource<double>(input.products()));  // checks its numbers
    return;
  }
  const Points& points = input.points();
  require(points.scalar() == Scalar::float64, "the input is float32: layers are evaluated in float64, convert it");
  if (points.sparse()) {
    static_cast<void>(PairSource<double>(points));
  } else {
    require(all_finite(points.float64()), "the input has an entry that is not finite");
  }
}

// One evaluation on an origin: what can't be evaluated is refused in the engine's own words.
void check_kernel(const Kernel& kernel, const LayerInput& input) {
  const bool dense = !input.inner() && !input.points().sparse();
  const Matrix origin = Matrix::filled(1, dense ? input.points().dimension() : 1, 0.0);
  Matrix value(1, 1);
  dense ? full(kernel, Points(origin.view()), value.view()) : full(kernel, InnerProducts<double>(origin.view()), value.view());
}

PickedInput::PickedInput(const LayerInput& input, const std::vector<Index>& rows) {
  if (input.inner()) {
    numbers_ = pick_inner(input.products().inner(), rows, rows);
    picked_.emplace(InnerProducts<double>(numbers_.view()));
  } else if (input.points().sparse()) {
    pick_sparse(input.points().sparse64(), rows);
  } else {
    numbers_ = pick_rows(input.points().float64(), rows);
    picked_.emplace(Points(numbers_.view()));
  }
}

void PickedInput::pick_sparse(const SparseRows<double>& X, const std::vector<Index>& rows) {
  row_start_.push_back(0);
  for (const Index row : rows) {
    columns_.insert(columns_.end(), X.columns + X.row_start[row], X.columns + X.row_start[row + 1]);
    values_.insert(values_.end(), X.values + X.row_start[row], X.values + X.row_start[row + 1]);
    row_start_.push_back(static_cast<Index>(columns_.size()));
  }
  const Index count = static_cast<Index>(rows.size());
  picked_.emplace(Points(SparseRows<double>{count, X.cols, row_start_.data(), columns_.data(), values_.data()}));
}

InputPairs::InputPairs(const LayerInput& input, const std::vector<Index>& samples, const std::vector<Index>& supports)
    : all_(input) {
  if (!input.inner()) {
    if (!samples.empty()) picked_samples_.emplace(input, samples);
    picked_supports_.emplace(input, supports);
    return;
  }
  const std::vector<Index> rows = samples.empty() ? all_rows(input.size()) : samples;
  inner_ = pick_inner(input.products().inner(), rows, supports);
  sample_squares_ = pick_squares(input.products(), rows);
  support_squares_ = pick_squares(input.products(), supports);
}

void InputPairs::product(const Kernel& kernel, MatrixView<const double> V, MatrixView<double> out) const {
  if (!all_.inner()) return gramian::product(kernel, samples(), supports(), V, out);
  gramian::product(kernel, InnerProducts<double>(inner_.view(), sample_squares_.view(), support_squares_.view()), V, out);
}

void InputPairs::transposed(const Kernel& kernel, MatrixView<const double> U, MatrixView<double> out) const {
  if (!all_.inner()) return gramian::product(kernel, supports(), samples(), U, out);
  const MatrixView<const double> turned = gramian::transposed(inner_.view());
  gramian::product(kernel, InnerProducts<double>(turned, support_squares_.view(), sample_squares_.view()), U, out);
}

void InputPairs::full(const Kernel& kernel, MatrixView<double> K) const {
  if (!all_.inner()) return gramian::full(kernel, samples(), supports(), K);
  gramian::full(kernel, InnerProducts<double>(inner_.view(), sample_squares_.view(), support_squares_.view()), K);
}

FirstSamples::FirstSamples(const LayerInput& input, const std::vector<Index>& supports, std::vector<Kernel> kernels,
                           std::uint64_t& budget)
    : input_(input), supports_(supports), kernels_(std::move(kernels)), kept_(kernels_.size()) {
  pairs_ = std::make_unique<InputPairs>(input, std::vector<Index>(), supports);
  const Index entries = checked_product(input.size(), static_cast<Index>(supports.size()));
  const auto bytes = static_cast<std::uint64_t>(checked_product(entries, sizeof(double)));
  bool all = true;
  for (std::size_t m = 0; m < kernels_.size(); ++m) {
    if (bytes > budget) {
      all = false;
      continue;
    }
    budget -= bytes;
    kept_[m] = Matrix(input.size(), static_cast<Index>(supports.size()));
    pairs_->full(kernels_[m], kept_[m].view());
  }
  if (all) pairs_.reset();
}

FirstSamples::FirstSamples(const FirstSamples& whole, const std::vector<Index>& samples)
    : input_(whole.input_), supports_(whole.supports_), kernels_(whole.kernels_) {
  for (const Matrix& all : whole.kept_) {
    kept_.push_back(all.empty() ? Matrix() : pick_rows(all.view(), samples));
  }
  if (whole.pairs_) pairs_ = std::make_unique<InputPairs>(input_, samples, supports_);
}

void FirstSamples::product(Index term, MatrixView<const double> V, MatrixView<double> out) const {
  if (kept(term).empty()) return pairs_->product(kernel(term), V, out);
  gemm(1.0, kept(term).view(), V, 0.0, out);
}

void FirstSamples::transposed(Index term, MatrixView<const double> U, MatrixView<double> out) const {
  if (kept(term).empty()) return pairs_->transposed(kernel(term), U, out);
  gemm(1.0, gramian::transposed(kept(term).view()), U, 0.0, out);
}

}  // namespace gramian
