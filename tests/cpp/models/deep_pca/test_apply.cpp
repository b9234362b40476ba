// SPDX-License-Identifier: BSD-3-Clause
// New samples: training rows have their features again, and every row solves its equations.
#include "gramian/models/deep_pca/apply.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "gramian/base/parallel.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/gram/product.hpp"
#include "gramian/linalg/gemm.hpp"
#include "support/deep_pca_data.hpp"

using namespace gramian;
using pca::largest_difference;
using pca::two_classes;
using pca::two_gaussians;
using pca::with_linear;

namespace {

double largest(const Matrix& A) {
  double most = 0.0;
  for (Index i = 0; i < A.size(); ++i) most = std::max(most, std::fabs(A.data()[i]));
  return most;
}

deep_pca::Fit solved(MatrixView<const double> X, const std::vector<deep_pca::Level>& levels, bool centred = false) {
  deep_pca::Options options;
  options.centred = centred;
  options.solver = pca::lbfgs(40000, 1e-10, 0.0);
  return deep_pca::fit(Points(X), levels, options);
}

/// A.2 as it is printed, and as it should read: h_2 of one sample.
double second_feature(const deep_pca::Model& model, const std::vector<double>& first_products, bool printed) {
  const double eta1 = model.levels[0].eta, eta2 = model.levels[1].eta;
  // One component each: all matrices are numbers.
  double inner = 0.0;
  for (Index i = 0; i < model.samples(); ++i) inner += model.features[1](i, 0) * model.features[0](i, 0);
  const double lambda1 = model.eigenvalues[0][0], lambda2 = model.eigenvalues[1][0];
  const double weight = printed ? 1.0 / eta2 : 1.0 / (eta2 * eta2);
  return inner / lambda1 * first_products[0] / (eta1 * eta2) / (lambda2 - weight * inner * inner / lambda1);
}

}  // namespace

TEST(training_rows_have_their_features_with_linear_levels) {
  const naive::Matrix<double> X = two_classes(70, 5);
  for (const bool centred : {false, true}) {
    for (const double eta2 : {0.8, -0.6}) {
      std::vector<deep_pca::Level> levels = with_linear(eta2, 4, 2);
      for (int more = 0; more < 2; ++more) {
        const deep_pca::Fit fit = solved(X.view, levels, centred);
        const deep_pca::Codes codes = deep_pca::transform(fit.model, Points(X.view), Points(X.view));
        for (std::size_t j = 0; j < levels.size(); ++j)
          CHECK(largest_difference(codes.features[j].view(), fit.model.features[j].view()) <= 1e-9);
        CHECK(std::count(codes.solved.begin(), codes.solved.end(), 1) == 70);
        levels.push_back({Kernel("linear", {}), 2, 1.7});
      }
    }
  }
}

TEST(the_printed_formula_is_wrong) {
  const naive::Matrix<double> X = two_classes(40, 4), Z = two_classes(5, 4, 9);
  const deep_pca::Fit fit = solved(X.view, with_linear(3.0, 1, 1));
  const deep_pca::Codes codes = deep_pca::transform(fit.model, Points(Z.view), Points(X.view));
  for (Index i = 0; i < 5; ++i) {
    naive::Matrix<double> row(1, 4), product_row(1, 1);
    for (Index k = 0; k < 4; ++k) row(0, k) = Z.view(i, k);
    product(fit.model.levels[0].kernel, Points(row.view), Points(X.view), fit.model.features[0].view(), product_row.view);
    const double right = second_feature(fit.model, product_row.numbers, false);
    CHECK_NEAR(codes.features[1](i, 0), right, 1e-9);
    CHECK(std::fabs(second_feature(fit.model, product_row.numbers, true) - right) > 1e-3);
  }
}

TEST(training_rows_have_their_features_with_nonlinear_levels) {
  const naive::Matrix<double> X = two_classes(40, 5);
  for (const bool centred : {false, true}) {
    for (const double eta2 : {2.0, -2.0}) {
      const deep_pca::Fit fit = solved(X.view, two_gaussians(eta2), centred);
      CHECK(fit.objective <= 1e-12);
      const deep_pca::Codes codes = deep_pca::transform(fit.model, Points(X.view), Points(X.view));
      for (std::size_t j = 0; j < 2; ++j)
        CHECK(largest_difference(codes.features[j].view(), fit.model.features[j].view()) <= 1e-4);
      CHECK_EQ(std::count(codes.solved.begin(), codes.solved.end(), 1), 40);
    }
  }
}

