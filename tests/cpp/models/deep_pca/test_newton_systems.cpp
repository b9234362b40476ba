// SPDX-License-Identifier: BSD-3-Clause
// Many systems with blocks next to the diagonal, against dense ones by full pivoting.
#include "models/deep_pca/newton_systems.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <vector>

#include "gramian/base/parallel.hpp"
#include "gramian/base/random.hpp"
#include "gramian/eigen.hpp"
#include "gramian/models/deep_pca/train.hpp"
#include "support/deep_pca_data.hpp"

using namespace gramian;

namespace {

deep_pca::Fit fitted(const std::vector<deep_pca::Level>& levels) {
  deep_pca::Options options;
  options.solver = pca::lbfgs(5);
  return deep_pca::fit(Points(pca::two_classes(40, 4).view), levels, options);
}

/// Blocks that have nothing to do with the model, symmetric on the diagonal.
deep_pca::Linearised made_up(const deep_pca::Equations& equations, Index rows, double size) {
  deep_pca::Linearised out;
  out.sizes.assign(static_cast<std::size_t>(rows), 1.0);
  for (Index j = 0; j < equations.depth(); ++j) {
    const Index s = equations.components(j);
    out.residuals.emplace_back(rows, s);
    RandomStream(static_cast<std::uint64_t>(10 + j)).fill_normal(out.residuals.back().view());
    if (j + 1 == equations.depth()) continue;
    Matrix curvature(rows, s * s), coupling(rows, equations.components(j + 1) * s);
    RandomStream(static_cast<std::uint64_t>(20 + j)).fill_normal(curvature.view());
    RandomStream(static_cast<std::uint64_t>(30 + j)).fill_normal(coupling.view());
    for (Index i = 0; i < rows; ++i) {
      for (Index k = 0; k < s; ++k) {
        for (Index m = 0; m < k; ++m) curvature(i, k * s + m) = curvature(i, m * s + k);
      }
    }
    as_eigen(curvature.view()) *= size;
    as_eigen(coupling.view()) *= size;
    out.curvature.push_back(std::move(curvature));
    out.couplings.push_back(std::move(coupling));
  }
  return out;
}

Eigen::MatrixXd dense(const deep_pca::Equations& equations, const deep_pca::Linearised& at, Index row) {
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(equations.unknowns(), equations.unknowns());
  for (Index j = 0; j < equations.depth(); ++j) {
    const auto level = static_cast<std::size_t>(j);
    const Index s = equations.components(j), own = equations.offset(j);
    for (Index k = 0; k < s; ++k) A(own + k, own + k) = equations.eigenvalues(j)[static_cast<std::size_t>(k)];
    if (j + 1 == equations.depth()) continue;
    const Index above = equations.components(j + 1), next = equations.offset(j + 1);
    for (Index k = 0; k < s; ++k) {
      for (Index m = 0; m < s; ++m) A(own + k, own + m) -= at.curvature[level](row, k * s + m);
      for (Index c = 0; c < above; ++c) A(own + k, next + c) = A(next + c, own + k) = -at.couplings[level](row, c * s + k);
    }
  }
  return A;
}

Eigen::VectorXd right_side(const deep_pca::Features& residuals, Index row) {
  Index n = 0;
  for (const Matrix& level : residuals) n += level.cols();
  Eigen::VectorXd out(n);
  Index at = 0;
  for (const Matrix& level : residuals) {
    for (Index k = 0; k < level.cols(); ++k) out(at++) = level(row, k);
  }
  return out;
}

std::vector<std::vector<deep_pca::Level>> models() {
  std::vector<deep_pca::Level> four = pca::two_gaussians();
  four.push_back({Kernel("gaussian", {0.8}), 4, 1.5});
  four.push_back({Kernel("gaussian", {0.6}), 1, 1.0});
  return {pca::two_gaussians(), {four.begin(), four.begin() + 3}, four};
}

std::vector<Index> up_to(Index count) {
  std::vector<Index> out;
  for (Index i = 0; i < count; ++i) out.push_back(i);
  return out;
}

}  // namespace

