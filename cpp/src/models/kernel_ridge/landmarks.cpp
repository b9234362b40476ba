// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gramian/base/error.hpp"
#include "gramian/gram/landmark_features.hpp"
#include "gramian/linalg/cholesky.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/linalg/landmark_basis.hpp"
#include "gramian/models/kernel_ridge.hpp"
#include "models/kernel_ridge/checks.hpp"
#include "models/kernel_ridge/passes.hpp"

namespace gramian::kernel_ridge {
namespace {

constexpr double most_rounding = 1e-5;       // of a direct solution, relative to alpha
constexpr Index matrices_of_iterations = 6;  // a factor of k(Z, Z), T, a sketch of twice their size, and its square
constexpr const char* advice = "use fewer landmarks";

double norm(const Matrix& A, Index column) {
  double sum = 0.0;
  for (Index i = 0; i < A.rows(); ++i) sum += A(i, column) * A(i, column);
  return std::sqrt(sum);
}

/// (square + alpha k(Z, Z)) c = right in the coordinates of a basis, T^-1 square T^-T + alpha I, for some targets.
void solve_some(const NormalSystem& system, const Matrix& gram, double alpha, Index first, MatrixView<double> coefficients,
                LandmarkFit& out) {
  const LandmarkBasis basis(gram.view(), normal_tolerance(system.square.view(), gram.view(), alpha));
  const Index k = basis.rank(), m = basis.landmarks(), targets = coefficients.cols();
  Matrix half(k, m), A(k, k), right(k, targets);
  basis.contract(system.square.view(), half.view());
  basis.contract(transposed(half.view()), A.view());
  for (Index i = 0; i < k; ++i) A(i, i) += alpha;
  basis.contract(part(system.right.view(), 0, m, first, targets), right.view());
  Matrix solution = right.clone();
  Cholesky(A.view()).solve(solution.view());
  Matrix rest = right.clone();
  gemm(-1.0, A.view(), solution.view(), 1.0, rest.view());
  for (Index c = 0; c < targets; ++c) {
    const double size = norm(right, c);
    out.residuals.push_back(size > 0.0 ? norm(rest, c) / size : 0.0);
  }
  out.objective -= sum_of_products(solution.view(), right.view()) + sum_of_products(solution.view(), rest.view());
  basis.expand(solution.view(), coefficients);
}

LandmarkFit solve_directly(const NormalSystem& system, const Matrix& gram, const std::vector<double>& alphas) {
  LandmarkFit out;
  out.coefficients = Matrix(gram.rows(), system.right.cols());
  Index first = 0;
  by_alpha(alphas, out.coefficients.view(), [&](double alpha, MatrixView<double> columns) {
    solve_some(system, gram, alpha, first, columns, out);
    first += columns.cols();
  });
  for (const double square : system.y_square) out.objective += square;
  out.history.push_back({0, out.objective, 0.0, 0.0, 1, 1});
  return out;
}

MatrixView<const double> column_of(const std::vector<double>& numbers) {
  return {numbers.data(), static_cast<Index>(numbers.size()), numbers.empty() ? 0 : 1};
}

double weight_of(const std::vector<double>& weights, Index i) {
  return weights.empty() ? 1.0 : weights[static_cast<std::size_t>(i)];
}

/// sum of w y^2 of each target.
std::vector<double> squares_of(MatrixView<const double> targets, const std::vector<double>& weights) {
  std::vector<double> squares(static_cast<std::size_t>(targets.cols()), 0.0);
  for_entries(targets, [&](Index i, Index c) {
    squares[static_cast<std::size_t>(c)] += weight_of(weights, i) * targets(i, c) * targets(i, c);
  });
  return squares;
}

template <class Rows>
NormalSystem system_of(const Kernel& kernel, const Rows& X, const Points& Z, MatrixView<const double> targets,
                       const std::vector<double>& weights) {
  const Index m = Z.size();
  require_memory(bytes_of(m, m, 6), "the normal system", advice);
  NormalSystem out;
  out.square = Matrix(m, m);
  out.right = Matrix(m, targets.cols());
  normal_system(kernel, X, Z, column_of(weights), targets, out.square.view(), out.right.view());
  out.y_square = squares_of(targets, weights);
  return out;
}

double sum_of_weights(const std::vector<double>& weights, Index n) {
  double sum = 0.0;
  for (Index i = 0; i < n; ++i) sum += weight_of(weights, i);
  return sum;
}

/// Whether the square has the digits for a direct solution: T^-1 square T^-T loses as many as T^-1 T^-T is large.
bool has_digits(const LandmarkBasis& basis, const LandmarkOptions& options, double largest, double weight) {
  double least = std::numeric_limits<double>::infinity();
  for (Index k = 0; k < basis.rank(); ++k) {
    const double root = basis.features()(basis.pivots()[static_cast<std::size_t>(k)], k);
    least = std::min(least, root * root);
  }
  const double alpha = *std::min_element(options.alphas.begin(), options.alphas.end());
  return std::numeric_limits<double>::epsilon() * weight * largest * largest <= most_rounding * alpha * least;
}

double largest_on_diagonal(const Matrix& gram) {
  double largest = 0.0;
  for (Index j = 0; j < gram.rows(); ++j) largest = std::max(largest, gram(j, j));
  return largest;
}

template <class Rows>
LandmarkFit fit_of(const Kernel& kernel, const Rows& X, const Points& Z, MatrixView<const double> targets,
                   const LandmarkOptions& options, Observer* observer) {
  check_targets(X.size(), targets, options.weights, 0.0);
  check_alphas(options.alphas, targets.cols(), true);
  require_not_negative(options.tolerance, "tolerance");
  require(options.max_iterations >= 0, "max_iterations must not be negative");
  require(Z.size() > 0, "landmarks are empty: there must be at least one");
  const std::vector<double>& weights = options.weights;
  require_memory(bytes_of(Z.size(), Z.size(), matrices_of_iterations), "the normal system", advice);
  Matrix gram = landmark_gram(kernel, Z);
  const auto directly = [&] { return solve_directly(system_of(kernel, X, Z, targets, weights), gram, options.alphas); };
  if (options.solver == LandmarkSolver::direct) return directly();
  const LandmarkBasis basis(gram.view());
  const bool some = options.solver == LandmarkSolver::automatic && Z.size() <= options.largest_direct;
  if (some && has_digits(basis, options, largest_on_diagonal(gram), sum_of_weights(weights, X.size()))) return directly();
  gram = Matrix();  // the basis has what the passes need of it
  PassProblem problem;
  problem.system = [&](const LandmarkBasis& coordinates, double alpha) {
    return LandmarkSystem(kernel, X, Z, coordinates, alpha, column_of(weights));
  };
  problem.sketch = [&](Index rows) { return sketched_rows(kernel, X, Z, rows, 0, column_of(weights)); };
  problem.targets = targets;
  for (const double square : squares_of(targets, weights)) problem.square += square;
  return solve_by_passes(basis, problem, options, observer);
}

}  // namespace

LandmarkFit fit_landmarks(const Kernel& kernel, const Points& X, const Points& landmarks, MatrixView<const double> targets,
                          const LandmarkOptions& options, Observer* observer) {
  return fit_of(kernel, X, landmarks, targets, options, observer);
}

LandmarkFit fit_landmarks(const Kernel& kernel, const RowSource& X, const Points& landmarks, MatrixView<const double> targets,
                          const LandmarkOptions& options, Observer* observer) {
  return fit_of(kernel, X, landmarks, targets, options, observer);
}

LandmarkFit fit_landmarks(const Kernel& kernel, const Points& landmarks, const NormalSystem& system,
                          const std::vector<double>& alphas) {
  const Index m = landmarks.size();
  require(m > 0, "landmarks are empty: there must be at least one");
  require_shape(system.square.view(), m, m, "square");
  require_shape(system.right.view(), m, system.right.cols(), "right");
  require_finite(system.square.view(), "square");
  require_finite(system.right.view(), "right");
  check_alphas(alphas, system.right.cols(), true);
  require_memory(bytes_of(m, m, matrices_of_iterations), "the normal system", advice);
  return solve_directly(system, landmark_gram(kernel, landmarks), alphas);
}

}  // namespace gramian::kernel_ridge
