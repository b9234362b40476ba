// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/models/conditional_mean/landmarks.hpp"

#include <utility>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/memory.hpp"
#include "gramian/linalg/cholesky.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/linalg/triangular.hpp"

namespace gramian::conditional_mean {
namespace {

constexpr Index matrices_of_a_fit = 5;     // of the landmarks: Gram matrix, factor, T, system, F
constexpr double output_tolerance = 1e-9;  // of the trace of the outputs' Gram matrix, where pivots end

double sum_of(MatrixView<const double> weights, Index n) {
  if (weights.empty()) return static_cast<double>(n);
  double sum = 0.0;
  for (Index i = 0; i < n; ++i) sum += weights(i, 0);
  return sum;
}

/// In the coordinates of the basis the system is square + shift I = L Lᵀ, and F = T L.
LandmarkFit solved(const LandmarkBasis& basis, NormalSystem system, double shift) {
  require(shift > 0.0, "the weights must not all be 0");
  const Index k = basis.rank();
  for (Index i = 0; i < k; ++i) system.square(i, i) += shift;
  cholesky_in_place(system.square.view());
  LandmarkFit out{basis.pivots(), Matrix(k, k), std::move(system.right)};
  for (Index i = 0; i < k; ++i) {
    for (Index j = i + 1; j < k; ++j) system.square(i, j) = 0.0;
  }
  gemm(1.0, basis.root(), system.square.view(), 0.0, out.factor.view());
  for (Index i = 0; i < k; ++i) {
    for (Index j = i + 1; j < k; ++j) out.factor(i, j) = 0.0;
  }
  if (out.coefficients.empty()) return out;
  cholesky_solve(std::as_const(system.square).view(), out.coefficients.view());
  basis.divide_transposed(out.coefficients.view());
  return out;
}

template <class Rows>
LandmarkFit fit_of(const Kernel& kernel, const Rows& X, const Points& Z, MatrixView<const double> weights,
                   MatrixView<const double> Y, const Options& options) {
  require_positive(options.lambda, "lambda");
  require(X.size() > 0, "X has no rows");
  require_memory(bytes_of(Z.size(), Z.size(), matrices_of_a_fit), "the embedding", "use fewer landmarks");
  const LandmarkFeatures features(kernel, Z);
  return solved(features.basis(), features.system(X, weights, Y), options.lambda * sum_of(weights, X.size()));
}

/// L_JJ^-1 crossᵀ for the pivots J of the outputs, which span the others; cross: k x s.
Matrix mixing_of(const LandmarkBasis& outputs, MatrixView<const double> cross) {
  Matrix out(outputs.rank(), cross.rows());
  outputs.contract(transposed(cross), out.view());
  outputs.divide_transposed(out.view());
  return out;
}

}  // namespace

LandmarkFit fit_landmarks(const Kernel& kernel, const Points& X, const Points& landmarks, MatrixView<const double> weights,
                          MatrixView<const double> Y, const Options& options) {
  return fit_of(kernel, X, landmarks, weights, Y, options);
}

LandmarkFit fit_landmarks(const Kernel& kernel, const RowSource& X, const Points& landmarks, MatrixView<const double> weights,
                          MatrixView<const double> Y, const Options& options) {
  return fit_of(kernel, X, landmarks, weights, Y, options);
}

SummedFit fit_sums(const Kernel& kernel, const Points& landmarks, const Kernel& output_kernel, const Points& outputs,
                   const NormalSystem& system, double weight, const Options& options) {
  const Index m = landmarks.size(), s = outputs.size();
  require(m > 0 && s > 0, "landmarks and outputs must not be empty");
  require_positive(options.lambda, "lambda");
  require_positive(weight, "weight");
  require_shape(system.square.view(), m, m, "square");
  require_rows(system.right.rows(), system.right.cols(), m, "right");
  require(system.right.cols() >= s, "right must have a column for each output behind those of Y");
  require_finite(system.square.view(), "square");
  require_finite(system.right.view(), "right");
  require_memory(bytes_of(m, m, matrices_of_a_fit) + bytes_of(s, s, matrices_of_a_fit), "the embedding", "use fewer landmarks");
  const double shift = options.lambda * weight;
  const Matrix gram = landmark_gram(kernel, landmarks), output_gram = landmark_gram(output_kernel, outputs);
  const LandmarkBasis basis(gram.view(), normal_tolerance(system.square.view(), gram.view(), shift));
  const LandmarkBasis span(output_gram.view(), output_tolerance);
  const Index k = basis.rank(), targets = system.right.cols() - s;
  Matrix cross(k, s);
  pick_rows(part(system.right.view(), 0, m, targets, s), basis.pivots(), cross.view());
  LandmarkFit found = solved(basis, in_coordinates(basis, system), shift);
  Matrix coefficients(k, targets);
  copy_rows(part(std::as_const(found.coefficients).view(), 0, k, 0, targets), coefficients.view());
  found.coefficients = std::move(coefficients);
  return {std::move(found), span.pivots(), mixing_of(span, cross.view())};
}

}  // namespace gramian::conditional_mean
