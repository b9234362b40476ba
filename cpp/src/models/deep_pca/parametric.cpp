// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/models/deep_pca/parametric.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "base/check.hpp"
#include "linalg/inner_product.hpp"
#include "linalg/tall.hpp"
#include "models/deep_pca/measure.hpp"
#include "optim/continued.hpp"
#include "optim/result_fields.hpp"

namespace gramian::deep_pca {
namespace {

void check_maps(const Maps& maps, MatrixView<const double> X, double gamma) {
  require(X.rows() > 0, "X is empty: there must be at least one sample");
  for (const FeatureMap* map : {&maps.features, &maps.round_trip}) {
    require(map->inputs() == X.cols(),
            "X has " + std::to_string(X.cols()) + " columns, and a map takes " + std::to_string(map->inputs()) + " numbers");
  }
  require(maps.round_trip.outputs() == X.cols(), "round_trip must return as many numbers as a sample has");
  require(maps.round_trip.parameter_count() >= maps.features.parameter_count(),
          "round_trip must have the parameters of features, and those of the way back behind them");
  require(std::isfinite(gamma) && gamma >= 0.0, "gamma must be a finite number, 0 or greater");
}

/// A turn that has ended: what the next one begins with.
void fields(SnapshotFields& state, std::vector<double>& theta, ParametricFit& fit) {
  state("theta", theta);
  state.list("objectives", fit.objectives);
  state.list("errors", fit.errors);
  optim_detail::fields(state, fit.result);
}

bool has_ended(const CheckpointPart& turn, std::vector<double>& theta, ParametricFit& fit) {
  const std::optional<Snapshot> kept = turn.result();
  if (!kept) return false;
  SnapshotFields state(*kept);
  fields(state, theta, fit);
  return true;
}

void end(CheckpointPart turn, std::vector<double>& theta, ParametricFit& fit) {
  if (!turn) return;
  Snapshot kept;
  SnapshotFields state(kept);
  fields(state, theta, fit);
  turn.end(std::move(kept));
}

}  // namespace

/// The first residual is R = K_1 H_1 / eta_1 + rest with K_1 = Z Zᵀ, centred if the levels are: only Z has theta. With weights
/// all rows are scaled by their roots: those of Z, of features, of residuals and of errors.
struct MapObjective::Parts {
  Parts(const Maps& all_maps, MatrixView<const double> all_X, MatrixView<const double> Z, const Fit& fit, double weight);

  Matrix centred(MatrixView<const double> A) const {
    Matrix out = Matrix::copy_of(A);
    if (center) measure.centre_scaled(A, out.view());
    return out;
  }
  Matrix scaled(MatrixView<const double> A) const {
    Matrix out(A.rows(), A.cols());
    measure.scale(A, out.view());
    return out;
  }
  /// K_1 H_1 / eta_1
  Matrix gram_product(MatrixView<const double> Z) const {
    Matrix product(Z.rows(), H.cols());
    tall_product(Z, tall_cross(Z, H.view()) / eta, product.view());
    return centred(product.view());
  }
  /// psi(phi(X)) - X
  Matrix errors(const double* theta) {
    Matrix out(X.rows(), X.cols());
    maps.round_trip.forward(theta, X, out.view(), {});
    for (Index i = 0; i < X.rows(); ++i) {
      for (Index k = 0; k < X.cols(); ++k) out(i, k) -= X(i, k);
    }
    measure.scale(out.view(), out.view());
    return out;
  }

