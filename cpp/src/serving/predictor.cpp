// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/serving/predictor.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "base/check.hpp"
#include "gram/rows.hpp"
#include "gram/scaled_rows.hpp"
#include "gramian/base/error.hpp"

namespace gramian {
namespace {

constexpr Index rows_together = 1024;  // that are converted at a time

}  // namespace

const char* name_of(Verb verb) {
  switch (verb) {
    case Verb::predict: return "predict";
    case Verb::predict_proba: return "predict_proba";
    case Verb::transform: return "transform";
    case Verb::inverse_transform: return "inverse_transform";
    case Verb::scores: return "scores";
  }
  return "unknown";
}

Predictor::~Predictor() = default;

bool Predictor::takes_sparse(Verb) const { return false; }

const std::vector<ClassLabel>& Predictor::classes() const {
  static const std::vector<ClassLabel> none;
  return none;
}

void Predictor::apply(Verb verb, const Points& X, MatrixView<double> out) const {
  const Index features = inputs(verb);
  if (features == 0) throw std::invalid_argument(std::string("a model of the family ") + family() + " has no " + name_of(verb));
  if (X.dimension() != features) {
    throw std::invalid_argument("X has " + std::to_string(X.dimension()) + " features, and " + name_of(verb) +
                                " of this model takes " + std::to_string(features));
  }
  require(X.scalar() == Scalar::float64, "X must be of float64");
  require_shape(out, X.size(), outputs(verb), "out");
  if (out.empty()) return;
  if (X.sparse() == takes_sparse(verb)) return compute(verb, X, out);
  ScaledRows converted;
  for (Index first = 0; first < X.size(); first += rows_together) {
    const Index rows = std::min(rows_together, X.size() - first);
    compute(verb, converted.take(rows_of(X, first, rows), {}, !X.sparse()), rows_of(out, first, rows));
  }
}

}  // namespace gramian
