// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/low_rank.hpp"

#include <algorithm>

#include "gramian/base/error.hpp"
#include "gramian/gram/full.hpp"

namespace gramian {
namespace {

class GramColumns final : public SymmetricColumns {
 public:
  GramColumns(const Kernel& kernel, const Points& X) : kernel_(kernel), X_(X) {
    require(X.scalar() == Scalar::float64 && !X.sparse(), "X must be dense float64 for an incomplete factorization");
  }
  Index size() const override { return X_.size(); }
  void diagonal(double* out) const override { gramian::diagonal(kernel_, X_, MatrixView<double>(out, X_.size(), 1)); }
  void columns(const std::vector<Index>& which, MatrixView<double> out) const override {
    const Buffer<double> pivots = gathered(which);
    full(kernel_, X_, points(pivots, which), out);
  }
  void entries(const std::vector<Index>& rows, const std::vector<Index>& cols, MatrixView<double> out) const override {
    const Buffer<double> left = gathered(rows), right = gathered(cols);
    full(kernel_, points(left, rows), points(right, cols), out);
  }

 private:
  Buffer<double> gathered(const std::vector<Index>& which) const {
    const MatrixView<const double> all = X_.float64();
    Buffer<double> some(checked_product(static_cast<Index>(which.size()), all.cols()));
    for (std::size_t i = 0; i < which.size(); ++i) {
      for (Index k = 0; k < all.cols(); ++k) some[static_cast<Index>(i) * all.cols() + k] = all(which[i], k);
    }
    return some;
  }
  MatrixView<const double> points(const Buffer<double>& some, const std::vector<Index>& which) const {
    return {some.data(), static_cast<Index>(which.size()), X_.dimension()};
  }

  Kernel kernel_;
  Points X_;
};

}  // namespace

IncompleteCholesky incomplete_cholesky(const Kernel& kernel, const Points& X, const IncompleteCholeskyOptions& options) {
  return incomplete_cholesky(GramColumns(kernel, X), options);
}

}  // namespace gramian
