// SPDX-License-Identifier: BSD-3-Clause
// Every optimiser of the list solves the problems that any optimiser should, and says what it has done.
#include "gramian/optim/solver.hpp"

#include <set>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "support/optimisers.hpp"

using gramian::Estimates;
using gramian::for_each_solver;
using gramian::Index;
using gramian::OptimResult;
using gramian::Solver;
using gramian::StiefelSolver;
using gramian::Task;
using problems::Function;
using problems::Numbers;
using problems::Problem;

namespace {

const std::vector<Problem> everything = problems::all_problems();
constexpr double accuracy_of_estimates = 1e-3;

/// Takes part in fields(): whether there is a length of steps to choose, and sets it.
struct SetStep {
  template <class Options, class Owner>
  static bool in(Options& options, double Owner::* member, const char* name, double step) {
    if (std::string(name) != "step") return false;
    options.*member = step;
    return true;
  }
  template <class Options, class Member>
  static bool in(Options&, Member, const char*, double) {
    return false;
  }
};

template <class Options>
bool set_step(Options& options, double step) {
  bool found = false;
  Options::fields([&](const char* name, auto member) { found = SetStep::in(options, member, name, step) || found; });
  return found;
}

template <class Options>
OptimResult solved(const Problem& problem, const Options& options) {
  Function function(problem);
  Task task{function, problem.start.data()};
  if (options.estimates == Estimates::needed) task.estimates = &function;
  const OptimResult result = minimise(task, Solver(options));
  CHECK_EQ(result.evaluations, function.evaluations + function.samples);
  return result;
}

/// With its own first step, or one that is made for the problem: lengths are the user's to choose.
template <class Options>
bool solves(const Problem& problem, Options options) {
  const double accuracy = options.estimates == Estimates::needed ? accuracy_of_estimates : problem.accuracy;
  if (problems::is_optimum(problem, solved(problem, options).x, accuracy)) return true;
  for (double step = 0.1; step > 1e-5; step *= 0.1) {
    if (!set_step(options, step)) return false;
    if (problems::is_optimum(problem, solved(problem, options).x, accuracy)) return true;
  }
  return false;
}

}  // namespace

TEST(every_solver_solves_what_any_solver_should) {
  for_each_solver<Solver>([](auto options) {
    options.max_iterations = 100000;
    for (const Problem& problem : everything) {
      if (problem.solvers == problems::all) CHECK(solves(problem, options));
    }
  });
}

TEST(every_solver_says_what_it_has_done) {
  for_each_solver<Solver>([](auto options) {
    options.max_iterations = 50;
    for (const Problem& problem : everything) {
      const OptimResult result = solved(problem, options);
      CHECK(result.value <= result.history.front().value);
      CHECK(result.iterations <= 50);
      if (result.stop_reason != gramian::StopReason::not_finite) problems::check_result(problem, result);
    }
  });
}

TEST(values_are_of_the_evaluation_that_is_named) {
  for_each_solver<Solver>([](auto options) {
    options.max_iterations = 50;
    if (options.estimates == Estimates::needed) return;
    const Problem problem = problems::beale();
    std::vector<double> seen;
    Function function(2, [&](const double* x, double* g) {
      seen.push_back(problem.f(x, g));
      return seen.back();
    });
    const OptimResult result = minimise({function, problem.start.data()}, Solver(options));
    for (const gramian::Iteration& iteration : result.history) {
      CHECK_EQ(seen[static_cast<std::size_t>(iteration.evaluation - 1)], iteration.value);
    }
  });
}

TEST(names_and_options_differ) {
  const auto check = [](auto list) {
    std::set<std::string> names;
    for_each_solver<decltype(list)>([&](auto options) {
      CHECK(names.insert(options.name).second);
      std::set<std::string> fields;
      decltype(options)::fields([&](const char* name, auto) { CHECK(fields.insert(name).second); });
      CHECK(fields.count("max_iterations") == 1);
    });
  };
  check(Solver());
  check(StiefelSolver());
}

TEST(what_a_solver_has_no_use_for_is_refused) {
  class Everywhere final : public gramian::Projection {
    void project(double*) override {}
  } set;
  const Problem problem = problems::booth();
  for_each_solver<Solver>([&](auto options) {
    options.max_iterations = 1;
    Function function(problem);
    const Task whole{function, problem.start.data()}, estimated{function, problem.start.data(), nullptr, &function},
        within{function, problem.start.data(), nullptr, nullptr, &set};
    if (options.estimates == Estimates::needed) CHECK_THROWS(std::invalid_argument, minimise(whole, Solver(options)));
    if (options.estimates == Estimates::refused) CHECK_THROWS(std::invalid_argument, minimise(estimated, Solver(options)));
    if (!options.takes_set) CHECK_THROWS(std::invalid_argument, minimise(within, Solver(options)));
  });
}

TEST(stiefel_solvers_find_the_largest_eigenvalue) {
  for_each_solver<StiefelSolver>([](auto options) {
    options.max_iterations = 2000;
    Function function(3, [](const double* h, double* g) {
      const double a[3] = {3.0, 2.0, 1.0};
      double value = 0.0;
      for (int i = 0; i < 3; ++i) {
        value -= 0.5 * a[i] * h[i] * h[i];
        if (g != nullptr) g[i] = -a[i] * h[i];
      }
      return value;
    });
    gramian::StiefelProduct manifold({{3, 1}});
    const Numbers start = {1.0, 1.0, 1.0};
    const OptimResult result = minimise({function, start.data()}, manifold, StiefelSolver(options));
    CHECK_NEAR(result.value, -1.5, 1e-6);
  });
}

TEST_MAIN
