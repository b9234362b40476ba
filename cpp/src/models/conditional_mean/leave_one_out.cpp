// SPDX-License-Identifier: BSD-3-Clause
// What embeddings miss of samples that are left out one at a time, for many lambdas at once.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gram/rows.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/memory.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/linalg/symmetry.hpp"
#include "gramian/models/conditional_mean/landmarks.hpp"
#include "models/conditional_mean/spectrum.hpp"
#include "ovk/separable_parts.hpp"

namespace gramian::conditional_mean {
namespace {

constexpr Index rows_together = 1536, matrices_of_features = 8;
constexpr double seconds_per_number = 2e-9;

double weight_of(MatrixView<const double> weights, Index i) { return weights.empty() ? 1.0 : weights(i, 0); }

/// The sum of all weights; throws unless two samples count, as one of them is left out.
double total_of(MatrixView<const double> weights, Index n) {
  double total = 0.0, largest = 0.0;
  for (Index i = 0; i < n; ++i) {
    const double weight = weight_of(weights, i);
    require(weight >= 0.0, "weights must not be negative");
    total += weight;
    largest = std::max(largest, weight);
  }
  require(total > largest, "leaving one out needs two samples of weights above 0");
  return total;
}

double product_of(MatrixView<const double> A, MatrixView<const double> B, Index i) {
  double sum = 0.0;
  for (Index j = 0; j < A.cols(); ++j) sum += A(i, j) * B(i, j);
  return sum;
}

/// out(i, a) = in(i, a) / (D_a + shift_i), where shift_i is lambda times the weight of all others.
void divide_rows(MatrixView<const double> in, const Matrix& D, double lambda, double total, MatrixView<const double> weights,
                 MatrixView<double> out) {
  for_rows(in.rows(), in.cols(), [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      const double shift = lambda * (total - weight_of(weights, i));
      for (Index a = 0; a < in.cols(); ++a) out(i, a) = in(i, a) / (D(a, 0) + shift);
    }
  });
}

MatrixView<const double> some_weights(MatrixView<const double> weights, Index first, Index rows) {
  return weights.empty() ? weights : rows_of(weights, first, rows);
}

/// Some samples in the coordinates of the landmarks.
struct Chunk {
  Points X, Y;
  MatrixView<const double> weights;
  Matrix features;  ///< of the outputs

  Chunk(const LandmarkFeatures& outputs, const Points& inputs, const Points& all, MatrixView<const double> w, Index first,
        Index rows)
      : X(rows_of(inputs, first, rows)),
        Y(rows_of(all, first, rows)),
        weights(some_weights(w, first, rows)),
        features(rows, outputs.rank()) {
    outputs.apply(Y, features.view());
  }
};

/// run(chunk) for all samples.
template <class Run>
void by_chunks(const LandmarkFeatures& outputs, const Points& X, const Points& Y, MatrixView<const double> weights, Run run) {
  for (Index first = 0; first < X.size(); first += rows_together) {
    poll_stop();
    run(Chunk(outputs, X, Y, weights, first, std::min(rows_together, X.size() - first)));
  }
}

NormalSystem system_of(const LandmarkFeatures& inputs, const Points& X, const LandmarkFeatures& outputs, const Points& Y,
                       MatrixView<const double> weights) {
  NormalSystem sum{Matrix::filled(inputs.rank(), inputs.rank(), 0.0), Matrix::filled(inputs.rank(), outputs.rank(), 0.0), {}};
  by_chunks(outputs, X, Y, weights, [&](const Chunk& chunk) {
    const NormalSystem some = inputs.system(chunk.X, chunk.weights, chunk.features.view());
    add_rows(some.square.view(), sum.square.view());
    add_rows(some.right.view(), sum.right.view());
  });
  return sum;
}

/// With square = Q diag(D) Qᵀ and the hat value h = w phiᵀ (square + shift I)^-1 phi of a sample, psi its output, mu its
/// prediction by all: without the sample it is (mu - h psi) / (1 - h).
class Spanned {
 public:
  Spanned(const LandmarkFeatures& inputs, const LandmarkFeatures& outputs, NormalSystem system)
      : inputs_(inputs),
        outputs_(outputs),
        D_(inputs.rank(), 1),
        Q_(inputs.rank(), inputs.rank()),
        turned_(inputs.rank(), outputs.rank()) {
    decompose(system.square.view(), D_, Q_, "square");
    gemm(1.0, transposed(Q_.view()), system.right.view(), 0.0, turned_.view());
  }

  /// out(0, l) += the weighted losses of some samples.
  void add(const Chunk& chunk, const Grid& grid, double total, MatrixView<double> out) const {
    const Index rows = chunk.X.size();
    Matrix features(rows, inputs_.rank()), phi(rows, inputs_.rank()), mu(rows, outputs_.rank()), norms(rows, 1);
    inputs_.apply(chunk.X, features.view());
    gemm(1.0, features.view(), Q_.view(), 0.0, phi.view());
    diagonal(outputs_.kernel(), chunk.Y, norms.view());
    for (Index l = 0; l < out.cols(); ++l) {
      divide_rows(phi.view(), D_, grid.lambdas[at(l)], total, chunk.weights, features.view());
      gemm(1.0, features.view(), turned_.view(), 0.0, mu.view());
      out(0, l) += sum_of(chunk, norms, phi, features, mu);
    }
  }

