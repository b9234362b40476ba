// SPDX-License-Identifier: BSD-3-Clause
// Levels of deep kernel PCA against their Gram matrices, and their gradients against differences.
#include "models/deep_pca/levels.hpp"

#include <cmath>
#include <memory>
#include <vector>

#include "gramian/eigen.hpp"
#include "gramian/gram/full.hpp"
#include "support/check.hpp"
#include "support/deep_pca_data.hpp"
#include "support/spectral.hpp"

using namespace gramian;
using Dense = spectral::Matrix;

namespace {

constexpr Index n = 30, d = 4;

const std::vector<Kernel> kernels = {Kernel("gaussian", {0.3}), Kernel("linear", {}), Kernel("polynomial", {2, 1.0, 0.5})};

/// Samples that are there once, and as often as weights say.
std::vector<deep_pca::SampleMeasure> measures() {
  std::vector<double> weights;
  for (Index i = 0; i < n; ++i) weights.push_back(0.3 + 0.1 * static_cast<double>(i % 7));
  std::vector<deep_pca::SampleMeasure> out;
  out.emplace_back(n, std::vector<double>());
  out.emplace_back(n, weights);
  return out;
}

/// S K S of points that are scaled for upper levels; without what is constant if it is centred.
Dense gram(const Kernel& kernel, MatrixView<const double> X, const deep_pca::SampleMeasure& measure, bool upper, bool centred) {
  Dense K(n, n), points = as_eigen(X);
  if (upper) measure.unscale(view(points), view(points));
  full(kernel, Points(view(points)), view(K));
  const Matrix roots = measure.ones();
  const auto u = as_eigen(roots.view()).col(0);
  K = (u.asDiagonal() * K * u.asDiagonal()).eval();
  if (!centred) return K;
  const Dense C = Dense::Identity(n, n) - u * u.transpose() / measure.total();
  return C * K * C;
}

double relative(const Dense& a, const Dense& b) { return (a - b).norm() / (1.0 + b.norm()); }

/// Of a level on features at X: tr(Hᵀ K H) / 2.
double energy(const Kernel& kernel, const Dense& X, const Dense& H, const deep_pca::SampleMeasure& measure, bool centred) {
  return 0.5 * (H.transpose() * gram(kernel, view(X), measure, true, centred) * H).trace();
}

}  // namespace

TEST(products_and_traces_are_those_of_the_gram_matrix) {
  const naive::Matrix<double> X = pca::two_classes(n, d);
  const Dense V = spectral::normal(n, 3, 5);
  for (const auto& measure : measures()) {
    for (const Kernel& kernel : kernels) {
      for (const bool centred : {false, true}) {
        for (const bool upper : {false, true}) {
          for (std::uint64_t budget : {std::uint64_t(0), std::uint64_t(1) << 30}) {
            const auto level = upper ? deep_pca::make_upper_level(kernel, d, centred, measure, budget)
                                     : deep_pca::make_first_level(kernel, Points(X.view), centred, measure, budget);
            if (upper) level->move_to(X.view);
            const Dense K = gram(kernel, X.view, measure, upper, centred);
            Dense out(n, 3), plain(n, 3);
            level->product(view(V), view(out));
            level->uncentred(view(V), view(plain));
            CHECK(relative(out, K * V) <= 1e-12);
            CHECK(relative(plain, gram(kernel, X.view, measure, upper, false) * V) <= 1e-12);
            CHECK_NEAR(level->trace(), K.trace(), 1e-11 * (1.0 + K.trace()));
          }
        }
      }
    }
  }
}

TEST(a_level_takes_its_tiles_from_the_budget) {
  const naive::Matrix<double> X = pca::two_classes(n, d);
  std::uint64_t budget = std::uint64_t(1) << 30;
  const deep_pca::SampleMeasure once(n, std::vector<double>());
  const auto level = deep_pca::make_first_level(kernels[0], Points(X.view), false, once, budget);
  CHECK(budget < std::uint64_t(1) << 30);
  const std::uint64_t left = budget;
  std::uint64_t none = 16;
  const auto other = deep_pca::make_first_level(kernels[0], Points(X.view), false, once, none);
  CHECK_EQ(none, std::uint64_t(16));
  CHECK_EQ(budget, left);
}

TEST(gradients_of_an_upper_level_are_those_of_differences) {
  const Dense X = 0.5 * spectral::normal(n, d, 1), H = spectral::normal(n, 2, 2), along = spectral::normal(n, d, 3);
  for (const auto& measure : measures()) {
    for (const Kernel& kernel : kernels) {
      for (const bool centred : {false, true}) {
        std::uint64_t budget = std::uint64_t(1) << 30;
        const auto level = deep_pca::make_upper_level(kernel, d, centred, measure, budget);
        level->move_to(view(X));
        Dense H_bar(n, 2), X_bar(n, d);
        level->gradient(view(H), view(H_bar), view(X_bar));
        CHECK(relative(H_bar, gram(kernel, view(X), measure, true, centred) * H) <= 1e-12);
        const auto at = [&](double t) { return energy(kernel, X + t * along, H, measure, centred); };
        constexpr double h = 1e-3;
        const double slope = (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
        CHECK_NEAR(X_bar.cwiseProduct(along).sum(), slope, 1e-7 * (1.0 + std::fabs(slope)));
      }
    }
  }
}

TEST(the_derivative_of_a_gradient_is_that_of_differences) {
  const Dense X = 0.5 * spectral::normal(n, d, 1), H = spectral::normal(n, 2, 2), Xdot = spectral::normal(n, d, 3),
              Hdot = spectral::normal(n, 2, 4);
  for (const auto& measure : measures()) {
    for (const Kernel& kernel : kernels) {
      for (const bool centred : {false, true}) {
        std::uint64_t budget = 0;
        const auto level = deep_pca::make_upper_level(kernel, d, centred, measure, budget);
        const auto gradient = [&](double t) {
          const Dense moved = X + t * Xdot, turned = H + t * Hdot;
          Dense bars(n, 2 + d), H_bar(n, 2), X_bar(n, d);
          level->move_to(view(moved));
          level->gradient(view(turned), view(H_bar), view(X_bar));
          bars << H_bar, X_bar;
          return bars;
        };
        constexpr double h = 1e-3;
        const Dense expected = (8.0 * (gradient(h) - gradient(-h)) - (gradient(2.0 * h) - gradient(-2.0 * h))) / (12.0 * h);
        level->move_to(view(X));
        Dense H_bar(n, 2), X_bar(n, d), found(n, 2 + d);
        level->hessian(view(H), view(Hdot), view(Xdot), view(H_bar), view(X_bar));
        found << H_bar, X_bar;
        CHECK(relative(found, expected) <= 1e-7);
      }
    }
  }
}

TEST_MAIN
