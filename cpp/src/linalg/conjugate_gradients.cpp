// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/linalg/conjugate_gradients.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "base/check.hpp"
#include "base/stage.hpp"
#include "base/view_ops.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/stop.hpp"
#include "linalg/solver_columns.hpp"

namespace gramian {
namespace {

constexpr double agreement = 0.25;  // of a residual: how far rounding may take the computed one from that of the recursion
constexpr double progress = 0.5;    // of a residual: what may be left of it when a column starts again, or it has stagnated
constexpr double next_check = 0.1;  // of a residual that agreed, before it is computed again because of rounding
constexpr double noise = 64.0;      // roundoffs of |A| |p|^2 that a curvature may be below zero
constexpr double rounded = 16.0;    // roundoffs of |A| |x| that a residual may differ from that of the recursion
constexpr double solved = 1e-8;     // the largest relative residual that may be above the tolerance because of rounding

/// moves: takes part in iterations. ends: its residual is computed in the next product. stuck: it has no direction to go.
enum class State : int { moves, ends, stuck, stagnated, done };

/// What is known of a column beside its vectors.
struct Column {
  double norm = 0.0;      // |b|
  double square = 0.0;    // of the residual, in the metric of the preconditioner; 0: the next direction is that of descent
  double residual = 0.0;  // |r| of the recursion; of a column that is done |b - A x|
  double restart = std::numeric_limits<double>::infinity();  // |b - A x| where the column has started again
  double goal = 0.0;                                         // the residual is computed when it comes below
  double check = std::numeric_limits<double>::infinity();    // and when it is below this and below rounding
  State state = State::moves;
};

class Run {
 public:
  Run(const SymmetricOperator& A, MatrixView<const double> B, const ConjugateGradientsOptions& options,
      const Preconditioner* inverse, const ConjugateGradientsStart& start)
      : A_(A), options_(options), inverse_(inverse), start_(start), vectors_(B), columns_(at(B.cols())) {}

  ConjugateGradients run(Observer* observer);

 private:
  Index n() const { return vectors_.n(); }
  Index count() const { return vectors_.count(); }
  std::vector<Index> in_state(std::initializer_list<State> states) const;
  void begin();
  void pass(Observer* observer);
  double advance(Index j, const double* image);
  void verify(Index j, const double* image);
  void turn();
  bool is_flat(Index j, double curvature, double largest) const;
  double rounding(Index j) const { return A_.unit_roundoff() * ratio_ * vectors_.norm(Vectors::solution, j); }
  void look_for_end(Column& column, Index j) const;
  void record(double step);
  void measure();
  SolverStop reason() const;
  void result_fields(SnapshotFields& state);
  void progress_fields(SnapshotFields& state);

