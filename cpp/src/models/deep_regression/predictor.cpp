// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/models/deep_regression/predictor.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/check.hpp"
#include "base/pool.hpp"
#include "base/view_ops.hpp"
#include "gram/rows.hpp"
#include "gram/scaled_rows.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/losses/loss.hpp"
#include "gramian/losses/probabilities.hpp"
#include "models/layered/supports.hpp"
#include "serving/decisions.hpp"

namespace gramian::deep_regression {
namespace {

constexpr Index rows_together = 4096;  // which are scaled before the next ones

/// For one thread at a time.
struct Workspace {
  ScaledRows rows;
  Room outputs;
};

void check_classes(const Parts& parts, Index outputs) {
  const auto classes = static_cast<Index>(parts.classes.size());
  if (parts.meaning == Outputs::values) return require(classes == 0, "classes: outputs that are values have none");
  require(classes >= 2, "classes: a classifier has two at least, there are " + std::to_string(classes));
  const bool single = classes == 2 && parts.meaning == Outputs::logits && outputs == 1;
  require(single || outputs == classes,
          "the last layer has " + std::to_string(outputs) + " outputs for " + std::to_string(classes) + " classes");
}

void scale_back(const ColumnScaling& by, MatrixView<double> out) {
  if (by.shift.empty() && by.scale.empty()) return;
  for_rows(out.rows(), out.cols(), [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      for (Index j = 0; j < out.cols(); ++j) {
        const double y = by.scale.empty() ? out(i, j) : out(i, j) * by.scale[at(j)];
        out(i, j) = by.shift.empty() ? y : y + by.shift[at(j)];
      }
    }
  });
}

void logarithms(MatrixView<double> out) {
  for_rows(out.rows(), out.cols(), [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      for (Index j = 0; j < out.cols(); ++j) out(i, j) = std::log(out(i, j));
    }
  });
}

}  // namespace

struct Predictor::State {
  explicit State(Parts own)
      : parts(std::move(own)),
        map(parts.layers),
        inputs(effective_scaling(parts.inputs)),
        outputs(effective_scaling(parts.outputs)) {
    require(parts.layers.front().supports.form() != Samples::Form::count,
            "layer 1 needs its supports, and not only their number");
    check_scaling(parts.inputs, features(), "inputs");
    check_scaling(parts.outputs, width(depth()), "outputs");
    require(!sparse() || inputs.shift.empty(), "the shift of inputs must be 0 where the supports are sparse");
    check_classes(parts, width(depth()));
  }

  Index depth() const { return map.depth(); }
  Index features() const { return parts.layers.front().supports.dimension(); }
  bool sparse() const { return parts.layers.front().supports.form() == Samples::Form::sparse; }
  bool classifies() const { return parts.meaning != Outputs::values; }
  /// Of the images under layer l; l = 0: of the input.
  Index width(Index l) const { return l == 0 ? features() : map.layer(l).layer.outputs(); }
  /// Columns of the scores.
  Index classes() const { return static_cast<Index>(parts.classes.size()); }

  void check(const Points& X, MatrixView<double> out, Index columns) const {
    if (X.dimension() != features()) {
      require(false, "X has " + std::to_string(X.dimension()) + " features, this model takes " + std::to_string(features()));
    }
    require(X.scalar() == Scalar::float64, "X must be of float64");
    require_shape(out, X.size(), columns, "out");
  }

  /// step(workspace, rows of X as layer 1 sees them, rows of out), block by block.
  template <class Step>
  void for_blocks(const Points& X, MatrixView<double> out, Step step) const {
    const auto workspace = workspaces.borrow();
    for (Index first = 0; first < X.size(); first += rows_together) {
      poll_stop();
      const Index rows = std::min(rows_together, X.size() - first);
      step(*workspace, workspace->rows.take(rows_of(X, first, rows), inputs, sparse()), rows_of(out, first, rows));
    }
  }

