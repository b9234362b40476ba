// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/landmark_features.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gram/normal_accumulator.hpp"
#include "gram/row_chunks.hpp"
#include "gram/rows.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/memory.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/gram/full.hpp"

namespace gramian {
namespace {

constexpr double rounding_factor = 1e3, least_tolerance = 1e-12, most_tolerance = 1e-4;
constexpr Index rows_together = 1536;
constexpr Index matrices_of_a_basis = 3;  // the Gram matrix, its factor, T

Matrix gram_of(const Kernel& kernel, const Points& C) {
  require(C.size() > 0, "landmarks are empty: there must be at least one");
  require_memory(bytes_of(C.size(), C.size(), matrices_of_a_basis), "the Gram matrix of the landmarks", "use fewer landmarks");
  return landmark_gram(kernel, C);
}

double trace_of(MatrixView<const double> A) {
  double sum = 0.0;
  for (Index i = 0; i < A.rows(); ++i) sum += A(i, i);
  return sum;
}

void check_rows(const Points& X, const Points& C) { require_alike(X, C); }
void check_rows(const RowSource& X, const Points& C) {
  require(!C.sparse(), "the landmarks are sparse: rows that are read a block at a time take dense ones");
  require(X.dimension() == C.dimension(), "X has " + std::to_string(X.dimension()) + " features, the landmarks have " +
                                              std::to_string(C.dimension()) + ": they must be the same");
}

}  // namespace

struct LandmarkFeatures::State {
  State(const Kernel& k, const Points& C, double tolerance)
      : kernel(k), basis(gram_of(k, C).view(), tolerance), pivots(PointSource(C), basis.pivots()) {}

  template <class Rows>
  NormalSystem system(const Rows& X, MatrixView<const double> weights, MatrixView<const double> Y) const {
    check_rows(X, pivots.points());
    require_weights_and_targets(weights, Y, X.size(), Y.cols());
    const Index k = basis.rank();
    require_memory(bytes_of(k, k, 2), "the normal system", "use fewer landmarks");
    NormalAccumulator sum(kernel, pivots.points(), Y.cols(), basis);
    for_chunks(X, sum.chunk_rows(), Scalar::float64, [&](const Points& some, Index first) {
      poll_stop();
      sum.add(some, some_weights(weights, first, some.size()), some_targets(Y, first, some.size()), first);
    });
    NormalSystem out{Matrix(k, k), Matrix(k, Y.cols()), {}};
    sum.write(out.square.view(), out.right.view(), out.y_square);
    return out;
  }

  Kernel kernel;
  LandmarkBasis basis;
  PickedRows pivots;
};

LandmarkFeatures::LandmarkFeatures(const Kernel& kernel, const Points& C, double tolerance) {
  require(C.scalar() == Scalar::float64, "landmarks must be of float64");
  state_ = std::make_shared<const State>(kernel, C, tolerance);
}

const Kernel& LandmarkFeatures::kernel() const { return state_->kernel; }
const LandmarkBasis& LandmarkFeatures::basis() const { return state_->basis; }
Points LandmarkFeatures::pivots() const { return state_->pivots.points(); }

void LandmarkFeatures::apply(const Points& X, MatrixView<double> out) const {
  check_rows(X, pivots());
  require_shape(out, X.size(), rank(), "out");
  // Blocks are whole from the first row on, as the last bits of a solution may depend on how many columns there are.
  for (Index first = 0; first < X.size(); first += rows_together) {
    poll_stop();
    const Index rows = std::min(rows_together, X.size() - first);
    const MatrixView<double> some = rows_of(out, first, rows);
    full(state_->kernel, rows_of(X, first, rows), pivots(), some);
    basis().divide(transposed(some));
  }
}

NormalSystem LandmarkFeatures::system(const Points& X, MatrixView<const double> weights, MatrixView<const double> Y) const {
  return state_->system(X, weights, Y);
}
NormalSystem LandmarkFeatures::system(const RowSource& X, MatrixView<const double> weights, MatrixView<const double> Y) const {
  return state_->system(X, weights, Y);
}

Matrix landmark_gram(const Kernel& kernel, const Points& C) {
  Matrix out(C.size(), C.size());
  if (C.scalar() == Scalar::float64) {
    full(kernel, C, out.view());
    return out;
  }
  require(!C.sparse(), "landmarks of float32 must be dense");
  Matrix copy(C.size(), C.dimension());
  for_entries(copy.view(), [&](Index i, Index j) { copy(i, j) = static_cast<double>(C.float32()(i, j)); });
  full(kernel, Points(copy.view()), out.view());
  return out;
}

double normal_tolerance(MatrixView<const double> square, MatrixView<const double> gram, double shift) {
  const double squares = trace_of(square), grams = trace_of(gram);
  const double rounding = grams > 0.0 ? std::numeric_limits<double>::epsilon() * squares / grams / shift : 0.0;
  return std::clamp(rounding_factor * rounding, least_tolerance, most_tolerance);
}

NormalSystem in_coordinates(const LandmarkBasis& basis, const NormalSystem& system) {
  const Index k = basis.rank(), m = basis.landmarks();
  NormalSystem out{Matrix(k, k), Matrix(k, system.right.cols()), system.y_square};
  Matrix half(k, m);
  basis.contract(system.square.view(), half.view());
  basis.contract(transposed(half.view()), out.square.view());
  if (!out.right.empty()) basis.contract(system.right.view(), out.right.view());
  return out;
}

}  // namespace gramian
