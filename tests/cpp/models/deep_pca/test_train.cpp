// SPDX-License-Identifier: BSD-3-Clause
// Fits of deep kernel PCA: closed forms, what the starts lead to, and where the paper misleads.
#include "gramian/models/deep_pca/train.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "gramian/base/parallel.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/linalg/eigen_symmetric.hpp"
#include "gramian/linalg/stiefel.hpp"
#include "support/deep_pca_data.hpp"

using namespace gramian;
using pca::two_classes;
using pca::two_gaussians;
using pca::with_linear;

namespace {

struct Spectrum {
  naive::Matrix<double> values, vectors;
};

Spectrum spectrum(const Kernel& kernel, MatrixView<const double> X, bool centred = false) {
  const Index n = X.rows();
  naive::Matrix<double> K(n, n);
  full(kernel, Points(X), K.view);
  std::vector<double> means(static_cast<std::size_t>(n), 0.0);
  double all = 0.0;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) means[static_cast<std::size_t>(i)] += K(i, j) / static_cast<double>(n);
    all += means[static_cast<std::size_t>(i)] / static_cast<double>(n);
  }
  for (Index i = 0; centred && i < n; ++i) {
    for (Index j = 0; j < n; ++j) K(i, j) += all - means[static_cast<std::size_t>(i)] - means[static_cast<std::size_t>(j)];
  }
  Spectrum out{naive::Matrix<double>(n, 1), naive::Matrix<double>(n, n)};
  eigen_symmetric(K.view, out.values.view, out.vectors.view, EigenOrder::descending);
  return out;
}

MatrixView<const double> first_columns(const naive::Matrix<double>& A, Index count) {
  return {A.view.data(), A.view.rows(), count, A.view.cols(), 1};
}

double largest_eigenvalue(const deep_pca::Fit& fit) {
  double most = 0.0;
  for (const double value : fit.model.eigenvalues[0]) most = std::max(most, std::fabs(value));
  return most;
}

}  // namespace

TEST(one_level_is_kernel_pca) {
  const naive::Matrix<double> X = two_classes(80, 5);
  for (const bool centred : {false, true}) {
    deep_pca::Options options;
    options.centred = centred;
    const deep_pca::Fit fit = deep_pca::fit(Points(X.view), {{Kernel("gaussian", {0.3}), 4, 1.0}}, options);
    const Spectrum known = spectrum(Kernel("gaussian", {0.3}), X.view, centred);
    CHECK(std::holds_alternative<deep_pca::ClosedForm>(fit.solver));
    CHECK(fit.objective <= 1e-18);
    double sum = 0.0, total = 0.0;
    for (Index i = 0; i < 80; ++i) total += known.values.view(i, 0);
    for (Index c = 0; c < 4; ++c) {
      CHECK_NEAR(fit.model.eigenvalues[0][static_cast<std::size_t>(c)], known.values.view(c, 0), 1e-9);
      CHECK_NEAR(fit.explained_variance_ratio[0][static_cast<std::size_t>(c)], known.values.view(c, 0) / total, 1e-10);
      sum += known.values.view(c, 0);
    }
    CHECK_NEAR(fit.captured_trace[0], sum / total, 1e-10);
    CHECK(pca::largest_difference(fit.model.features[0].view(), first_columns(known.vectors, 4)) <= 1e-7);
  }
}

