// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/models/embedding/objective.hpp"

#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>

#include "base/check.hpp"
#include "gramian/base/error.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/base/finite.hpp"
#include "kernels/node.hpp"
#include "models/embedding/linear.hpp"
#include "models/embedding/objective_features.hpp"
#include "models/embedding/objective_gram.hpp"

namespace gramian::embedding {
namespace {

/// [MCE] (71): the kernel whose explicit features are the points themselves. No length scales, no factor.
bool is_plain_linear(const Kernel* kernel) { return kernel == nullptr || kernel->traits().inner_product; }

void require_criterion(const Criterion& criterion) {
  require_not_negative(criterion.tau, "tau");
  require(criterion.epsilon > 0.0 && criterion.epsilon < 1.0, "epsilon must be a number between 0 and 1");
  require(std::isfinite(criterion.sensitivity) && criterion.sensitivity >= 0.0,
          "sensitivity must be a finite number greater than 0, or 0 to take the kernel's");
}

/// Says now what a kernel can't do on such points; later an optimiser would only see infinity.
void require_kernel(const Kernel& kernel, const Points& X, Index dimension) {
  const std::vector<double> zeros(static_cast<std::size_t>(dimension), 0.0);
  const Index no_entries[2] = {0, 0};
  double value = 0.0;
  const MatrixView<double> out(&value, 1, 1);
  if (X.sparse()) return diagonal(kernel, SparseRows<double>{1, dimension, no_entries, nullptr, nullptr}, out);
  diagonal(kernel, MatrixView<const double>(zeros.data(), 1, dimension), out);
}

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

struct TrainingObjective::State {
  /// Workspaces of one kind of batch.
  struct Work {
    GramSystem gram;
    FeatureSystem features;
    Matrix Z, Z_bar;

    void reserve(Index rows, Index cols) {
      if (Z.rows() == rows) return;
      const Index bytes = checked_product(checked_product(rows, cols), 2 * sizeof(double));
      require_memory(static_cast<std::uint64_t>(bytes), "the features of all samples", "use batches, or fewer features");
      Z = Matrix(rows, cols);
      Z_bar = Matrix(rows, cols);
    }
  };

  State(const LabelledSample& sample, const Kernel* given, FeatureMap* map, const Criterion& what, const Batches& batches,
        std::uint64_t seed);

  Index kernel_size() const { return static_cast<Index>(learned.size()); }
  Index theta_size() const { return features == nullptr ? 0 : features->parameter_count(); }
  Index size() const { return kernel_size() + 1 + theta_size(); }
  const double* theta_at(const double* x) const { return features == nullptr ? nullptr : x + kernel_size() + 1; }

  /// The kernel that n x n systems are made of.
  Kernel kernel_at(const double* x) const;
  bool explicit_form(const Batch& batch) const {
    const FeatureMap* map = coordinates ? &*coordinates : linear ? features : nullptr;
    return map != nullptr && map->outputs() < batch.training;
  }
  double evaluate(const Batch& batch, const FeaturePass& pass, const double* x, double* gradient);
  double value_at(const Batch& batch, const FeaturePass& pass, const double* x, double* gradient);
  bool has_numbers(const double* gradient) const;
  bool evaluate_form(Work& work, Point& at, const double* x, Outcome& out, double* gradient);
  bool evaluate_features(Work& work, const Point& at, Outcome& out, bool want_gradient);
  bool evaluate_gram(Work& work, Point& at, const double* x, Outcome& out, double* gradient);
  double alpha_of(const Kernel& kernel);

