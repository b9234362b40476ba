// SPDX-License-Identifier: BSD-3-Clause
// Maps to features and back: what they minimise, and turns of levels and maps.
#include "gramian/models/deep_pca/parametric.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "gramian/base/parallel.hpp"
#include "gramian/eigen.hpp"
#include "gramian/layers/feature_network.hpp"
#include "support/deep_pca_data.hpp"
#include "support/finite_difference.hpp"
#include "support/repeated_rows.hpp"

using namespace gramian;
using difference::Real;
using pca::two_classes;

namespace {

constexpr Index samples = 30, width = 4;

/// phi and psi(phi(.)) from three numbers to three; without a hidden layer both are affine in theta of phi.
struct Maps {
  explicit Maps(bool hidden) {
    std::vector<DenseLayer> layers, back = {{5, Activation::tanh}, {3, Activation::identity}};
    if (hidden) layers.push_back({6, Activation::tanh});
    layers.push_back({width, Activation::identity});
    NetworkStart start;
    start.weight_deviation = 0.0;
    features = feature_network(3, layers, start);
    layers.insert(layers.end(), back.begin(), back.end());
    round_trip = feature_network(3, layers, start);
    theta = round_trip->start(3);
  }
  deep_pca::Maps maps() const { return {*features, *round_trip}; }
  Matrix forward(MatrixView<const double> X, const std::vector<double>& at) const {
    Matrix Z(X.rows(), width);
    features->forward(at.data(), X, Z.view(), {});
    return Z;
  }
  std::unique_ptr<FeatureMap> features, round_trip;
  std::vector<double> theta;
};

std::vector<deep_pca::Level> levels(const Kernel& upper = Kernel("gaussian", {1.0})) {
  return {{Kernel("linear", {}), 3, 0.8}, {upper, 2, 1.3}};
}

/// Stopped early, so that no residual is 0.
deep_pca::Fit early(MatrixView<const double> Z, bool centred,
                    deep_pca::Eigenvalues eigenvalues = deep_pca::Eigenvalues::eliminated) {
  deep_pca::Options options;
  RiemannianLbfgsOptions few;
  few.max_iterations = 4;
  options.solver = few;
  options.start = deep_pca::Start::random;
  options.centred = centred;
  options.eigenvalues = eigenvalues;
  return deep_pca::fit(Points(Z), levels(), options);
}

std::vector<double> moved(const std::vector<double>& from, const std::vector<double>& along, double step) {
  std::vector<double> out = from;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] += step * along[i];
  return out;
}

std::vector<double> normal(std::size_t count, std::uint64_t seed) {
  std::vector<double> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(RandomStream(seed).normal(static_cast<std::uint64_t>(i)));
  return out;
}

}  // namespace

// J of the residual objective itself, with features and eigenvalues as variables that stay where they are.
TEST(the_value_is_that_of_the_levels_and_of_reconstructions) {
  const naive::Matrix<double> X = two_classes(samples, 3);
  const Maps maps(true);
  const Matrix Z = maps.forward(X.view, maps.theta);
  for (const bool centred : {false, true}) {
    for (const deep_pca::Eigenvalues eigenvalues : {deep_pca::Eigenvalues::eliminated, deep_pca::Eigenvalues::joint}) {
      const deep_pca::Fit fit = early(Z.view(), centred, eigenvalues);
      CHECK(fit.objective > 1e-6);
      deep_pca::MapObjective task(maps.maps(), X.view, Z.view(), fit, 0.7);
      CHECK_NEAR(task.evaluate(maps.theta.data(), nullptr), fit.objective + 0.7 * task.squared_error(maps.theta.data()), 1e-10);
      const std::vector<double> away = moved(maps.theta, normal(maps.theta.size(), 1), 0.1);
      const Matrix there = maps.forward(X.view, away);
      std::vector<double> x;
      for (const Matrix& H : fit.model.features) x.insert(x.end(), H.data(), H.data() + H.size());
      for (const std::vector<double>& values : fit.model.eigenvalues) x.insert(x.end(), values.begin(), values.end());
      deep_pca::TrainingObjective J(Points(there.view()), fit.model.levels, {deep_pca::Eigenvalues::joint, centred, 0});
      const double expected = J.evaluate(x.data(), nullptr) + 0.7 * task.squared_error(away.data());
      CHECK_NEAR(task.evaluate(away.data(), nullptr), expected, 1e-10 * expected);
      Matrix back(samples, 3);
      maps.round_trip->forward(away.data(), X.view, back.view(), {});
      double square = 0.0;
      for (Index i = 0; i < samples; ++i) {
        for (Index k = 0; k < 3; ++k) square += (X.view(i, k) - back(i, k)) * (X.view(i, k) - back(i, k));
      }
      CHECK_NEAR(task.squared_error(away.data()), square, 1e-12 * square);
    }
  }
}