TEST(a_linear_second_level_has_a_closed_form_for_either_sign) {
  const naive::Matrix<double> X = two_classes(90, 5);
  const Spectrum known = spectrum(Kernel("gaussian", {0.3}), X.view);
  for (const double eta2 : {1.0, -1.0, 0.05, -0.02}) {
    for (const Index s2 : {2, 3, 5}) {
      const deep_pca::Fit fit = deep_pca::fit(Points(X.view), with_linear(eta2, 3, s2));
      CHECK(std::holds_alternative<deep_pca::ClosedForm>(fit.solver));
      const double scale = largest_eigenvalue(fit);
      CHECK(fit.objective <= 1e-20 * scale * scale);
      // Lambda_1 = D / eta_1 + 1 / eta_2 on the first min(s_1, s_2), Lambda_2 = 1 / eta_2 there, else 0; sorted afterwards.
      std::vector<double> first, second;
      for (Index c = 0; c < 3; ++c) first.push_back(known.values.view(c, 0) + (c < s2 ? 1.0 / eta2 : 0.0));
      for (Index c = 0; c < s2; ++c) second.push_back(c < 3 ? 1.0 / eta2 : 0.0);
      std::sort(first.rbegin(), first.rend());
      std::sort(second.rbegin(), second.rend());
      for (std::size_t c = 0; c < first.size(); ++c) CHECK_NEAR(fit.model.eigenvalues[0][c], first[c], 1e-9 * scale);
      for (std::size_t c = 0; c < second.size(); ++c) CHECK_NEAR(fit.model.eigenvalues[1][c], second[c], 1e-9 * scale);
      // The components are those of kernel PCA: a second level only shifts eigenvalues.
      CHECK_NEAR(pca::overlap(fit.model.features[0].view(), first_columns(known.vectors, 3)), 1.0, 1e-9);
      if (s2 == 2) CHECK_NEAR(pca::overlap(fit.model.features[1].view(), fit.model.features[0].view()), 1.0, 1e-9);
      CHECK_NEAR(fit.captured_trace[0], (known.values.view(0, 0) + known.values.view(1, 0) + known.values.view(2, 0)) / 90.0,
                 1e-9);
      // "All solutions give J = 0 in (5)" is not so.
      CHECK_NEAR(fit.state.primal, static_cast<double>(std::min<Index>(3, s2)) / (2.0 * eta2), 1e-9 * scale);
      CHECK_NEAR(deep_pca::stabilised_objective(fit.state.primal, 3.0),
                 fit.state.primal + 1.5 * fit.state.primal * fit.state.primal, 1e-12);
    }
  }
}

TEST(linear_levels_all_the_way_up_have_it_too) {
  const naive::Matrix<double> X = two_classes(60, 5);
  std::vector<deep_pca::Level> levels = with_linear(-0.7, 4, 3);
  levels.push_back({Kernel("linear", {}), 2, 1.3});
  levels.push_back({Kernel("linear", {}), 3, 0.4});
  const deep_pca::Fit fit = deep_pca::fit(Points(X.view), levels);
  CHECK(fit.objective <= 1e-18);
  for (const Matrix& H : fit.model.features) CHECK(stiefel_infeasibility(H.view()) <= 1e-12);
}

TEST(centred_levels_of_low_rank_are_orthogonal_to_constants) {
  // C K C has eigenvalue 0 for 1 too; a level that has a part of it is not what the next one sees.
  const naive::Matrix<double> X = two_classes(40, 3), few = two_classes(6, 2);
  const Kernel linear("linear", {});
  deep_pca::Options options;
  options.centred = true;
  for (const deep_pca::Solver& solver :
       {deep_pca::Solver(deep_pca::ClosedForm{}), deep_pca::Solver(deep_pca::SelfConsistent{1000, 1e-10})}) {
    options.solver = solver;
    for (const Index s2 : {2, 5, 8}) {
      const deep_pca::Fit fit = deep_pca::fit(Points(X.view), {{linear, 5, 1.0}, {linear, s2, 0.7}}, options);
      CHECK(fit.result.stop_reason == StopReason::gradient);
      CHECK(fit.objective <= 1e-16);
      for (const Matrix& H : fit.model.features) {
        CHECK(stiefel_infeasibility(H.view()) <= 1e-12);
        for (Index c = 0; c < H.cols(); ++c) {
          double sum = 0.0;
          for (Index i = 0; i < 40; ++i) sum += H(i, c);
          CHECK(std::fabs(sum) <= 1e-10);
        }
      }
    }
    const deep_pca::Fit all = deep_pca::fit(Points(few.view), {{linear, 6, 1.0}, {linear, 4, 1.0}}, options);
    CHECK(all.objective <= 1e-16);
  }
}

TEST(eigenproblems_in_turn_take_either_sign) {
  const naive::Matrix<double> X = two_classes(50, 5);
  const Kernel linear("linear", {});
  deep_pca::Options options, known_options;
  options.solver = deep_pca::SelfConsistent{1000, 1e-9};
  options.start = deep_pca::Start::random;
  for (const bool centred : {false, true}) {
    options.centred = known_options.centred = centred;
    for (const std::vector<double>& eta : std::vector<std::vector<double>>{
             {1.0, -1.0}, {1.0, -0.1}, {-1.0, -1.0}, {-2.0, 0.5}, {1.0, -1.0, 1.0}, {1.0, 1.0, -1.0}, {-1.0, 0.5, -2.0}}) {
      std::vector<deep_pca::Level> levels = {{Kernel("gaussian", {0.3}), 5, eta[0]}};
      for (std::size_t j = 1; j < eta.size(); ++j) levels.push_back({linear, 5 - static_cast<Index>(j), eta[j]});
      const deep_pca::Fit known = deep_pca::fit(Points(X.view), levels, known_options);
      for (options.seed = 0; options.seed < 2; ++options.seed) {
        const deep_pca::Fit fit = deep_pca::fit(Points(X.view), levels, options);
        CHECK(fit.result.stop_reason == StopReason::gradient);
        CHECK(fit.objective <= 1e-12);
        for (std::size_t j = 0; j < eta.size(); ++j) {
          CHECK_NEAR(fit.captured_trace[j], known.captured_trace[j], 1e-6);
          for (std::size_t c = 0; c < fit.model.eigenvalues[j].size(); ++c)
            CHECK_NEAR(fit.model.eigenvalues[j][c], known.model.eigenvalues[j][c], 1e-5);
        }
      }
    }
  }
}

