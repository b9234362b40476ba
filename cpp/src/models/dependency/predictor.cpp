// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/models/dependency/predictor.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gram/rows.hpp"
#include "gram/source.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/gram/expansion.hpp"
#include "gramian/gram/full.hpp"
#include "models/dependency/nearest.hpp"
#include "models/dependency/parts.hpp"
#include "models/dependency/predict.hpp"

namespace gramian::dependency {
namespace {

constexpr Index rows_together = 1024;
constexpr Index least_typical = 32;  // inputs that show what a choice costs

Matrix unit_matrix(Index size) {
  Matrix out = Matrix::filled(size, size, 0.0);
  for (Index i = 0; i < size; ++i) out(i, i) = 1.0;
  return out;
}

View view_of(const Parts& parts, const Matrix& axes) {
  View view;
  view.coefficients = has_axes(parts) ? axes.view() : parts.coefficients.view();
  view.input_factor = parts.input_factor.view();
  view.output_factor = parts.output_factor.view();
  view.components = parts.components.view();
  view.mean = parts.mean.data();
  view.centred = parts.centred;
  return view;
}

/// Those that weights are of: axes where g(x) is a vector.
Samples supports_of(const Parts& parts, const Matrix& axes) {
  if (has_axes(parts)) return SharedMatrix::copy_of(axes.view());
  const bool all = parts.output_supports.empty() || !parts.output_kernel;
  return all ? parts.outputs.points : parts.outputs.points.some(parts.output_supports);
}

/// The Gaussian kernel of outputs is that of outputs divided by its widths.
struct Widths {
  double gamma = 1.0;
  std::vector<double> each{};  // empty: 1

  explicit Widths(const Parts& parts) {
    if (parts.preimage != Preimage::gaussian) return;
    const std::vector<double> parameters = parts.output_kernel->parameters();
    gamma = parameters.front();
    each.assign(parameters.begin() + 1, parameters.end());
  }
  template <class F>
  void change(MatrixView<double> A, F f) const {
    if (each.empty()) return;
    for_entries(A, [&](Index i, Index j) { A(i, j) = f(A(i, j), each[at(j)]); });
  }
};

/// An output as a row of numbers, of a sparse one too.
void write_point(const Samples& points, Index row, MatrixView<double> out, Index to) {
  if (points.form() == Samples::Form::dense) {
    for (Index j = 0; j < out.cols(); ++j) out(to, j) = points.dense()(row, j);
    return;
  }
  for (Index j = 0; j < out.cols(); ++j) out(to, j) = 0.0;
  const SparseRows<double>& X = points.sparse();
  for (Index e = X.row_start[row]; e < X.row_start[row + 1]; ++e) out(to, X.columns[e]) += X.values[e];
}

}  // namespace

struct Predictor::State {
  explicit State(Parts own)
      : parts((check_parts(own), std::move(own))),
        axes(has_axes(parts) ? unit_matrix(support_count(parts)) : Matrix()),
        view(view_of(parts, axes)),
        supports(supports_of(parts, axes)),
        widths(parts) {
    if (parts.preimage == Preimage::gaussian) {
      scaled = Matrix::copy_of(supports.dense().view());
      widths.change(scaled.view(), [](double x, double width) { return x / width; });
    }
    if (has_axes(parts)) squares = squares_of(own_candidates());
    if (parts.preimage == Preimage::linear || parts.preimage == Preimage::sequence) set_linear();
  }

  const Outputs& own_candidates() const { return parts.preimage == Preimage::candidates ? parts.candidates : parts.outputs; }

  void set_linear() {
    linear.emplace(view, supports.points());
    if (!parts.kernel || !parts.input_factor.empty()) return;
    sum.emplace(*parts.kernel, parts.inputs, SharedMatrix::copy_of(linear->coefficients.view()));
  }

  Matrix squares_of(const Outputs& candidates) const {
    Matrix out(candidates.size(), 1);
    diagonal(*parts.output_kernel, candidates.points.points(), out.view());
    return out;
  }

