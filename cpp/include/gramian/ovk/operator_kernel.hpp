// SPDX-License-Identifier: BSD-3-Clause
// Operator-valued kernels on R^q: K(x, x') is a q x q matrix, [KDE] Def. 1.
#pragma once

#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "gramian/gram/points.hpp"
#include "gramian/kernels/kernel.hpp"
#include "gramian/ovk/output_operator.hpp"

namespace gramian {

/// Something close to (K + lambda I)^-1, symmetric and positive definite.
class GRAMIAN_API OperatorPreconditioner {
 public:
  virtual ~OperatorPreconditioner();
  virtual void apply(MatrixView<const double> V, MatrixView<double> out) const = 0;  ///< n x q, out not overlapping V
};

class OperatorKernel;

/// An operator-valued kernel that several models may share.
using OperatorKernelPointer = std::shared_ptr<const OperatorKernel>;

/// What separable_kernel() makes: k(x, x') A.
struct SeparableForm {
  Kernel k;
  OutputOperator A;
};

/// What pointwise_kernel() makes: diag(x ∘ x').
struct PointwiseForm {
  Index outputs;
};

/// What sum_kernel() makes.
struct SumForm {
  std::vector<std::pair<double, OperatorKernelPointer>> terms;  ///< factors and kernels
};

/// The expression that a kernel is; std::monostate: a kernel of the caller's own.
using OperatorForm = std::variant<std::monostate, SeparableForm, PointwiseForm, SumForm>;

/// K with K(x, x') = K(x', x)ᵀ and a positive semi-definite block matrix for any points; these are of float64, dense or sparse.
class GRAMIAN_API OperatorKernel {
 public:
  virtual ~OperatorKernel();
  virtual Index outputs() const = 0;  ///< q

  /// out = K(x_i, y_j): q x q.
  virtual void block(const Points& X, Index i, const Points& Y, Index j, MatrixView<double> out) const = 0;

  /// Row i of out = sum_j K(x_i, y_j) v_j; V: m x q, out: n x q, not overlapping V. No block matrix is formed.
  virtual void apply(const Points& X, const Points& Y, MatrixView<const double> V, MatrixView<double> out) const = 0;

  /// The block matrix: out(i q + a, j q + b) = K(x_i, y_j)(a, b); n q x m q.
  virtual void matrix(const Points& X, const Points& Y, MatrixView<double> out) const;

  /// out(i, j) = <K(x_i, y_j) g_j, f_i>, as joint_gram() has it; shapes agree.
  virtual void joint(const Points& X, MatrixView<const double> F, const Points& Y, MatrixView<const double> G,
                     MatrixView<double> out) const;

  /// For conjugate gradients on K(X, X) + lambda I; null if there is none, as by default.
  virtual std::unique_ptr<OperatorPreconditioner> preconditioner(const Points& X, double lambda) const;

  /// By default std::monostate.
  virtual OperatorForm form() const;
};

/// k(x, x') A. With A = I the joint kernel of two pairs is k(x, x') <Phi(y), Phi(y')>, the tensor product of [KDE] Sec. 5.2.
/// apply: a product with the Gram matrix of k, O(n m (d + q)).
GRAMIAN_API OperatorKernelPointer separable_kernel(const Kernel& k, const OutputOperator& A);

/// diag(x ∘ x') for points of q coordinates. apply: O((n + m) q).
GRAMIAN_API OperatorKernelPointer pointwise_kernel(Index q);

/// sum_m factor_m K_m. Throws std::invalid_argument if there are none, sizes disagree, or a factor is negative or not finite.
GRAMIAN_API OperatorKernelPointer sum_kernel(std::vector<std::pair<double, OperatorKernelPointer>> terms);

/// (1 - weight) k(x, x') I + weight diag(x ∘ x'), 0 <= weight <= 1: diagonal regularization, [KDE] Sec. 5.2.
GRAMIAN_API OperatorKernelPointer diagonal_regularization(const Kernel& k, double weight, Index q);

/// out(i, j) = <K(x_i, y_j) g_j, f_i>, the joint kernel of pairs (x_i, f_i) and (y_j, g_j), [KDE] Sec. 5.2: n x m.
/// F: n x q and G: m x q are features of outputs. The kernels here take O(n m (d + q) + m q^2); O(n m q^2), block by block,
/// for one that has no joint() of its own.
GRAMIAN_API void joint_gram(const OperatorKernel& K, const Points& X, MatrixView<const double> F, const Points& Y,
                            MatrixView<const double> G, MatrixView<double> out);

/// C_YY = FᵀF / n, [KDE] (6), for F: n x q, features of outputs in rows. It is not centred.
GRAMIAN_API OutputOperator covariance_operator(MatrixView<const double> F);
/// C_YY|X = epsilon Fᵀ (k + n epsilon I)^-1 F, [KDE] (7) with a regularised inverse: Fᵀ (I - (k + n epsilon I)^-1 k) F / n. k: n
/// x n.
GRAMIAN_API OutputOperator conditional_covariance_operator(MatrixView<const double> F, MatrixView<const double> k,
                                                           double epsilon);

/// R: n x r with R Rᵀ = L: features of the training outputs in an orthonormal basis of what they span, r its dimension up to
/// rounding. O(n^3). Throws std::invalid_argument if L is not symmetric and positive semi-definite.
GRAMIAN_API Matrix span_coordinates(MatrixView<const double> L);

}  // namespace gramian