TEST(the_gradient_is_that_of_differences) {
  const naive::Matrix<double> X = two_classes(samples, 3);
  const Maps maps(true);
  const Matrix Z = maps.forward(X.view, maps.theta);
  for (const bool centred : {false, true}) {
    const deep_pca::Fit fit = early(Z.view(), centred);
    deep_pca::MapObjective task(maps.maps(), X.view, Z.view(), fit, 0.7);
    const std::vector<double> at = moved(maps.theta, normal(maps.theta.size(), 2), 0.1);
    std::vector<double> gradient(at.size());
    const double value = task.evaluate(at.data(), gradient.data());
    CHECK_NEAR(task.evaluate(at.data(), nullptr), value, 0.0);
    for (std::uint64_t seed = 3; seed < 7; ++seed) {
      const std::vector<double> v = normal(at.size(), seed);
      // Values are of double precision: 1e-16 of them is what a difference of them knows at best.
      const difference::Slope expected =
          difference::slope([&](Real t) { return Real(task.evaluate(moved(at, v, static_cast<double>(t)).data(), nullptr)); },
                            1e-3L, Real(value) * 2048);
      const Real found = difference::dot(gradient, v);
      CHECK(difference::agrees(found, expected, 1e-9L * std::fabs(found), std::fabs(found)));
      CHECK(!difference::agrees(1.01L * found, expected, 1e-9L * std::fabs(found), std::fabs(found)));
    }
  }
}

// <J v, R> = <v, Jᵀ R> for the first residual R: where phi is affine in theta, the rate of Z along v is a difference without an
// error, and that of R = C Z Zᵀ C H / eta + ... follows from it.
TEST(the_gradient_is_the_adjoint_of_the_rate_along_affine_maps) {
  const naive::Matrix<double> X = two_classes(samples, 3);
  const Maps maps(false);
  const auto own = static_cast<std::size_t>(maps.features->parameter_count());
  const Matrix start = maps.forward(X.view, maps.theta);
  for (const bool centred : {false, true}) {
    const deep_pca::Fit fit = early(start.view(), centred);
    deep_pca::MapObjective task(maps.maps(), X.view, start.view(), fit, 0.0);
    const std::vector<double> theta = moved(maps.theta, normal(maps.theta.size(), 9), 0.3), v = normal(theta.size(), 8);
    std::vector<double> gradient(v.size());
    task.evaluate(theta.data(), gradient.data());
    const Matrix at = maps.forward(X.view, theta), there = maps.forward(X.view, moved(theta, v, 1.0));
    const Eigen::MatrixXd Z = as_eigen(at.view()), rate = as_eigen(there.view()) - Z, H = as_eigen(fit.model.features[0].view());
    std::vector<double> x, A(static_cast<std::size_t>(samples * 5));
    for (const Matrix& level : fit.model.features) x.insert(x.end(), level.data(), level.data() + level.size());
    deep_pca::TrainingObjective J(Points(at.view()), fit.model.levels, {deep_pca::Eigenvalues::eliminated, centred, 0});
    J.energy_gradient(x.data(), A.data());
    Eigen::MatrixXd R = as_eigen(MatrixView<const double>(A.data(), samples, 3));
    for (Index c = 0; c < 3; ++c) R.col(c) -= fit.model.eigenvalues[0][static_cast<std::size_t>(c)] * H.col(c);
    Eigen::MatrixXd C = Eigen::MatrixXd::Identity(samples, samples);
    if (centred) C.array() -= 1.0 / static_cast<double>(samples);
    const Eigen::MatrixXd along = C * (rate * Z.transpose() + Z * rate.transpose()) * C * H / 0.8;
    const double expected = (along.array() * R.array()).sum(), scale = along.norm() * R.norm();
    const auto found = static_cast<double>(difference::dot(gradient, v));
    CHECK_NEAR(found, expected, 1e-12 * scale);
    CHECK(std::fabs(1.01 * found - expected) > 1e-12 * scale);
    for (std::size_t i = own; i < v.size(); ++i) CHECK_EQ(gradient[i], 0.0);  // without weight psi has no say
  }
}