TEST(eigenproblems_in_turn_find_the_closed_form) {
  const naive::Matrix<double> X = two_classes(70, 5);
  for (const Index s2 : {2, 3}) {
    const deep_pca::Fit known = deep_pca::fit(Points(X.view), with_linear(1.0, 3, s2));
    deep_pca::Options options;
    options.solver = deep_pca::SelfConsistent{1000, 1e-9};
    options.start = deep_pca::Start::random;
    const deep_pca::Fit fit = deep_pca::fit(Points(X.view), with_linear(1.0, 3, s2), options);
    CHECK(fit.result.stop_reason == StopReason::gradient);
    CHECK(fit.result.iterations >= 2);
    CHECK(fit.objective <= 1e-12);
    CHECK_NEAR(fit.captured_trace[0], known.captured_trace[0], 1e-6);
    for (std::size_t c = 0; c < 3; ++c) CHECK_NEAR(fit.model.eigenvalues[0][c], known.model.eigenvalues[0][c], 1e-6);
  }
}

TEST(a_random_start_finds_small_eigenvalues) {
  const naive::Matrix<double> X = two_classes(150, 12);
  deep_pca::Options options;
  const deep_pca::Fit good = deep_pca::fit(Points(X.view), two_gaussians(), options);
  options.start = deep_pca::Start::random;
  const deep_pca::Fit bad = deep_pca::fit(Points(X.view), two_gaussians(), options);
  // J is small either way: only the captured trace tells.
  CHECK(good.objective <= 1e-4);
  CHECK(bad.objective <= 1.0);
  CHECK(good.captured_trace[0] >= 0.3);
  CHECK(bad.captured_trace[0] <= 0.05);
  const Spectrum known = spectrum(Kernel("gaussian", {0.3}), X.view);
  CHECK(pca::overlap(good.model.features[0].view(), first_columns(known.vectors, 3)) >= 0.99);
  CHECK(pca::overlap(bad.model.features[0].view(), first_columns(known.vectors, 3)) <= 0.1);
  // Of several starts that of the smallest J is taken; each is told of.
  options.start = deep_pca::Start::kpca;
  options.starts = 3;
  const deep_pca::Fit several = deep_pca::fit(Points(X.view), two_gaussians(), options);
  CHECK_EQ(several.starts.size(), std::size_t(3));
  CHECK_EQ(several.objective, good.objective);
  for (const deep_pca::StartReport& start : several.starts) CHECK(start.value >= several.objective);
  CHECK(several.starts[1].captured_trace <= 0.05);
}

TEST(every_solver_lowers_the_residuals_and_stays_feasible) {
  const naive::Matrix<double> X = two_classes(60, 6);
  const deep_pca::Fit start = [&] {
    deep_pca::Options options;
    options.solver = deep_pca::Levelwise{};
    return deep_pca::fit(Points(X.view), two_gaussians(0.5), options);
  }();
  CHECK(!start.model.coupled);
  for (const deep_pca::Eigenvalues eigenvalues : {deep_pca::Eigenvalues::eliminated, deep_pca::Eigenvalues::joint}) {
    for (const deep_pca::Solver& solver : pca::iterative_solvers(300)) {
      deep_pca::Options options;
      options.solver = solver;
      options.eigenvalues = eigenvalues;
      const deep_pca::Fit fit = deep_pca::fit(Points(X.view), two_gaussians(0.5), options);
      CHECK_EQ(fit.solver.index(), solver.index());
      check::that(fit.objective <= 0.2 * start.objective,
                  name_of(solver) + (": " + check::show(fit.objective)) + " from " + check::show(start.objective), __FILE__,
                  __LINE__);
      for (const Matrix& H : fit.model.features) CHECK(stiefel_infeasibility(H.view()) <= 1e-12);
      for (const std::vector<double>& values : fit.model.eigenvalues) CHECK(std::is_sorted(values.rbegin(), values.rend()));
    }
  }
}

