// SPDX-License-Identifier: BSD-3-Clause
// New inputs and candidates: weights, scores, and the best of many candidates without all of their scores.
#include <algorithm>
#include <string>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gram/source.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/eigen.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/linalg/triangular.hpp"
#include "models/dependency/predict.hpp"

namespace gramian::dependency {
namespace {

constexpr Index block_rows = 1024;
constexpr Index block_numbers = Index(1) << 22;  // of kernel values at a time
constexpr Index kept_weights = Index(1) << 23;

/// Rows at a time for so many columns.
Index rows_together(Index cols) { return std::clamp<Index>(block_numbers / std::max<Index>(cols, 1), 64, 8 * block_rows); }

template <class F>
void by_blocks(Index rows, Index together, F f) {
  for (Index first = 0; first < rows; first += together) {
    poll_stop();
    f(first, std::min(together, rows - first));
  }
}

/// [KDE] (8): C k_x, and of factors v_yᵀ G u_x in the place of L_yᵀ C k_x.
void weigh(const View& model, MatrixView<const double> cross, MatrixView<double> weights) {
  if (model.input_factor.empty()) {
    gemm(1.0, cross, transposed(model.coefficients), 0.0, weights);
  } else {
    Scratch scratch;
    const MatrixView<double> u = scratch.take(cross.cols(), cross.rows());
    solve_lower(model.input_factor, transposed(cross), u);
    gemm(1.0, transposed(u), transposed(model.coefficients), 0.0, weights);
    solve_lower_transposed(model.output_factor, transposed(weights));
  }
  if (model.centred) as_eigen(weights).array() += 1.0 / static_cast<double>(weights.cols());
}

/// norms: what the diagonal holds already, or what components make of it.
void project_norms(const View& model, MatrixView<const double> cross, MatrixView<double> norms) {
  const Index p = model.components.cols();
  Matrix coordinates(cross.rows(), p);
  if (p > 0) gemm(1.0, cross, model.components, 0.0, coordinates.view());
  auto apart = as_eigen(coordinates.view());
  auto out = as_eigen(norms).col(0);
  if (model.centred) apart.rowwise() -= Eigen::Map<const Eigen::RowVectorXd>(model.mean, p);
  out = apart.rowwise().squaredNorm();
  // Weights have the mean in them; the distance is measured from it.
  if (model.centred) out += 2.0 * as_eigen(cross).rowwise().mean();
}

bool projects(const View& model) { return model.components.rows() > 0; }

/// Calls f(first, cross, norms) for blocks of candidates.
template <class F>
void by_candidates(const View& model, const CrossSource& candidates, F f) {
  Scratch scratch;
  by_blocks(candidates.rows(), rows_together(candidates.cols()), [&](Index first, Index rows) {
    const MatrixView<const double> cross = rows_of(candidates, first, rows, scratch);
    Matrix norms(rows, 1);
    norms_of(model, candidates, first, cross, norms.view());
    f(first, cross, norms.view());
  });
}

Index rows_of_inputs(const View& model) { return std::min(block_rows, rows_together(std::max(model.inputs(), model.outputs()))); }

/// Calls f(first, weights) for blocks of new inputs.
template <class F>
void by_inputs(const View& model, const CrossSource& inputs, F f) {
  Scratch values, room;
  by_blocks(inputs.rows(), rows_of_inputs(model), [&](Index first, Index rows) {
    const MatrixView<double> weights = room.take(rows, model.outputs());
    weigh(model, rows_of(inputs, first, rows, values), weights);
    f(first, weights);
  });
}

/// The same for larger blocks, with which values of candidates are worth while.
template <class F>
void by_many_inputs(const View& model, const CrossSource& inputs, F f) {
  Scratch values, room;
  const Index few = rows_of_inputs(model), many = std::max(few, kept_weights / model.outputs() / few * few);
  by_blocks(inputs.rows(), many, [&](Index first, Index rows) {
    const MatrixView<double> weights = room.take(rows, model.outputs());
    by_blocks(rows, few, [&](Index row, Index count) {
      weigh(model, rows_of(inputs, first + row, count, values), part(weights, row, count, 0, model.outputs()));
    });
    f(first, weights);
  });
}

/// Ascending scores of some candidates, and of later ones that come behind their equals.
void merge(NearestCandidates& best, Index row, const NearestCandidates& more, Index more_row, Index offset, Index filled) {
  std::vector<double> scores;
  std::vector<Index> indices;
  for (Index a = 0, b = 0; static_cast<Index>(scores.size()) < best.count && (a < filled || b < more.count);) {
    const bool first = b == more.count || (a < filled && best.scores(row, a) <= more.scores(more_row, b));
    scores.push_back(first ? best.scores(row, a) : more.scores(more_row, b));
    indices.push_back(first ? best.indices[at(row * best.count + a)] : offset + more.indices[at(more_row * more.count + b)]);
    ++(first ? a : b);
  }
  for (std::size_t c = 0; c < scores.size(); ++c) {
    best.scores(row, static_cast<Index>(c)) = scores[c];
    best.indices[at(row * best.count) + c] = indices[c];
  }
}

}  // namespace

void check_model(const View& model) { require(!model.coefficients.empty(), "the model is empty: fit_dependency makes one"); }

void check_choice(const View& model, const CrossSource& inputs, const CrossSource& candidates, Index count) {
  check_model(model);
  check_source(inputs, model.inputs(), "inputs");
  check_source(candidates, model.outputs(), "candidates");
  require(candidates.rows() > 0, "there are no candidates: pass the training outputs, or others");
  require(count >= 1 && count <= candidates.rows(), "count is " + std::to_string(count) +
                                                        ", it must be from 1 to the number of candidates, " +
                                                        std::to_string(candidates.rows()));
}

void norms_of(const View& model, const CrossSource& candidates, Index first, MatrixView<const double> cross,
              MatrixView<double> norms) {
  if (projects(model)) return project_norms(model, cross, norms);
  diagonal_of(candidates, first, norms);
}

void weights(const View& model, const CrossSource& inputs, MatrixView<double> weights) {
  check_model(model);
  check_source(inputs, model.inputs(), "inputs");
  require_shape(weights, inputs.rows(), model.outputs(), "weights");
  by_inputs(model, inputs, [&](Index first, MatrixView<const double> some) {
    as_eigen(weights).middleRows(first, some.rows()) = as_eigen(some);
  });
}

void scores(const View& model, const CrossSource& inputs, const CrossSource& candidates, MatrixView<double> out) {
  check_model(model);
  check_source(inputs, model.inputs(), "inputs");
  check_source(candidates, model.outputs(), "candidates");
  require_shape(out, inputs.rows(), candidates.rows(), "out");
  by_inputs(model, inputs, [&](Index row, MatrixView<const double> weights) {
    by_candidates(model, candidates, [&](Index first, MatrixView<const double> cross, MatrixView<const double> norms) {
      const MatrixView<double> block = part(out, row, weights.rows(), first, cross.rows());
      as_eigen(block).rowwise() = as_eigen(norms).col(0).transpose();
      // [KDE] (4): l(y, y) - 2 <g(x), Phi(y)>.
      gemm(-2.0, weights, transposed(cross), 1.0, block);
    });
  });
}

NearestCandidates nearest_outputs(const View& model, const CrossSource& inputs, const CrossSource& candidates, Index count) {
  check_choice(model, inputs, candidates, count);
  const Index q = inputs.rows();
  NearestCandidates best{count, std::vector<Index>(static_cast<std::size_t>(checked_product(q, count)), 0), Matrix(q, count)};
  by_many_inputs(model, inputs, [&](Index row, MatrixView<const double> weights) {
    by_candidates(model, candidates, [&](Index first, MatrixView<const double> cross, MatrixView<const double> norms) {
      const NearestCandidates some = nearest_candidates(weights, transposed(cross), norms, std::min(count, cross.rows()));
      for (Index i = 0; i < weights.rows(); ++i) merge(best, row + i, some, i, first, std::min(count, first));
    });
  });
  return best;
}

}  // namespace gramian::dependency
