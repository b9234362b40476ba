// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/low_rank.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/check.hpp"
#include "gram/row_chunks.hpp"
#include "gram/rows.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/matrix.hpp"
#include "gramian/base/memory.hpp"
#include "gramian/gram/full.hpp"

namespace gramian {
namespace {

class GramColumns final : public SymmetricColumns {
 public:
  GramColumns(const Kernel& kernel, const Points& X) : kernel_(kernel), X_(X) {
    require(X.scalar() == Scalar::float64, "X must be float64 for an incomplete factorization");
  }
  Index size() const override { return X_.size(); }
  void diagonal(double* out) const override { gramian::diagonal(kernel_, X_, MatrixView<double>(out, X_.size(), 1)); }
  void columns(const std::vector<Index>& which, MatrixView<double> out) const override {
    const PickedRows some(X_, which);
    full(kernel_, X_, some.points(), out);
  }
  void entries(const std::vector<Index>& rows, const std::vector<Index>& cols, MatrixView<double> out) const override {
    const PickedRows left(X_, rows), right(X_, cols);
    full(kernel_, left.points(), right.points(), out);
  }

 private:
  Kernel kernel_;
  Points X_;
};

/// The same with rows that are read again for each block of columns.
class SourceColumns final : public SymmetricColumns {
 public:
  SourceColumns(const Kernel& kernel, const RowSource& X)
      : kernel_(kernel), X_(X), chunk_(std::max<Index>(1, (Index(1) << 20) / std::max<Index>(1, X.dimension()))) {}
  Index size() const override { return X_.size(); }
  void diagonal(double* out) const override {
    for_chunks(X_, chunk_, Scalar::float64, [&](const Points& some, Index first) {
      gramian::diagonal(kernel_, some, MatrixView<double>(out + first, some.size(), 1));
    });
  }
  void columns(const std::vector<Index>& which, MatrixView<double> out) const override {
    const Matrix picked = rows(which);
    for_chunks(X_, chunk_, Scalar::float64,
               [&](const Points& some, Index first) { full(kernel_, some, picked.view(), rows_of(out, first, some.size())); });
  }
  void entries(const std::vector<Index>& left, const std::vector<Index>& right, MatrixView<double> out) const override {
    full(kernel_, rows(left).view(), rows(right).view(), out);
  }

 private:
  /// Read in ascending order, as a source may have to begin anew for an earlier row.
  Matrix rows(const std::vector<Index>& which) const {
    std::vector<Index> order(which.size());
    std::iota(order.begin(), order.end(), Index(0));
    std::sort(order.begin(), order.end(), [&](Index a, Index b) { return which[at(a)] < which[at(b)]; });
    Matrix out(static_cast<Index>(which.size()), X_.dimension());
    for (const Index i : order) X_.read(which[at(i)], rows_of(out.view(), i, 1));
    return out;
  }

  Kernel kernel_;
  const RowSource& X_;
  Index chunk_;
};

}  // namespace

IncompleteCholesky incomplete_cholesky(const Kernel& kernel, const Points& X, const IncompleteCholeskyOptions& options) {
  return incomplete_cholesky(GramColumns(kernel, X), options);
}
IncompleteCholesky incomplete_cholesky(const Kernel& kernel, const RowSource& X, const IncompleteCholeskyOptions& options) {
  return incomplete_cholesky(SourceColumns(kernel, X), options);
}

Index adaptive_rank_cap(Index n) {
  require(n >= 0, "n must not be negative");
  const auto root = static_cast<Index>(8.0 * std::sqrt(static_cast<double>(n)));
  return std::min(n, std::max<Index>(512, std::min(n / 4, root)));
}

IncompleteCholesky adaptive_factor(const Kernel& kernel, const Points& X, double shift, const AdaptiveFactorOptions& options) {
  require_positive(shift, "shift");
  require_not_negative(options.trace_per_shift, "trace_per_shift");
  require(options.max_rank >= 0, "max_rank must not be negative");
  require(options.memory_share > 0.0 && options.memory_share <= 1.0, "memory_share must be above 0 and at most 1");
  const Index n = X.size();
  const GramColumns K(kernel, X);
  Matrix diagonal(n, 1);
  K.diagonal(diagonal.data());
  double trace = 0.0;
  for (Index i = 0; i < n; ++i) trace += diagonal(i, 0);
  const double bytes = 2.0 * sizeof(double) * static_cast<double>(std::max<Index>(n, 1));
  const double fitting = options.memory_share * static_cast<double>(memory_report().limit) / bytes;
  const Index wanted = options.max_rank > 0 ? options.max_rank : adaptive_rank_cap(n);
  IncompleteCholeskyOptions found;
  found.max_rank = fitting < static_cast<double>(wanted) ? std::max<Index>(1, static_cast<Index>(fitting)) : wanted;
  found.tolerance = trace > 0.0 ? options.trace_per_shift * static_cast<double>(n) * shift / trace : 0.0;
  found.tolerance = std::min(found.tolerance, 1.0);
  found.pivoting = options.pivoting;
  found.seed = options.seed;
  return incomplete_cholesky(K, found);
}

}  // namespace gramian