  std::optional<Kernel> kernel;  // as it was given
  FeatureMap* features;
  Criterion criterion;
  Sampler sampler;
  bool linear;                                // explicit features below a linear kernel
  std::optional<LinearFeatures> coordinates;  // of a linear kernel without features
  std::vector<std::size_t> learned;
  std::vector<double> parameters, kernel_bar, alpha_slopes;
  Work whole, drawn;
  Terms terms;
  Index failures = 0;
};

TrainingObjective::State::State(const LabelledSample& sample, const Kernel* given, FeatureMap* map, const Criterion& what,
                                const Batches& batches, std::uint64_t seed)
    : features(map),
      criterion(what),
      sampler(sample, what.risk, batches, seed),
      linear(map != nullptr && is_plain_linear(given)) {
  require(given != nullptr || map != nullptr, "a kernel or features are needed, or both");
  require_criterion(criterion);
  if (map != nullptr) check_features(*map, sample.X);
  if (given == nullptr) return;
  kernel = *given;
  require_kernel(*given, sample.X, map == nullptr ? sample.X.dimension() : map->outputs());
  parameters = given->parameters();
  const std::vector<bool> learnable = given->learnable_parameters();
  for (std::size_t p = 0; p < learnable.size(); ++p) {
    if (learnable[p]) learned.push_back(p);
  }
  if (map == nullptr && !sample.X.sparse() && given->traits().explicit_features)
    coordinates.emplace(*given, sample.X.dimension());
}

Kernel TrainingObjective::State::kernel_at(const double* x) const {
  if (!kernel) return Kernel("linear", {});
  std::vector<double> values = parameters;
  for (std::size_t p = 0; p < learned.size(); ++p) values[learned[p]] = std::exp(x[p]);
  return kernel->with_parameters(values);
}

double TrainingObjective::State::evaluate(const Batch& batch, const FeaturePass& pass, const double* x, double* gradient) {
  const double value = value_at(batch, pass, x, gradient);
  if (!std::isfinite(value) || !has_numbers(gradient)) ++failures;
  return value;
}

bool TrainingObjective::State::has_numbers(const double* gradient) const {
  return gradient == nullptr || all_finite(MatrixView<const double>(gradient, 1, size()));
}

double TrainingObjective::State::value_at(const Batch& batch, const FeaturePass& pass, const double* x, double* gradient) {
  terms = Terms();
  for (Index i = 0; i < size(); ++i) {
    if (!std::isfinite(x[i])) return infinity;
  }
  Work& work = &batch == &sampler.whole() ? whole : drawn;
  Point at{batch, criterion, sampler.classes(), std::exp(x[kernel_size()]), criterion.sensitivity};
  if (!std::isfinite(at.lambda) || !(at.lambda > 0.0)) return infinity;
  const bool in_coordinates = coordinates && explicit_form(batch);
  FeatureMap* map = in_coordinates ? &*coordinates : features;
  if (map != nullptr) {
    work.reserve(batch.size(), map->outputs());
    map->forward(in_coordinates ? x : theta_at(x), batch.points().float64(), work.Z.view(), pass);
    if (!all_finite(work.Z.view())) return infinity;
  }
  Outcome out;
  if (!evaluate_form(work, at, x, out, gradient)) return infinity;
  terms = out.terms;
  if (gradient != nullptr) {
    gradient[kernel_size()] = at.lambda * out.lambda_bar;
    if (map != nullptr) map->reverse(work.Z_bar.view(), in_coordinates ? gradient : gradient + kernel_size() + 1);
  }
  // [MCE] (12), (13): q = risk + tau r; risk_factor makes the risk a sum or a mean.
  return terms.risk + criterion.tau * terms.complexity;
}

/// A long step may lead to where nothing can be factorized, or where numbers overflow. An optimiser that sees infinity takes a
/// shorter one.
bool TrainingObjective::State::evaluate_form(Work& work, Point& at, const double* x, Outcome& out, double* gradient) {
  try {
    return explicit_form(at.batch) ? evaluate_features(work, at, out, gradient != nullptr)
                                   : evaluate_gram(work, at, x, out, gradient);
  } catch (const std::invalid_argument&) {  // parameters out of their range, or kernel values that are not finite
    return false;
  }
}

bool TrainingObjective::State::evaluate_features(Work& work, const Point& at, Outcome& out, bool want_gradient) {
  if (!work.features.evaluate(at, work.Z.view(), out)) return false;
  if (want_gradient) work.features.reverse(at, work.Z.view(), out, work.Z_bar.view());
  return true;
}

bool TrainingObjective::State::evaluate_gram(Work& work, Point& at, const double* x, Outcome& out, double* gradient) {
  const Kernel here = kernel_at(x);
  const bool own_alpha = at.alpha == 0.0;
  if (own_alpha) at.alpha = alpha_of(here);
  // [MCE] (72): with features the kernel is one on their outputs.
  const Points points = features == nullptr ? at.batch.points() : Points(work.Z.view());
  if (!work.gram.evaluate(at, here, points, out)) return false;
  if (gradient == nullptr) return true;
  work.gram.reverse(at, here, points, out, kernel_bar, features == nullptr ? MatrixView<double>() : work.Z_bar.view());
  const std::vector<double> values = here.parameters();
  // alpha = sqrt(supremum); where it is the largest among the samples, the reverse has dealt with it.
  const double share = own_alpha && at.alpha > 0.0 ? out.alpha_bar / (2.0 * at.alpha) : 0.0;
  for (std::size_t p = 0; p < learned.size(); ++p) {
    const std::size_t k = learned[p];
    gradient[p] = values[k] * (kernel_bar[k] + (share > 0.0 ? share * alpha_slopes[k] : 0.0));
  }
  return true;
}

/// [MCE] Cor. 12: the root of sup k(x, x); 0 if it is to be the largest among the samples.
double TrainingObjective::State::alpha_of(const Kernel& here) {
  const double square = supremum(here, alpha_slopes);
  return std::isfinite(square) ? std::sqrt(square) : 0.0;
}

TrainingObjective::TrainingObjective(const LabelledSample& sample, const Kernel* kernel, FeatureMap* features,
                                     const Criterion& criterion, const Batches& batches, std::uint64_t seed)
    : state_(std::make_unique<State>(sample, kernel, features, criterion, batches, seed)) {}
TrainingObjective::~TrainingObjective() = default;
TrainingObjective::TrainingObjective(TrainingObjective&&) noexcept = default;

Index TrainingObjective::size() const { return state_->size(); }

double TrainingObjective::evaluate(const double* x, double* gradient) {
  return state_->evaluate(state_->sampler.whole(), FeaturePass(), x, gradient);
}

double TrainingObjective::sample(const double* x, std::uint64_t seed, std::uint64_t step, double* gradient) {
  return state_->evaluate(state_->sampler.draw(seed, step), FeaturePass{true, seed, step}, x, gradient);
}

Form TrainingObjective::form() const { return state_->explicit_form(state_->sampler.whole()) ? Form::features : Form::gram; }

std::vector<double> TrainingObjective::pack(double lambda, const std::vector<double>& theta) const {
  require_positive(lambda, "lambda");
  const Index given = static_cast<Index>(theta.size()), wanted = state_->theta_size();
  require(given == wanted, "theta has " + std::to_string(given) + " numbers, the features have " + std::to_string(wanted));
  std::vector<double> x;
  for (const std::size_t p : state_->learned) x.push_back(std::log(state_->parameters[p]));
  x.push_back(std::log(lambda));
  x.insert(x.end(), theta.begin(), theta.end());
  return x;
}

Kernel TrainingObjective::kernel_at(const double* x) const {
  require(state_->kernel.has_value(), "there is no kernel, but a linear one on the features");
  return state_->kernel_at(x);
}

double TrainingObjective::lambda_at(const double* x) const { return std::exp(x[state_->kernel_size()]); }
const double* TrainingObjective::theta_at(const double* x) const { return state_->theta_at(x); }
Terms TrainingObjective::last_terms() const { return state_->terms; }
Index TrainingObjective::failures() const { return state_->failures; }
void TrainingObjective::fields(SnapshotFields& state) { state("failures", state_->failures); }

}  // namespace gramian::embedding