TEST(steps_are_those_of_dense_systems) {
  for (const std::vector<deep_pca::Level>& levels : models()) {
    const deep_pca::Fit fit = fitted(levels);
    const deep_pca::Equations equations(fit.model);
    for (const double size : {1e-3, 1.0, 1e3}) {
      const deep_pca::Linearised at = made_up(equations, 53, size);
      const Matrix steps = deep_pca::NewtonSystems(equations, at).steps(up_to(53), at.residuals);
      for (Index i = 0; i < 53; ++i) {
        const Eigen::MatrixXd A = dense(equations, at, i);
        const Eigen::VectorXd r = right_side(at.residuals, i), x = as_eigen(steps.view()).row(i).transpose();
        // Backward stable up to the growth that pivots of 1e-8 allow.
        CHECK((A * x - r).norm() <= 1e-8 * (A.norm() * x.norm() + r.norm()));
        const Eigen::VectorXd expected = A.fullPivLu().solve(r);
        CHECK((x - expected).norm() <= 1e-5 * expected.norm());
      }
    }
  }
}

TEST(some_rows_have_the_steps_of_all) {
  const deep_pca::Fit fit = fitted(models()[1]);
  const deep_pca::Equations equations(fit.model);
  const deep_pca::Linearised at = made_up(equations, 30, 1.0);
  const deep_pca::NewtonSystems systems(equations, at);
  const std::vector<Index> some = {0, 3, 8, 9, 29};
  deep_pca::Features residuals;
  for (const Matrix& level : at.residuals) {
    Matrix rows(5, level.cols());
    for (std::size_t k = 0; k < some.size(); ++k) {
      for (Index c = 0; c < level.cols(); ++c) rows(static_cast<Index>(k), c) = level(some[k], c);
    }
    residuals.push_back(std::move(rows));
  }
  const Matrix all = systems.steps(up_to(30), at.residuals), found = systems.steps(some, residuals);
  for (std::size_t k = 0; k < some.size(); ++k) {
    for (Index c = 0; c < all.cols(); ++c) CHECK_EQ(found(static_cast<Index>(k), c), all(some[k], c));
  }
}

// 0 on the diagonal leaves no pivot; the row beside it, in the same group, is not touched.
TEST(a_row_without_pivots_is_inverted_and_leaves_the_others_alone) {
  deep_pca::Fit fit = fitted(models()[0]);
  fit.model.eigenvalues[1][0] = 0.0;
  const deep_pca::Equations equations(fit.model);
  deep_pca::Linearised at = made_up(equations, 9, 1.0);
  const Matrix steps = deep_pca::NewtonSystems(equations, at).steps(up_to(9), at.residuals);
  for (Index i = 0; i < 9; ++i) {
    const Eigen::VectorXd x = as_eigen(steps.view()).row(i).transpose(), r = right_side(at.residuals, i);
    CHECK((dense(equations, at, i) * x - r).norm() <= 1e-10 * r.norm());
  }
  fit.model.eigenvalues[1][0] = 0.7;
  const deep_pca::Equations regular(fit.model);
  const Matrix before = deep_pca::NewtonSystems(regular, at).steps(up_to(9), at.residuals);
  std::fill_n(at.curvature[0].data() + 2 * 9, 9, std::nan(""));
  const Matrix after = deep_pca::NewtonSystems(regular, at).steps(up_to(9), at.residuals);
  for (Index i = 0; i < 9; ++i) {
    for (Index c = 0; c < before.cols() && i != 2; ++c) CHECK_EQ(after(i, c), before(i, c));
  }
}

TEST(threads_change_no_bits) {
  const deep_pca::Fit fit = fitted(models()[2]);
  const deep_pca::Equations equations(fit.model);
  const deep_pca::Linearised at = made_up(equations, 900, 1.0);
  set_num_threads(1);
  const Matrix expected = deep_pca::NewtonSystems(equations, at).steps(up_to(900), at.residuals);
  for (const int threads : {2, 7}) {
    set_num_threads(threads);
    const Matrix found = deep_pca::NewtonSystems(equations, at).steps(up_to(900), at.residuals);
    CHECK(std::equal(found.data(), found.data() + found.size(), expected.data()));
  }
  set_num_threads(0);
}

TEST_MAIN
