// SPDX-License-Identifier: BSD-3-Clause
// The objective with the mean of losses, [KAE] (4): gradients against differences of the definition in long double, and estimates
// against what they estimate.
#include "models/autoencoder/batches.hpp"

#include <algorithm>
#include <memory>

#include "gramian/base/error.hpp"
#include "models/layered/training.hpp"
#include "support/check.hpp"
#include "support/naive_composition.hpp"
#include "support/ridge_problem.hpp"

using namespace gramian;
using naive::Numbers;
using naive::Real;

namespace {

const naive::Rows full_A = {{1.2L, 0.3L}, {0.3L, 0.7L}}, diagonal_A = {{0.5L, 1.5L, 0.8L}};

/// Two or three layers on a few points; the last one is the ridge's.
struct Case {
  naive::Composition layers;
  naive::Matrix<double> X, targets;

  static Case make(Index n, bool deep, std::vector<Index> landmarks, bool operators) {
    naive::Matrix<double> X = naive::normal<double>(n, 2, 1), C = naive::normal<double>(n, 3, 2);
    std::vector<naive::Layer> all = {{{{naive::leaf("gaussian", {0.4}), operators ? full_A : naive::Rows{}}}, 2, 0.03}};
    if (deep) all.push_back({{{naive::leaf("polynomial", {2, 0.3, 1.0})}, {naive::leaf("gaussian", {0.2})}}, 2, 0.02});
    all.push_back({{{naive::leaf("gaussian", {0.5}), operators ? diagonal_A : naive::Rows{}}}, 3, 0.05});
    naive::Rows input = naive::points(X.view);
    return {{std::move(input), std::move(all), std::move(landmarks)}, std::move(X), std::move(C)};
  }

  naive::Composition inner() const {
    naive::Composition out = layers;
    out.layers.pop_back();
    return out;
  }
  naive::RidgeProblem ridge() const {
    const naive::Layer& last = layers.layers.back();
    naive::Rows A = naive::rows_of(3, 3);
    for (std::size_t j = 0; j < 3; ++j) A[j][j] = last.terms[0].A.empty() ? 1 : last.terms[0].A[0][j];
    return {last.terms[0].kernel, naive::points(targets.view), A, static_cast<Real>(last.penalty)};
  }
  std::vector<double> coefficients(std::size_t count) const {
    std::vector<double> x = naive::normal<double>(static_cast<Index>(count), 1, 3).numbers;
    for (double& phi : x) phi *= 0.4;
    return x;
  }
};

/// The engine's objective of a case, which must outlive it.
struct Engine {
  Engine(const Case& problem, std::shared_ptr<const Loss> loss = nullptr)
      : task(task_of(problem, std::move(loss))), share(task, 1), objective(share.objective(task)) {}

  /// loss: null where the last layer is solved for.
  static LayeredTask task_of(const Case& problem, std::shared_ptr<const Loss> loss) {
    LayeredTask task{Points(problem.X.view), problem.targets.view, problem.layers.landmarks};
    task.mean = true;
    task.joint = loss != nullptr;
    task.loss = std::move(loss);
    task.layers = naive::layers_of(problem.layers.layers);
    task.thetas.resize(task.layers.size());
    return task;
  }

  LayeredTask task;
  LayeredShare share;
  LayeredObjective objective;
};

Real penalties(const naive::Composition& problem, const naive::Images& images) {
  Real sum = 0;
  for (std::size_t l = 0; l < problem.layers.size(); ++l) {
    sum += static_cast<Real>(problem.layers[l].penalty) * images.squared_norms[l];
  }
  return sum;
}

Real eliminated_value(const Case& problem, const Numbers& x) {
  const naive::Composition inner = problem.inner();
  const naive::Images images = inner.evaluate(x);
  const naive::Rows& Z = images.X.back();
  const Real rest =
      problem.layers.landmarks.empty() ? problem.ridge().minimum(Z) : problem.ridge().landmark_minimum(Z, inner.supports(Z));
  return penalties(inner, images) + rest;
}

using LossOf = Real (*)(Real squared_distance);
Real squared(Real square) { return square; }
Real huber(Real square) { return square <= 0.25L ? square : std::sqrt(square) - 0.25L; }  // delta = 1/2

Real joint_value(const Case& problem, const Numbers& x, LossOf loss) {
  const naive::Images images = problem.layers.evaluate(x);
  const naive::Rows targets = naive::points(problem.targets.view);
  Real sum = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    Real square = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      square += (images.X.back()[i][j] - targets[i][j]) * (images.X.back()[i][j] - targets[i][j]);
    }
    sum += loss(square);
  }
  return sum / static_cast<Real>(targets.size()) + penalties(problem.layers, images);
}

Numbers moved(Numbers x, const Numbers& along, Real t) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += t * along[i];
  return x;
}

