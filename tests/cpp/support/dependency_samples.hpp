// SPDX-License-Identifier: BSD-3-Clause
// Samples whose outputs are vectors with a linear kernel: predictions in the feature space can be written down.
#pragma once

#include <vector>

#include "gramian/gram/full.hpp"
#include "gramian/models/dependency.hpp"
#include "support/dense.hpp"
#include "support/dependency_problem.hpp"

namespace dependency_data {

using gramian::CrossSource;
using gramian::GramSource;
using gramian::Kernel;
using gramian::Points;
using gramian::view;
using support::gram;

inline Kernel gaussian() { return Kernel("gaussian", {0.6}); }
inline Kernel linear() { return Kernel("linear", {}); }

struct Samples {
  Matrix X, Y;
};

/// Outputs are smooth functions of inputs, with some noise.
inline Samples samples(Index n, std::uint64_t seed, Index coordinates = 4) {
  const Matrix X = normal(n, 2, seed);
  Matrix Y = 0.05 * normal(n, coordinates, seed + 100);
  for (Index i = 0; i < n; ++i) {
    for (Index c = 0; c < coordinates; ++c) Y(i, c) += std::sin(X(i, 0) * static_cast<double>(c + 1)) + X(i, 1);
  }
  return {X, Y};
}

inline gramian::dependency::Options with(Kind kind, double lambda = 0.02) {
  gramian::dependency::Options options;
  options.output_operator = operator_of(kind);
  options.lambda = lambda;
  return options;
}

inline gramian::dependency::Options with_ranks(gramian::dependency::Options options, Index inputs, Index outputs,
                                               double tolerance = 0.0) {
  options.ranks.emplace();
  options.ranks->inputs.max_rank = inputs;
  options.ranks->outputs.max_rank = outputs;
  options.ranks->inputs.tolerance = options.ranks->outputs.tolerance = tolerance;
  return options;
}

inline std::vector<Index> supports(const std::vector<Index>& named, Index n) {
  std::vector<Index> all = named;
  for (Index i = 0; named.empty() && i < n; ++i) all.push_back(i);
  return all;
}

inline Matrix rows_of(const Matrix& A, const std::vector<Index>& rows) {
  Matrix out(static_cast<Index>(rows.size()), A.cols());
  for (Index i = 0; i < out.rows(); ++i) out.row(i) = A.row(rows[static_cast<std::size_t>(i)]);
  return out;
}

/// g of new inputs for a linear output kernel: weights times Y.
inline Matrix predictions(const gramian::dependency::Model& model, const Samples& training, const Matrix& fresh) {
  const Index n = training.X.rows();
  const Matrix X = rows_of(training.X, supports(model.input_supports, n)),
               Y = rows_of(training.Y, supports(model.output_supports, n));
  Matrix weights(fresh.rows(), Y.rows());
  gramian::dependency::weights(model, CrossSource(gaussian(), Points(view(fresh)), Points(view(X))), view(weights));
  return weights * Y;
}

/// The non-zeros of a dense matrix.
struct Sparse {
  explicit Sparse(const Matrix& from) : rows(from.rows()), cols(from.cols()), start{0} {
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < cols; ++j) {
        if (from(i, j) == 0.0) continue;
        columns.push_back(j);
        values.push_back(from(i, j));
      }
      start.push_back(static_cast<Index>(columns.size()));
    }
  }
  Points points() const { return Points(gramian::SparseRows<double>{rows, cols, start.data(), columns.data(), values.data()}); }
  Index rows, cols;
  std::vector<Index> start, columns;
  std::vector<double> values;
};

}  // namespace dependency_data