TEST(of_many_solutions_rows_have_that_of_their_neighbours) {
  // From the levels' own kernels, without the way back, most rows end at another solution: there is one, but not this one.
  const naive::Matrix<double> X = naive::normal<double>(40, 4, 5), noise = naive::normal<double>(40, 4, 6);
  naive::Matrix<double> Z(40, 4);
  for (Index i = 0; i < Z.view.rows(); ++i) {
    for (Index k = 0; k < 4; ++k) Z(i, k) = X.view(i, k) + 1e-3 * noise.view(i, k);
  }
  std::vector<deep_pca::Level> levels = {{Kernel("gaussian", {0.15}), 4, 1.0}, {Kernel("gaussian", {0.5}), 3, 1.0}};
  for (const double gamma : {0.7, 0.6}) {
    levels.push_back({Kernel("gaussian", {gamma}), 2, 1.0});
    deep_pca::Fit fit = solved(X.view, levels);
    check::that(fit.objective <= 1e-12, check::show(fit.objective), __FILE__, __LINE__);
    const deep_pca::Codes own = deep_pca::transform(fit.model, Points(X.view), Points(X.view));
    const deep_pca::Codes moved = deep_pca::transform(fit.model, Points(Z.view), Points(X.view));
    CHECK_EQ(std::count(own.solved.begin(), own.solved.end(), 1), 40);
    CHECK_EQ(std::count(moved.solved.begin(), moved.solved.end(), 1), 40);
    double elsewhere = 0.0;
    fit.model.coupled = false;
    const deep_pca::Codes forward = deep_pca::transform(fit.model, Points(X.view), Points(X.view));
    for (std::size_t j = 0; j < levels.size(); ++j) {
      const MatrixView<const double> H = fit.model.features[j].view();
      CHECK(largest_difference(own.features[j].view(), H) <= 0.01);
      CHECK(largest_difference(moved.features[j].view(), H) <= 0.05);
      elsewhere = std::max(elsewhere, largest_difference(forward.features[j].view(), H));
    }
    CHECK(elsewhere > 0.2);
  }
}

TEST(rows_solve_the_equations_of_a_sample) {
  // Differences of e(h) = sum h Lambda h / 2 - h_1 F_1 - h_2 H_2ᵀ k_2(H_1, h_1) / eta_2 vanish where the features are.
  const naive::Matrix<double> X = two_classes(40, 5), Z = two_classes(6, 5, 21);
  std::vector<deep_pca::Level> levels = pca::gaussian_and(Kernel("polynomial", {2, 1.0, 1.0}), 1.5);
  deep_pca::Options fitting;
  fitting.solver = pca::lbfgs(30);
  const deep_pca::Fit fit = deep_pca::fit(Points(X.view), levels, fitting);
  const deep_pca::Codes codes = deep_pca::transform(fit.model, Points(Z.view), Points(X.view));
  const auto energy = [&](Index row, const Matrix& h1, const Matrix& h2) {
    naive::Matrix<double> k1(1, 40), k2(1, 40);
    const MatrixView<const double> z(&Z.view(row, 0), 1, 5);
    full(levels[0].kernel, Points(z), Points(X.view), k1.view);
    full(levels[1].kernel, Points(h1.view()), Points(fit.model.features[0].view()), k2.view);
    double e = 0.0;
    for (Index c = 0; c < 3; ++c) e += 0.5 * fit.model.eigenvalues[0][static_cast<std::size_t>(c)] * h1(0, c) * h1(0, c);
    for (Index c = 0; c < 2; ++c) e += 0.5 * fit.model.eigenvalues[1][static_cast<std::size_t>(c)] * h2(0, c) * h2(0, c);
    for (Index i = 0; i < 40; ++i) {
      for (Index c = 0; c < 3; ++c) e -= h1(0, c) * fit.model.features[0](i, c) * k1(0, i);
      for (Index c = 0; c < 2; ++c) e -= h2(0, c) * fit.model.features[1](i, c) * k2(0, i) / 1.5;
    }
    return e;
  };
  for (Index row = 0; row < 6; ++row) {
    CHECK_EQ(static_cast<int>(codes.solved[static_cast<std::size_t>(row)]), 1);
    for (Index u = 0; u < 5; ++u) {
      const auto at = [&](double t) {
        Matrix h1 = Matrix::copy_of({codes.features[0].data() + 3 * row, 1, 3});
        Matrix h2 = Matrix::copy_of({codes.features[1].data() + 2 * row, 1, 2});
        (u < 3 ? h1(0, u) : h2(0, u - 3)) += t;
        return energy(row, h1, h2);
      };
      const double h = 1e-3, slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
      CHECK(std::fabs(slope) <= 1e-7);
      CHECK(std::fabs((at(0.1 + h) - at(0.1 - h)) / (2 * h)) > 1e-4);
    }
  }
}

