// SPDX-License-Identifier: BSD-3-Clause
// Newton's method for the equations of new samples.
#include "models/deep_pca/newton.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "gramian/base/parallel.hpp"
#include "gramian/eigen.hpp"
#include "gramian/models/deep_pca/train.hpp"
#include "support/deep_pca_data.hpp"

using namespace gramian;

namespace {

constexpr Index limit = 100;
constexpr double tolerance = 1e-10;

deep_pca::Fit solved(const std::vector<deep_pca::Level>& levels) {
  deep_pca::Options options;
  options.solver = pca::lbfgs(40000, 1e-10, 0.0);
  return deep_pca::fit(Points(pca::two_classes(40, 4).view), levels, options);
}

std::vector<std::vector<deep_pca::Level>> models() {
  std::vector<deep_pca::Level> three = pca::two_gaussians();
  three.push_back({Kernel("gaussian", {0.8}), 2, 1.5});
  return {pca::two_gaussians(), pca::two_gaussians(-2.0), pca::gaussian_and(Kernel("matern52", {0.8}), 1.0),
          pca::gaussian_and(Kernel("gaussian", {1.0}) * Kernel("gaussian", {0.5}), 1.0), three};
}

/// What the equations see of samples near those of the training.
Matrix near_training(const deep_pca::Fit& fit, Index rows) {
  Matrix F(rows, fit.model.inputs.cols());
  for (Index i = 0; i < F.rows(); ++i) {
    for (Index k = 0; k < F.cols(); ++k)
      F(i, k) = fit.model.inputs(i % 40, k) * (1.0 + 1e-3 * std::sin(static_cast<double>(i + k)));
  }
  return F;
}

deep_pca::Features training(const deep_pca::Equations& equations) {
  std::vector<Index> all;
  for (Index i = 0; i < 40; ++i) all.push_back(i);
  return equations.training(all);
}

}  // namespace

TEST(residuals_are_those_of_the_equations) {
  for (const std::vector<deep_pca::Level>& levels : models()) {
    const deep_pca::Fit fit = solved(levels);
    const deep_pca::Equations equations(fit.model);
    deep_pca::Features h = training(equations);
    for (Index i = 0; i < h[0].size(); ++i) h[0].data()[i] += 1e-2 * std::sin(static_cast<double>(i));
    const std::vector<double> sizes = equations.residuals(fit.model.inputs, h);
    const deep_pca::Linearised at = deep_pca::linearised(equations, fit.model.inputs, h);
    for (std::size_t i = 0; i < sizes.size(); ++i) CHECK_NEAR(at.sizes[i], sizes[i], 1e-12);
  }
}

TEST(rough_residuals_are_near_and_never_small) {
  for (const std::vector<deep_pca::Level>& levels : models()) {
    const deep_pca::Fit fit = solved(levels);
    const deep_pca::Equations equations(fit.model);
    CHECK(equations.allows_rough());
    deep_pca::Features h = training(equations);
    for (Index i = 0; i < 3 * h[0].cols(); ++i) h[0].data()[i] += 1e-2 * std::sin(static_cast<double>(i + 1));
    const deep_pca::Linearised at = deep_pca::linearised(equations, fit.model.inputs, h),
                               rough = deep_pca::linearised(equations, fit.model.inputs, h, Accuracy::rough);
    for (std::size_t i = 0; i < 40; ++i) {
      CHECK(rough.sizes[i] >= deep_pca::rough_residual);
      CHECK_NEAR(rough.sizes[i], std::max(at.sizes[i], deep_pca::rough_residual), deep_pca::rough_residual);
    }
  }
}

// A row has the same bits by itself and in a batch, whether it begins near a solution or far from one.
TEST(near_and_far_rows_go_together) {
  for (const std::vector<deep_pca::Level>& levels : models()) {
    const deep_pca::Fit fit = solved(levels);
    const deep_pca::Equations equations(fit.model);
    Matrix F = near_training(fit, 40);
    for (Index i = 0; i < 40; ++i) {
      for (Index k = 0; k < F.cols(); ++k) F(i, k) = i % 2 == 0 ? fit.model.inputs(i, k) : F(i, k) * (1.0 + 0.02 * std::cos(k));
    }
    deep_pca::Features h, own;
    std::vector<double> sizes, own_sizes;
    deep_pca::Newton(equations, 40, limit, tolerance).solve(F, h, sizes);
    for (Index i = 0; i < 40; ++i) {
      CHECK(i % 2 == 1 || sizes[static_cast<std::size_t>(i)] <= tolerance);
      Matrix one(1, F.cols());
      for (Index k = 0; k < F.cols(); ++k) one(0, k) = F(i, k);
      deep_pca::Newton(equations, 1, limit, tolerance).solve(one, own, own_sizes);
      CHECK_EQ(own_sizes.front(), sizes[static_cast<std::size_t>(i)]);
      for (std::size_t j = 0; j < h.size(); ++j) {
        for (Index k = 0; k < h[j].cols(); ++k) CHECK_EQ(own[j](0, k), h[j](i, k));
      }
    }
    // What is called solved is solved.
    const std::vector<double> left = equations.residuals(F, h);
    for (std::size_t i = 0; i < 40; ++i) CHECK(!(sizes[i] <= tolerance) || left[i] <= tolerance);
  }
}