  Parts parts;
  Matrix axes;
  View view;
  Samples supports;
  Widths widths;
  Matrix scaled{};   // supports divided by widths
  Matrix squares{};  // of the model's own candidates, where g(x) is a vector
  std::optional<LinearMap> linear{};
  std::optional<KernelExpansion> sum{};  // the linear map of kernel values, where these are not solved with a factor
  mutable KeptChoice kept{};             // of the nearest of the model's own candidates
};

/// Kernel values of new inputs with the input supports, or vectors g(x), and the memory that they need.
class Predictor::NewInputs {
 public:
  NewInputs(const State& state, const Points& X) : source_(CrossSource(MatrixView<const double>())) {
    const Parts& parts = state.parts;
    require(X.scalar() == Scalar::float64, "X must be of float64");
    if (parts.vectors) {
      vectors_ = Matrix(X.size(), parts.vectors->outputs(Verb::predict));
      parts.vectors->apply(Verb::predict, X, vectors_.view());
      source_ = CrossSource(vectors_.view());
      return;
    }
    const Index wanted = parts.kernel ? parts.inputs.dimension() : parts.inputs.size();
    require(X.dimension() == wanted,
            "X has " + std::to_string(X.dimension()) + " features, and this model takes " + std::to_string(wanted));
    if (parts.kernel) {
      source_ = CrossSource(*parts.kernel, X, parts.inputs.points());
      return;
    }
    require(!X.sparse(), "X must be dense: its rows are kernel values");
    picked_.emplace(CrossSource(X.float64()), parts.input_supports);
    source_ = picked_->source();
  }
  NewInputs(const NewInputs&) = delete;  // the source sees its memory
  NewInputs& operator=(const NewInputs&) = delete;

  const CrossSource& source() const { return source_; }

 private:
  Matrix vectors_;
  std::optional<SomeColumns> picked_;
  CrossSource source_;
};

/// Kernel values of candidates with the output supports and themselves, and the memory that they need.
class Predictor::Choices {
 public:
  Choices(const State& state, const Outputs* given) : outputs_(given == nullptr ? state.own_candidates() : *given) {
    const Parts& parts = state.parts;
    if (given != nullptr) check_candidates(parts, *given, "candidates");
    if (!has_axes(parts)) return;
    if (given != nullptr) squares_ = state.squares_of(*given);
    vectors_.emplace(outputs_.points.dense().view(), given == nullptr ? state.squares.view() : squares_.view());
  }

  CrossSource source(const State& state) const {
    if (vectors_) return *vectors_;
    if (state.parts.output_kernel) return {*state.parts.output_kernel, outputs_.points.points(), state.supports.points()};
    return {outputs_.values.view(), outputs_.squares.view()};
  }
  const Outputs& outputs() const { return outputs_; }

