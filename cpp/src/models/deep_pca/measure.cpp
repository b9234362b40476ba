// SPDX-License-Identifier: BSD-3-Clause
#include "models/deep_pca/measure.hpp"

#include <cmath>
#include <string>

#include "base/view_ops.hpp"
#include "gramian/base/error.hpp"
#include "linalg/tall.hpp"

namespace gramian::deep_pca {
namespace {

void copy_unless_same(MatrixView<const double> A, MatrixView<double> out) {
  if (A.data() != out.data()) copy_rows(A, out);
}

/// Row i of A times factor(i).
template <class Factor>
void times(MatrixView<const double> A, MatrixView<double> out, Factor factor) {
  for (Index i = 0; i < A.rows(); ++i) {
    const double own = factor(i);
    for (Index c = 0; c < A.cols(); ++c) out(i, c) = own * A(i, c);
  }
}

}  // namespace

SampleMeasure::SampleMeasure(Index size, MatrixView<const double> weights) : size_(size), total_(static_cast<double>(size)) {
  if (weights.empty()) return;
  require(weights.rows() == size && weights.cols() == 1,
          "there are " + std::to_string(weights.rows()) + " weights for " + std::to_string(size) + " samples");
  weights_ = Matrix::copy_of(weights);
  roots_ = Matrix(size, 1);
  total_ = 0.0;
  for (Index i = 0; i < size; ++i) {
    require(std::isfinite(weights(i, 0)) && weights(i, 0) > 0.0,
            "weights must be finite and above 0: leave samples of weight 0 out");
    roots_(i, 0) = std::sqrt(weights(i, 0));
    total_ += weights(i, 0);
  }
}

SampleMeasure::SampleMeasure(Index size, const std::vector<double>& weights)
    : SampleMeasure(size, MatrixView<const double>(weights.data(), static_cast<Index>(weights.size()), 1)) {}

void SampleMeasure::scale(MatrixView<const double> A, MatrixView<double> out) const {
  if (plain()) return copy_unless_same(A, out);
  times(A, out, [&](Index i) { return roots_(i, 0); });
}

void SampleMeasure::unscale(MatrixView<const double> A, MatrixView<double> out) const {
  if (plain()) return copy_unless_same(A, out);
  times(A, out, [&](Index i) { return 1.0 / roots_(i, 0); });
}

void SampleMeasure::repeat(MatrixView<const double> A, MatrixView<double> out) const {
  if (plain()) return copy_unless_same(A, out);
  times(A, out, [&](Index i) { return weights_(i, 0); });
}

Matrix SampleMeasure::ones() const { return plain() ? Matrix::filled(size_, 1, 1.0) : roots_.clone(); }

Eigen::RowVectorXd SampleMeasure::mean(MatrixView<const double> A) const {
  if (plain()) return as_eigen(A).colwise().mean();
  return as_eigen(weights_.view()).col(0).transpose() * as_eigen(A) / total_;
}

void SampleMeasure::centre(MatrixView<const double> A, MatrixView<double> out) const {
  if (plain()) return centre_columns(A, out);
  const Eigen::RowVectorXd middle = mean(A);
  as_eigen(out) = as_eigen(A).rowwise() - middle;
}

void SampleMeasure::centre_scaled(MatrixView<const double> A, MatrixView<double> out) const {
  if (plain()) return centre_columns(A, out);
  copy_unless_same(A, out);
  lower_constants(A, 1.0, out);
}

void SampleMeasure::lower_constants(MatrixView<const double> A, double shift, MatrixView<double> out) const {
  if (plain()) {
    const Eigen::RowVectorXd means = as_eigen(A).colwise().mean();
    as_eigen(out).rowwise() -= shift * means;
    return;
  }
  const auto root = as_eigen(roots_.view()).col(0);
  const Eigen::RowVectorXd along = root.transpose() * as_eigen(A) / total_;
  as_eigen(out) -= shift * root * along;
}

}  // namespace gramian::deep_pca
