// SPDX-License-Identifier: BSD-3-Clause
#include "models/autoencoder/rows.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "gramian/base/random.hpp"
#include "gramian/gram/full.hpp"

namespace gramian {
namespace {

/// Columns with mean 0: distances stay, and their squares lose no digits to the distance from the origin.
void centre(MatrixView<double> A) {
  for (Index j = 0; j < A.cols(); ++j) {
    double sum = 0.0;
    for (Index i = 0; i < A.rows(); ++i) sum += A(i, j);
    const double mean = sum / static_cast<double>(A.rows());
    for (Index i = 0; i < A.rows(); ++i) A(i, j) -= mean;
  }
}

/// Squared distances of all pairs, from inner products; 0 where these can't tell the two points apart.
std::vector<double> squared_distances(MatrixView<const double> inner) {
  constexpr double indistinct = 64.0 * 0x1p-53;
  std::vector<double> all;
  all.reserve(static_cast<std::size_t>(inner.rows() * (inner.rows() - 1) / 2));
  for (Index i = 0; i < inner.rows(); ++i) {
    for (Index j = 0; j < i; ++j) {
      const double squares = inner(i, i) + inner(j, j), distance = squares - 2.0 * inner(i, j);
      all.push_back(distance <= indistinct * squares ? 0.0 : distance);
    }
  }
  return all;
}

}  // namespace

std::vector<Index> some_rows(Index size, Index most) {
  std::vector<Index> order(static_cast<std::size_t>(size));
  std::iota(order.begin(), order.end(), Index(0));
  if (size <= most) return order;
  random_permutation(RandomStream(0), order.data(), size);
  order.resize(static_cast<std::size_t>(most));
  std::sort(order.begin(), order.end());
  return order;
}

AutoencoderRows::AutoencoderRows(Matrix codes) : size_(codes.rows()), dense_(std::move(codes)) {}

AutoencoderRows::AutoencoderRows(const LayerInput& input, const std::vector<Index>& rows)
    : size_(static_cast<Index>(rows.size())), inner_(input.inner()) {
  if (!inner_ && input.points().sparse()) {
    copy_sparse(input.points().sparse64(), rows);
    return;
  }
  const MatrixView<const double> from = inner_ ? input.products().inner() : input.points().float64();
  dense_ = Matrix(size_, inner_ ? size_ : from.cols());
  for (Index i = 0; i < size_; ++i) {
    const Index row = rows[static_cast<std::size_t>(i)];
    for (Index j = 0; j < dense_.cols(); ++j) dense_(i, j) = from(row, inner_ ? rows[static_cast<std::size_t>(j)] : j);
  }
}

void AutoencoderRows::copy_sparse(const SparseRows<double>& from, const std::vector<Index>& rows) {
  cols_ = from.cols;
  row_start_.push_back(0);
  for (const Index row : rows) {
    columns_.insert(columns_.end(), from.columns + from.row_start[row], from.columns + from.row_start[row + 1]);
    values_.insert(values_.end(), from.values + from.row_start[row], from.values + from.row_start[row + 1]);
    row_start_.push_back(static_cast<Index>(columns_.size()));
  }
}

Points AutoencoderRows::points() const {
  if (row_start_.empty()) return Points(dense_.view());
  return Points(SparseRows<double>{size_, cols_, row_start_.data(), columns_.data(), values_.data()});
}

void AutoencoderRows::gram(const Kernel& kernel, MatrixView<double> K) const {
  if (inner_) return full(kernel, InnerProducts<double>(dense_.view()), K);
  full(kernel, points(), K);
}

void AutoencoderRows::apply(const KernelLayer& layer, MatrixView<const double> Phi, MatrixView<double> out) const {
  if (inner_) return Composition::apply_layer(layer, InnerProducts<double>(dense_.view()), Phi, out);
  Composition::apply_layer(layer, points(), points(), Phi, out);
}

double AutoencoderRows::median_gamma() const {
  std::vector<double> distances;
  if (inner_) {
    distances = squared_distances(dense_.view());
  } else {
    Matrix inner(size_, size_);
    if (row_start_.empty()) {
      Matrix centred = dense_.clone();
      centre(centred.view());
      full(Kernel("linear", {}), Points(std::as_const(centred).view()), inner.view());
    } else {
      full(Kernel("linear", {}), points(), inner.view());
    }
    distances = squared_distances(inner.view());
  }
  if (distances.empty()) return 1.0;
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  if (*middle > 0.0) return 1.0 / *middle;
  const double mean = std::accumulate(distances.begin(), distances.end(), 0.0) / static_cast<double>(distances.size());
  return mean > 0.0 ? 1.0 / mean : 1.0;
}

}  // namespace gramian
