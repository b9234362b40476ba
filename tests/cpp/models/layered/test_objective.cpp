// SPDX-License-Identifier: BSD-3-Clause
// Values and gradients of all forms of the objective against differences of the definition in long double.
#include "models/layered/objective.hpp"

#include <algorithm>
#include <memory>
#include <string>

#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "models/deep_regression/samples.hpp"
#include "models/layered/training.hpp"
#include "support/check.hpp"
#include "support/deep_problem.hpp"

using namespace gramian;
using naive::DeepProblem;
using naive::Numbers;
using naive::Real;

namespace {

const naive::Rows full_A = {{1.2L, 0.3L}, {0.3L, 0.7L}}, diagonal_A = {{0.5L, 1.5L}};

/// Two or three layers from 2 to 2 numbers, and a last one with `outputs`.
DeepProblem problem(Index n, bool deep, std::vector<Index> landmarks, Index outputs, naive::Rows last_A = {}) {
  DeepProblem out{{}, naive::normal<double>(n, 2, 1), naive::normal<double>(n, outputs, 2)};
  std::vector<naive::Layer> all = {{{{naive::leaf("gaussian", {0.4}), full_A}}, 2, 0.03}};
  if (deep) all.push_back({{{naive::leaf("polynomial", {2, 0.3, 1.0})}, {naive::leaf("gaussian", {0.2})}}, 2, 0.02});
  all.push_back({{{1.7 * naive::leaf("gaussian", {1.5}), std::move(last_A)}}, outputs, 0.05});
  out.layers = {naive::points(out.X.view), std::move(all), std::move(landmarks)};
  return out;
}

/// The engine's objective of a problem, and all that it refers to.
class Engine {
 public:
  Engine(const DeepProblem& problem, const deep_regression::Options& more, std::shared_ptr<Penalty> theta = nullptr)
      : layers_(problem.engine_layers()), options_(more) {
    if (problem.interpolate) {
      options_.mode = deep_regression::Interpolation();
    } else {
      deep_regression::Regression& mode = std::get<deep_regression::Regression>(options_.mode);
      mode.joint = problem.joint;
      mode.landmarks = problem.layers.landmarks;
      mode.sample_weight = problem.weights;
    }
    options_.distance_penalty = static_cast<double>(problem.distance_penalty);
    samples_ =
        std::make_unique<deep_regression::DistinctSamples>(Points(problem.X.view), problem.targets.view, layers_, options_);
    task_ = std::make_unique<LayeredTask>(
        deep_regression::make_task(*samples_, layers_, options_, naive::layers_of(problem.layers.layers), problem.joint));
    task_->thetas.assign(layers_.size(), theta);
    if (!problem.joint) task_->thetas.back() = nullptr;
  }

  LayeredObjective objective(std::shared_ptr<const FeatureCoordinates> features = nullptr) const {
    LayeredShare share(*task_, 1);
    share.features = std::move(features);
    return share.objective(*task_);
  }
  const LayeredTask& task() const { return *task_; }

 private:
  std::vector<LayerPlan> layers_;
  deep_regression::Options options_;
  std::unique_ptr<deep_regression::DistinctSamples> samples_;
  std::unique_ptr<LayeredTask> task_;
};

std::vector<double> some(Index count, double size = 0.5) {
  std::vector<double> x = naive::normal<double>(count, 1, 3).numbers;
  for (double& number : x) number *= size;
  return x;
}

Numbers moved(Numbers x, const Numbers& along, Real t) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += t * along[i];
  return x;
}

/// Entry by entry, along a direction of all entries, and with an error in the fourth digit, which must be seen. flat:
/// coefficients of numbers that are described by others.
template <class Value, class Flat>
void check_gradient(const std::string& name, LayeredObjective& objective, const std::vector<double>& x, Real growth,
                    const Value& f, const Flat& flat) {
  std::vector<double> gradient(x.size());
  const double value = objective.value_at(x.data(), gradient.data());
  CHECK_EQ(objective.evaluate(x.data(), nullptr), value);
  const Numbers at = flat(x);
  CHECK_NEAR(static_cast<Real>(value), f(at), 1e-13L * growth * (1 + std::fabs(f(at))));
  Real scale = 0;
  for (const double g : gradient) scale = std::max(scale, std::fabs(static_cast<Real>(g)));
  const Real allowed = 4096 * naive::unit_roundoff<double> * growth * scale, magnitude = growth * (1 + f(at));
  bool good = true, seen = true;
  std::vector<double> all(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::vector<double> along(x.size(), 0.0);
    along[i] = 1.0;
    all[i] = RandomStream(9).normal(i);
    const Numbers direction = flat(along);
    const auto slope = difference::slope([&](Real t) { return f(moved(at, direction, t)); }, 1e-3L, magnitude);
    good = good && difference::agrees(gradient[i], slope, allowed, scale);
    seen = seen && !difference::agrees(gradient[i] + 1e-3L * scale, slope, allowed, scale);
  }
  check::that(good, name + ": a derivative differs", __FILE__, __LINE__);
  check::that(seen, name + ": a wrong derivative passes", __FILE__, __LINE__);
  const Numbers direction = flat(all);
  const auto along_all = difference::slope([&](Real t) { return f(moved(at, direction, t)); }, 1e-4L, magnitude);
  const Real size = static_cast<Real>(x.size());
  check::that(difference::agrees(difference::dot(gradient, all), along_all, allowed * size, scale * size),
              name + ": the derivative along a direction differs", __FILE__, __LINE__);
}