 private:
  static double sum_of(const Chunk& chunk, const Matrix& norms, const Matrix& phi, const Matrix& divided, const Matrix& mu) {
    Matrix losses(norms.rows(), 1);
    parallel_for(norms.rows(), seconds_per_number * static_cast<double>(phi.cols() + 3 * mu.cols()), [&](Index i, int) {
      const double weight = weight_of(chunk.weights, i), h = weight * product_of(phi.view(), divided.view(), i);
      const double left = std::max(1.0 - h, std::numeric_limits<double>::epsilon());
      const MatrixView<const double> psi = chunk.features.view();
      const double pp = product_of(psi, psi, i), pm = product_of(psi, mu.view(), i), mm = product_of(mu.view(), mu.view(), i);
      const double inner = (pm - h * pp) / left, square = (mm - 2.0 * h * pm + h * h * pp) / (left * left);
      losses(i, 0) = weight * (norms(i, 0) - 2.0 * inner + square);
    });
    double sum = 0.0;
    for (Index i = 0; i < losses.rows(); ++i) sum += losses(i, 0);
    return sum;
  }

  const LandmarkFeatures& inputs_;
  const LandmarkFeatures& outputs_;
  Matrix D_, Q_, turned_;
};

void check_grid(const Grid& grid, MatrixView<const double> out) {
  check_lambdas(grid.lambdas);
  require(!grid.regularised, "leaving one out has no regularised loss");
  require_shape(out, 1, static_cast<Index>(grid.lambdas.size()), "out");
}

/// S A S for the roots of the weights in S.
Matrix scaled(MatrixView<const double> A, MatrixView<const double> weights) {
  Matrix out(A.rows(), A.cols());
  for_entries(out.view(), [&](Index i, Index j) {
    out(i, j) = A(i, j) * std::sqrt(weight_of(weights, i)) * std::sqrt(weight_of(weights, j));
  });
  return out;
}

}  // namespace

void leave_one_out_losses(const LandmarkFeatures& inputs, const Points& X, const LandmarkFeatures& outputs, const Points& Y,
                          MatrixView<const double> weights, const Grid& grid, MatrixView<double> out) {
  check_grid(grid, out);
  require(Y.size() == X.size(), "X and Y must have as many rows");
  if (!weights.empty()) require_shape(weights, X.size(), 1, "weights");
  const Index k = inputs.rank(), s = outputs.rank();
  require_memory(bytes_of(k, k, 4) + bytes_of(k, s, 2) + bytes_of(std::min(rows_together, X.size()), k + s, matrices_of_features),
                 "the leave-one-out losses", "use fewer landmarks");
  const double total = total_of(weights, X.size());
  const Spanned span(inputs, outputs, system_of(inputs, X, outputs, Y, weights));
  fill_zero(out);
  by_chunks(outputs, X, Y, weights, [&](const Chunk& chunk) { span.add(chunk, grid, total, out); });
  for (Index l = 0; l < out.cols(); ++l) out(0, l) /= total;
}

/// With C = (S K S + shift I)^-1 the residual of a sample that is left out is sum_j C_ij s_j l(y_j, .) / C_ii.
void leave_one_out_losses(MatrixView<const double> K, MatrixView<const double> L, MatrixView<const double> weights,
                          const Grid& grid, MatrixView<double> out) {
  check_grid(grid, out);
  const Index n = K.rows();
  require(n > 0, "there are no training samples");
  require_symmetric(K, symmetry_tolerance, "K");
  require_shape(L, n, n, "L");
  require_symmetric(L, symmetry_tolerance, "L");
  require_finite(K, "K");
  require_finite(L, "L");
  if (!weights.empty()) require_shape(weights, n, 1, "weights");
  const double total = total_of(weights, n);
  require_square_memory(n, 6);
  Matrix D(n, 1), Q(n, n), M(n, n), image = scaled(K, weights);
  decompose(std::as_const(image).view(), D, Q, "K");
  const Matrix own = scaled(L, weights);
  gemm(1.0, own.view(), Q.view(), 0.0, image.view());
  gemm(1.0, transposed(Q.view()), image.view(), 0.0, M.view());
  Matrix divided(n, n), losses(n, 1);
  for (Index l = 0; l < out.cols(); ++l) {
    poll_stop();
    divide_rows(Q.view(), D, grid.lambdas[at(l)], total, weights, divided.view());
    gemm(1.0, divided.view(), M.view(), 0.0, image.view());
    parallel_for(n, seconds_per_number * 2.0 * static_cast<double>(n), [&](Index i, int) {
      const double own_entry = product_of(Q.view(), divided.view(), i);
      losses(i, 0) = product_of(divided.view(), image.view(), i) / (own_entry * own_entry);
    });
    double sum = 0.0;
    for (Index i = 0; i < n; ++i) sum += losses(i, 0);
    out(0, l) = sum / total;
  }
}

}  // namespace gramian::conditional_mean
