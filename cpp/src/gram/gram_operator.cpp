// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/gram_operator.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gram/grouped_rows.hpp"
#include "gramian/base/memory.hpp"
#include "gramian/gram/product.hpp"

namespace gramian {
namespace {

Matrix copied_shifts(MatrixView<const double> shifts, Index n) {
  require_shape(shifts, n, 1, "shift");
  for (Index i = 0; i < n; ++i) require_not_negative(shifts(i, 0), "shift");
  return Matrix::copy_of(shifts);
}

/// Rows of float64 points in float32, as indices of `rows` say. Throws std::invalid_argument beyond its range.
void round_points(const double* from, Index count, float* to) {
  for (Index i = 0; i < count; ++i) {
    to[i] = static_cast<float>(from[i]);
    require(std::isfinite(to[i]) || !std::isfinite(from[i]), "X has numbers beyond the range of float32: use float64");
  }
}

}  // namespace

struct GramOperator::Parts {
  Parts(const Kernel& k, const Points& points, Matrix diagonal, Scalar products)
      : kernel(k), X(points), shifts(std::move(diagonal)), precision(products) {
    require(X.scalar() == Scalar::float64, "X must be float64: the precision of products is another argument");
    if (precision == Scalar::float32) X.sparse() ? round_sparse() : round_dense();
    if (X.sparse()) return;
    if (precision == Scalar::float64) grouped = GroupedRows<double>::make(kernel, X.float64());
    if (precision == Scalar::float32) grouped_rounded = GroupedRows<float>::make(kernel, X.float32());
  }

  void round_dense() {
    const Index n = X.size(), d = X.dimension();
    rounded = Buffer<float>(checked_product(n, d));
    const MatrixView<const double> x = X.float64();
    for (Index i = 0; i < n; ++i) {
      for (Index k = 0; k < d; ++k) round_points(&x(i, k), 1, rounded.data() + i * d + k);
    }
    X = Points(MatrixView<const float>(rounded.data(), n, d));
  }

  void round_sparse() {
    const SparseRows<double>& x = X.sparse64();
    const Index entries = x.rows > 0 ? x.row_start[x.rows] : 0;
    rounded = Buffer<float>(entries);
    round_points(x.values, entries, rounded.data());
    X = Points(SparseRows<float>{x.rows, x.cols, x.row_start, x.columns, rounded.data()});
  }

  void multiply(MatrixView<const double> V, MatrixView<double> out) const;
  void multiply_rounded(MatrixView<const double> V, MatrixView<double> out) const;

  Kernel kernel;
  Points X;
  Matrix shifts;  // n x 1, or empty
  Scalar precision;
  Buffer<float> rounded;
  std::unique_ptr<GroupedRows<double>> grouped;  // null where it does not pay
  std::unique_ptr<GroupedRows<float>> grouped_rounded;
};

void GramOperator::Parts::multiply(MatrixView<const double> V, MatrixView<double> out) const {
  if (precision == Scalar::float32) return multiply_rounded(V, out);
  grouped ? grouped->product(V, out) : product(kernel, X, V, out);
}

void GramOperator::Parts::multiply_rounded(MatrixView<const double> V, MatrixView<double> out) const {
  const Index n = V.rows(), r = V.cols();
  std::vector<double> powers(at(r), 1.0);
  for (Index j = 0; j < r; ++j) {
    double largest = 0.0;
    for (Index i = 0; i < n; ++i) largest = std::max(largest, std::fabs(V(i, j)));
    if (largest > 0.0 && std::isfinite(largest)) powers[at(j)] = std::ldexp(1.0, std::ilogb(largest));
  }
  Buffer<float> numbers(checked_product(checked_product(n, r), 2));
  const MatrixView<float> v(numbers.data(), n, r), image(numbers.data() + n * r, n, r);
  for_entries(V, [&](Index i, Index j) { v(i, j) = static_cast<float>(V(i, j) / powers[at(j)]); });
  if (grouped_rounded) {
    grouped_rounded->product(MatrixView<const float>(v), out);
    return for_entries(out, [&](Index i, Index j) { out(i, j) *= powers[at(j)]; });
  }
  product(kernel, X, MatrixView<const float>(v), image);
  for_entries(out, [&](Index i, Index j) { out(i, j) = powers[at(j)] * static_cast<double>(image(i, j)); });
}

GramOperator::GramOperator(const Kernel& kernel, const Points& X, double shift, Scalar precision)
    : GramOperator(kernel, X, MatrixView<const double>(&shift, X.size(), 1, 0, 0), precision) {}

GramOperator::GramOperator(const Kernel& kernel, const Points& X, MatrixView<const double> shifts, Scalar precision)
    : parts_(std::make_unique<Parts>(kernel, X, copied_shifts(shifts, X.size()), precision)) {}

GramOperator::~GramOperator() = default;
GramOperator::GramOperator(GramOperator&&) noexcept = default;
GramOperator& GramOperator::operator=(GramOperator&&) noexcept = default;

Index GramOperator::size() const { return parts_->X.size(); }

double GramOperator::unit_roundoff() const { return parts_->precision == Scalar::float32 ? 0x1p-24 : 0x1p-53; }

void GramOperator::apply(MatrixView<const double> V, MatrixView<double> out) const {
  require_rows(V.rows(), V.cols(), size(), "V");
  require_shape(out, V.rows(), V.cols(), "out");
  if (!V.empty()) parts_->multiply(V, out);
  const Matrix& shifts = parts_->shifts;
  for_entries(out, [&](Index i, Index j) { out(i, j) += shifts(i, 0) * V(i, j); });
}

}  // namespace gramian