Real growth_of(const DeepProblem& problem) { return problem.interpolate ? 4096 : 256; }

void check_problem(const std::string& name, const DeepProblem& problem, const deep_regression::Options& more = {},
                   std::shared_ptr<Penalty> theta = nullptr) {
  const Engine engine(problem, more, std::move(theta));
  LayeredObjective objective = engine.objective();
  check_gradient(
      name, objective, some(objective.size()), growth_of(problem), [&](const Numbers& at) { return problem.value(at); },
      [](const std::vector<double>& x) { return Numbers(x.begin(), x.end()); });
}

}  // namespace

TEST(regression_has_the_gradient_of_the_definition) {
  check_problem("two layers", problem(7, false, {}, 1));
  check_problem("three layers, operators", problem(6, true, {}, 2, full_A));
  DeepProblem weighted = problem(7, true, {}, 2, diagonal_A);
  weighted.weights = {0.5, 2.0, 1.0, 0.1, 3.0, 1.0, 0.7};
  check_problem("weights", weighted);
}

TEST(landmarks_have_the_gradient_of_the_definition) {
  check_problem("two layers", problem(8, false, {0, 3, 4, 7}, 2));
  DeepProblem weighted = problem(8, true, {1, 2, 6}, 1);
  weighted.weights = {0.5, 2.0, 1.0, 0.1, 3.0, 1.0, 0.7, 1.5};
  check_problem("three layers with weights", weighted);
}

TEST(interpolation_has_the_gradient_of_the_definition) {
  DeepProblem plain = problem(6, false, {}, 1);
  plain.interpolate = true;
  check_problem("two layers", plain);
  DeepProblem deep = problem(6, true, {}, 2, diagonal_A);
  deep.interpolate = true;
  check_problem("three layers", deep);
}

TEST(joint_training_has_the_gradient_of_the_definition) {
  DeepProblem squared = problem(6, true, {}, 2, full_A);
  squared.joint = true;
  squared.weights = {0.5, 2.0, 1.0, 0.1, 3.0, 1.0};
  check_problem("squared, weights", squared);
  DeepProblem logistic = problem(7, false, {1, 2, 5, 6}, 1);
  logistic.joint = true;
  logistic.loss = [](const Numbers& t, const Numbers& f) { return std::log1p(std::exp(f[0])) - t[0] * f[0]; };
  const std::shared_ptr<const Loss> loss = logistic_loss();
  deep_regression::Options options;
  options.mode = deep_regression::Regression{loss};
  check_problem("logistic, landmarks", logistic, options);
  DeepProblem single = problem(7, false, {}, 1);
  single.layers.layers.erase(single.layers.layers.begin());
  single.joint = true;
  single.loss = logistic.loss;
  check_problem("logistic, one layer", single, options);
}

TEST(other_penalties_have_the_gradient_of_the_definition) {
  for (const double exponent : {0.5, 1.5}) {
    DeepProblem solved = problem(7, true, {}, 1);
    solved.theta = [=](Real s, std::size_t) { return 0.3L * std::pow(s, static_cast<Real>(exponent)); };
    check_problem("last layer linear", solved, {}, power_penalty(0.3, exponent));
    DeepProblem joint = problem(7, false, {0, 2, 5}, 2);
    joint.joint = true;
    joint.theta = solved.theta;
    check_problem("joint", joint, {}, power_penalty(0.3, exponent));
  }
}

TEST(the_distance_penalty_has_the_gradient_of_the_definition) {
  for (const bool joint : {false, true}) {
    for (const bool landmarks : {false, true}) {
      DeepProblem apart = problem(6, true, landmarks ? std::vector<Index>{0, 2, 5} : std::vector<Index>{}, 1);
      apart.joint = joint;
      apart.distance_penalty = 0.02L;
      check_problem(joint ? "joint" : "solved", apart);
    }
  }
}