/// What the maps minimise with weights, and for samples that are there so often, at the same point.
struct Weighted {
  explicit Weighted(bool centred)
      : counts(repeated::counts(samples)), X(two_classes(samples, 3)), all(repeated::rows(X.view, counts)) {
    options.solver = pca::lbfgs(4);
    options.centred = centred;
    const Matrix copies = maps.forward(view(all), maps.theta);
    twice = deep_pca::fit(Points(copies.view()), levels(), options);
    options.weights = counts;
    Z = maps.forward(X.view, maps.theta);
    once = deep_pca::fit(Points(Z.view()), levels(), options);
    one.emplace(maps.maps(), X.view, Z.view(), once, 0.7);
    other.emplace(others.maps(), view(all), copies.view(), twice, 0.7);
  }
  const Maps maps{true}, others{true};
  std::vector<double> counts;
  naive::Matrix<double> X;
  repeated::Dense all;
  deep_pca::Options options;
  Matrix Z;
  deep_pca::Fit once, twice;
  std::optional<deep_pca::MapObjective> one, other;
};

TEST(weights_are_repetitions) {
  for (const bool centred : {false, true}) {
    Weighted at(centred);
    const std::vector<double> theta = moved(at.maps.theta, normal(at.maps.theta.size(), 5), 0.1);
    std::vector<double> gradient(theta.size()), expected(theta.size());
    const double value = at.one->evaluate(theta.data(), gradient.data());
    CHECK_NEAR(value, at.other->evaluate(theta.data(), expected.data()), 1e-8 * value);
    CHECK_NEAR(at.one->squared_error(theta.data()), at.other->squared_error(theta.data()), 1e-12 * value);
    double scale = 0.0;
    for (const double slope : expected) scale = std::max(scale, std::fabs(slope));
    for (std::size_t i = 0; i < theta.size(); ++i) CHECK_NEAR(gradient[i], expected[i], 1e-7 * scale);
  }
}

TEST(the_weighted_gradient_is_that_of_differences) {
  for (const bool centred : {false, true}) {
    Weighted at(centred);
    const std::vector<double> theta = moved(at.maps.theta, normal(at.maps.theta.size(), 6), 0.1), v = normal(theta.size(), 7);
    std::vector<double> gradient(theta.size());
    const double value = at.one->evaluate(theta.data(), gradient.data());
    const auto along = [&](Real t) { return Real(at.one->evaluate(moved(theta, v, static_cast<double>(t)).data(), nullptr)); };
    const difference::Slope expected = difference::slope(along, 1e-3L, Real(value) * 2048);
    const Real found = difference::dot(gradient, v);
    CHECK(difference::agrees(found, expected, 1e-9L * std::fabs(found), std::fabs(found)));
    CHECK(!difference::agrees(1.01L * found, expected, 1e-9L * std::fabs(found), std::fabs(found)));
  }
}

TEST(turns_lower_the_objective) {
  const naive::Matrix<double> X = two_classes(60, 3);
  const Maps maps(true);
  deep_pca::ParametricOptions options;
  options.rounds = 3;
  options.maps.max_iterations = 40;
  const deep_pca::ParametricFit fit =
      deep_pca::fit_parametric(maps.maps(), X.view, maps.theta, levels(Kernel("linear", {})), options);
  CHECK_EQ(fit.objectives.size(), std::size_t(4));
  CHECK_EQ(fit.errors.size(), std::size_t(4));
  CHECK_EQ(fit.result.iterations, 120);
  CHECK_EQ(fit.result.history.size(), std::size_t(121));
  for (std::size_t i = 0; i < fit.result.history.size(); ++i) CHECK_EQ(fit.result.history[i].number, static_cast<Index>(i));
  CHECK(fit.result.x.empty());
  CHECK(fit.errors.back() < 0.5 * fit.errors.front());
  CHECK(fit.objectives.back() < 0.5 * fit.objectives.front());
  CHECK(pca::largest_difference(fit.features.view(), maps.forward(X.view, fit.theta).view()) == 0.0);
  CHECK_NEAR(fit.objectives.back(), fit.pca.objective + fit.errors.back(), 1e-15);
}