/// Entry by entry, along a direction of all entries, and with an error in the fourth digit, which must be seen.
template <class Value>
void check_gradient(const char* name, const std::vector<double>& x, double value, const std::vector<double>& gradient,
                    Real amplification, const Value& f) {
  const Numbers at(x.begin(), x.end());
  CHECK_NEAR(static_cast<Real>(value), f(at), 1e-13L * amplification);
  Real scale = 0;
  for (const double g : gradient) scale = std::max(scale, std::fabs(static_cast<Real>(g)));
  const Real allowed = 4096 * naive::unit_roundoff<double> * amplification * scale, magnitude = amplification * (1 + f(at));
  bool good = true, seen = true;
  Numbers all(x.size(), 0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    Numbers along(x.size(), 0);
    along[i] = 1;
    all[i] = static_cast<Real>(RandomStream(9).normal(i));
    const auto slope = difference::slope([&](Real t) { return f(moved(at, along, t)); }, 1e-3L, magnitude);
    good = good && difference::agrees(gradient[i], slope, allowed, scale);
    seen = seen && !difference::agrees(gradient[i] + 1e-4L * scale, slope, allowed, scale);
  }
  check::that(good, std::string(name) + ": a derivative differs", __FILE__, __LINE__);
  check::that(seen, std::string(name) + ": a wrong derivative passes", __FILE__, __LINE__);
  const auto along_all = difference::slope([&](Real t) { return f(moved(at, all, t)); }, 1e-4L, magnitude);
  CHECK(difference::agrees(difference::dot(gradient, all), along_all, allowed * static_cast<Real>(x.size()),
                           scale * static_cast<Real>(x.size())));
}

void check_eliminated(const char* name, const Case& problem) {
  Engine engine(problem);
  LayeredObjective& objective = engine.objective;
  const std::vector<double> x = problem.coefficients(static_cast<std::size_t>(objective.size()));
  std::vector<double> gradient(x.size());
  const double value = objective.evaluate(x.data(), gradient.data());
  const naive::RidgeProblem ridge = problem.ridge();
  const naive::Rows Z = problem.inner().evaluate({x.begin(), x.end()}).X.back();
  check_gradient(name, x, value, gradient, naive::amplification(ridge, naive::gram_of(ridge.kernel, Z, Z)),
                 [&](const Numbers& at) { return eliminated_value(problem, at); });
  CHECK_EQ(objective.evaluate(x.data(), nullptr), value);
}

void check_joint(const char* name, const Case& problem, std::shared_ptr<const Loss> loss, LossOf reference) {
  Engine engine(problem, std::move(loss));
  LayeredObjective& objective = engine.objective;
  const std::vector<double> x = problem.coefficients(static_cast<std::size_t>(objective.size()));
  std::vector<double> gradient(x.size());
  const double value = objective.evaluate(x.data(), gradient.data());
  check_gradient(name, x, value, gradient, 16, [&](const Numbers& at) { return joint_value(problem, at, reference); });
}

}  // namespace

TEST(the_eliminated_gradient_is_that_of_the_definition) {
  check_eliminated("two layers", Case::make(7, false, {}, false));
  check_eliminated("three layers with operators", Case::make(6, true, {}, true));
}

TEST(the_eliminated_gradient_with_landmarks_is_that_of_the_definition) {
  check_eliminated("two layers", Case::make(8, false, {0, 3, 4, 7}, false));
  check_eliminated("three layers", Case::make(8, true, {1, 2, 6}, false));
}

TEST(the_joint_gradient_is_that_of_the_definition) {
  check_joint("squared", Case::make(7, false, {}, true), squared_loss(), squared);
  check_joint("squared, three layers", Case::make(6, true, {}, true), squared_loss(), squared);
  check_joint("huber", Case::make(7, false, {}, false), huber_loss(0.5), huber);
  check_joint("huber, landmarks", Case::make(8, true, {1, 2, 6}, true), huber_loss(0.5), huber);
}

TEST(with_the_last_layer_held_the_gradient_is_that_of_the_definition) {
  const Case problem = Case::make(7, true, {}, true);
  Engine engine(problem);
  LayeredObjective& objective = engine.objective;
  std::vector<double> x = problem.coefficients(static_cast<std::size_t>(objective.size()));
  std::vector<double> gradient(x.size()), solved(x.size());
  objective.evaluate(x.data(), solved.data());
  objective.hold_last();
  const double value = objective.evaluate_held(x.data(), gradient.data());
  // At the coefficients that it was solved for both objectives and both gradients agree.
  CHECK_NEAR(value, objective.evaluate(x.data(), nullptr), 1e-12);
  double scale = 0.0;
  for (const double g : gradient) scale = std::max(scale, std::fabs(g));
  for (std::size_t i = 0; i < x.size(); ++i) CHECK_NEAR(gradient[i], solved[i], 1e-10 * scale);

  const naive::Rows Phi = naive::points(objective.last_coefficients().view());
  for (double& phi : x) phi *= 1.3;
  const double elsewhere = objective.evaluate_held(x.data(), gradient.data());
  check_gradient("held", x, elsewhere, gradient, 64, [&](const Numbers& at) {
    const naive::Images images = problem.inner().evaluate(at);
    return penalties(problem.inner(), images) + problem.ridge().held(images.X.back(), Phi);
  });
}