  void images(Index layer, const Points& seen, MatrixView<double> to) const {
    if (layer > 0) return map.apply(1, layer, seen, to);
    seen.sparse() ? copy_rows(dense_copy(seen).view(), to) : copy_rows(seen.float64(), to);
  }

  void values(const Points& seen, MatrixView<double> to) const {
    map.apply(1, depth(), seen, to);
    scale_back(outputs, to);
  }

  void scores(const Points& seen, MatrixView<double> to) const {
    const auto found = part(to, 0, to.rows(), to.cols() - width(depth()), width(depth()));
    values(seen, found);
    if (found.cols() == to.cols()) return;
    for (Index i = 0; i < to.rows(); ++i) to(i, 0) = 0.0;  // the logit of the first of two classes
  }

  void probabilities(const Points& seen, MatrixView<double> to) const {
    scores(seen, to);
    parts.meaning == Outputs::logits ? softmax(to, to) : clip_normalise(to);
  }

  void log_probabilities(const Points& seen, MatrixView<double> to) const {
    if (parts.meaning == Outputs::logits) {
      scores(seen, to);
      return log_softmax(to);
    }
    probabilities(seen, to);
    logarithms(to);
  }

  void numbers_of_classes(Workspace& workspace, const Points& seen, MatrixView<double> to) const {
    const auto found = workspace.outputs.take(seen.size(), classes());
    scores(seen, found);
    first_largest(found, to);
  }

  Parts parts;
  LayeredMap map;
  ColumnScaling inputs, outputs;
  Pool<Workspace> workspaces{};
};

Parts parts_of(const Fit& fit, const Samples& training, ColumnScaling inputs, ColumnScaling outputs) {
  return {supported_layers(fit, training), std::move(inputs), std::move(outputs)};
}

Predictor::Predictor(Parts parts) : state_(std::make_shared<const State>(std::move(parts))) {}

const Parts& Predictor::parts() const { return state_->parts; }
const std::vector<ClassLabel>& Predictor::classes() const { return state_->parts.classes; }

Index Predictor::inputs(Verb verb) const {
  const bool has = verb == Verb::predict || verb == Verb::transform || (verb != Verb::inverse_transform && state_->classifies());
  return has ? state_->features() : 0;
}

bool Predictor::takes_sparse(Verb) const { return state_->sparse(); }

Index Predictor::outputs(Verb verb) const {
  if (inputs(verb) == 0) return 0;
  if (verb == Verb::transform) return state_->width(state_->depth() - 1);
  if (!state_->classifies()) return state_->width(state_->depth());
  return verb == Verb::predict ? 1 : state_->classes();
}

void Predictor::images(Index layer, const Points& X, MatrixView<double> out) const {
  const State& state = *state_;
  require(layer >= 0 && layer < state.depth(), "inner layers are 0 to " + std::to_string(state.depth() - 1));
  state.check(X, out, state.width(layer));
  state.for_blocks(X, out, [&](Workspace&, const Points& seen, MatrixView<double> to) { state.images(layer, seen, to); });
}

void Predictor::log_proba(const Points& X, MatrixView<double> out) const {
  const State& state = *state_;
  require(state.classifies(), "a model whose outputs are values has no probabilities");
  state.check(X, out, state.classes());
  state.for_blocks(X, out, [&](Workspace&, const Points& seen, MatrixView<double> to) { state.log_probabilities(seen, to); });
}

void Predictor::compute(Verb verb, const Points& X, MatrixView<double> out) const {
  const State& state = *state_;
  if (verb == Verb::transform) return images(state.depth() - 1, X, out);
  state.for_blocks(X, out, [&](Workspace& workspace, const Points& seen, MatrixView<double> to) {
    if (verb == Verb::scores) return state.scores(seen, to);
    if (verb == Verb::predict_proba) return state.probabilities(seen, to);
    state.classifies() ? state.numbers_of_classes(workspace, seen, to) : state.values(seen, to);
  });
}

}  // namespace gramian::deep_regression
