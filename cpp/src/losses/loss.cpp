// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/losses/loss.hpp"

#include <cmath>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "base/check.hpp"
#include "gramian/base/error.hpp"
#include "losses/cross_entropy.hpp"
#include "losses/sample_sums.hpp"

namespace gramian {

Loss::~Loss() = default;
std::unique_ptr<Loss> Loss::smoothed(double) const { return nullptr; }

namespace {

constexpr double seconds_per_number = 1e-9;

/// The cost of a sample whose residual, output - target, has this length; its gradient is `factor` times the residual.
struct Cost {
  double value;
  double factor;
};

struct Squared {
  Cost operator()(double square) const { return {square, 2.0}; }
};

// At a kink the subgradient 0 is taken. Comparisons are such that NaN goes through.
struct EpsilonInsensitive {
  double epsilon;
  Cost operator()(double square) const {
    const double r = std::sqrt(square);
    if (r <= epsilon) return {0.0, 0.0};
    return {r - epsilon, 1.0 / r};
  }
};

struct SmoothedEpsilonInsensitive {
  double epsilon, width;
  Cost operator()(double square) const {
    const double r = std::sqrt(square), beyond = r - epsilon;
    if (r <= epsilon) return {0.0, 0.0};
    if (beyond < width) return {beyond * beyond / (2.0 * width), beyond / (width * r)};
    return {beyond - width / 2.0, 1.0 / r};
  }
};

struct SquaredEpsilonInsensitive {
  double epsilon;
  Cost operator()(double square) const {
    const double r = std::sqrt(square), beyond = r - epsilon;
    if (r <= epsilon) return {0.0, 0.0};
    return {beyond * beyond, 2.0 * beyond / r};
  }
};

struct Huber {
  double delta;
  Cost operator()(double square) const {
    const double r = std::sqrt(square);
    if (r <= delta) return {square, 2.0};
    return {delta * (2.0 * r - delta), 2.0 * delta / r};
  }
};

/// A loss that knows the length of each sample's residual alone.
template <class Rule>
class RadialLoss final : public Loss {
 public:
  explicit RadialLoss(Rule rule) : rule_(rule) {}

  double evaluate(MatrixView<const double> target, MatrixView<const double> output,
                  MatrixView<double> output_bar) const override {
    require_loss_shapes(target, output, output_bar);
    return sum_over_samples(output, seconds_per_number, [&](Index i) { return evaluate_sample(target, output, output_bar, i); });
  }
  bool squared() const override { return std::is_same_v<Rule, Squared>; }
  std::unique_ptr<Loss> smoothed(double width) const override {
    require_positive(width, "width");
    if constexpr (std::is_same_v<Rule, EpsilonInsensitive>) {
      return std::make_unique<RadialLoss<SmoothedEpsilonInsensitive>>(SmoothedEpsilonInsensitive{rule_.epsilon, width});
    } else {
      return nullptr;
    }
  }

 private:
  double evaluate_sample(MatrixView<const double> target, MatrixView<const double> output, MatrixView<double> output_bar,
                         Index i) const {
    double square = 0.0;
    for (Index j = 0; j < output.cols(); ++j) {
      const double residual = output(i, j) - target(i, j);
      square += residual * residual;
    }
    const Cost cost = rule_(square);
    if (output_bar.empty()) return cost.value;
    for (Index j = 0; j < output.cols(); ++j) output_bar(i, j) = cost.factor * (output(i, j) - target(i, j));
    return cost.value;
  }

  Rule rule_;
};

/// A loss that knows the probability of each sample's own class alone.
class ProbabilityLoss final : public Loss {
 public:
  ProbabilityLoss(double epsilon, double shift) : rule_{epsilon}, shift_(shift) {}

  double evaluate(MatrixView<const double> target, MatrixView<const double> output,
                  MatrixView<double> output_bar) const override {
    require_loss_shapes(target, output, output_bar);
    return sum_over_samples(output, seconds_per_number, [&](Index i) {
      double probability = 0.0;
      for (Index j = 0; j < output.cols(); ++j) probability += (target(i, j) + shift_) * (output(i, j) + shift_);
      const ClippedCrossEntropy::Cost cost = rule_(probability);
      for (Index j = 0; j < output_bar.cols(); ++j) output_bar(i, j) = cost.slope * (target(i, j) + shift_);
      return cost.value;
    });
  }

 private:
  ClippedCrossEntropy rule_;
  double shift_;
};

template <class Rule>
std::unique_ptr<Loss> radial(Rule rule) {
  return std::make_unique<RadialLoss<Rule>>(rule);
}

void require_epsilon(double epsilon) { require_not_negative(epsilon, "epsilon"); }

}  // namespace

std::unique_ptr<Loss> squared_loss() { return radial(Squared{}); }

std::unique_ptr<Loss> epsilon_insensitive_loss(double epsilon) {
  require_epsilon(epsilon);
  return radial(EpsilonInsensitive{epsilon});
}

std::unique_ptr<Loss> squared_epsilon_insensitive_loss(double epsilon) {
  require_epsilon(epsilon);
  return radial(SquaredEpsilonInsensitive{epsilon});
}

std::unique_ptr<Loss> huber_loss(double delta) {
  require_positive(delta, "delta");
  return radial(Huber{delta});
}

std::unique_ptr<Loss> clipped_cross_entropy_loss(double epsilon, double shift) {
  require(epsilon > 0.0 && epsilon < 1.0, "epsilon must be a number between 0 and 1");
  require(std::isfinite(shift), "shift must be finite");
  return std::make_unique<ProbabilityLoss>(epsilon, shift);
}

std::unique_ptr<Loss> make_loss(const std::string& name, const std::vector<double>& parameters) {
  for (const LossEntry& entry : all_losses()) {
    if (entry.name != name) continue;
    std::vector<double> values = parameters;
    while (values.size() < entry.parameters.size() && entry.parameters[values.size()].otherwise) {
      values.push_back(*entry.parameters[values.size()].otherwise);
    }
    require(values.size() == entry.parameters.size(), "the loss " + name + " has " + std::to_string(entry.parameters.size()) +
                                                          " parameters, and was given " + std::to_string(parameters.size()));
    return entry.make(values.data());
  }
  throw std::invalid_argument("there is no loss with the name " + name);
}

}  // namespace gramian
