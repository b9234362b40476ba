// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/low_rank.hpp"

#include "gram/rows.hpp"
#include "gramian/base/error.hpp"
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

}  // namespace

IncompleteCholesky incomplete_cholesky(const Kernel& kernel, const Points& X, const IncompleteCholeskyOptions& options) {
  return incomplete_cholesky(GramColumns(kernel, X), options);
}

}  // namespace gramian