// Jacobians in float32 tell no small residual: the round that is the last one has another.
TEST(what_is_left_is_told_wherever_it_ends) {
  for (const std::vector<deep_pca::Level>& levels : models()) {
    const deep_pca::Fit fit = solved(levels);
    const deep_pca::Equations equations(fit.model);
    Matrix F = near_training(fit, 40);
    for (Index i = 0; i < F.size(); ++i) F.data()[i] *= 1.0 + 0.02 * std::cos(static_cast<double>(i));
    for (Index most = 1; most <= 4; ++most) {
      deep_pca::Features h;
      std::vector<double> sizes;
      deep_pca::Newton(equations, 40, most, tolerance).solve(F, h, sizes);
      const std::vector<double> left = equations.residuals(F, h);
      for (std::size_t i = 0; i < 40; ++i)
        CHECK(sizes[i] <= tolerance ? left[i] <= tolerance : std::abs(left[i] - sizes[i]) <= 1e-12);
    }
  }
}

// The Jacobian, by central differences of the residuals, times the step gives the residuals back.
TEST(steps_solve_the_linearised_equations) {
  for (const std::vector<deep_pca::Level>& levels : models()) {
    const deep_pca::Fit fit = solved(levels);
    const deep_pca::Equations equations(fit.model);
    deep_pca::Features h = training(equations);
    for (Index i = 0; i < h[0].size(); ++i) h[0].data()[i] += 1e-2 * std::sin(static_cast<double>(i));
    const deep_pca::Linearised at = deep_pca::linearised(equations, fit.model.inputs, h);
    const Matrix steps = deep_pca::newton_steps(equations, at);
    const double t = 1e-5;
    for (Index i = 0; i < 40; ++i) {
      double longest = 0.0;
      for (Index k = 0; k < steps.cols(); ++k) longest = std::max(longest, std::fabs(steps(i, k)));
      CHECK(longest > 0.0);
    }
    deep_pca::Features ahead, behind;
    for (Index j = 0; j < equations.depth(); ++j) {
      const Matrix& own = h[static_cast<std::size_t>(j)];
      ahead.push_back(own.clone());
      behind.push_back(own.clone());
      for (Index i = 0; i < 40; ++i) {
        for (Index k = 0; k < own.cols(); ++k) {
          ahead.back()(i, k) += t * steps(i, equations.offset(j) + k);
          behind.back()(i, k) -= t * steps(i, equations.offset(j) + k);
        }
      }
    }
    const deep_pca::Linearised up = deep_pca::linearised(equations, fit.model.inputs, ahead),
                               down = deep_pca::linearised(equations, fit.model.inputs, behind);
    double worst = 0.0, size = 0.0;
    for (std::size_t j = 0; j < h.size(); ++j) {
      for (Index e = 0; e < h[j].size(); ++e) {
        const double rate = (up.residuals[j].data()[e] - down.residuals[j].data()[e]) / (2.0 * t);
        worst = std::max(worst, std::fabs(rate - at.residuals[j].data()[e]));
        size = std::max(size, std::fabs(at.residuals[j].data()[e]));
      }
    }
    CHECK(worst <= 1e-6 * size);
  }
}

TEST(steps_are_quadratic_near_a_solution) {
  const deep_pca::Fit fit = solved(pca::two_gaussians());
  const deep_pca::Equations equations(fit.model);
  deep_pca::Features h = training(equations);
  for (Index i = 0; i < h[0].size(); ++i) h[0].data()[i] += 1e-4 * std::sin(static_cast<double>(i));
  const deep_pca::Linearised at = deep_pca::linearised(equations, fit.model.inputs, h);
  const Matrix steps = deep_pca::newton_steps(equations, at);
  for (std::size_t j = 0; j < 2; ++j) {
    for (Index i = 0; i < 40; ++i) {
      for (Index k = 0; k < h[j].cols(); ++k) h[j](i, k) -= steps(i, equations.offset(static_cast<Index>(j)) + k);
    }
  }
  CHECK(at.sizes[5] > 1e-6);
  CHECK(equations.residuals(fit.model.inputs, h)[5] < 1e-2 * at.sizes[5]);
}

