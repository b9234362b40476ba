// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/models/deep_pca/predictor.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gram/rows.hpp"
#include "gramian/base/error.hpp"
#include "gramian/gram/product.hpp"
#include "models/deep_pca/measure.hpp"
#include "models/deep_pca/start.hpp"

namespace gramian::deep_pca {
namespace {

void check_numbers(const std::vector<std::vector<double>>& of_levels, const Summary& summary, const char* name) {
  require(static_cast<Index>(of_levels.size()) == summary.depth(), std::string(name) + " must have a list for each level");
  for (std::size_t j = 0; j < of_levels.size(); ++j) {
    require(static_cast<Index>(of_levels[j].size()) == summary.levels[j].components,
            std::string(name) + " must have a number for each component of level " + std::to_string(j + 1));
    for (const double number : of_levels[j]) {
      if (!std::isfinite(number)) require(false, std::string(name) + " has an entry that is not finite");
    }
  }
}

void check_level(const Parts& parts, std::size_t j) {
  const Level& level = parts.summary.levels[j];
  require(level.components >= 1, "a level has at least one component");
  require(std::isfinite(level.eta) && level.eta != 0.0, "eta must be finite and not 0");
  require_shape(parts.features[j].view(), parts.training.size(), level.components, "features");
  require_finite(parts.features[j].view(), "features");
}

/// The kernel of a level sees what the level below has: one value of it tells.
void check_kernel(const Kernel& kernel, const Points& below) {
  const double one = 1.0;
  double value = 0.0;
  const Points first = rows_of(below, 0, 1);
  product(kernel, first, first, {&one, 1, 1}, {&value, 1, 1});
}

void check_first_kernel(const Parts& parts) {
  const Kernel& kernel = parts.summary.levels.front().kernel;
  if (parts.training.form() != Samples::Form::count) return check_kernel(kernel, parts.training.points());
  require(kernel.traits().inner_product, "the first kernel must be the inner product where only inner products are known");
}

void check_inputs(const Parts& parts) {
  if (parts.summary.coupled && !has_closed_form(parts.summary.levels)) {
    require_shape(parts.inputs.view(), parts.training.size(), parts.summary.levels.front().components, "inputs");
  }
  require_finite(parts.inputs.view(), "inputs");
}

void check_landmarks(const Parts& parts) {
  if (parts.coefficients.empty() && parts.centre.empty()) return;
  const Index n = parts.training.size();
  require(parts.summary.depth() == 1, "coefficients are for one level");
  require(parts.training.form() != Samples::Form::count, "coefficients are for landmarks that are rows of numbers");
  require_shape(parts.coefficients.view(), n, parts.summary.levels[0].components, "coefficients");
  require_shape(parts.centre.view(), n, 1, "centre");
  require_finite(parts.coefficients.view(), "coefficients");
  require_finite(parts.centre.view(), "centre");
}

void check_weights(const Parts& parts) {
  if (parts.weights.empty()) return;
  require(parts.coefficients.empty(), "weights are for samples that were trained on, not for landmarks");
  require_shape(parts.weights.view(), parts.training.size(), 1, "weights");
  const SampleMeasure measure(parts.training.size(), parts.weights.view());
}

void check_parts(const Parts& parts) {
  const Summary& summary = parts.summary;
  require(summary.depth() >= 1, "there must be at least one level");
  require(static_cast<Index>(parts.features.size()) == summary.depth(), "features must have a matrix for each level");
  require(parts.training.size() >= 1, "training must have at least one sample");
  for (std::size_t j = 0; j < parts.features.size(); ++j) check_level(parts, j);
  check_numbers(summary.eigenvalues, summary, "eigenvalues");
  check_numbers(summary.means, summary, "means");
  check_numbers(summary.offsets, summary, "offsets");
  check_first_kernel(parts);
  for (std::size_t j = 1; j < parts.features.size(); ++j)
    check_kernel(summary.levels[j].kernel, Points(parts.features[j - 1].view()));
  check_inputs(parts);
  check_landmarks(parts);
  check_weights(parts);
  require(parts.transform.max_iterations >= 1, "max_iterations must be at least 1");
  require_positive(parts.transform.tolerance, "tolerance");
  require_positive(parts.inverse.ridge, "ridge");
}

View view_of(const Parts& parts) {
  View view;
  static_cast<Summary&>(view) = parts.summary;
  for (const SharedMatrix& H : parts.features) view.features.push_back(H.view());
  view.inputs = parts.inputs.view();
  view.coefficients = parts.coefficients.view();
  view.centre = parts.centre.view();
  view.weights = parts.weights.view();
  return view;
}

Index all_components(const Summary& summary) {
  Index all = 0;
  for (const Level& level : summary.levels) all += level.components;
  return all;
}

SharedMatrix shared(Matrix&& numbers) { return numbers.empty() ? SharedMatrix() : SharedMatrix(std::move(numbers)); }

}  // namespace

struct Predictor::State {
  explicit State(Parts own) : parts(std::move(own)) {
    check_parts(parts);
    view = view_of(parts);
    if (parts.training.form() == Samples::Form::count) no_squares = Matrix::filled(parts.training.size(), 1, 0.0);
  }

