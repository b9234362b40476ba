// SPDX-License-Identifier: BSD-3-Clause
// The gradients of sum Kbar o K, for every kernel, against differences of the double loop.
#include "gramian/gram/adjoint.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "support/check.hpp"
#include "support/finite_difference.hpp"
#include "support/gram_problem.hpp"
#include "support/kernel_samples.hpp"
#include "support/naive.hpp"
#include "support/naive_kernels.hpp"

using gramian::adjoint;
using gramian::GramGradient;
using gramian::Index;
using gramian::MatrixView;
using naive::Expression;
using naive::GramProblem;
using naive::Matrix;
using naive::Real;

namespace {

// Points are 4 / n apart in every feature. The truncation error of a difference is measured (finite_difference.hpp); at this step
// it is h^4 f'''''/30 < 1e-15 at distances of 0.3 and 1e-10 at those of 0.02 that 200 points have, and rounding is 2^-64 / h <
// 3e-15.
constexpr Real step = 2e-5L;

/// An engine's gradient is a sum of n terms W (x - c), each off by a few u times |x - c|^2 / |x - y|^2, the cancellation of the
/// distance: below 1e4 for these points.
constexpr Real roundings = 0x1p14L * 0x1p-53L;

struct Gradients {
  Gradients(Index n, Index m, Index d) : X(n, d), Y(m, d) {}
  Matrix<double> X, Y;
  std::vector<double> parameters;
};

Gradients gradients(const Expression& e, bool same, const Matrix<double>& X, const Matrix<double>& Y,
                    const GramGradient<double>& Kbar) {
  Gradients out(X.view.rows(), Y.view.rows(), X.view.cols());
  const gramian::Kernel kernel = naive::kernel_of(e);
  out.parameters =
      same ? adjoint(kernel, X.view, Kbar, out.X.view) : adjoint(kernel, X.view, Y.view, Kbar, out.X.view, out.Y.view);
  return out;
}

void report(bool right, const GramProblem& problem, const std::string& what, Real got, const difference::Slope& wanted,
            Real allowed) {
  if (right) return;
  check::fail(__FILE__, __LINE__,
              label(problem) + ", " + std::to_string(problem.x.size()) + " points, " + what + ": " + check::show(got) + " and " +
                  check::show(wanted.value) + " +- " + check::show(wanted.error + allowed));
}

void check_points(const GramProblem& problem, bool of_second, const Matrix<double>& got, Index every) {
  const Index n = got.view.rows(), d = got.view.cols();
  for (Index entry = 0; entry < n * d; entry += every) {
    const auto i = static_cast<std::size_t>(entry / d), k = static_cast<std::size_t>(entry % d);
    const difference::Slope wanted = problem.point_slope(of_second, i, k, step);
    const Real value = got.numbers[static_cast<std::size_t>(entry)], scale = problem.magnitude(of_second, i),
               allowed = roundings * scale;
    const std::string what = (of_second ? "Ybar " : "Xbar ") + std::to_string(i) + ", " + std::to_string(k);
    report(difference::agrees(value, wanted, allowed, scale), problem, what, value, wanted, allowed);
    // Were it wrong in the sixth digit, it would not pass.
    report(!difference::agrees(value + 1e-6L * scale, wanted, allowed, scale), problem, what + ", perturbed", value, wanted,
           allowed);
  }
}

void check_parameters(const GramProblem& problem, const std::vector<double>& got) {
  const naive::Numbers p = naive::parameters_of(problem.kernel);
  std::vector<bool> whole;
  naive::collect_whole(problem.kernel, whole);
  CHECK_EQ(got.size(), p.size());
  const Real scale = problem.magnitude(), allowed = roundings * scale;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const difference::Slope wanted = whole[i] ? difference::Slope{0, 0} : problem.parameter_slope(i, step);
    const std::string what = "parameter " + std::to_string(i);
    report(difference::agrees(got[i], wanted, allowed, scale), problem, what, got[i], wanted, allowed);
    report(!difference::agrees(got[i] + 1e-6L * scale, wanted, allowed, scale), problem, what + ", perturbed", got[i], wanted,
           allowed);
  }
}

std::vector<naive::Numbers> directions(Index n, Index d, std::uint64_t seed) {
  return naive::points(naive::normal<double>(n, d, seed).view);
}

naive::Numbers flat(const std::vector<naive::Numbers>& rows) {
  naive::Numbers out;
  for (const naive::Numbers& row : rows) out.insert(out.end(), row.begin(), row.end());
  return out;
}

