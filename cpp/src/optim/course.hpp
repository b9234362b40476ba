// SPDX-License-Identifier: BSD-3-Clause
// What all optimisers have in common: counting, the history, the best point so far, and when it is over.
#pragma once

#include <cstdint>
#include <string>

#include "base/stage.hpp"
#include "gramian/optim/result.hpp"
#include "optim/method.hpp"
#include "optim/vectors.hpp"

namespace gramian::optim_detail {

struct Limits {
  Index max_iterations = 0;
  Index max_evaluations = 0;  ///< 0: none
  double gradient_tolerance = 0.0;
  double value_tolerance = 0.0;  ///< 0: not a reason to stop
  bool estimates = false;        ///< that the gradient of one vanishes is no reason to stop
};

/// Those that all options have.
template <class Options>
Limits limits_of(const Options& options) {
  return {options.max_iterations, 0, options.gradient_tolerance, options.value_tolerance};
}

/// A point with what is known of it.
struct Point {
  explicit Point(Index n) : x(static_cast<std::size_t>(n)), gradient(static_cast<std::size_t>(n)) {}
  Point(const double* start, Index n) : x(start, start + n), gradient(static_cast<std::size_t>(n)) {}
  Numbers x;
  Numbers gradient;
  double value = 0.0;
  double gradient_norm = 0.0;  ///< largest magnitude of an entry; of a projected gradient where there is a set
  Index evaluation = 0;        ///< that the value is of
  bool finite() const;         ///< value and gradient
  void fields(SnapshotFields& state, const std::string& name);
};

/// One run of an optimiser. Throws std::invalid_argument for limits out of their range.
class Course {
 public:
  Course(Objective& objective, const Limits& limits, Observer* observer);

  /// Value and gradient at point.x; counted.
  void evaluate(Point& point);
  /// The estimate number t in its place.
  void estimate(StochasticObjective& objective, std::uint64_t seed, Index t, Point& point);
  bool may_evaluate() const { return limits_.max_evaluations == 0 || result_.evaluations < limits_.max_evaluations; }
  void count_value() { ++result_.evaluations; }
  void count_iteration(Index number) { result_.iterations = number; }

  /// Takes the evaluated start as number 0. Whether to go on.
  bool begin(const Point& start);
  /// Takes the evaluated point after iteration `number`, asks the observer. Whether to go on.
  bool advance(Index number, const Point& point, double step);
  bool stop(StopReason reason) { return result_.stop_reason = reason, false; }
  /// The result becomes this point, whatever was taken.
  void end_at(Numbers x, double value);
  double first_value() const { return result_.history.front().value; }

  /// The iterations from the start, or from where a checkpoint of the observer says; the result, with the best point that was
  /// taken.
  OptimResult run(Method& method);

 private:
  bool may_iterate();
  bool over(Index number, const Point& point, double last_value, bool wanted);
  void record(Index number, const Point& point, double step);
  void keep(const Point& point);

  Objective& objective_;
  Limits limits_;
  Observer* observer_;
  OptimResult result_;
};

void require_fraction(double number, const char* name);  ///< in [0, 1)

/// Throws MemoryLimitError unless so many vectors of this length fit.
void require_vectors(Index count, Index n, const char* advice);

}  // namespace gramian::optim_detail
