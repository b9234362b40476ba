// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/ovk/operator_ridge.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "base/stage.hpp"
#include "base/workspace.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/finite.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/eigen.hpp"
#include "gramian/linalg/cholesky.hpp"

namespace gramian {
namespace {

void check(const OperatorKernel& K, const Points& X, MatrixView<const double> targets, const OperatorRidgeOptions& options) {
  require(X.size() > 0, "X is empty: there must be at least one sample");
  require_shape(targets, X.size(), K.outputs(), "targets");
  require(all_finite(targets), "targets have an entry that is not finite");
  require_positive(options.lambda, "lambda");
  require_not_negative(options.tolerance, "tolerance");
  require(options.max_iterations >= 0, "max_iterations must not be negative");
  require(options.weights.empty() || static_cast<Index>(options.weights.size()) == X.size(),
          "weights has " + std::to_string(options.weights.size()) + " numbers, but there are " + std::to_string(X.size()) +
              " samples");
  for (const double w : options.weights) require(std::isfinite(w) && w > 0.0, "weights must hold finite numbers greater than 0");
}

using Numbers = Eigen::VectorXd;

/// [KDE] (3): (K + lambda I) Psi = Phi with the block matrix K; lambda is divided by the weight of a sample.
void by_cholesky(const OperatorKernel& K, const Points& X, const OperatorRidgeOptions& options, Matrix& unknowns) {
  const Index size = unknowns.size(), q = unknowns.cols();
  require_memory(bytes_of(size, size, 2), "the block matrix", "take solver cg, conjugate gradients");
  Matrix system(size, size);
  K.matrix(X, X, system.view());
  const auto weight = [&](Index i) { return options.weights.empty() ? 1.0 : options.weights[static_cast<std::size_t>(i)]; };
  for (Index i = 0; i < size; ++i) system(i, i) += options.lambda / weight(i / q);
  Cholesky(system.view(), {0.0}).solve(MatrixView<double>(unknowns.data(), size, 1));
}

/// Entries of at most 2 in magnitude, by a power of 2, which changes no digit: squares of these are numbers. Returns the power.
double scale_down(Numbers& a) {
  const double largest = a.cwiseAbs().maxCoeff();
  const double power = largest > 0.0 ? std::ldexp(1.0, std::ilogb(largest)) : 1.0;
  a /= power;
  return power;
}

/// Roots of the weights, for each unknown; none for weights of 1.
Numbers roots_of(const std::vector<double>& weights, Index q) {
  Numbers roots(static_cast<Index>(weights.size()) * q);
  for (Index i = 0; i < roots.size(); ++i) roots(i) = std::sqrt(weights[static_cast<std::size_t>(i / q)]);
  return roots;
}

/// Hestenes and Stiefel, from zero, with a preconditioner where the kernel has one. With weights the system is that of S Psi',
/// for S the roots of the weights: (S K S + lambda I) Psi' = S Phi is as well conditioned as without them.
class ConjugateGradients {
 public:
  ConjugateGradients(const OperatorKernel& K, const Points& X, const OperatorRidgeOptions& options, OperatorRidge& out)
      : K_(K),
        X_(X),
        options_(options),
        out_(out),
        n_(out.coefficients.rows()),
        q_(out.coefficients.cols()),
        roots_(roots_of(options.weights, q_)),
        residual_(Eigen::Map<Numbers>(out.coefficients.data(), n_ * q_)) {
    if (roots_.size() > 0) residual_.array() *= roots_.array();
    power_ = scale_down(residual_);
    targets_ = residual_;
    found_ = Numbers::Zero(residual_.size());
    image_ = found_;
  }

  void run(Observer* observer);

 private:
  MatrixView<double> matrix(Numbers& a) const { return {a.data(), n_, q_}; }
  void apply(const Numbers& direction, Numbers& image);
  const Numbers& divided();
  bool record(double step, Observer* observer);
  void begin(Observer* observer);
  bool step(Observer* observer);
  void fields(SnapshotFields& state);