TEST(one_row_is_as_good_as_many) {
  const naive::Matrix<double> X = two_classes(40, 5), Z = two_classes(9, 5, 31);
  deep_pca::Options options;
  options.solver = pca::lbfgs(20);
  const deep_pca::Fit fit = deep_pca::fit(Points(X.view), two_gaussians(), options);
  const deep_pca::Codes all = deep_pca::transform(fit.model, Points(Z.view), Points(X.view));
  for (Index i = 0; i < 9; ++i) {
    const MatrixView<const double> z(&Z.view(i, 0), 1, 5);
    const deep_pca::Codes one = deep_pca::transform(fit.model, Points(z), Points(X.view));
    for (std::size_t j = 0; j < 2; ++j) {
      for (Index c = 0; c < one.features[j].cols(); ++c) CHECK_NEAR(one.features[j](0, c), all.features[j](i, c), 1e-12);
    }
  }
}

TEST(a_smoother_is_a_mean_of_features) {
  const naive::Matrix<double> X = two_classes(30, 4), Z = two_classes(5, 4, 41);
  deep_pca::Options fitting;
  fitting.solver = pca::lbfgs(10);
  const deep_pca::Fit fit = deep_pca::fit(Points(X.view), two_gaussians(), fitting);
  deep_pca::TransformOptions options;
  options.extension = deep_pca::Extension::smoother;
  const deep_pca::Codes codes = deep_pca::transform(fit.model, Points(Z.view), Points(X.view), options);
  naive::Matrix<double> k(5, 30);
  full(fit.model.levels[0].kernel, Points(Z.view), Points(X.view), k.view);
  CHECK_EQ(std::count(codes.smoothed.begin(), codes.smoothed.end(), 1), 5);
  for (Index i = 0; i < 5; ++i) {
    double sum = 0.0;
    for (Index m = 0; m < 30; ++m) sum += k(i, m);
    for (std::size_t j = 0; j < 2; ++j) {
      for (Index c = 0; c < codes.features[j].cols(); ++c) {
        double mean = 0.0;
        for (Index m = 0; m < 30; ++m) mean += k(i, m) * fit.model.features[j](m, c) / sum;
        CHECK_NEAR(codes.features[j](i, c), mean, 1e-12);
      }
    }
  }
}

TEST(values_that_cancel_are_no_weights) {
  naive::Matrix<double> X = two_classes(40, 3);
  for (Index k = 0; k < 3; ++k) {
    double mean = 0.0;
    for (Index i = 0; i < 40; ++i) mean += X.view(i, k) / 40.0;
    for (Index i = 0; i < 40; ++i) X(i, k) -= mean;
  }
  const Kernel linear("linear", {});
  deep_pca::Options fitting;
  fitting.solver = pca::lbfgs(5);
  for (const Kernel& upper : {linear, Kernel("gaussian", {6.0})}) {
    const deep_pca::Fit fit = deep_pca::fit(Points(X.view), {{linear, 3, 1.0}, {upper, 2, 1.0}}, fitting);
    for (const deep_pca::Extension extension : {deep_pca::Extension::smoother, deep_pca::Extension::automatic}) {
      deep_pca::TransformOptions options;
      options.extension = extension;
      const deep_pca::Codes codes = deep_pca::transform(fit.model, Points(X.view), Points(X.view), options);
      for (std::size_t j = 0; j < 2; ++j) CHECK(largest(codes.features[j]) <= 3.0);
      if (extension == deep_pca::Extension::smoother) CHECK(std::count(codes.smoothed.begin(), codes.smoothed.end(), 0) >= 20);
      for (std::size_t i = 0; i < 40; ++i) CHECK(codes.solved[i] + codes.smoothed[i] <= 1);
    }
  }
}