/// <J v, Kbar> = <v, (Xbar, Ybar)>
void check_adjointness(const GramProblem& problem, const Gradients& got) {
  const Index n = got.X.view.rows(), m = got.Y.view.rows(), d = got.X.view.cols();
  const std::vector<naive::Numbers> x_along = directions(n, d, 91), y_along = directions(m, d, 92);
  naive::Numbers v = flat(x_along), back(got.X.numbers.begin(), got.X.numbers.end()), w;
  if (!problem.same) {
    const naive::Numbers more = flat(y_along);
    v.insert(v.end(), more.begin(), more.end());
    back.insert(back.end(), got.Y.numbers.begin(), got.Y.numbers.end());
  }
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < problem.Kbar.cols(); ++j) w.push_back(problem.Kbar(i, j));
  }
  const std::vector<difference::Slope> along = problem.gram_along(x_along, y_along, step / 4);  // directions reach beyond 3
  const Real allowed = 8 * roundings * problem.magnitude();
  check::that(difference::adjoint_pair(along, w, v, back, allowed), label(problem) + ": <Jv, w> is not <v, J'w>", __FILE__,
              __LINE__);
  back[0] += 1e-6L * problem.magnitude() / v[0];
  check::that(!difference::adjoint_pair(along, w, v, back, allowed), label(problem) + ": a wrong adjoint passes", __FILE__,
              __LINE__);
}

/// Every gradient of one problem, Kbar given as P Q^T or as a dense matrix.
void check_problem(const Expression& e, bool same, Index n, Index m, Index d, bool low_rank, Index every) {
  const auto all = naive::points_apart(n + m, d, 81);
  Matrix<double> X(n, d), Y(same ? 0 : m, d);
  for (Index i = 0; i < n + m; ++i) {
    for (Index k = 0; k < d; ++k) {
      if (i < n) X(i, k) = all.view(i, k);
      if (i >= n && !same) Y(i - n, k) = all.view(i, k);
    }
  }
  const auto P = naive::normal<double>(n, 2, 82), Q = naive::normal<double>(same ? n : m, 2, 83);
  const auto dense = low_rank ? naive::dense_product(P, Q) : naive::normal<double>(n, same ? n : m, 84);
  const GramGradient<double> Kbar = low_rank ? GramGradient<double>(P.view, Q.view) : GramGradient<double>(dense.view);
  const Gradients got = gradients(e, same, X, Y, Kbar);
  const GramProblem problem{e, same, naive::points(X.view), naive::points(Y.view), dense.view};
  check_points(problem, false, got.X, every);
  if (!same) check_points(problem, true, got.Y, every);
  if (n <= 110 && d <= 3) check_parameters(problem, got.parameters);
  if (n <= 13 && d > 1) check_adjointness(problem, got);
}

}  // namespace

TEST(gradients_of_few_points_are_those_of_differences) {
  for (const Expression& e : naive::all_samples(3)) {
    for (const bool same : {true, false}) {
      for (const Index n : {1, 2, 13}) {
        check_problem(e, same, n, n / 2 + 1, 3, true, 1);
        check_problem(e, same, n, n / 2 + 1, 3, false, 1);
      }
    }
  }
}

TEST(gradients_of_one_feature_are_those_of_differences) {
  for (const Expression& e : naive::all_samples(1)) {
    check_problem(e, true, 7, 0, 1, true, 1);
    check_problem(e, false, 5, 4, 1, true, 1);
  }
}

// More than one tile each way, of which the last is not full.
TEST(gradients_of_many_points_are_those_of_differences) {
  for (const Expression& e : naive::all_samples(3)) {
    check_problem(e, true, 200, 0, 3, true, 61);
    check_problem(e, true, 110, 0, 3, true, 61);
    check_problem(e, false, 109, 97, 3, false, 61);
  }
}

// Sums too large for the schedule by pieces: a tournament on one set, a Latin square on two.
TEST(gradients_of_many_features_are_those_of_differences) {
  const Index d = 700;
  const Expression gaussian = naive::leaf("gaussian", {2e-4}), cosine = naive::leaf("cosine"),
                   l1 = naive::leaf("laplacian_l1", {1e-3});
  const Expression e = 2.0 * (gaussian + cosine) * (l1 + 0.5 * naive::leaf("polynomial", {2, 1e-3, 1.0}));
  check_problem(e, true, 200, 0, d, true, 14003);
  check_problem(e, false, 200, 130, d, true, 14003);
  check_problem(e, false, 97, 280, d, false, 14003);
}

TEST_MAIN
