// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <vector>

#include "base/check.hpp"
#include "gramian/base/error.hpp"
#include "gramian/optim/riemannian.hpp"
#include "optim/adam_rule.hpp"

namespace gramian {
namespace {

using namespace optim_detail;

/// Steps leave this much at most; a tenth of what is promised.
constexpr double most_drift = 1e-13;

class RiemannianAdam final : public Method {
 public:
  RiemannianAdam(Course& course, const RiemannianAdamOptions& options, StiefelProduct& manifold, const double* start)
      : course_(course),
        options_(options),
        rule_(options),
        manifold_(manifold),
        point_(start, manifold.size()),
        first_(static_cast<std::size_t>(manifold.size())),
        step_(first_.size()),
        of_blocks_(static_cast<std::size_t>(manifold.block_count())),
        of_free_(static_cast<std::size_t>(manifold.free_numbers())) {}

  bool begin() override;
  bool step(Index number) override;
  void fields(SnapshotFields& state) override;

 private:
  void evaluate();
  /// gradient: the Riemannian one. Returns the length of the step.
  double move(Numbers& x, const Numbers& gradient, Index number);
  double length(Index number) const;
  void set_step(const Numbers& gradient, double length);

  Course& course_;
  const RiemannianAdamOptions& options_;
  AdamRule rule_;
  StiefelProduct& manifold_;
  Point point_;
  Numbers first_;  ///< moments, tangent at x
  Numbers step_;
  Numbers of_blocks_;  ///< second moments
  Numbers of_free_;
};

double RiemannianAdam::length(Index number) const {
  if (!options_.anneal) return options_.step;
  const double past = static_cast<double>(number) / static_cast<double>(options_.max_iterations);
  constexpr double pi = 3.14159265358979323846;
  return 0.5 * options_.step * (1.0 + std::cos(pi * past));
}

void RiemannianAdam::set_step(const Numbers& gradient, double length) {
  for (Index j = 0; j < manifold_.block_count(); ++j) {
    const MatrixView<const double> block = manifold_.block(gradient.data(), j);
    const Index first = block.data() - gradient.data(), count = block.rows() * block.cols();
    double& second = of_blocks_[static_cast<std::size_t>(j)];
    rule_.add_second(second, dot(block.data(), block.data(), count));
    const double root = rule_.root(second);
    for (Index i = first; i < first + count; ++i) {
      step_[static_cast<std::size_t>(i)] = -rule_.step(length, first_[static_cast<std::size_t>(i)], root);
    }
  }
  for (std::size_t i = 0; i < of_free_.size(); ++i) {
    const std::size_t at = static_cast<std::size_t>(manifold_.free_offset()) + i;
    rule_.add_second(of_free_[i], gradient[at] * gradient[at]);
    step_[at] = -rule_.step(length, first_[at], rule_.root(of_free_[i]));
  }
}

double RiemannianAdam::move(Numbers& x, const Numbers& gradient, Index number) {
  rule_.advance();
  for (std::size_t i = 0; i < first_.size(); ++i) rule_.add_first(first_[i], gradient[i]);
  const double taken = length(number);
  set_step(gradient, taken);
  manifold_.retract(x.data(), step_.data(), options_.retraction, x.data());
  if (manifold_.infeasibility(x.data()) > most_drift) manifold_.project(x.data());
  manifold_.tangent(x.data(), first_.data(), first_.data());
  return taken;
}

void RiemannianAdam::evaluate() {
  course_.evaluate(point_);
  if (!point_.finite()) return;
  manifold_.tangent(point_.x.data(), point_.gradient.data(), point_.gradient.data());
  point_.gradient_norm = largest_magnitude(point_.gradient.data(), size_of(point_.gradient));
}

bool RiemannianAdam::begin() {
  manifold_.project(point_.x.data());
  evaluate();
  return course_.begin(point_);
}

bool RiemannianAdam::step(Index number) {
  const double length = move(point_.x, point_.gradient, number - 1);
  evaluate();
  return course_.advance(number, point_, length);
}

void RiemannianAdam::fields(SnapshotFields& state) {
  rule_.fields(state);
  point_.fields(state, "point");
  state("first moments", first_);
  state("second moments of blocks", of_blocks_);
  state("second moments of free numbers", of_free_);
}

}  // namespace

OptimResult riemannian_adam(Objective& objective, StiefelProduct& manifold, const double* start,
                            const RiemannianAdamOptions& options, Observer* observer) {
  require(objective.size() == manifold.size(), "the manifold and the objective must have the same size");
  Course course(objective, limits_of(options), observer);
  require_vectors(6, objective.size(), "use fewer samples");
  RiemannianAdam method(course, options, manifold, start);
  return course.run(method);
}

OptimResult RiemannianAdamOptions::minimise(const Task& task, StiefelProduct& manifold) const {
  return riemannian_adam(task.objective, manifold, task.start, *this, task.observer);
}

}  // namespace gramian