TEST(residuals_reach_rounding_where_there_is_time) {
  const naive::Matrix<double> X = two_classes(40, 5);
  deep_pca::Options options;
  options.solver = pca::lbfgs(3000, 1e-7, 0.0);
  for (const double eta2 : {2.0, -2.0}) {
    const deep_pca::Fit fit = deep_pca::fit(Points(X.view), two_gaussians(eta2), options);
    check::that(fit.objective <= 1e-10, check::show(fit.objective) + name_of(fit.result.stop_reason), __FILE__, __LINE__);
  }
}

TEST(levelwise_is_kernel_pca_on_kernel_pca) {
  const naive::Matrix<double> X = two_classes(60, 5);
  deep_pca::Options options;
  options.solver = deep_pca::Levelwise{};
  options.centred = true;
  const deep_pca::Fit fit = deep_pca::fit(Points(X.view), two_gaussians(0.5), options);
  const Spectrum first = spectrum(Kernel("gaussian", {0.3}), X.view, true);
  CHECK_NEAR(pca::overlap(fit.model.features[0].view(), first_columns(first.vectors, 3)), 1.0, 1e-9);
  const Spectrum second = spectrum(Kernel("gaussian", {1.0}), fit.model.features[0].view(), true);
  CHECK_NEAR(pca::overlap(fit.model.features[1].view(), first_columns(second.vectors, 2)), 1.0, 1e-8);
  // Without a way back the weights of a level hold what its eigenvalues say.
  CHECK_NEAR(fit.state.primal, 0.0, 1e-9);
  double total = 0.0;
  for (Index i = 0; i < 60; ++i) total += second.values.view(i, 0);
  for (std::size_t c = 0; c < 2; ++c) {
    const double value = second.values.view(static_cast<Index>(c), 0);
    CHECK_NEAR(fit.model.eigenvalues[1][c], value / 0.5, 1e-9);
    CHECK_NEAR(fit.explained_variance_ratio[1][c], value / total, 1e-9);
  }
}

TEST(lemma_4_2_is_a_shift_of_all_eigenvalues) {
  const Index n = 20;
  const naive::Matrix<double> X = naive::normal<double>(n, 3, 5);
  const Kernel kernel("gaussian", {2.0});
  const Spectrum known = spectrum(kernel, X.view);
  const double smallest = known.values.view(n - 1, 0), trace = static_cast<double>(n);
  const double eta2 = -1.5 / smallest;
  const deep_pca::Fit fit = deep_pca::fit(Points(X.view), {{kernel, n, 1.0}, {Kernel("linear", {}), n, eta2}});
  CHECK(fit.objective <= 1e-18);
  double plain = 0.0, deep = 0.0;
  for (Index i = 0; i + 1 < n; ++i) {
    const double value = known.values.view(i, 0);
    CHECK_NEAR(fit.model.eigenvalues[0][static_cast<std::size_t>(i)], value + 1.0 / eta2, 1e-9);
    plain += value;
    deep += fit.explained_variance_ratio[0][static_cast<std::size_t>(i)];
    const double count = static_cast<double>(i + 1), gain = (count - n * plain / trace) / (eta2 * trace + n);
    CHECK_NEAR(deep - plain / trace, gain, 1e-9);
    CHECK(gain > 0.0);
    // As printed, (n - N) / (eta_2 tr K + N), it is larger.
    CHECK((count - n) / (eta2 * trace + n) > gain + 1e-6);
  }
}

TEST(components_stand_in_the_order_of_their_eigenvalues) {
  const naive::Matrix<double> X = two_classes(50, 5);
  std::vector<deep_pca::Level> levels = two_gaussians(-0.4);
  levels.push_back({Kernel("rational_quadratic", {1.0, 0.5}), 2, 0.8});
  deep_pca::Options options;
  options.solver = pca::lbfgs(60);
  const deep_pca::Fit fit = deep_pca::fit(Points(X.view), levels, options);
  // The objective is that of the sorted features too, with their signs turned.
  deep_pca::TrainingObjective objective(Points(X.view), levels);
  std::vector<double> x;
  for (const Matrix& H : fit.model.features) x.insert(x.end(), H.data(), H.data() + H.size());
  CHECK_NEAR(objective.evaluate(x.data(), nullptr), fit.objective, 1e-9 * fit.objective + 1e-15);
  const deep_pca::State state = objective.describe(x.data());
  for (std::size_t j = 0; j < 3; ++j) {
    for (std::size_t c = 0; c < fit.model.eigenvalues[j].size(); ++c)
      CHECK_NEAR(state.eigenvalues[j][c], fit.model.eigenvalues[j][c], 1e-9);
  }
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const naive::Matrix<double> X = two_classes(420, 6);
  deep_pca::Options options;
  for (const deep_pca::Solver& solver : pca::iterative_solvers(6)) {
    options.solver = solver;
    std::vector<double> first;
    for (const int threads : {1, 2, 7}) {
      set_num_threads(threads);
      const deep_pca::Fit fit = deep_pca::fit(Points(X.view), two_gaussians(), options);
      std::vector<double> all(fit.model.features[0].data(), fit.model.features[0].data() + fit.model.features[0].size());
      all.push_back(fit.objective);
      if (first.empty()) first = all;
      CHECK(all == first);
    }
    set_num_threads(0);
  }
}