TEST(losses_on_images_have_the_gradient_of_the_definition) {
  const std::shared_ptr<const Loss> squared = squared_loss();
  const auto wanted = naive::normal<double>(7, 2, 8);
  for (const bool landmarks : {false, true}) {
    for (const Index layer : {1, 2}) {
      for (const bool joint : {false, true}) {
        DeepProblem with = problem(7, true, landmarks ? std::vector<Index>{0, 2, 5} : std::vector<Index>{}, 1);
        with.joint = joint;
        with.weights = {0.5, 2.0, 1.0, 0.1, 3.0, 1.0, 0.7};
        deep_regression::Options options;
        options.image_losses.push_back({layer, squared, wanted.view, 0.3});
        options.image_losses.push_back({layer, squared, wanted.view, 0.1});
        const Engine engine(with, options);
        LayeredObjective objective = engine.objective();
        const auto value = [&](const Numbers& at) {
          Real sum = with.value(at);
          const naive::Rows images = with.variables().evaluate(at).X[static_cast<std::size_t>(layer)];
          for (std::size_t i = 0; i < images.size(); ++i) {
            for (std::size_t j = 0; j < 2; ++j) {
              const Real left = images[i][j] - static_cast<Real>(wanted.view(static_cast<Index>(i), static_cast<Index>(j)));
              sum += 0.4L * with.weight(i) * left * left;
            }
          }
          return sum;
        };
        check_gradient("image loss", objective, some(objective.size()), 256, value,
                       [](const std::vector<double>& x) { return Numbers(x.begin(), x.end()); });
      }
    }
  }
}

TEST(in_features_the_gradient_is_that_of_the_definition_too) {
  DeepProblem with = problem(8, true, {}, 1);
  with.layers.layers[0] = {
      {{naive::leaf("polynomial", {2, 1.0, 1.0}), {{1.0L, 0.0L}}}, {naive::leaf("gaussian", {0.3}), {{0.0L, 0.4L}}}}, 2, 0.03};
  const Engine engine(with, {});
  const auto features = FeatureCoordinates::make(engine.task().layers[0], Points(with.X.view), 100);
  CHECK(features != nullptr);
  if (features == nullptr) return;
  CHECK_EQ(features->rank(), 6 + 8);
  LayeredObjective objective = engine.objective(features);
  LayeredObjective in_coefficients = engine.objective();
  CHECK_EQ(objective.size(), 6 + 8 + 8 * 2);
  const auto expand = [&](const std::vector<double>& x) {
    std::vector<double> flat(static_cast<std::size_t>(in_coefficients.size()));
    LayeredVariables(features, objective.layers()).expand(x.data(), flat.data());
    return Numbers(flat.begin(), flat.end());
  };
  // The gaussian's eight functions go down to where the Gram matrix of the points is bad.
  check_gradient(
      "features", objective, some(objective.size(), 0.3), 1e4, [&](const Numbers& at) { return with.value(at); }, expand);
}

TEST(out_of_the_domain_the_value_is_infinite) {
  DeepProblem far = problem(6, true, {}, 1);
  far.interpolate = true;
  const Engine engine(far, {});
  LayeredObjective objective = engine.objective();
  std::vector<double> x(static_cast<std::size_t>(objective.size()), 0.0), gradient(x.size());
  // All images are 0: no function tells them apart.
  CHECK_EQ(objective.evaluate(x.data(), gradient.data()), INFINITY);
  CHECK_THROWS(NumericalError, objective.value_at(x.data(), gradient.data()));
  x.assign(x.size(), 1e160);
  CHECK_EQ(objective.evaluate(x.data(), gradient.data()), INFINITY);
  x = some(objective.size());
  CHECK(std::isfinite(objective.evaluate(x.data(), gradient.data())));
}

TEST(the_same_bits_for_any_number_of_threads) {
  DeepProblem many = problem(300, true, {}, 1);
  many.distance_penalty = 0.01L;
  std::vector<double> values;
  std::vector<std::vector<double>> gradients;
  for (const int threads : {1, 2, 7}) {
    set_num_threads(threads);
    const Engine engine(many, {});
    LayeredObjective objective = engine.objective();
    const std::vector<double> x = some(objective.size(), 0.1);
    gradients.emplace_back(x.size());
    values.push_back(objective.value_at(x.data(), gradients.back().data()));
  }
  set_num_threads(0);
  CHECK_EQ(values[0], values[1]);
  CHECK_EQ(values[0], values[2]);
  CHECK(gradients[0] == gradients[1]);
  CHECK(gradients[0] == gradients[2]);
}

TEST_MAIN