// A system without an inverse has the solution that full pivoting finds: numbers, and none of them far away.
TEST(a_singular_system_is_solved_as_well_as_it_can_be) {
  deep_pca::Fit fit = solved(pca::two_gaussians());
  fit.model.eigenvalues[1][1] = 0.0;
  const deep_pca::Equations equations(fit.model);
  deep_pca::Linearised at = deep_pca::linearised(equations, fit.model.inputs, training(equations));
  std::fill_n(at.couplings[0].data(), at.couplings[0].size(), 0.0);
  std::fill_n(at.residuals[1].data(), at.residuals[1].size(), 0.0);
  const Matrix steps = deep_pca::newton_steps(equations, at);
  for (Index i = 0; i < 40; ++i) {
    CHECK_EQ(steps(i, 4), 0.0);
    Eigen::MatrixXd block(3, 3);
    Eigen::VectorXd right(3);
    for (Index k = 0; k < 3; ++k) {
      right(k) = at.residuals[0](i, k);
      for (Index l = 0; l < 3; ++l) {
        block(k, l) = (k == l ? equations.eigenvalues(0)[static_cast<std::size_t>(k)] : 0.0) - at.curvature[0](i, 3 * k + l);
      }
    }
    const Eigen::VectorXd expected = block.fullPivLu().solve(right);
    for (Index k = 0; k < 3; ++k) CHECK_NEAR(steps(i, k), expected(k), 1e-10 * (1.0 + std::fabs(expected(k))));
  }
}

// With more rows than training samples the first step comes from what is computed once for these.
TEST(a_row_does_not_depend_on_the_others_nor_on_threads) {
  for (const std::vector<deep_pca::Level>& levels : models()) {
    const deep_pca::Fit fit = solved(levels);
    const deep_pca::Equations equations(fit.model);
    const Matrix F = near_training(fit, 300);
    deep_pca::Features h, own;
    std::vector<double> sizes, own_sizes;
    set_num_threads(1);
    deep_pca::Newton(equations, 300, limit, tolerance).solve(F, h, sizes);
    CHECK(std::count_if(sizes.begin(), sizes.end(), [](double size) { return size <= tolerance; }) >= 290);
    for (const int threads : {2, 7}) {
      set_num_threads(threads);
      deep_pca::Newton(equations, 300, limit, tolerance).solve(F, own, own_sizes);
      CHECK(own_sizes == sizes);
      for (std::size_t j = 0; j < h.size(); ++j) CHECK(std::equal(h[j].data(), h[j].data() + h[j].size(), own[j].data()));
    }
    set_num_threads(0);
    for (const Index row : {0, 17, 211}) {
      Matrix one(1, F.cols());
      for (Index k = 0; k < F.cols(); ++k) one(0, k) = F(row, k);
      deep_pca::Newton(equations, 1, limit, tolerance).solve(one, own, own_sizes);
      for (std::size_t j = 0; j < h.size(); ++j) {
        for (Index k = 0; k < h[j].cols(); ++k) CHECK_NEAR(own[j](0, k), h[j](row, k), 1e-11);
      }
    }
  }
}

TEST(a_row_that_is_not_finite_leaves_the_others_alone) {
  const deep_pca::Fit fit = solved(pca::two_gaussians());
  const deep_pca::Equations equations(fit.model);
  Matrix F = near_training(fit, 60);
  deep_pca::Features h, other;
  std::vector<double> sizes, other_sizes;
  deep_pca::Newton(equations, 60, limit, tolerance).solve(F, h, sizes);
  F(3, 0) = std::numeric_limits<double>::quiet_NaN();
  F(9, 1) = std::numeric_limits<double>::infinity();
  F(12, 2) = 1e200;
  deep_pca::Newton(equations, 60, limit, tolerance).solve(F, other, other_sizes);
  for (Index i = 0; i < 60; ++i) {
    const auto row = static_cast<std::size_t>(i);
    if (i == 3 || i == 9 || i == 12) {
      CHECK(!(other_sizes[row] <= tolerance));
      continue;
    }
    CHECK_EQ(other_sizes[row], sizes[row]);
    for (std::size_t j = 0; j < 2; ++j) {
      for (Index k = 0; k < h[j].cols(); ++k) CHECK_EQ(other[j](i, k), h[j](i, k));
    }
  }
}

TEST_MAIN
