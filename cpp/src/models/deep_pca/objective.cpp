// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/models/deep_pca/objective.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "gramian/base/error.hpp"
#include "gramian/eigen.hpp"
#include "gramian/base/finite.hpp"
#include "layers/composition_input.hpp"
#include "linalg/inner_product.hpp"
#include "models/deep_pca/parts.hpp"

namespace gramian::deep_pca {
namespace {

StiefelProduct manifold_of(Index n, const std::vector<Level>& levels, Eigenvalues eigenvalues) {
  std::vector<StiefelShape> shapes;
  Index all = 0;
  for (std::size_t j = 0; j < levels.size(); ++j) {
    const Index s = levels[j].components;
    const std::string name = "level " + std::to_string(j + 1);
    require(s >= 1, name + ": components must be at least 1");
    require(s <= n, name + ": components is " + std::to_string(s) + ", there are only " + std::to_string(n) + " samples");
    require(std::isfinite(levels[j].eta) && levels[j].eta != 0.0, name + ": eta must be a finite number, and not 0");
    shapes.push_back({n, s});
    all += s;
  }
  return StiefelProduct(std::move(shapes), eigenvalues == Eigenvalues::joint ? all : 0);
}

const PointSource& checked(const PointSource& input, const std::vector<Level>& levels) {
  require(!levels.empty(), "there must be at least one level");
  check_source(input);
  check_kernel(levels.front().kernel, input);
  return input;
}

}  // namespace

TrainingObjective::Parts::Parts(const PointSource& data, std::vector<Level> all_levels, const ObjectiveOptions& all_options)
    : input(checked(data, all_levels)),
      levels(std::move(all_levels)),
      options(all_options),
      measure(input.size(), options.weights),
      manifold(manifold_of(input.size(), levels, options.eigenvalues)) {
  const Index n = input.size();
  std::uint64_t budget = options.memory_budget;
  Index most = 0, all = 0;
  for (Index j = 0; j < depth(); ++j) {
    traces.push_back(j == 0 ? make_first_level(level(0).kernel, input, options.centred, measure, budget)
                            : make_upper_level(level(j).kernel, level(j - 1).components, options.centred, measure, budget));
    most = std::max(most, level(j).components);
    all += level(j).components;
  }
  A.resize(static_cast<std::size_t>(n * all));
  R.resize(A.size());
  lambda.resize(static_cast<std::size_t>(all));
  features_bar_.resize(static_cast<std::size_t>(n * most));
  points_bar_.resize(features_bar_.size());
  captured.resize(levels.size());
  couplings.resize(levels.size());
  residuals.resize(levels.size());
  positions_.resize(levels.size());
}

MatrixView<double> TrainingObjective::Parts::room(std::vector<double>& numbers, Index j) {
  return j < 0 ? MatrixView<double>() : MatrixView<double>(numbers.data(), input.size(), level(j).components);
}

LevelTrace& TrainingObjective::Parts::placed(const double* x, Index j) {
  LevelTrace& trace = *traces[static_cast<std::size_t>(j)];
  if (j == 0) return trace;
  const MatrixView<const double> X = H(x, j - 1);
  std::vector<double>& position = positions_[static_cast<std::size_t>(j)];
  const double* end = X.data() + X.rows() * X.cols();
  if (!position.empty() && std::equal(X.data(), end, position.begin())) return trace;
  trace.move_to(X);
  position.assign(X.data(), end);
  return trace;
}

LevelTrace& TrainingObjective::Parts::checked_level(const double* x, Index number) {
  require(number >= 1 && number <= depth(), "level must be one of 1 .. " + std::to_string(depth()));
  return placed(x, number - 1);
}

/// to_j += factor from
void TrainingObjective::Parts::add(const std::vector<double>& from, double factor, Index j, double* to) const {
  const MatrixView<double> out = manifold.block(to, j);
  as_eigen(out) += factor * as_eigen(MatrixView<const double>(from.data(), out.rows(), out.cols()));
}

/// [DKPCA] (6): the left sides A_j = K_j H_j / eta_j + G_j / eta_{j+1}.
void TrainingObjective::Parts::sweep(const double* x) {
  const Index count = manifold.size();
  if (!known.empty() && std::equal(x, x + count, known.begin())) return;
  known.clear();
  std::fill(A.begin(), A.end(), 0.0);
  for (Index j = 0; j < depth(); ++j) {
    const MatrixView<const double> h = H(x, j);
    const MatrixView<double> points_bar = room(points_bar_, j - 1);
    // [DKPCA] Alg. 1, lines 7-8: K_j at the features of the level below; K_j H_j, and G_{j-1}.
    placed(x, j).gradient(h, room(features_bar_, j), points_bar);
    add(features_bar_, 1.0 / level(j).eta, j, A.data());
    captured[static_cast<std::size_t>(j)] = inner_product(h, room(features_bar_, j));
    if (j == 0) continue;
    add(points_bar_, 1.0 / level(j).eta, j - 1, A.data());
    couplings[static_cast<std::size_t>(j - 1)] = inner_product(H(x, j - 1), points_bar);
  }
  set_residuals(x);
  known.assign(x, x + count);
}

/// [DKPCA] (9) and Alg. 1, line 9: R_j = A_j - H_j Lambda_j, and |R_j|^2 / 2 for every level.
void TrainingObjective::Parts::set_residuals(const double* x) {
  double* values = lambda.data();
  for (Index j = 0; j < depth(); ++j, values += level(j - 1).components) {
    const auto h = as_eigen(H(x, j)), a = as_eigen(H(A.data(), j));
    auto r = as_eigen(manifold.block(R.data(), j));
    Eigen::Map<Eigen::RowVectorXd> own(values, h.cols());
    if (joint()) {
      own = Eigen::Map<const Eigen::RowVectorXd>(x + features() + (values - lambda.data()), h.cols());
    } else {
      own = h.cwiseProduct(a).colwise().sum().cwiseQuotient(h.colwise().squaredNorm());
    }
    r = a - h * own.asDiagonal();
    residuals[static_cast<std::size_t>(j)] = 0.5 * r.squaredNorm();
  }
}

double TrainingObjective::Parts::value() const { return std::accumulate(residuals.begin(), residuals.end(), 0.0); }

/// [DKPCA] Alg. 1, lines 10-11: the gradients of J. In H it is (Hessian of the energy) R - R Lambda. That Lambda follows H
/// changes nothing: J is stationary in it.
void TrainingObjective::Parts::gradient(const double* x, double* out) {
  std::fill_n(out, manifold.size(), 0.0);
  for (Index j = 0; j < depth(); ++j) {
    const MatrixView<const double> Xdot = j == 0 ? MatrixView<const double>() : H(R.data(), j - 1);
    placed(x, j).hessian(H(x, j), H(R.data(), j), Xdot, room(features_bar_, j), room(points_bar_, j - 1));
    add(features_bar_, 1.0 / level(j).eta, j, out);
    if (j > 0) add(points_bar_, 1.0 / level(j).eta, j - 1, out);
  }
  Index first = 0;
  for (Index j = 0; j < depth(); first += level(j).components, ++j) {
    const auto h = as_eigen(H(x, j)), r = as_eigen(H(R.data(), j));
    const Eigen::Map<const Eigen::RowVectorXd> own(lambda.data() + first, h.cols());
    as_eigen(manifold.block(out, j)) -= r * own.asDiagonal();
    if (joint()) Eigen::Map<Eigen::RowVectorXd>(out + features() + first, h.cols()) = -h.cwiseProduct(r).colwise().sum();
  }
}

TrainingObjective::TrainingObjective(const PointSource& input, std::vector<Level> levels, const ObjectiveOptions& options)
    : parts_(std::make_unique<Parts>(input, std::move(levels), options)) {}

TrainingObjective::~TrainingObjective() = default;

Index TrainingObjective::size() const { return parts_->manifold.size(); }
Index TrainingObjective::samples() const { return parts_->input.size(); }
const std::vector<Level>& TrainingObjective::levels() const { return parts_->levels; }
const ObjectiveOptions& TrainingObjective::options() const { return parts_->options; }
const StiefelProduct& TrainingObjective::manifold() const { return parts_->manifold; }

double TrainingObjective::evaluate(const double* x, double* gradient) {
  if (!all_finite(MatrixView<const double>(x, 1, size()))) {
    constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
    if (gradient != nullptr) std::fill_n(gradient, size(), nothing);
    return nothing;
  }
  parts_->sweep(x);
  if (gradient != nullptr) parts_->gradient(x, gradient);
  return parts_->value();
}

State TrainingObjective::describe(const double* x) {
  require(all_finite(MatrixView<const double>(x, 1, size())), "H has an entry that is not finite");
  parts_->sweep(x);
  State state;
  state.residuals = parts_->residuals;
  state.captured = parts_->captured;
  const double* values = parts_->lambda.data();
  for (Index j = 0; j < parts_->depth(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    const Level& level = parts_->level(j);
    state.eigenvalues.emplace_back(values, values + level.components);
    const Eigen::Map<const Eigen::RowVectorXd> own(values, level.components);
    state.primal += 0.5 * as_eigen(parts_->H(x, j)).colwise().squaredNorm().dot(own);
    values += level.components;
    state.energy += 0.5 * state.captured[at] / level.eta;
    state.kernel_traces.push_back(parts_->placed(x, j).trace());
    const double coupling = j + 1 < parts_->depth() ? parts_->couplings[at] / parts_->level(j + 1).eta : 0.0;
    // [DKPCA] (12): tr M_j.
    state.level_traces.push_back(state.kernel_traces[at] / level.eta + coupling);
  }
  // [DKPCA] (5): with the weights of (A.1).
  state.primal -= state.energy;
  return state;
}

void TrainingObjective::energy_gradient(const double* x, double* out) {
  require(all_finite(MatrixView<const double>(x, 1, size())), "H has an entry that is not finite");
  parts_->sweep(x);
  std::copy(parts_->A.begin(), parts_->A.end(), out);
}

void TrainingObjective::product(const double* x, Index level, MatrixView<const double> V, MatrixView<double> out) {
  parts_->checked_level(x, level).product(V, out);
}

void TrainingObjective::uncentred_product(const double* x, Index level, MatrixView<const double> V, MatrixView<double> out) {
  parts_->checked_level(x, level).uncentred(V, out);
}

}  // namespace gramian::deep_pca