TEST(levelwise_models_pass_rows_forward) {
  const naive::Matrix<double> X = two_classes(50, 4);
  for (const bool centred : {false, true}) {
    deep_pca::Options options;
    options.solver = deep_pca::Levelwise{};
    options.centred = centred;
    const deep_pca::Fit fit = deep_pca::fit(Points(X.view), two_gaussians(0.5), options);
    const deep_pca::Codes codes = deep_pca::transform(fit.model, Points(X.view), Points(X.view));
    for (std::size_t j = 0; j < 2; ++j) CHECK(largest_difference(codes.features[j].view(), fit.model.features[j].view()) <= 1e-6);
  }
}

TEST(inner_products_give_the_same_rows) {
  const naive::Matrix<double> X = two_classes(30, 4), Z = two_classes(7, 4, 51);
  deep_pca::Options fitting;
  fitting.solver = pca::lbfgs(20);
  const deep_pca::Fit fit = deep_pca::fit(Points(X.view), two_gaussians(), fitting);
  naive::Matrix<double> inner(7, 30), x2(30, 1), z2(7, 1);
  gemm(1.0, Z.view, transposed(MatrixView<const double>(X.view)), 0.0, inner.view);
  for (Index i = 0; i < 30; ++i) {
    for (Index k = 0; k < 4; ++k) x2(i, 0) += X.view(i, k) * X.view(i, k);
  }
  for (Index i = 0; i < 7; ++i) {
    for (Index k = 0; k < 4; ++k) z2(i, 0) += Z.view(i, k) * Z.view(i, k);
  }
  const deep_pca::Codes points = deep_pca::transform(fit.model, Points(Z.view), Points(X.view));
  const deep_pca::Codes products = deep_pca::transform(fit.model, InnerProducts<double>(inner.view, z2.view, x2.view));
  for (std::size_t j = 0; j < 2; ++j) CHECK(largest_difference(points.features[j].view(), products.features[j].view()) <= 1e-8);
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const naive::Matrix<double> X = two_classes(120, 4), Z = two_classes(300, 4, 61);
  deep_pca::Options fitting;
  fitting.solver = pca::lbfgs(5);
  const deep_pca::Fit fit = deep_pca::fit(Points(X.view), two_gaussians(), fitting);
  set_num_threads(1);
  const deep_pca::Codes one = deep_pca::transform(fit.model, Points(Z.view), Points(X.view));
  for (const int threads : {2, 7}) {
    set_num_threads(threads);
    const deep_pca::Codes now = deep_pca::transform(fit.model, Points(Z.view), Points(X.view));
    for (std::size_t j = 0; j < 2; ++j) CHECK_EQ(largest_difference(one.features[j].view(), now.features[j].view()), 0.0);
  }
  set_num_threads(0);
}

TEST(bad_arguments_are_refused) {
  const naive::Matrix<double> X = two_classes(30, 4), other = two_classes(20, 4);
  const deep_pca::Fit fit = deep_pca::fit(Points(X.view), with_linear(1.0));
  CHECK_THROWS(std::invalid_argument, deep_pca::transform(fit.model, Points(X.view), Points(other.view)));
  CHECK_THROWS(std::invalid_argument, deep_pca::transform(deep_pca::Model{}, Points(X.view), Points(X.view)));
  deep_pca::TransformOptions options;
  options.tolerance = 0.0;
  CHECK_THROWS(std::invalid_argument, deep_pca::transform(fit.model, Points(X.view), Points(X.view), options));
  CHECK(largest(fit.model.features[0]) <= 1.0);
}

TEST_MAIN