  const OperatorKernel& K_;
  const Points& X_;
  const OperatorRidgeOptions& options_;
  OperatorRidge& out_;
  Index n_, q_;
  Numbers roots_, residual_, targets_, found_, direction_, image_, scaled_, divided_;
  double square_ = 0.0;  // of the residual, in the metric of the preconditioner
  double left_ = 0.0, target_ = 0.0;
  std::unique_ptr<OperatorPreconditioner> inverse_;
  double power_ = 1.0;
};

void ConjugateGradients::apply(const Numbers& direction, Numbers& image) {
  scaled_ = direction;
  if (roots_.size() > 0) scaled_.array() *= roots_.array();
  K_.apply(X_, X_, matrix(scaled_), matrix(image));
  if (roots_.size() > 0) image.array() *= roots_.array();
  image += options_.lambda * direction;
}

const Numbers& ConjugateGradients::divided() {
  if (!inverse_) return residual_;
  scaled_ = residual_;
  if (roots_.size() > 0) scaled_.array() /= roots_.array();
  divided_.resize(residual_.size());
  inverse_->apply(matrix(scaled_), matrix(divided_));
  if (roots_.size() > 0) divided_.array() /= roots_.array();
  return divided_;
}

/// Takes the point into the history; whether to go on. The objective of a point with the residual r is |r|^2 + lambda <Psi, r> +
/// lambda <Psi, Phi>.
bool ConjugateGradients::record(double step, Observer* observer) {
  const double lambda = options_.lambda, squares = power_ * power_;
  out_.objective = squares * (residual_.squaredNorm() + lambda * found_.dot(residual_) + lambda * found_.dot(targets_));
  const double largest = power_ * residual_.cwiseAbs().maxCoeff();
  out_.history.push_back({out_.iterations, out_.objective, largest, step, out_.iterations, out_.iterations});
  return observer == nullptr || out_.iterations == 0 || observer->observe(out_.history.back(), found_.data());
}

void ConjugateGradients::begin(Observer* observer) {
  left_ = target_;
  record(0.0, observer);
  out_.converged = target_ == 0.0;
  direction_ = divided();
  square_ = residual_.dot(direction_);
}

/// Whether to go on, as far as the observer is concerned.
bool ConjugateGradients::step(Observer* observer) {
  apply(direction_, image_);
  const double curvature = direction_.dot(image_);
  if (!(curvature > 0.0))
    throw NumericalError("the operator-valued kernel is not positive semidefinite, or its values are too large");
  const double length = square_ / curvature;
  found_ += length * direction_;
  residual_ -= length * image_;
  left_ = residual_.norm();
  ++out_.iterations;
  out_.converged = left_ <= options_.tolerance * target_;
  const bool wanted = record(length, observer);
  const Numbers& step = divided();
  const double next = residual_.dot(step);
  direction_ = step + next / square_ * direction_;
  square_ = next;
  return wanted;
}

void ConjugateGradients::fields(SnapshotFields& state) {
  for (const auto& [name, vector] :
       {std::pair<const char*, Numbers*>{"coefficients", &found_}, {"residual", &residual_}, {"direction", &direction_}}) {
    std::vector<double> numbers(static_cast<std::size_t>(n_ * q_));
    if (!state.reads()) std::copy_n(vector->data(), numbers.size(), numbers.begin());
    state(name, numbers);
    *vector = Eigen::Map<const Numbers>(numbers.data(), n_ * q_);
  }
  state("square", square_);
  state("left", left_);
  state("objective", out_.objective);
  state("converged", out_.converged);
  state("iterations", out_.iterations);
  history_fields(state, out_.history);
}

void ConjugateGradients::run(Observer* observer) {
  Stage stage(observer, [this](SnapshotFields& state) { fields(state); }, [](SnapshotFields&) {});
  target_ = residual_.norm();
  const double weight = roots_.size() > 0 ? roots_.squaredNorm() / static_cast<double>(roots_.size()) : 1.0;
  if (target_ != 0.0) inverse_ = K_.preconditioner(X_, options_.lambda / weight);
  if (!stage.has_ended() && !stage.resumes()) begin(observer);
  while (!out_.converged && !out_.stopped && out_.iterations < options_.max_iterations) {
    poll_stop();
    out_.stopped = !step(observer) && !out_.converged;
    if (!out_.stopped) stage.keep(out_.iterations);
  }
  out_.stopped ? stage.stop() : stage.end();
  if (roots_.size() > 0) found_.array() *= roots_.array();
  Eigen::Map<Numbers>(out_.coefficients.data(), found_.size()) = power_ * found_;
  out_.residual = target_ == 0.0 ? 0.0 : left_ / target_;
}

/// After Cholesky: lambda <Psi, Phi>.
double objective_of(const Matrix& coefficients, MatrixView<const double> targets, double lambda) {
  double sum = 0.0;
  for (Index i = 0; i < targets.rows(); ++i) {
    for (Index j = 0; j < targets.cols(); ++j) sum += coefficients(i, j) * targets(i, j);
  }
  return lambda * sum;
}

}  // namespace

/// [KDE] (1), (3): the minimiser of sum |g(x_i) - phi_i|^2 + lambda |g|^2.
OperatorRidge operator_ridge(const OperatorKernel& K, const Points& X, MatrixView<const double> targets,
                             const OperatorRidgeOptions& options, Observer* observer) {
  check(K, X, targets, options);
  OperatorRidge out;
  out.coefficients = Matrix::copy_of(targets);
  out.solver = options.solver;
  if (out.solver == OperatorSolver::automatic) {
    out.solver = checked_product(X.size(), K.outputs()) <= options.largest_cholesky ? OperatorSolver::cholesky
                                                                                    : OperatorSolver::conjugate_gradients;
  }
  if (out.solver == OperatorSolver::cholesky) {
    by_cholesky(K, X, options, out.coefficients);
    out.objective = objective_of(out.coefficients, targets, options.lambda);
    out.history.push_back({0, out.objective, 0.0, 0.0, 1, 1});
  } else {
    ConjugateGradients(K, X, options, out).run(observer);
  }
  return out;
}

}  // namespace gramian
