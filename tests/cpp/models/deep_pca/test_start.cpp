// SPDX-License-Identifier: BSD-3-Clause
// Where deep kernel PCA begins.
#include "models/deep_pca/start.hpp"

#include <cmath>
#include <vector>

#include "gramian/eigen.hpp"
#include "support/check.hpp"
#include "support/deep_pca_data.hpp"

using namespace gramian;

namespace {

constexpr Index n = 40;

struct Problem {
  explicit Problem(std::vector<deep_pca::Level> levels, bool centred = false, bool joint = false)
      : objective(Points(X.view), std::move(levels), options(centred, joint)), x(static_cast<std::size_t>(objective.size())) {}

  static deep_pca::ObjectiveOptions options(bool centred, bool joint) {
    deep_pca::ObjectiveOptions made;
    made.centred = centred;
    made.eigenvalues = joint ? deep_pca::Eigenvalues::joint : deep_pca::Eigenvalues::eliminated;
    return made;
  }
  auto H(Index j) const { return as_eigen(objective.manifold().block(x.data(), j)); }
  double off_orthonormal(Index j) const {
    const auto own = H(j);
    return (own.transpose() * own - Eigen::MatrixXd::Identity(own.cols(), own.cols())).norm();
  }

  naive::Matrix<double> X = pca::two_classes(n, 4);
  deep_pca::TrainingObjective objective;
  std::vector<double> x;
};

}  // namespace

TEST(kernel_pca_goes_level_by_level) {
  for (const bool centred : {false, true}) {
    Problem problem(pca::two_gaussians(), centred);
    deep_pca::start_by_kpca(problem.objective, problem.x.data());
    for (const Index j : {0, 1}) {
      CHECK(problem.off_orthonormal(j) <= 1e-12);
      const MatrixView<const double> H = problem.objective.manifold().block(std::as_const(problem.x).data(), j);
      Matrix image(n, H.cols());
      problem.objective.product(problem.x.data(), j + 1, H, image.view());
      const Eigen::MatrixXd values = as_eigen(H).transpose() * as_eigen(image.view());
      CHECK((as_eigen(image.view()) - as_eigen(H) * values).norm() <= 1e-7 * values.norm());
      if (centred) CHECK(as_eigen(H).colwise().sum().norm() <= 1e-8);
    }
  }
}

TEST(linear_levels_take_over_directions) {
  Problem problem(pca::with_linear(0.8));
  CHECK(deep_pca::has_closed_form(problem.objective.levels()));
  CHECK(!deep_pca::has_closed_form(pca::two_gaussians()));
  deep_pca::solve_in_closed_form(problem.objective, problem.x.data());
  CHECK((problem.H(1) - problem.H(0).leftCols(2)).norm() == 0.0);
  CHECK(problem.objective.evaluate(problem.x.data(), nullptr) <= 1e-18);
}

TEST(random_starts_are_orthonormal_and_differ) {
  Problem problem(pca::two_gaussians());
  deep_pca::start_at_random(problem.objective, 1, 0, problem.x.data());
  const std::vector<double> first = problem.x;
  for (const Index j : {0, 1}) CHECK(problem.off_orthonormal(j) <= 1e-12);
  deep_pca::start_at_random(problem.objective, 1, 0, problem.x.data());
  CHECK(problem.x == first);
  for (const auto& [seed, start] : {std::pair<std::uint64_t, Index>{1, 1}, {2, 0}}) {
    deep_pca::start_at_random(problem.objective, seed, start, problem.x.data());
    CHECK(problem.x != first);
  }
}

TEST(eigenvalues_that_are_variables_begin_as_the_best_ones) {
  Problem joint(pca::two_gaussians(), false, true), best(pca::two_gaussians());
  deep_pca::start_at_random(joint.objective, 3, 0, joint.x.data());
  deep_pca::set_eigenvalues(joint.objective, joint.x.data());
  const double value = joint.objective.evaluate(joint.x.data(), nullptr);
  CHECK_NEAR(value, best.objective.evaluate(joint.x.data(), nullptr), 1e-12 * value);
  joint.x.back() += 0.01;
  CHECK(joint.objective.evaluate(joint.x.data(), nullptr) > value);
}

TEST(top_vectors_of_a_centred_operator_are_orthogonal_to_constants) {
  // Of rank 2 after centring: the third direction is any that is orthogonal to 1 all the same.
  const auto apply = [](MatrixView<const double> V, MatrixView<double> out) {
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(6, 6);
    Eigen::VectorXd u(6), w(6);
    u << 1, -1, 0, 0, 0, 0;
    w << 0, 0, 1, -1, 0, 0;
    A += 3.0 * u * u.transpose() + 2.0 * w * w.transpose();
    as_eigen(out) = A * as_eigen(V);
  };
  const Matrix vectors = deep_pca::top_vectors({6, std::vector<double>()}, 3, apply, 1e-10, true);
  CHECK(as_eigen(vectors.view()).colwise().sum().norm() <= 1e-8);
  const auto V = as_eigen(vectors.view());
  CHECK((V.transpose() * V - Eigen::MatrixXd::Identity(3, 3)).norm() <= 1e-10);
}

TEST_MAIN