 private:
  const Outputs& outputs_;
  Matrix squares_;
  std::optional<CrossSource> vectors_;
};

Parts parts_of(const Model& model, const Kernel& kernel, const Samples& inputs, const Kernel& output_kernel,
               const Samples& outputs, Preimage preimage) {
  Parts parts;
  parts.kernel = kernel;
  parts.inputs = model.input_supports.empty() ? inputs : inputs.some(model.input_supports);
  parts.coefficients = SharedMatrix::copy_of(model.coefficients.view());
  parts.input_factor = SharedMatrix::copy_of(model.input_factor.view());
  parts.output_factor = SharedMatrix::copy_of(model.output_factor.view());
  parts.components = SharedMatrix::copy_of(model.components.view());
  parts.mean = model.mean;
  parts.centred = model.centred;
  parts.output_kernel = output_kernel;
  parts.outputs.points = outputs;
  parts.output_supports = model.output_supports;
  parts.preimage = preimage;
  return parts;
}

Predictor::Predictor(Parts parts) : state_(std::make_shared<const State>(std::move(parts))) {}

const Parts& Predictor::parts() const { return state_->parts; }
Index Predictor::supports() const { return state_->view.outputs(); }

Index Predictor::positions() const {
  const Index symbols = static_cast<Index>(state_->parts.symbols.size());
  return symbols == 0 ? 0 : state_->parts.outputs.points.dimension() / symbols;
}

Index Predictor::inputs(Verb verb) const {
  if (outputs(verb) == 0) return 0;
  const Parts& parts = state_->parts;
  if (parts.vectors) return parts.vectors->inputs(Verb::predict);
  return parts.kernel ? parts.inputs.dimension() : parts.inputs.size();
}

Index Predictor::outputs(Verb verb) const {
  const Parts& parts = state_->parts;
  if (verb == Verb::scores) return state_->own_candidates().size();
  if (verb != Verb::predict || parts.preimage == Preimage::none) return 0;
  if (parts.preimage == Preimage::sequence) return positions();
  return parts.output_kernel ? parts.outputs.points.dimension() : 1;
}

bool Predictor::takes_sparse(Verb verb) const {
  const Parts& parts = state_->parts;
  return parts.vectors ? parts.vectors->takes_sparse(verb) : parts.inputs.form() == Samples::Form::sparse;
}

void Predictor::weights(const Points& X, MatrixView<double> out) const {
  const NewInputs inputs(*state_, X);
  dependency::weights(state_->view, inputs.source(), out);
}

void Predictor::scores(const Points& X, const Outputs* candidates, MatrixView<double> out) const {
  const NewInputs inputs(*state_, X);
  const Choices choices(*state_, candidates);
  dependency::scores(state_->view, inputs.source(), choices.source(*state_), out);
  for_entries(out, [&](Index i, Index j) { out(i, j) = -out(i, j); });
}

/// What predictions share; null as long as it does not pay.
std::shared_ptr<const NearestChoice> Predictor::kept_choice(const CrossSource& inputs) const {
  const View& model = state_->view;
  const Parts& parts = state_->parts;
  const Index count = state_->own_candidates().size();
  const bool known = parts.kernel && !parts.vectors;  // training inputs are as good as new ones then
  if (count == 0 || too_many_for_screen(model, count) || (!known && inputs.rows() < least_typical)) return nullptr;
  return state_->kept.after(cost_of_scores(model, inputs.rows(), count), 2.0 * cost_of_screen(model, count), [&] {
    const Choices choices(*state_, nullptr);
    const CrossSource typical = known && inputs.rows() < least_typical
                                    ? CrossSource(*parts.kernel, parts.inputs.points(), parts.inputs.points())
                                    : inputs;
    check_choice(model, typical, choices.source(*state_), 1);
    const auto made = std::make_shared<NearestChoice>(model, typical, typical.rows(), choices.source(*state_), 1);
    if (known && parts.input_factor.empty() && made->worth_while()) made->keep_supports(*parts.kernel, parts.inputs);
    return made;
  });
}

std::vector<Index> Predictor::nearest(const Points& X, const Outputs* candidates, Index count) const {
  const NewInputs inputs(*state_, X);
  if (candidates == nullptr && count == 1) {
    check_source(inputs.source(), state_->view.inputs(), "inputs");
    if (const auto kept = kept_choice(inputs.source())) return kept->rows(state_->view, inputs.source());
  }
  const Choices choices(*state_, candidates);
  return nearest_rows(state_->view, inputs.source(), choices.source(*state_), count);
}

Preimages Predictor::fixed_points(const Points& X) const {
  require(state_->parts.preimage == Preimage::gaussian, "this model has no fixed points: its preimage is another one");
  Matrix weights(X.size(), supports());
  this->weights(X, weights.view());
  Preimages found = gaussian_preimages(state_->widths.gamma, state_->scaled.view(), weights.view(), {});
  state_->widths.change(found.points.view(), [](double x, double width) { return x * width; });
  return found;
}

/// The sums of outputs with their weights.
void Predictor::linear(const Points& X, MatrixView<double> out) const {
  if (!state_->sum) {
    const NewInputs inputs(*state_, X);
    return state_->linear->apply(state_->view, inputs.source(), out);
  }
  state_->sum->apply(X, out);
  state_->linear->add_mean(out);
}

std::vector<Index> Predictor::sequences(const Points& X, const std::vector<Index>& lengths) const {
  require(state_->parts.preimage == Preimage::sequence, "outputs of this model are no sequences");
  Matrix images(X.size(), state_->supports.dimension());
  linear(X, images.view());
  return decode_sequences(images.view(), static_cast<Index>(state_->parts.symbols.size()), lengths);
}

void Predictor::compute(Verb verb, const Points& X, MatrixView<double> out) const {
  if (verb == Verb::scores) return scores(X, nullptr, out);
  const Preimage way = state_->parts.preimage;
  if (way == Preimage::linear) return linear(X, out);
  if (way == Preimage::nearest || way == Preimage::candidates) return choose(X, out);
  for (Index first = 0; first < X.size(); first += rows_together) {
    poll_stop();
    const Index rows = std::min(rows_together, X.size() - first);
    predict(rows_of(X, first, rows), rows_of(out, first, rows));
  }
}

/// Fixed points or sequences of some rows.
void Predictor::predict(const Points& X, MatrixView<double> out) const {
  if (state_->parts.preimage == Preimage::gaussian) return copy_rows(fixed_points(X).points.view(), out);
  const std::vector<Index> symbols = sequences(X, {});
  for_entries(out, [&](Index i, Index j) { out(i, j) = static_cast<double>(symbols[at(i * out.cols() + j)]); });
}

/// The nearest candidates, or their rows.
void Predictor::choose(const Points& X, MatrixView<double> out) const {
  const std::vector<Index> rows = nearest(X, nullptr, 1);
  const Samples& points = state_->own_candidates().points;
  for (Index i = 0; i < X.size(); ++i) {
    if (points.form() != Samples::Form::count) {
      write_point(points, rows[at(i)], out, i);
    } else {
      out(i, 0) = static_cast<double>(rows[at(i)]);
    }
  }
}

}  // namespace gramian::dependency