  SampleMeasure measure;
  Maps maps;
  MatrixView<const double> X;
  double gamma, eta;
  bool center;
  Matrix H;            // C H_1
  Matrix rest;         // G_1 / eta_2 - H_1 Lambda_1
  double above = 0.0;  // residuals of the other levels
};

MapObjective::Parts::Parts(const Maps& all_maps, MatrixView<const double> all_X, MatrixView<const double> Z, const Fit& fit,
                           double weight)
    : measure(fit.model.samples(), fit.model.weights.view()),
      maps(all_maps),
      X(all_X),
      gamma(weight),
      eta(0.0),
      center(fit.model.centred) {
  check_maps(maps, X, gamma);
  require_shape(Z, X.rows(), maps.features.outputs(), "Z");
  const Model& model = fit.model;
  require(model.samples() == X.rows(), "the levels must be trained on as many samples as X has");
  require(model.levels.front().kernel.traits().inner_product,
          "the first level must have a linear kernel: it sees learned features");
  require(model.coupled, "the levels must see each other: maps lower J, which levelwise kernel PCA does not");
  eta = model.levels.front().eta;
  std::vector<double> x;
  for (const Matrix& level : model.features) {
    const Matrix own = scaled(level.view());
    x.insert(x.end(), own.data(), own.data() + own.size());
  }
  const Matrix own = scaled(model.features.front().view());
  H = centred(own.view());
  TrainingObjective J(Points(Z), model.levels, {Eigenvalues::eliminated, center, 0, measure.numbers()});
  std::vector<double> A(x.size());
  J.energy_gradient(x.data(), A.data());
  rest = gram_product(scaled(Z).view());
  for (Index i = 0; i < rest.rows(); ++i) {
    for (Index c = 0; c < rest.cols(); ++c) {
      const double fixed = own(i, c) * model.eigenvalues.front()[static_cast<std::size_t>(c)];
      rest(i, c) = A[static_cast<std::size_t>(i * rest.cols() + c)] - rest(i, c) - fixed;
    }
  }
  for (std::size_t j = 1; j < fit.state.residuals.size(); ++j) above += fit.state.residuals[j];
}

MapObjective::MapObjective(const Maps& maps, MatrixView<const double> X, MatrixView<const double> Z, const Fit& fit, double gamma)
    : parts_(std::make_unique<Parts>(maps, X, Z, fit, gamma)) {}

MapObjective::~MapObjective() = default;

Index MapObjective::size() const { return parts_->maps.round_trip.parameter_count(); }

/// [DKPCA] (11): where |R|^2 / 2 has the gradient (C R (C H_1)ᵀ + C H_1 (C R)ᵀ) Z / eta_1 in Z.
double MapObjective::evaluate(const double* theta, double* gradient) {
  const Parts& parts = *parts_;
  FeatureMap& features = parts.maps.features;
  Matrix Z(parts.X.rows(), features.outputs());
  features.forward(theta, parts.X, Z.view(), {});
  parts.measure.scale(Z.view(), Z.view());
  Matrix R = parts.gram_product(Z.view());
  for (Index i = 0; i < R.size(); ++i) R.data()[i] += parts.rest.data()[i];
  if (gradient != nullptr) {
    const Matrix C = parts.centred(R.view());
    Matrix Zbar(Z.rows(), Z.cols());
    tall_product(C.view(), tall_cross(parts.H.view(), Z.view()) / parts.eta, Zbar.view());
    tall_product(parts.H.view(), tall_cross(C.view(), Z.view()) / parts.eta, Zbar.view(), Zbar.view());
    parts.measure.scale(Zbar.view(), Zbar.view());
    std::fill_n(gradient, size(), 0.0);
    features.reverse(Zbar.view(), gradient);
  }
  Matrix errors = parts_->errors(theta);
  const double value = 0.5 * sum_of_squares(R.view()) + parts.above + parts.gamma * sum_of_squares(errors.view());
  if (gradient == nullptr) return value;
  for (Index i = 0; i < errors.size(); ++i) errors.data()[i] *= 2.0 * parts.gamma;
  parts.measure.scale(errors.view(), errors.view());
  std::vector<double> back(static_cast<std::size_t>(size()));
  parts.maps.round_trip.reverse(errors.view(), back.data());
  for (std::size_t i = 0; i < back.size(); ++i) gradient[i] += back[i];
  return value;
}

double MapObjective::squared_error(const double* theta) { return sum_of_squares(parts_->errors(theta).view()); }

ParametricFit fit_parametric(const Maps& maps, MatrixView<const double> X, std::vector<double> theta,
                             const std::vector<Level>& levels, const ParametricOptions& options, Observer* observer,
                             Observer* levels_observer) {
  check_maps(maps, X, options.gamma);
  require(options.rounds >= 0, "rounds must not be negative");
  require(static_cast<Index>(theta.size()) == maps.round_trip.parameter_count(),
          "theta has " + std::to_string(theta.size()) + " numbers, it must have " +
              std::to_string(maps.round_trip.parameter_count()));
  ParametricFit fit;
  const CheckpointPart whole = observer != nullptr ? observer->checkpoint().next() : CheckpointPart();
  for (Index round = 0; round <= options.rounds; ++round) {
    const CheckpointPart turn = whole.part("turn " + std::to_string(round));
    if (round < options.rounds && has_ended(turn, theta, fit)) continue;
    Checkpointed of_levels(levels_observer, turn), of_maps(observer, turn);
    fit.features = Matrix(X.rows(), maps.features.outputs());
    maps.features.forward(theta.data(), X, fit.features.view(), {});
    const MatrixView<const double> Z = std::as_const(fit.features).view();
    fit.pca = deep_pca::fit(Points(Z), levels, options.levels, {}, turn ? &of_levels : levels_observer);
    MapObjective task(maps, X, Z, fit.pca, options.gamma);
    fit.errors.push_back(task.squared_error(theta.data()));
    fit.objectives.push_back(fit.pca.objective + options.gamma * fit.errors.back());
    if (fit.pca.result.stop_reason == StopReason::observer) fit.result.stop_reason = StopReason::observer;
    if (round == options.rounds || fit.result.stop_reason == StopReason::observer) break;
    std::optional<optim_detail::Continued> watch;
    if (observer != nullptr) watch.emplace(of_maps, fit.result);
    optim_detail::append(adam(task, theta.data(), options.maps, watch ? &*watch : nullptr), fit.result);
    theta = std::move(fit.result.x);
    end(turn, theta, fit);
  }
  if (fit.result.history.empty()) fit.result.history.push_back({0, fit.objectives.front()});
  fit.result.x.clear();
  fit.theta = std::move(theta);
  return fit;
}

}  // namespace gramian::deep_pca
