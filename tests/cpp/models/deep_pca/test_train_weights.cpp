// SPDX-License-Identifier: BSD-3-Clause
// Deep kernel PCA with weights is that of samples which are there so often: training, new samples, and the way back.
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "gramian/gram/full.hpp"
#include "gramian/models/deep_pca/apply.hpp"
#include "support/check.hpp"
#include "support/deep_pca_data.hpp"
#include "support/repeated_rows.hpp"

using namespace gramian;
using deep_pca::Fit;
using repeated::Dense;

namespace {

constexpr Index n = 24, d = 4;

struct Case {
  std::string name;
  std::vector<deep_pca::Level> levels;
  deep_pca::Solver solver = deep_pca::Automatic{};
  double accuracy = 1e-8;
};

std::vector<Case> cases() {
  const Kernel gaussian("gaussian", {0.3}), linear("linear", {});
  const auto solvers = pca::iterative_solvers(15);
  return {{"one level", {{gaussian, 3, 0.7}}},
          {"linear on data", {{linear, 3, 0.7}}},
          {"closed form", {{gaussian, 3, 1.2}, {linear, 2, -0.8}, {linear, 3, 1.1}}},
          {"in turn", pca::with_linear(0.9), deep_pca::SelfConsistent{}, 1e-6},
          {"levelwise", pca::two_gaussians(1.3), deep_pca::Levelwise{}},
          {"two levels", pca::two_gaussians(1.3), pca::lbfgs(30)},
          {"three levels", {{gaussian, 3, 1.0}, {Kernel("gaussian", {1.0}), 2, 1.0}, {linear, 2, 1.5}}, pca::lbfgs(30)},
          {"some steps", pca::two_gaussians(-1.3), solvers[0]},
          {"steps of adam", pca::two_gaussians(1.3), solvers[1]},
          {"steps of the paper", pca::two_gaussians(1.3), solvers[2]}};
}

double relative(const Dense& a, const Dense& b) { return (a - b).norm() / (1e-300 + b.norm()); }

struct Pair {
  Pair(const Case& which, bool centred)
      : X(pca::two_classes(n, d)), counts(repeated::counts(n)), all(repeated::rows(X.view, counts)) {
    deep_pca::Options options;
    options.solver = which.solver;
    options.centred = centred;
    twice = deep_pca::fit(PointSource(Points(view(all))), which.levels, options);
    options.weights = counts;
    once = deep_pca::fit(PointSource(Points(X.view)), which.levels, options);
  }
  Points samples() const { return Points(X.view); }
  Points copies() const { return Points(view(all)); }

  naive::Matrix<double> X;
  std::vector<double> counts;
  Dense all;
  Fit once, twice;
};

void check_numbers(const Pair& p, double accuracy) {
  CHECK_NEAR(p.once.objective, p.twice.objective, accuracy);
  CHECK_NEAR(p.once.state.energy, p.twice.state.energy, accuracy * p.twice.state.energy);
  for (std::size_t j = 0; j < p.once.model.levels.size(); ++j) {
    CHECK_NEAR(p.once.captured_trace[j], p.twice.captured_trace[j], accuracy);
    CHECK_NEAR(p.once.state.level_traces[j], p.twice.state.level_traces[j], accuracy * std::fabs(p.twice.state.level_traces[j]));
    for (std::size_t c = 0; c < p.once.model.eigenvalues[j].size(); ++c) {
      CHECK_NEAR(p.once.model.eigenvalues[j][c], p.twice.model.eigenvalues[j][c],
                 accuracy * (1.0 + std::fabs(p.twice.model.eigenvalues[j][c])));
      CHECK_NEAR(p.once.explained_variance_ratio[j][c], p.twice.explained_variance_ratio[j][c], accuracy);
      CHECK_NEAR(p.once.model.means[j][c], p.twice.model.means[j][c], accuracy);
      CHECK_NEAR(p.once.model.offsets[j][c], p.twice.model.offsets[j][c], accuracy);
    }
  }
}

void check_features(const Pair& p, double accuracy) {
  CHECK_EQ(p.once.model.weights.rows(), n);
  CHECK(p.twice.model.weights.empty());
  for (std::size_t j = 0; j < p.once.model.features.size(); ++j) {
    CHECK(relative(repeated::rows(p.once.model.features[j].view(), p.counts),
                   repeated::dense(p.twice.model.features[j].view())) <= accuracy);
  }
  if (p.once.model.inputs.empty()) return;
  CHECK(relative(repeated::rows(p.once.model.inputs.view(), p.counts), repeated::dense(p.twice.model.inputs.view())) <= accuracy);
}

void check_new_samples(const Pair& p, double accuracy) {
  const naive::Matrix<double> fresh = pca::two_classes(9, d, 7);
  for (const auto extension : {deep_pca::Extension::equations, deep_pca::Extension::smoother}) {
    deep_pca::TransformOptions options;
    options.extension = extension;
    const deep_pca::Codes once = deep_pca::transform(p.once.model, Points(fresh.view), p.samples(), options);
    const deep_pca::Codes twice = deep_pca::transform(p.twice.model, Points(fresh.view), p.copies(), options);
    for (std::size_t j = 0; j < once.features.size(); ++j) {
      CHECK(relative(repeated::dense(once.features[j].view()), repeated::dense(twice.features[j].view())) <= accuracy);
    }
    CHECK(once.solved == twice.solved);
  }
}

void check_way_back(const Pair& p, double accuracy) {
  const Index depth = p.once.model.depth();
  const Matrix codes = Matrix::copy_of(p.once.model.features.back().view());
  Dense once(codes.rows(), n), twice(codes.rows(), p.all.rows());
  deep_pca::weights(p.once.model, depth, codes.view(), view(once));
  deep_pca::weights(p.twice.model, depth, codes.view(), view(twice));
  CHECK(relative(once, twice * repeated::selection(p.counts)) <= accuracy);
  deep_pca::InverseOptions options;
  options.method = deep_pca::Inverse::ridge;
  options.ridge = 0.1;
  const auto points = deep_pca::inverse_transform(p.once.model, depth, codes.view(), p.X.view, options);
  const auto others = deep_pca::inverse_transform(p.twice.model, depth, codes.view(), view(p.all), options);
  CHECK(relative(repeated::dense(points.points.view()), repeated::dense(others.points.view())) <= 100.0 * accuracy);
}

}  // namespace

