// SPDX-License-Identifier: BSD-3-Clause
#include "models/autoencoder/feature_space.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gram/rows.hpp"
#include "gramian/base/error.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/gram/preimage.hpp"
#include "gramian/linalg/gemm.hpp"
#include "models/autoencoder/reconstruction.hpp"

namespace gramian::autoencoder {
namespace {

constexpr double constant = 1e-12;  // relative: what differs less is the same number

void check_numbers(const std::vector<double>& numbers, Index count, const char* name) {
  if (static_cast<Index>(numbers.size()) != count) {
    require(false, std::string(name) + " has " + std::to_string(numbers.size()) + " numbers for " + std::to_string(count) +
                       " training samples");
  }
  for (const double number : numbers) require_not_negative(number, name);
}

Matrix column_of(const std::vector<double>& numbers) {
  Matrix out(static_cast<Index>(numbers.size()), 1);
  for (Index i = 0; i < out.rows(); ++i) out(i, 0) = numbers[at(i)];
  return out;
}

/// Sparse rows times weights, summed.
void weighted_sums(MatrixView<const double> weights, const SparseRows<double>& X, MatrixView<double> out) {
  for_rows(out.rows(), out.cols(), [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      for (Index k = 0; k < out.cols(); ++k) out(i, k) = 0.0;
      for (Index j = 0; j < X.rows; ++j) {
        for (Index e = X.row_start[j]; e < X.row_start[j + 1]; ++e) out(i, X.columns[e]) += weights(i, j) * X.values[e];
      }
    }
  });
}

}  // namespace

FeatureSpace::FeatureSpace(FeatureSpaceParts parts) : parts_(std::move(parts)), map_(parts_.layers) {
  check_parts();
  squares_ = column_of(parts_.squared_norms);
  support_squares_ = parts_.landmarks.empty() ? column_of(parts_.squared_norms) : picked(squares_.view(), parts_.landmarks);
  if (!has_points()) return;
  supports_ = parts_.landmarks.empty() ? parts_.training : parts_.training.some(parts_.landmarks);
  Matrix first(1, samples());  // it refuses a kernel that does not suit the samples
  full(*parts_.input_kernel, rows_of(parts_.training.points(), 0, 1), parts_.training.points(), first.view());
}

void FeatureSpace::check_parts() const {
  const Index n = samples(), L = map_.depth();
  require(n > 0, "training: there are no training samples");
  require(has_points() == parts_.input_kernel.has_value(), "an input kernel needs training samples, and they need it");
  check_numbers(parts_.squared_norms, n, "squared_norms");
  if (!parts_.sample_weights.empty()) check_numbers(parts_.sample_weights, n, "sample_weights");
  require_ascending(parts_.landmarks, n, "landmarks");
  require(L >= 2, "an autoencoder has two layers at least");
  require(parts_.code_layer >= 1 && parts_.code_layer < L,
          "code_layer is " + std::to_string(parts_.code_layer) + ", it must be in 1 .. " + std::to_string(L - 1));
  const Samples& first = parts_.layers.front().supports;
  const Index m = parts_.landmarks.empty() ? n : static_cast<Index>(parts_.landmarks.size());
  require(first.form() == Samples::Form::count && first.size() == m,
          "layer 1 must have " + std::to_string(m) + " supports, of which only the number is known");
  check_reconstruction(map_.layer(L).layer);
  require(parts_.landmarks.empty() ? map_.layer(L).supports.size() == n : true,
          "the last layer must have a support for each sample");
  require_shape(parts_.factor.view(), n, map_.layer(L).layer.outputs(), "factor");
  require_finite(parts_.factor.view(), "factor");
  if (!parts_.reconstruction.empty()) {
    require(parts_.landmarks.empty(), "reconstruction is of samples that are the landmarks: landmarks must be empty");
    require_shape(parts_.reconstruction.view(), n, n, "reconstruction");
    require_finite(parts_.reconstruction.view(), "reconstruction");
  }
  require_shape(parts_.codes.view(), n, code_size(), "codes");
  require_finite(parts_.codes.view(), "codes");
}

bool FeatureSpace::equal_squares() const {
  const auto [least, most] = std::minmax_element(parts_.squared_norms.begin(), parts_.squared_norms.end());
  return *most - *least <= constant * *most;
}

void FeatureSpace::check(const KernelValues& values, Index columns) const {
  require_shape(values.cross, values.cross.rows(), columns, "cross");
  require_shape(values.squares, values.cross.rows(), 1, "squares");
  require_finite(values.cross, "cross");
  require_finite(values.squares, "squares");
}

