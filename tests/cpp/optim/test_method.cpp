// SPDX-License-Identifier: BSD-3-Clause
// Every optimiser goes on from between any two of its iterations, and ends as if nothing had happened.
#include "optim/method.hpp"

#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <type_traits>

#include "gramian/optim/solver.hpp"
#include "support/checkpoints.hpp"
#include "support/optimisers.hpp"

using checkpoints::check_same;
using checkpoints::in_processes;
using checkpoints::InMemory;
using gramian::Checkpointed;
using gramian::Estimates;
using gramian::for_each_solver;
using gramian::Index;
using gramian::Observer;
using gramian::OptimResult;
using gramian::Solver;
using gramian::StiefelSolver;
using gramian::StopReason;
using gramian::Task;
using problems::Function;
using problems::Numbers;
using problems::Problem;

namespace {

/// All ways that an optimiser can be told to go.
std::vector<Solver> all_solvers() {
  std::vector<Solver> solvers;
  for_each_solver<Solver>([&](auto options) {
    options.max_iterations = 60;
    solvers.push_back(options);
  });
  gramian::GradientDescentOptions momentum;
  momentum.max_iterations = 60;
  momentum.rule = gramian::StepRule::inverse_root;
  momentum.step = 1e-3;
  momentum.decay = 0.1;
  momentum.momentum = 0.5;
  solvers.push_back(momentum);
  gramian::AdamOptions patient;
  patient.max_iterations = 60;
  patient.patience = gramian::Patience{1e-3, 5, 7, 10};
  solvers.push_back(patient);
  gramian::LbfgsOptions few;  // so that places of pairs are used again
  few.max_iterations = 60;
  few.memory = 3;
  solvers.push_back(few);
  return solvers;
}

/// The evaluations of all processes together are those of one.
void check_pieces(Function& function, Task task, const Solver& solver, Index life) {
  const OptimResult whole = minimise(task, solver);
  const Index evaluations = function.evaluations, samples = function.samples;
  Index processes = 0;
  const OptimResult pieces = in_processes(
      life,
      [&](Observer* observer) {
        task.observer = observer;
        return minimise(task, solver);
      },
      processes);
  check_same(whole, pieces);
  CHECK_EQ(function.evaluations, 2 * evaluations);
  CHECK_EQ(function.samples, 2 * samples);
  CHECK(whole.iterations <= life || processes > 1);
}

/// Numbers at least 0, and a corner that many steps lead to.
class Positive final : public gramian::Projection {
 public:
  void project(double* x) override {
    for (int i = 0; i < 2; ++i) x[i] = std::max(x[i], 0.0);
  }
};

}  // namespace

TEST(every_solver_goes_on_with_the_same_bits) {
  for (const Problem& problem : {problems::rosenbrock(10), problems::beale(), problems::wood()}) {
    for (const Solver& solver : all_solvers()) {
      for (const Index life : {1, 4}) {
        std::visit(
            [&](const auto& options) {
              if (options.estimates != Estimates::needed) {
                Function function(problem);
                check_pieces(function, {function, problem.start.data()}, solver, life);
              }
              if (options.estimates != Estimates::refused) {
                Function function(problem);
                check_pieces(function, {function, problem.start.data(), nullptr, &function}, solver, life);
              }
            },
            solver);
      }
    }
  }
}

TEST(steps_out_of_the_domain_go_on_too) {
  // Down a slope that ends at 0.
  const auto f = [](const double* x, double* g) {
    if (g != nullptr) g[0] = 1.0;
    return x[0] > 0.0 ? x[0] : std::numeric_limits<double>::infinity();
  };
  gramian::AdamOptions options;
  options.max_iterations = 40;
  options.step = 0.7;
  options.patience = gramian::Patience{1e-3, 5, 3, 2};
  const Numbers start = {2.0};
  Function function(1, f), estimated(1, f);
  check_pieces(function, {function, start.data()}, options, 1);
  check_pieces(estimated, {estimated, start.data(), nullptr, &estimated}, options, 1);
}