TEST(weights_are_repetitions) {
  for (const Case& which : cases()) {
    for (const bool centred : {false, true}) {
      const Pair p(which, centred);
      check_numbers(p, which.accuracy);
      check_features(p, 10.0 * which.accuracy);
      check_new_samples(p, 100.0 * which.accuracy);
      check_way_back(p, 100.0 * which.accuracy);
    }
  }
}

TEST(linear_levels_are_inverted_about_the_weighted_mean) {
  const Kernel linear("linear", {});
  for (const bool centred : {false, true}) {
    const Pair p({"linear", {{linear, 3, 0.7}, {linear, 2, 1.2}}}, centred);
    const Matrix codes = Matrix::copy_of(p.once.model.features[0].view());
    const auto points = deep_pca::inverse_transform(p.once.model, 1, codes.view(), p.X.view);
    const auto others = deep_pca::inverse_transform(p.twice.model, 1, codes.view(), view(p.all));
    CHECK(relative(repeated::dense(points.points.view()), repeated::dense(others.points.view())) <= 1e-8);
  }
}

TEST(bounds_are_those_of_repeated_samples) {
  for (const bool centred : {false, true}) {
    const Pair p({"linear above", pca::with_linear(-0.8)}, centred);
    const deep_pca::Bounds once = deep_pca::bounds(PointSource(p.samples()), p.once.model);
    const deep_pca::Bounds twice = deep_pca::bounds(PointSource(p.copies()), p.twice.model);
    CHECK_NEAR(once.lower, twice.lower, 1e-7);
    CHECK_NEAR(once.error, twice.error, 1e-7);
    CHECK_NEAR(once.upper, twice.upper, 1e-7);
  }
}

TEST(inner_products_are_weighted) {
  const Pair p({"one level", {{Kernel("gaussian", {0.3}), 3, 0.7}, {Kernel("linear", {}), 2, 1.0}}}, true);
  Dense K(n, n);
  full(Kernel("gaussian", {0.3}), p.samples(), view(K));
  deep_pca::Options options;
  options.centred = true;
  options.weights = p.counts;
  const Fit fit = deep_pca::fit(PointSource(InnerProducts<double>(view(K))),
                                {{Kernel("linear", {}), 3, 0.7}, {Kernel("linear", {}), 2, 1.0}}, options);
  for (std::size_t j = 0; j < 2; ++j) {
    CHECK(relative(repeated::dense(fit.model.features[j].view()), repeated::dense(p.once.model.features[j].view())) <= 1e-8);
  }
}

TEST(a_fit_that_goes_on_begins_with_features_as_they_are) {
  const Pair p({"two levels", pca::two_gaussians(1.3), pca::lbfgs(30)}, false);
  std::vector<double> start;
  for (const Matrix& H : p.once.model.features) start.insert(start.end(), H.data(), H.data() + H.size());
  deep_pca::Options options;
  options.solver = pca::lbfgs(1);
  options.weights = p.counts;
  const Fit fit = deep_pca::fit(PointSource(p.samples()), pca::two_gaussians(1.3), options, start);
  CHECK_NEAR(fit.result.history.front().value, p.once.objective, 1e-10 * p.once.objective);
}

TEST(weights_that_do_not_fit_are_refused) {
  const naive::Matrix<double> X = pca::two_classes(n, d);
  for (const auto& wrong : {std::vector<double>(n - 1, 1.0), std::vector<double>(n, 0.0), std::vector<double>(n, -1.0)}) {
    deep_pca::Options options;
    options.weights = wrong;
    CHECK_THROWS(std::invalid_argument, deep_pca::fit(PointSource(Points(X.view)), pca::two_gaussians(), options));
  }
}

TEST_MAIN