struct Stop : Observer {
  explicit Stop(Index last) : last_(last) {}
  bool observe(const Iteration& iteration, const double*) override { return iteration.number < last_; }
  Index last_;
};

TEST(an_observer_of_the_steps_ends_the_turns) {
  const naive::Matrix<double> X = two_classes(samples, 3);
  const Maps maps(true);
  deep_pca::ParametricOptions options;
  options.maps.max_iterations = 4;
  Stop stop(6);
  const deep_pca::ParametricFit fit = deep_pca::fit_parametric(maps.maps(), X.view, maps.theta, levels(), options, &stop);
  CHECK_EQ(fit.result.iterations, 6);
  CHECK(fit.result.stop_reason == StopReason::observer);
  CHECK_EQ(fit.objectives.size(), std::size_t(3));  // the levels are solved for where the maps have ended
  CHECK(pca::largest_difference(fit.features.view(), maps.forward(X.view, fit.theta).view()) == 0.0);
}

TEST(an_observer_of_the_levels_ends_the_turns) {
  Stop stop(1);
  const naive::Matrix<double> X = two_classes(samples, 3);
  const Maps maps(true);
  const deep_pca::ParametricFit fit = deep_pca::fit_parametric(maps.maps(), X.view, maps.theta, levels(), {}, nullptr, &stop);
  CHECK_EQ(fit.objectives.size(), std::size_t(1));
  CHECK(fit.theta == maps.theta);
  CHECK(fit.result.stop_reason == StopReason::observer);
  CHECK_EQ(fit.result.history.size(), std::size_t(1));
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const naive::Matrix<double> X = two_classes(300, 3);
  const Maps maps(true);
  deep_pca::ParametricOptions options;
  options.rounds = 1;
  options.maps.max_iterations = 5;
  std::vector<double> first;
  for (const int threads : {1, 2, 7}) {
    set_num_threads(threads);
    const deep_pca::ParametricFit fit = deep_pca::fit_parametric(maps.maps(), X.view, maps.theta, levels(), options);
    if (first.empty()) first = fit.theta;
    CHECK(fit.theta == first);
  }
  set_num_threads(0);
}

TEST(bad_input_is_refused) {
  const naive::Matrix<double> X = two_classes(samples, 3), wide = two_classes(samples, 4);
  const Maps maps(true);
  const Matrix Z = maps.forward(X.view, maps.theta);
  const deep_pca::Fit fit = early(Z.view(), false);
  const auto refused = [&](const deep_pca::Maps& some, MatrixView<const double> x, const deep_pca::Fit& of, double gamma) {
    CHECK_THROWS(std::invalid_argument, deep_pca::MapObjective(some, x, Z.view(), of, gamma));
  };
  refused(maps.maps(), wide.view, fit, 1.0);
  refused({*maps.features, *maps.features}, X.view, fit, 1.0);
  for (const double gamma : {-1.0, std::numeric_limits<double>::quiet_NaN()}) refused(maps.maps(), X.view, fit, gamma);
  deep_pca::Options levelwise;
  levelwise.solver = deep_pca::Levelwise{};
  refused(maps.maps(), X.view, deep_pca::fit(Points(Z.view()), levels(), levelwise), 1.0);
  refused(maps.maps(), X.view, deep_pca::fit(Points(Z.view()), pca::two_gaussians()), 1.0);
  deep_pca::ParametricOptions options;
  options.rounds = -1;
  CHECK_THROWS(std::invalid_argument, deep_pca::fit_parametric(maps.maps(), X.view, maps.theta, levels(), options));
  CHECK_THROWS(std::invalid_argument, deep_pca::fit_parametric(maps.maps(), X.view, {1.0}, levels()));
}

TEST_MAIN
