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
    const MatrixView<const double> points = X_.float64();
    Buffer<double> pivots(checked_product(static_cast<Index>(which.size()), points.cols()));
    for (std::size_t i = 0; i < which.size(); ++i) {
      for (Index k = 0; k < points.cols(); ++k) pivots[static_cast<Index>(i) * points.cols() + k] = points(which[i], k);
    }
    full(kernel_, X_, MatrixView<const double>(pivots.data(), static_cast<Index>(which.size()), points.cols()), out);
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