TEST(far_out_the_value_is_infinite) {
  const Case problem = Case::make(7, true, {}, false);
  Engine solved(problem), trained(problem, squared_loss());
  LayeredObjective &eliminated = solved.objective, &joint = trained.objective;
  std::vector<double> x(static_cast<std::size_t>(joint.size()), 1e160), gradient(x.size());
  CHECK_EQ(eliminated.evaluate(x.data(), gradient.data()), INFINITY);
  CHECK_EQ(joint.evaluate(x.data(), gradient.data()), INFINITY);
  CHECK_EQ(autoencoder::BatchObjective(joint, 3).sample(x.data(), 1, 2, gradient.data()), INFINITY);
  CHECK_THROWS(NumericalError, joint.value_at(x.data(), gradient.data()));
  x.assign(x.size(), 0.1);
  CHECK(std::isfinite(eliminated.evaluate(x.data(), gradient.data())));
}

namespace {

struct Means {
  double value = 0.0, value_error = 0.0;
  std::vector<double> gradient, error;  // and five standard errors of them
};

Means mean_of_draws(StochasticObjective& objective, const std::vector<double>& x, int draws) {
  std::vector<double> g(x.size()), sum(x.size(), 0.0), squares(x.size(), 0.0);
  double values = 0.0, value_squares = 0.0;
  for (int k = 0; k < draws; ++k) {
    const double value = objective.sample(x.data(), 7, static_cast<std::uint64_t>(k), g.data());
    values += value;
    value_squares += value * value;
    for (std::size_t i = 0; i < x.size(); ++i) sum[i] += g[i], squares[i] += g[i] * g[i];
  }
  const double n = draws;
  const auto five = [&](double total, double square) {
    return 5.0 * std::sqrt(std::max(0.0, square / n - total / n * (total / n)) / n) + 1e-12;
  };
  Means out{values / n, five(values, value_squares), sum, sum};
  for (std::size_t i = 0; i < x.size(); ++i) {
    out.gradient[i] = sum[i] / n;
    out.error[i] = five(sum[i], squares[i]);
  }
  return out;
}

}  // namespace

TEST(estimates_are_without_bias) {
  for (const Index batch_size : {3, 4}) {
    for (const std::vector<Index>& landmarks : {std::vector<Index>{}, std::vector<Index>{0, 2, 3, 6, 8}}) {
      const Case problem = Case::make(10, false, landmarks, false);
      Engine engine(problem, squared_loss());
      autoencoder::BatchObjective objective(engine.objective, batch_size);
      const std::vector<double> x = problem.coefficients(static_cast<std::size_t>(objective.size()));
      std::vector<double> gradient(x.size());
      const double value = objective.evaluate(x.data(), gradient.data());
      const Means means = mean_of_draws(objective, x, 4000);
      CHECK_NEAR(means.value, value, means.value_error);
      bool good = true, halved = true;
      for (std::size_t i = 0; i < x.size(); ++i) {
        good = good && std::fabs(means.gradient[i] - gradient[i]) <= means.error[i];
        halved = halved && std::fabs(0.5 * means.gradient[i] - gradient[i]) <= means.error[i];
      }
      CHECK(good);
      CHECK(!halved);  // a wrong factor is seen
    }
  }
}

TEST(an_estimate_depends_on_seed_and_step_alone) {
  const Case problem = Case::make(10, false, {}, false);
  Engine engine(problem, squared_loss());
  autoencoder::BatchObjective objective(engine.objective, 4);
  const std::vector<double> x = problem.coefficients(static_cast<std::size_t>(objective.size()));
  std::vector<double> first(x.size()), again(x.size()), other(x.size()), whole(x.size());
  const double value = objective.sample(x.data(), 1, 2, first.data());
  const double all = objective.evaluate(x.data(), whole.data());
  objective.sample(x.data(), 1, 3, other.data());
  CHECK_EQ(objective.sample(x.data(), 1, 2, again.data()), value);
  CHECK(first == again);
  CHECK(first != other);
  CHECK_EQ(objective.evaluate(x.data(), again.data()), all);
  CHECK(again == whole);
  // A batch of all samples is no estimate.
  CHECK_EQ(autoencoder::BatchObjective(engine.objective, 10).sample(x.data(), 1, 2, again.data()), all);
  CHECK(again == whole);
}

TEST_MAIN