void FeatureSpace::check_codes(MatrixView<const double> codes) const {
  require_shape(codes, codes.rows(), code_size(), "codes");
  require_finite(codes, "codes");
}

Points FeatureSpace::alike(const Points& X, ScaledRows& rows) const {
  require(has_points(), "samples are known by kernel values, not by points");
  require(
      X.dimension() == parts_.training.dimension(),
      "X has " + std::to_string(X.dimension()) + " features, the samples have " + std::to_string(parts_.training.dimension()));
  return rows.take(X, {}, parts_.training.form() == Samples::Form::sparse);
}

FeatureSpace::Values FeatureSpace::values(const Points& X) const {
  ScaledRows rows;
  const Points seen = alike(X, rows);
  Values out{Matrix(X.size(), samples()), Matrix(X.size(), 1)};
  full(*parts_.input_kernel, seen, parts_.training.points(), out.cross.view());
  diagonal(*parts_.input_kernel, seen, out.squares.view());
  return out;
}

Matrix FeatureSpace::with_supports(MatrixView<const double> cross) const {
  if (parts_.landmarks.empty()) return Matrix::copy_of(cross);
  Matrix out(cross.rows(), static_cast<Index>(parts_.landmarks.size()));
  for_entries(out.view(), [&](Index i, Index j) { out(i, j) = cross(i, parts_.landmarks[at(j)]); });
  return out;
}

void FeatureSpace::encode(const Points& X, MatrixView<double> out) const {
  ScaledRows rows;
  Room cross, squares;
  for_blocks(X.size(), supports_.size(), [&](Index first, Index count) {
    const Points seen = alike(rows_of(X, first, count), rows);
    const auto K = cross.take(count, supports_.size()), own = squares.take(count, 1);
    full(*parts_.input_kernel, seen, supports_.points(), K);
    diagonal(*parts_.input_kernel, seen, own);
    encode(KernelValues{K, own}, rows_of(out, first, count));
  });
}

void FeatureSpace::encode(const KernelValues& samples, MatrixView<double> out) const {
  check(samples, support_squares_.rows());
  map_.apply(parts_.code_layer, InnerProducts<double>(samples.cross, samples.squares, support_squares_.view()), out);
}

MatrixView<const double> FeatureSpace::inputs_of_last(MatrixView<const double> codes, Room& room) const {
  const Index last = map_.depth() - 1;
  if (last == parts_.code_layer) return codes;
  const auto inputs = room.take(codes.rows(), map_.layer(last).layer.outputs());
  map_.apply(parts_.code_layer + 1, last, codes, inputs);
  return inputs;
}

std::unique_ptr<const Reconstruction> FeatureSpace::reconstruction() const {
  const SupportedLayer& last = map_.layer(map_.depth());
  const MatrixView<const double> supports = last.supports.dense().view();
  if (!parts_.reconstruction.empty()) return std::make_unique<Reconstruction>(last.layer, supports, parts_.reconstruction.view());
  if (parts_.landmarks.empty())
    return std::make_unique<Reconstruction>(last.layer, supports, MatrixView<const double>(), parts_.sample_weights);
  Room room;
  return std::make_unique<Reconstruction>(last.layer, inputs_of_last(parts_.codes.view(), room), supports, parts_.sample_weights);
}

bool FeatureSpace::has_sums() const {
  const KernelTraits traits = parts_.input_kernel->traits();
  return traits.inner_product || (traits.proportional_slope && parts_.training.form() == Samples::Form::dense);
}

void FeatureSpace::sums(MatrixView<const double> weights, MatrixView<double> out) const {
  const Samples& training = parts_.training;
  if (training.form() == Samples::Form::sparse) return weighted_sums(weights, training.sparse(), out);
  gemm(1.0, weights, training.dense().view(), 0.0, out);
}

Index FeatureSpace::preimages(MatrixView<const double> weights, MatrixView<double> out) const {
  const std::vector<double> parameters = parts_.input_kernel->parameters();
  const ColumnScaling widths{{}, {parameters.begin() + 1, parameters.end()}};  // of a Gaussian: gamma, and length scales if any
  ScaledRows rows;
  const Points scaled = rows.take(parts_.training.points(), widths, false);
  const Preimages found = gaussian_preimages(parameters.front(), scaled.float64(), weights, {});
  for_entries(out, [&](Index i, Index k) {
    out(i, k) = widths.scale.empty() ? found.points(i, k) : found.points(i, k) * widths.scale[at(k)];
  });
  return std::count(found.converged.begin(), found.converged.end(), 0);
}

Matrix FeatureSpace::rows(const std::vector<Index>& which) const { return dense_copy(parts_.training.some(which).points()); }

}  // namespace gramian::autoencoder
