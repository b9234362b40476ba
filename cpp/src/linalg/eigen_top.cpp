// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/linalg/eigen_top.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/check.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/memory.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/eigen.hpp"
#include "gramian/linalg/eigen_symmetric.hpp"
#include "linalg/block_krylov.hpp"
#include "linalg/small.hpp"
#include "linalg/symmetric_product.hpp"

namespace gramian {
namespace {

constexpr Index small_matrix = 256;
constexpr Index least_blocks = 5;
constexpr double reachable_tolerance = 2e-14;

bool decompose_all(Index n, Index k) { return n <= small_matrix || n < least_blocks * BlockKrylov::block_size(k); }

/// Throws std::invalid_argument if something does not fit.
void require_arguments(Index n, MatrixView<double> values, MatrixView<double> V, const EigenTopOptions& options) {
  const Index k = V.cols();
  require_shape(V, n, k, "V");
  require(k <= n, "V has " + std::to_string(k) + " columns, but the matrix has " + std::to_string(n) + " eigenvalues only");
  require_shape(values, k, 1, "values");
  require_not_negative(options.tolerance, "tolerance");
  require(options.max_products >= 2, "max_products must be at least 2");
}

EigenTopResult top_of_all(MatrixView<const double> A, MatrixView<double> values, MatrixView<double> V) {
  const Index n = A.rows(), k = V.cols();
  SmallMatrix vectors(n, n);
  Eigen::VectorXd all(n);
  eigen_symmetric(A, view(all), view(vectors), EigenOrder::descending);
  as_eigen(values).col(0) = all.head(k);
  as_eigen(V) = vectors.leftCols(k);
  EigenTopResult result;
  const auto whole = as_eigen(A).selfadjointView<Eigen::Lower>();
  for (Index j = 0; j < k; ++j) {
    const Eigen::VectorXd v = vectors.col(j);
    result.residuals.push_back((whole * v - all(j) * v).stableNorm());
  }
  return result;
}

/// (I - 11ᵀ/n) A (I - 11ᵀ/n) in place of A.
class Centred {
 public:
  explicit Centred(SymmetricAction apply) : apply_(apply) {}
  void operator()(MatrixView<const double> V, MatrixView<double> out) {
    input_ = as_eigen(V);
    input_.rowwise() -= input_.colwise().mean().eval();
    apply_(view(std::as_const(input_)), out);
    auto result = as_eigen(out);
    result.rowwise() -= result.colwise().mean().eval();
  }

 private:
  SymmetricAction apply_;
  SmallMatrix input_;
};

/// All of A, by its product with the identity.
EigenTopResult top_of_all(Index n, SymmetricAction apply, MatrixView<double> values, MatrixView<double> V) {
  SmallMatrix A(n, n), identity = SmallMatrix::Identity(n, n);
  apply(view(std::as_const(identity)), view(A));
  if (!A.allFinite()) throw NumericalError("a product of the operator with a block of vectors is not finite");
  EigenTopResult result = top_of_all(view(std::as_const(A)), values, V);
  result.products = 1;
  return result;
}

/// Products until the next look at the eigenpairs, judged by how residuals fell since the last one: a look costs as much as some
/// products.
class Schedule {
 public:
  bool due(int products) const { return products >= next_; }
  void looked(int products, double distance) {
    int wait = 2;
    if (distance > 1.0 && distance < last_distance_ && last_products_ > 0) {
      const double rate = std::log(last_distance_ / distance) / static_cast<double>(products - last_products_);
      // They fall faster towards the end.
      wait = static_cast<int>(std::clamp(std::ceil(0.6 * std::log(distance) / rate), 1.0, 5.0));
    }
    last_products_ = products;
    last_distance_ = distance;
    next_ = products + wait;
  }

 private:
  int next_ = 5;
  int last_products_ = 0;
  double last_distance_ = 0.0;
};

EigenTopResult iterate(BlockKrylov& krylov, MatrixView<double> values, MatrixView<double> V, const EigenTopOptions& options) {
  const double tolerance = std::max(options.tolerance, reachable_tolerance);
  double accepted = tolerance;  // of estimates: lowered if the residuals themselves turn out larger
  EigenTopResult result;
  Schedule schedule;
  for (;;) {
    poll_stop();
    krylov.expand();
    const bool last = krylov.products() + 1 >= options.max_products;  // the residuals take one
    if (last || !krylov.has_room() || schedule.due(krylov.products())) {
      krylov.project();
      const bool good = krylov.estimate() <= accepted * krylov.norm();
      if (good || last) {
        krylov.write(values, V, result.residuals);
        const double worst = *std::max_element(result.residuals.begin(), result.residuals.end());
        const bool found = worst <= tolerance * krylov.norm();
        for (double& residual : result.residuals) residual /= krylov.scale();
        result.reason = found ? EigenTopStop::converged : EigenTopStop::max_products;
        result.products = krylov.products();
        if (found || last) return result;
        accepted *= 0.1;
      }
      schedule.looked(krylov.products(), krylov.estimate() / (accepted * std::max(krylov.norm(), 1e-300)));
    }
    krylov.prepare_next();
  }
}

}  // namespace

EigenTopResult eigen_top(Index n, SymmetricAction apply, MatrixView<double> values, MatrixView<double> V,
                         const EigenTopOptions& options) {
  require_arguments(n, values, V, options);
  if (V.empty()) return {};
  if (options.centred) {
    EigenTopOptions rest = options;
    rest.centred = false;
    Centred centred(apply);
    return eigen_top(n, centred, values, V, rest);
  }
  if (decompose_all(n, V.cols())) return top_of_all(n, apply, values, V);
  require_memory(BlockKrylov::bytes(n, V.cols()), "the basis of the eigenvectors", "ask for fewer of them");
  BlockKrylov krylov(n, apply, V.cols(), options);
  EigenTopResult result = iterate(krylov, values, V, options);
  fix_signs(V);
  return result;
}

EigenTopResult eigen_top(MatrixView<const double> A, MatrixView<double> values, MatrixView<double> V,
                         const EigenTopOptions& options) {
  const Index n = A.rows();
  SymmetricProduct product(A);
  require_arguments(n, values, V, options);
  if (V.empty()) return {};
  if (decompose_all(n, V.cols()) && !options.centred) return top_of_all(A, values, V);
  bool first = true;
  const auto apply = [&](MatrixView<const double> in, MatrixView<double> out) {
    product(in, out);
    // Whatever is not finite in A is so in its product with random vectors.
    if (first) require_finite(out, "A, or its product with a vector,");
    first = false;
  };
  return eigen_top(n, apply, values, V, options);
}

}  // namespace gramian
