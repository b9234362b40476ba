// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/serving/predictor.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/check.hpp"
#include "gram/rows.hpp"
#include "gramian/base/error.hpp"

namespace gramian {
namespace {

constexpr Index rows_together = 1024;  // that are converted at a time

/// The entries of dense rows that are not 0.
class SparseCopy {
 public:
  explicit SparseCopy(MatrixView<const double> X) : cols_(X.cols()) {
    for (Index i = 0; i < X.rows(); ++i) {
      for (Index j = 0; j < X.cols(); ++j) {
        if (X(i, j) == 0.0) continue;
        columns_.push_back(j);
        values_.push_back(X(i, j));
      }
      row_start_.push_back(static_cast<Index>(columns_.size()));
    }
  }

  Points points() const {
    return SparseRows<double>{static_cast<Index>(row_start_.size()) - 1, cols_, row_start_.data(), columns_.data(),
                              values_.data()};
  }

 private:
  Index cols_;
  std::vector<Index> row_start_{0}, columns_;
  std::vector<double> values_;
};

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
  for (Index first = 0; first < X.size(); first += rows_together) {
    const Index rows = std::min(rows_together, X.size() - first);
    compute_converted(verb, rows_of(X, first, rows), rows_of(out, first, rows));
  }
}

void Predictor::compute_converted(Verb verb, const Points& X, MatrixView<double> out) const {
  if (X.sparse()) {
    const Matrix dense = dense_copy(X);
    return compute(verb, Points(dense.view()), out);
  }
  const SparseCopy sparse(X.float64());
  compute(verb, sparse.points(), out);
}

}  // namespace gramian
