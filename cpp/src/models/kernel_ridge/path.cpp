// SPDX-License-Identifier: BSD-3-Clause
#include <limits>
#include <numeric>
#include <utility>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/models/kernel_ridge.hpp"
#include "models/kernel_ridge/checks.hpp"
#include "models/kernel_ridge/exact.hpp"

namespace gramian::kernel_ridge {
namespace {

/// What all alphas share: V, its squares, and Vᵀ S Y.
class Closed {
 public:
  Closed(const GramSource& X, MatrixView<const double> targets, const std::vector<double>& roots)
      : targets_(targets),
        roots_(roots),
        spectrum_(X, roots, Spectrum::Signs::semidefinite),
        squares_(size(), size()),
        rotated_(size(), targets.cols()) {
    const Matrix& V = spectrum_.vectors();
    for (Index i = 0; i < V.size(); ++i) squares_.data()[i] = V.data()[i] * V.data()[i];
    Matrix scaled = Matrix::copy_of(targets);
    scale_rows(roots_, scaled.view());
    gemm(1.0, transposed(V.view()), scaled.view(), 0.0, rotated_.view());
  }

  /// Z = (S K S + alpha I)^-1 S Y, and the diagonal of that inverse.
  void solve(double alpha, Matrix& Z, Matrix& diagonal) const {
    Matrix inverse(size(), 1), inner = rotated_.clone();
    for (Index k = 0; k < size(); ++k) inverse(k, 0) = 1.0 / (spectrum_.values()(k, 0) + alpha);
    for_entries(inner.view(), [&](Index k, Index c) { inner(k, c) *= inverse(k, 0); });
    Z = Matrix(size(), targets_.cols());
    diagonal = Matrix(size(), 1);
    gemm(1.0, spectrum_.vectors().view(), inner.view(), 0.0, Z.view());
    gemm(1.0, squares_.view(), inverse.view(), 0.0, diagonal.view());
  }

  /// The error of leaving a sample out is that of its unknown over its entry of the inverse's diagonal.
  double error(Index i, Index c, const Matrix& Z, const Matrix& diagonal) const {
    return Z(i, c) / diagonal(i, 0) / (roots_.empty() ? 1.0 : roots_[static_cast<std::size_t>(i)]);
  }

  double weight(Index i) const {
    const double root = roots_.empty() ? 1.0 : roots_[static_cast<std::size_t>(i)];
    return root * root;
  }

  Index size() const { return targets_.rows(); }

 private:
  MatrixView<const double> targets_;
  const std::vector<double>& roots_;
  Spectrum spectrum_;
  Matrix squares_, rotated_;
};

void take_errors(const Closed& closed, const Matrix& Z, const Matrix& diagonal, MatrixView<double> errors) {
  double total = 0.0;
  for (Index i = 0; i < closed.size(); ++i) total += closed.weight(i);
  for (Index c = 0; c < Z.cols(); ++c) {
    double sum = 0.0;
    for (Index i = 0; i < closed.size(); ++i) {
      const double error = closed.error(i, c, Z, diagonal);
      sum += closed.weight(i) * error * error;
    }
    errors(0, c) = sum / total;
  }
}

Index row_of_least_sum(const Matrix& errors) {
  Index best = 0;
  double least = 0.0;
  for (Index a = 0; a < errors.rows(); ++a) {
    const double sum = std::accumulate(errors.data() + a * errors.cols(), errors.data() + (a + 1) * errors.cols(), 0.0);
    if (a > 0 && !(sum < least)) continue;
    best = a;
    least = sum;
  }
  return best;
}

}  // namespace

Path path(const GramSource& X, MatrixView<const double> targets, const std::vector<double>& alphas,
          const std::vector<double>& weights) {
  check_data(X, targets, weights, std::numeric_limits<double>::min());
  require(!alphas.empty(), "alphas must hold at least one number");
  for (const double alpha : alphas) require_positive(alpha, "alphas");
  const std::vector<double> roots = roots_of(weights);
  const Closed closed(X, targets, roots);
  Path out;
  out.errors = Matrix(static_cast<Index>(alphas.size()), targets.cols());
  Matrix Z, diagonal;
  for (Index a = 0; a < out.errors.rows(); ++a) {
    poll_stop();
    closed.solve(alphas[static_cast<std::size_t>(a)], Z, diagonal);
    take_errors(closed, Z, diagonal, part(out.errors.view(), a, 1, 0, targets.cols()));
  }
  out.best = row_of_least_sum(out.errors);
  closed.solve(alphas[static_cast<std::size_t>(out.best)], Z, diagonal);
  out.leave_one_out = Matrix::copy_of(targets);
  for_entries(out.leave_one_out.view(), [&](Index i, Index c) { out.leave_one_out(i, c) -= closed.error(i, c, Z, diagonal); });
  scale_rows(roots, Z.view());
  out.objective = alphas[static_cast<std::size_t>(out.best)] * sum_of_products(targets, Z.view());
  out.coefficients = std::move(Z);
  return out;
}

}  // namespace gramian::kernel_ridge