  Parts parts;
  View view{};
  Matrix no_squares{};  // squared norms, of which the inner product needs none
};

Parts parts_of(Model model, Samples training) {
  Parts parts;
  parts.summary = model;
  for (Matrix& H : model.features) parts.features.push_back(shared(std::move(H)));
  parts.inputs = shared(std::move(model.inputs));
  parts.coefficients = shared(std::move(model.coefficients));
  parts.centre = shared(std::move(model.centre));
  parts.weights = shared(std::move(model.weights));
  parts.training = std::move(training);
  return parts;
}

Predictor::Predictor(Parts parts) : state_(std::make_shared<const State>(std::move(parts))) {}

const Parts& Predictor::parts() const { return state_->parts; }
const View& Predictor::view() const { return state_->view; }

bool Predictor::takes_sparse(Verb verb) const {
  return verb == Verb::transform && state_->parts.training.form() == Samples::Form::sparse;
}

Index Predictor::inputs(Verb verb) const {
  const Parts& parts = state_->parts;
  const bool known = parts.training.form() != Samples::Form::count;
  if (verb == Verb::transform) return known ? parts.training.dimension() : parts.training.size();
  return verb == Verb::inverse_transform && known ? parts.summary.levels.back().components : 0;
}

Index Predictor::outputs(Verb verb) const {
  if (inputs(verb) == 0) return 0;
  return verb == Verb::transform ? all_components(state_->parts.summary) : state_->parts.training.dimension();
}

Codes Predictor::codes(const Points& X) const {
  const Samples& training = state_->parts.training;
  require(X.dimension() == inputs(Verb::transform),
          "X has " + std::to_string(X.dimension()) + " features, the model takes " + std::to_string(inputs(Verb::transform)));
  if (training.form() != Samples::Form::count) {
    return deep_pca::transform(state_->view, X, training.points(), state_->parts.transform);
  }
  const Matrix zeros = Matrix::filled(X.size(), 1, 0.0);
  const InnerProducts<double> cross(X.float64(), zeros.view(), std::as_const(state_->no_squares).view());
  return deep_pca::transform(state_->view, cross, state_->parts.transform);
}

LevelPreimages Predictor::preimages(Index level, MatrixView<const double> codes) const {
  const Samples& training = state_->parts.training;
  require(training.form() != Samples::Form::count,
          "only inner products are known of the training samples: there are no points to return");
  const Matrix copy = training.form() == Samples::Form::sparse ? dense_copy(training.points()) : Matrix();
  const MatrixView<const double> X = copy.empty() ? training.dense().view() : copy.view();
  return deep_pca::inverse_transform(state_->view, level, codes, X, state_->parts.inverse);
}

void Predictor::compute(Verb verb, const Points& X, MatrixView<double> out) const {
  if (verb == Verb::inverse_transform) {
    const Matrix points = preimages(state_->parts.summary.depth(), X.float64()).points;
    return copy_rows(points.view(), out);
  }
  const Codes found = codes(X);
  Index first = 0;
  for (const Matrix& H : found.features) {
    copy_rows(H.view(), part(out, 0, out.rows(), first, H.cols()));
    first += H.cols();
  }
}

ParametricPredictor::ParametricPredictor(FixedFeatures features, FixedFeatures back, deep_pca::Predictor pca)
    : features_(std::move(features)), back_(std::move(back)), pca_(std::move(pca)) {
  require(features_.outputs() == pca_.inputs(Verb::transform) && pca_.has(Verb::inverse_transform),
          "features must have as many numbers as the first level sees");
  require(back_.inputs() == features_.outputs() && back_.outputs() == features_.inputs(),
          "back must map features to as many numbers as a sample has");
}

Index ParametricPredictor::inputs(Verb verb) const { return verb == Verb::transform ? features_.inputs() : pca_.inputs(verb); }

Index ParametricPredictor::outputs(Verb verb) const {
  return verb == Verb::inverse_transform ? back_.outputs() : pca_.outputs(verb);
}

/// [DKPCA] (11): phi before the levels, psi behind their way back.
void ParametricPredictor::compute(Verb verb, const Points& X, MatrixView<double> out) const {
  require(!X.sparse(), "X must be dense for maps");
  Matrix Z(X.size(), features_.outputs());
  if (verb == Verb::transform) {
    features_.apply(X.float64(), Z.view());
    return pca_.apply(verb, Points(Z.view()), out);
  }
  pca_.apply(verb, X, Z.view());
  back_.apply(Z.view(), out);
}

}  // namespace gramian::deep_pca