  const SymmetricOperator& A_;
  const ConjugateGradientsOptions& options_;
  const Preconditioner* inverse_;
  const ConjugateGradientsStart& start_;
  SolverColumns vectors_;
  std::vector<Column> columns_;
  double ratio_ = 0.0;  // the largest of entries of A p to entries of p: a bound of |A| from below
  bool stopped_ = false;
  ConjugateGradients out_;
};

std::vector<Index> Run::in_state(std::initializer_list<State> states) const {
  std::vector<Index> which;
  for (Index j = 0; j < count(); ++j) {
    if (std::find(states.begin(), states.end(), columns_[at(j)].state) != states.end()) which.push_back(j);
  }
  return which;
}

void Run::begin() {
  if (!start_.solution.empty()) vectors_.begin_at(A_, start_.solution);
  for (Index j = 0; j < count(); ++j) {
    Column& column = columns_[at(j)];
    column.norm = vectors_.norm(Vectors::targets, j);
    if (column.norm == 0.0) vectors_.clear(j);
    column.residual = vectors_.norm(Vectors::residual, j);
    column.goal = options_.tolerance * column.norm;
    if (column.residual <= column.goal) column.state = State::done;
  }
  record(0.0);
  turn();
}

/// The next directions, from the residuals.
void Run::turn() {
  const std::vector<Index> which = in_state({State::moves});
  if (which.empty()) return;
  const double* divided = vectors_.divided(inverse_, which);
  for (std::size_t c = 0; c < which.size(); ++c) {
    const double* z = divided + static_cast<Index>(c) * n();
    Column& column = columns_[at(which[c])];
    const double square = vectors_.dot(Vectors::residual, which[c], z);
    if (!(square > 0.0) || !std::isfinite(square)) {
      throw NumericalError("the preconditioner is not positive definite, or numbers are too large or too small");
    }
    vectors_.turn(which[c], z, column.square == 0.0 ? 0.0 : square / column.square);
    column.square = square;
  }
}

/// Below the rounding of A x the recursion says nothing about the solution any more.
void Run::look_for_end(Column& column, Index j) const {
  if (column.residual <= std::max(column.goal, std::min(rounding(j), column.check))) column.state = State::ends;
}

/// A direction p that A maps to zero up to rounding leads nowhere. largest: the largest magnitude in p.
bool Run::is_flat(Index j, double curvature, double largest) const {
  const double relative = curvature / largest / largest,
               rounding = A_.unit_roundoff() * ratio_ * vectors_.scaled_square(j, largest);
  if (!std::isfinite(relative) || relative < -noise * rounding) {
    throw NumericalError("the operator is not positive semi-definite, or its values are too large");
  }
  return relative <= rounding;
}

/// Returns the length of the step.
double Run::advance(Index j, const double* image) {
  Column& column = columns_[at(j)];
  const double curvature = vectors_.dot(Vectors::direction, j, image), largest = vectors_.largest(Vectors::direction, j);
  ratio_ = std::max(ratio_, vectors_.largest_of(image) / largest);
  if (is_flat(j, curvature, largest)) {
    column.state = State::stuck;
    return 0.0;
  }
  const double length = column.square / curvature;
  vectors_.advance(j, length, image);
  column.residual = vectors_.norm(Vectors::residual, j);
  look_for_end(column, j);
  return length;
}

/// Compares the residual of the recursion with the one that the solution has.
void Run::verify(Index j, const double* image) {
  Column& column = columns_[at(j)];
  double deviation = 0.0;
  const double found = vectors_.true_residual(j, image, deviation);
  if (!std::isfinite(found)) throw NumericalError("the operator gives numbers that are not finite");
  column.state = State::moves;
  const double wanted = options_.tolerance * column.norm;
  const bool as_solved = deviation <= rounded * rounding(j) && found <= solved * column.norm;
  if (found <= wanted || (column.residual <= wanted && wanted > 0.0 && as_solved)) {
    column.state = State::done;
  } else if (deviation <= agreement * column.residual) {
    column.goal = progress * std::min(column.goal, column.residual);
    column.check = next_check * column.residual;
    return;
  } else if (found > progress * column.restart) {
    column.state = State::stagnated;
  } else {
    column.restart = found;
    column.goal = wanted;
    column.check = std::numeric_limits<double>::infinity();
    column.square = 0.0;
  }
  column.residual = found;
  vectors_.replace_residual(j, image);
}

/// One product: columns that move make a step, those that end are looked at. A pass without a step is no iteration.
void Run::pass(Observer* observer) {
  const std::vector<Index> which = in_state({State::moves, State::ends});
  std::vector<Vectors> names;
  for (const Index j : which) {
    names.push_back(columns_[at(j)].state == State::moves ? Vectors::direction : Vectors::solution);
  }
  const double* images = vectors_.multiplied(A_, which, names);
  bool moved = false;
  double step = 0.0;
  for (std::size_t c = 0; c < which.size(); ++c) {
    const double* image = images + static_cast<Index>(c) * n();
    if (names[c] == Vectors::solution) {
      verify(which[c], image);
    } else {
      moved = true;
      step = std::max(step, advance(which[c], image));
    }
  }
  if (moved) {
    ++out_.iterations;
    record(step);
    if (observer != nullptr) {
      vectors_.write_solution(out_.solution.view());
      stopped_ = !observer->observe(out_.history.back(), out_.solution.data()) || stopped_;
    }
  }
  turn();
}

void Run::record(double step) {
  double value = 0.0, largest = 0.0;
  for (Index j = 0; j < count(); ++j) {
    const double power = vectors_.power(j);
    const double *x = vectors_.column(Vectors::solution, j), *r = vectors_.column(Vectors::residual, j),
                 *b = vectors_.column(Vectors::targets, j);
    const double of_column = start_.value ? start_.value(x, r, b, n())
                                          : -0.5 * (vectors_.dot(Vectors::targets, j, x) + vectors_.dot(Vectors::residual, j, x));
    value += power * power * of_column;
    largest = std::max(largest, power * vectors_.largest(Vectors::residual, j));
  }
  out_.history.push_back({out_.iterations, value, largest, step, out_.iterations, out_.iterations});
}

/// The residuals of columns that have not been looked at.
void Run::measure() {
  const std::vector<Index> which = in_state({State::moves, State::ends, State::stuck});
  if (which.empty()) return;
  const double* images = vectors_.multiplied(A_, which, std::vector<Vectors>(which.size(), Vectors::solution));
  for (std::size_t c = 0; c < which.size(); ++c) {
    double deviation = 0.0;
    Column& column = columns_[at(which[c])];
    column.residual = vectors_.true_residual(which[c], images + static_cast<Index>(c) * n(), deviation);
  }
}

SolverStop Run::reason() const {
  const auto ended = [&](const Column& column) {
    return column.state == State::done || column.residual <= options_.tolerance * column.norm;
  };
  if (std::all_of(columns_.begin(), columns_.end(), ended)) return SolverStop::tolerance;
  if (in_state({State::moves}).empty()) return SolverStop::stagnation;
  return stopped_ ? SolverStop::observer : SolverStop::max_iterations;
}

void Run::result_fields(SnapshotFields& state) {
  vectors_.fields(state, Vectors::solution, "solution");
  std::vector<std::vector<double>> rows;
  for (const Column& c : columns_) {
    rows.push_back({c.norm, c.square, c.residual, c.restart, c.goal, c.check, static_cast<double>(c.state)});
  }
  const std::size_t wanted = rows.size();
  state.rows("columns", rows, 7);
  require(rows.size() == wanted, "the checkpoint is of another number of columns");
  for (std::size_t j = 0; j < rows.size(); ++j) {
    const std::vector<double>& row = rows[j];
    columns_[j] = {row[0], row[1], row[2], row[3], row[4], row[5], static_cast<State>(static_cast<int>(row[6]))};
  }
  state("iterations", out_.iterations);
  history_fields(state, out_.history);
}

void Run::progress_fields(SnapshotFields& state) {
  vectors_.fields(state, Vectors::residual, "residual");
  vectors_.fields(state, Vectors::direction, "direction");
  state("ratio", ratio_);
}

ConjugateGradients Run::run(Observer* observer) {
  out_.solution = Matrix(n(), count());
  Stage stage(
      observer, [this](SnapshotFields& state) { result_fields(state); },
      [this](SnapshotFields& state) { progress_fields(state); });
  const bool ended = stage.has_ended();
  if (!ended && !stage.resumes()) begin();
  while (!ended && !in_state({State::moves, State::ends}).empty()) {
    poll_stop();
    const bool over = stopped_ || out_.iterations >= options_.max_iterations;
    if (over && !in_state({State::moves}).empty()) break;
    pass(observer);
    if (!stopped_) stage.keep(out_.iterations);
  }
  if (!ended) {
    const bool halted = stopped_ && !in_state({State::moves}).empty();
    if (halted) stage.stop();
    measure();
    if (!halted) stage.end();
  }
  vectors_.write_solution(out_.solution.view());
  for (const Column& c : columns_) out_.residuals.push_back(c.norm == 0.0 ? 0.0 : c.residual / c.norm);
  out_.stop_reason = reason();
  out_.converged = out_.stop_reason == SolverStop::tolerance;
  return std::move(out_);
}

}  // namespace

const char* name_of(SolverStop reason) {
  switch (reason) {
    case SolverStop::tolerance: return "tolerance";
    case SolverStop::max_iterations: return "max_iterations";
    case SolverStop::stagnation: return "stagnation";
    case SolverStop::observer: break;
  }
  return "observer";
}

ConjugateGradients conjugate_gradients(const SymmetricOperator& A, MatrixView<const double> B,
                                       const ConjugateGradientsOptions& options, const Preconditioner* inverse,
                                       Observer* observer, const ConjugateGradientsStart& start) {
  require_rows(B.rows(), B.cols(), A.size(), "B");
  require_finite(B, "B");
  require_shape_or_empty(start.solution, B.rows(), B.cols(), "the start");
  require_finite(start.solution, "the start");
  require_not_negative(options.tolerance, "tolerance");
  require(options.max_iterations >= 0, "max_iterations must not be negative");
  return Run(A, B, options, inverse, start).run(observer);
}

}  // namespace gramian