TEST(projected_steps_go_on_too) {
  const Problem problem = problems::booth();
  gramian::GradientDescentOptions constant;
  constant.rule = gramian::StepRule::constant;
  constant.step = 1e-2;
  constant.momentum = 0.9;
  constant.max_iterations = 40;
  Positive set;
  for (const Solver& solver : {Solver(gramian::GradientDescentOptions()), Solver(constant)}) {
    Function function(problem);
    check_pieces(function, {function, problem.start.data(), nullptr, nullptr, &set}, solver, 1);
  }
}

TEST(matrices_with_orthonormal_columns_go_on_too) {
  const auto f = [](const double* h, double* g) {
    double value = 0.0;
    for (int i = 0; i < 8; ++i) {
      const double a = 1.0 + i % 4 + 0.3 * i, target = i == 7 ? 1.0 : 0.0;
      value += 0.5 * a * (h[i] - target) * (h[i] - target) + 0.1 * std::pow(h[i], 4);
      if (g != nullptr) g[i] = a * (h[i] - target) + 0.4 * std::pow(h[i], 3);
    }
    return value;
  };
  const Numbers start = {0.9, 0.1, 0.2, 0.8, -0.3, 0.4, 2.0, -1.0};
  for_each_solver<StiefelSolver>([&](auto options) {
    options.max_iterations = 40;
    gramian::StiefelProduct manifold({{3, 2}}, 2);
    Function function(8, f);
    const OptimResult whole = minimise({function, start.data()}, manifold, StiefelSolver(options));
    CHECK(whole.iterations > 5);
    Index processes = 0;
    const OptimResult pieces = in_processes(
        2, [&](Observer* observer) { return minimise({function, start.data(), observer}, manifold, StiefelSolver(options)); },
        processes);
    check_same(whole, pieces);
    CHECK(processes > 2);
  });
}

TEST(a_run_that_an_observer_stopped_goes_on) {
  const Problem problem = problems::rosenbrock(10);
  for (const Solver& solver : all_solvers()) {
    Function function(problem);
    Task task{function, problem.start.data()};
    if (std::holds_alternative<gramian::SgdOptions>(solver)) task.estimates = &function;
    const OptimResult whole = minimise(task, solver);
    for (const Index last : {Index(1), Index(whole.history.size()) - 1}) {
      problems::Watcher watcher(problem.size(), last);
      InMemory first;
      Checkpointed stopped(&watcher, first.whole());
      task.observer = &stopped;
      const bool said = minimise(task, solver).stop_reason == StopReason::observer;
      CHECK_EQ(first.stopped(), said);
      InMemory second(0, first.written);
      Checkpointed resumed(nullptr, second.whole());
      task.observer = &resumed;
      check_same(whole, minimise(task, solver));
    }
  }
}

TEST(a_run_that_has_ended_is_not_run_again) {
  const Problem problem = problems::beale();
  Function function(problem);
  InMemory first;
  Checkpointed ends(nullptr, first.whole());
  const OptimResult whole = gramian::lbfgs(function, problem.start.data(), {}, &ends);
  const Index evaluations = function.evaluations;
  InMemory second(0, first.written);
  Checkpointed again(nullptr, second.whole());
  check_same(whole, gramian::lbfgs(function, problem.start.data(), {}, &again));
  CHECK_EQ(function.evaluations, evaluations);
}

TEST(the_state_of_another_method_or_problem_is_refused) {
  const Problem problem = problems::rosenbrock(10), other = problems::rosenbrock(2);
  Function function(problem), smaller(other);
  const Index life = 3;
  InMemory killed(life);
  Checkpointed observer(nullptr, killed.whole());
  CHECK_THROWS(checkpoints::Killed, gramian::lbfgs(function, problem.start.data(), {}, &observer));
  InMemory resumed(0, killed.written);
  Checkpointed foreign(nullptr, resumed.whole());
  CHECK_THROWS(std::invalid_argument, gramian::adam(function, problem.start.data(), {}, &foreign));
  InMemory again(0, killed.written);
  Checkpointed too_small(nullptr, again.whole());
  CHECK_THROWS(std::invalid_argument, gramian::lbfgs(smaller, other.start.data(), {}, &too_small));
}

TEST_MAIN