TEST(options_that_contradict_each_other_are_refused) {
  const naive::Matrix<double> X = two_classes(20, 3);
  const Points points(X.view);
  deep_pca::Options options;
  options.solver = deep_pca::ClosedForm{};
  CHECK_THROWS(std::invalid_argument, deep_pca::fit(points, two_gaussians(), options));
  options.solver = deep_pca::SelfConsistent{};
  CHECK_THROWS(std::invalid_argument, deep_pca::fit(points, two_gaussians(), options));
  options.solver = deep_pca::Levelwise{};
  options.starts = 2;
  CHECK_THROWS(std::invalid_argument, deep_pca::fit(points, two_gaussians(), options));
  RiemannianAdamOptions adam;
  options.solver = adam;
  options.starts = 0;
  CHECK_THROWS(std::invalid_argument, deep_pca::fit(points, two_gaussians(), options));
  options.starts = 1;
  adam.step = 0.0;
  options.solver = adam;
  CHECK_THROWS(std::invalid_argument, deep_pca::fit(points, two_gaussians(), options));
  CHECK_THROWS(std::invalid_argument, deep_pca::fit(points, {}));
  CHECK_THROWS(std::invalid_argument, deep_pca::stabilised_objective(1.0, 0.0));
}

TEST(a_kernel_without_a_gradient_where_samples_coincide_is_refused_above_the_first_level) {
  const naive::Matrix<double> X = two_classes(20, 3);
  const Points points(X.view);
  deep_pca::Options options, levelwise;
  RiemannianAdamOptions adam;
  adam.max_iterations = 2;
  options.solver = adam;
  levelwise.solver = deep_pca::Levelwise{};
  for (const KernelInfo& info : kernel_registry()) {
    const Kernel kernel(info.name, info.samples.front());
    for (const Kernel& upper : {kernel, kernel + Kernel("linear", {}), 2.0 * (kernel * Kernel("gaussian", {0.5}))}) {
      const std::vector<deep_pca::Level> levels = pca::gaussian_and(upper, 1.0);
      if (info.traits.smooth_at_coincidence) {
        CHECK(std::isfinite(deep_pca::fit(points, levels, options).objective));
      } else {
        CHECK_THROWS(std::invalid_argument, deep_pca::fit(points, levels, options));
      }
      CHECK(deep_pca::fit(points, levels, levelwise).objective >= 0.0);
    }
  }
}

TEST(the_gamma_of_upper_levels_follows_from_the_mean_distance) {
  const naive::Matrix<double> X = two_classes(60, 5);
  const deep_pca::Fit fit = deep_pca::fit(Points(X.view), {{Kernel("gaussian", {0.3}), 4, 1.0}});
  const MatrixView<const double> H = fit.model.features[0].view();
  double sum = 0.0;
  for (Index i = 0; i < 60; ++i) {
    for (Index j = 0; j < 60; ++j) {
      for (Index c = 0; c < 4; ++c) sum += (H(i, c) - H(j, c)) * (H(i, c) - H(j, c));
    }
  }
  // Of centred features the mean is 2 s / n; these are not centred.
  CHECK(deep_pca::upper_gamma(60, 4) * (sum / 3600.0) <= 0.1 * (1.0 + 1e-12));
  CHECK_EQ(deep_pca::upper_gamma(60, 4), 0.75);
  CHECK_THROWS(std::invalid_argument, deep_pca::upper_gamma(60, 0));
}

TEST(solvers_have_names) {
  for (const std::string& name : deep_pca::names_of_solvers()) CHECK_EQ(std::string(name_of(deep_pca::solver_named(name))), name);
  CHECK_THROWS(std::invalid_argument, deep_pca::solver_named("newton"));
}

TEST_MAIN
