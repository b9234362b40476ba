// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/ovk/operator_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gram/rows.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/eigen.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/gram/product.hpp"
#include "gramian/linalg/cholesky.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/linalg/symmetry.hpp"
#include "ovk/separable_parts.hpp"
#include "ovk/separable_preconditioner.hpp"

namespace gramian {
namespace {

constexpr Index joint_rows = 256;

void check_action(const OperatorKernel& K, const Points& X, const Points& Y, MatrixView<const double> V, MatrixView<double> out) {
  require_shape(V, Y.size(), K.outputs(), "V");
  require_shape(out, X.size(), K.outputs(), "out");
}

class Separable final : public OperatorKernel {
 public:
  Separable(const Kernel& k, const OutputOperator& A) : k_(k), A_(A) {}
  Index outputs() const override { return A_.size(); }

  void block(const Points& X, Index i, const Points& Y, Index j, MatrixView<double> out) const override {
    require_shape(out, outputs(), outputs(), "out");
    double value = 0.0;
    full(k_, rows_of(X, i, 1), rows_of(Y, j, 1), MatrixView<double>(&value, 1, 1));
    as_eigen(out).setZero();
    as_eigen(out).diagonal().setConstant(value);
    A_.apply(out, out);
  }

  /// [KDE] (2): sum_j k(x, y_j) A v_j.
  void apply(const Points& X, const Points& Y, MatrixView<const double> V, MatrixView<double> out) const override {
    check_action(*this, X, Y, V, out);
    Matrix turned(V.rows(), V.cols());
    A_.apply(V, turned.view());
    same_points(X, Y) ? product(k_, X, turned.view(), out) : product(k_, X, Y, turned.view(), out);
  }

  void matrix(const Points& X, const Points& Y, MatrixView<double> out) const override {
    const Index q = outputs();
    require_shape(out, X.size() * q, Y.size() * q, "out");
    Matrix gram(X.size(), Y.size()), A(q, q);
    full(k_, X, Y, gram.view());
    as_eigen(A.view()).setIdentity();
    A_.apply(A.view(), A.view());
    parallel_for(out.rows(), 1e-9 * static_cast<double>(out.cols()), [&](Index row, int) {
      for (Index col = 0; col < out.cols(); ++col) out(row, col) = gram(row / q, col / q) * A(row % q, col % q);
    });
  }

  /// k(X, Y) ∘ (F A Gᵀ), some rows at a time.
  void joint(const Points& X, MatrixView<const double> F, const Points& Y, MatrixView<const double> G,
             MatrixView<double> out) const override {
    Matrix turned(G.rows(), G.cols()), inner(std::min(joint_rows, X.size()), Y.size());
    A_.apply(G, turned.view());
    full(k_, X, Y, out);
    for (Index first = 0; first < X.size(); first += joint_rows) {
      const Index rows = std::min(joint_rows, X.size() - first);
      gemm(1.0, part(F, first, rows, 0, F.cols()), transposed(turned.view()), 0.0, part(inner.view(), 0, rows, 0, Y.size()));
      parallel_for(rows, 1e-9 * static_cast<double>(Y.size()), [&](Index i, int) {
        for (Index j = 0; j < Y.size(); ++j) out(first + i, j) *= inner(i, j);
      });
    }
  }

  std::unique_ptr<OperatorPreconditioner> preconditioner(const Points& X, double lambda) const override {
    return separable_preconditioner(k_, A_, X, lambda);
  }

  OperatorForm form() const override { return SeparableForm{k_, A_}; }

 private:
  Kernel k_;
  OutputOperator A_;
};

class Pointwise final : public OperatorKernel {
 public:
  explicit Pointwise(Index q) : q_(q) {}
  Index outputs() const override { return q_; }

  void block(const Points& X, Index i, const Points& Y, Index j, MatrixView<double> out) const override {
    require_shape(out, q_, q_, "out");
    const Matrix x = coordinates(rows_of(X, i, 1)), y = coordinates(rows_of(Y, j, 1));
    as_eigen(out).setZero();
    as_eigen(out).diagonal() = as_eigen(x.view()).cwiseProduct(as_eigen(y.view())).transpose();
  }

  void apply(const Points& X, const Points& Y, MatrixView<const double> V, MatrixView<double> out) const override {
    check_action(*this, X, Y, V, out);
    const Matrix x = coordinates(X), y = coordinates(Y);
    const Eigen::RowVectorXd sums = as_eigen(y.view()).cwiseProduct(as_eigen(V)).colwise().sum();
    as_eigen(out) = as_eigen(x.view()) * sums.asDiagonal();
  }

  void joint(const Points& X, MatrixView<const double> F, const Points& Y, MatrixView<const double> G,
             MatrixView<double> out) const override {
    Matrix x = coordinates(X), y = coordinates(Y);
    as_eigen(x.view()).array() *= as_eigen(F).array();
    as_eigen(y.view()).array() *= as_eigen(G).array();
    gemm(1.0, x.view(), transposed(y.view()), 0.0, out);
  }

  OperatorForm form() const override { return PointwiseForm{q_}; }

 private:
  Matrix coordinates(const Points& X) const {
    require(X.dimension() == q_, "points have " + std::to_string(X.dimension()) + " coordinates, x ∘ x' needs one for each of " +
                                     std::to_string(q_) + " outputs");
    return dense_copy(X);
  }
  Index q_;
};

class Sum final : public OperatorKernel {
 public:
  explicit Sum(std::vector<std::pair<double, OperatorKernelPointer>> terms) : terms_(std::move(terms)) {}
  Index outputs() const override { return terms_.front().second->outputs(); }

  void block(const Points& X, Index i, const Points& Y, Index j, MatrixView<double> out) const override {
    add(out, [&](const OperatorKernel& K, MatrixView<double> term) { K.block(X, i, Y, j, term); });
  }
  void apply(const Points& X, const Points& Y, MatrixView<const double> V, MatrixView<double> out) const override {
    check_action(*this, X, Y, V, out);
    add(out, [&](const OperatorKernel& K, MatrixView<double> term) { K.apply(X, Y, V, term); });
  }
  void matrix(const Points& X, const Points& Y, MatrixView<double> out) const override {
    add(out, [&](const OperatorKernel& K, MatrixView<double> term) { K.matrix(X, Y, term); });
  }
  void joint(const Points& X, MatrixView<const double> F, const Points& Y, MatrixView<const double> G,
             MatrixView<double> out) const override {
    add(out, [&](const OperatorKernel& K, MatrixView<double> term) { K.joint(X, F, Y, G, term); });
  }

  /// That of one term: the others are positive, and what they add is for the iterations. For f K + lambda I, K + (lambda / f) I.
  std::unique_ptr<OperatorPreconditioner> preconditioner(const Points& X, double lambda) const override {
    for (const auto& [factor, K] : terms_) {
      if (!(factor > 0.0)) continue;
      if (auto found = K->preconditioner(X, lambda / factor)) return found;
    }
    return nullptr;
  }

  OperatorForm form() const override { return SumForm{terms_}; }

 private:
  template <class F>
  void add(MatrixView<double> out, F compute) const {
    Matrix term(out.rows(), out.cols());
    as_eigen(out).setZero();
    for (const auto& [factor, K] : terms_) {
      compute(*K, term.view());
      as_eigen(out) += factor * as_eigen(term.view());
    }
  }
  std::vector<std::pair<double, OperatorKernelPointer>> terms_;
};

void require_features(MatrixView<const double> F) {
  require(!F.empty(), "F is empty: a covariance needs at least one sample and one feature");
  require_finite(F, "F");
}

/// HᵀH
OutputOperator square(MatrixView<const double> H, double factor) {
  Matrix out(H.cols(), H.cols());
  gemm_symmetric(factor, transposed(H), 0.0, out.view());
  return OutputOperator::full(out.view());
}

}  // namespace

OperatorPreconditioner::~OperatorPreconditioner() = default;
OperatorKernel::~OperatorKernel() = default;

std::unique_ptr<OperatorPreconditioner> OperatorKernel::preconditioner(const Points&, double) const { return nullptr; }

OperatorForm OperatorKernel::form() const { return {}; }

void OperatorKernel::matrix(const Points& X, const Points& Y, MatrixView<double> out) const {
  const Index q = outputs();
  require_shape(out, X.size() * q, Y.size() * q, "out");
  parallel_for(X.size(), 1e-7 * static_cast<double>(Y.size() * q * q), [&](Index i, int) {
    for (Index j = 0; j < Y.size(); ++j) block(X, i, Y, j, part(out, i * q, q, j * q, q));
  });
}

/// [KDE] (5), (7): with A one of the covariance operators.
OperatorKernelPointer separable_kernel(const Kernel& k, const OutputOperator& A) { return std::make_shared<Separable>(k, A); }

OperatorKernelPointer pointwise_kernel(Index q) {
  require(q >= 1, "q must be at least 1");
  return std::make_shared<Pointwise>(q);
}

OperatorKernelPointer sum_kernel(std::vector<std::pair<double, OperatorKernelPointer>> terms) {
  require(!terms.empty(), "a sum of kernels needs at least one");
  for (const auto& [factor, K] : terms) {
    require(K != nullptr && std::isfinite(factor) && factor >= 0.0, "factors of kernels must be finite, and 0 or greater");
    require(K->outputs() == terms.front().second->outputs(), "kernels of a sum must have the same number of outputs");
  }
  return std::make_shared<Sum>(std::move(terms));
}

/// [KDE] Sec. 5.2: (1 - weight) k(x, x') I + weight diag(x ∘ x').
OperatorKernelPointer diagonal_regularization(const Kernel& k, double weight, Index q) {
  require(weight >= 0.0 && weight <= 1.0, "weight must be from 0 to 1");
  return sum_kernel({{1.0 - weight, separable_kernel(k, OutputOperator::identity(q))}, {weight, pointwise_kernel(q)}});
}

void OperatorKernel::joint(const Points& X, MatrixView<const double> F, const Points& Y, MatrixView<const double> G,
                           MatrixView<double> out) const {
  const Index q = outputs();
  parallel_for(X.size(), 1e-7 * static_cast<double>(Y.size() * q * q), [&](Index i, int) {
    Matrix K(q, q);
    for (Index j = 0; j < Y.size(); ++j) {
      block(X, i, Y, j, K.view());
      out(i, j) = as_eigen(F).row(i).dot(as_eigen(K.view()) * as_eigen(G).row(j).transpose());
    }
  });
}

/// [KDE] Sec. 5.2: <K(x, y) g, f>.
void joint_gram(const OperatorKernel& K, const Points& X, MatrixView<const double> F, const Points& Y, MatrixView<const double> G,
                MatrixView<double> out) {
  require_shape(F, X.size(), K.outputs(), "F");
  require_shape(G, Y.size(), K.outputs(), "G");
  require_shape(out, X.size(), Y.size(), "out");
  if (!out.empty()) K.joint(X, F, Y, G, out);
}

/// [KDE] (6): FᵀF / n.
OutputOperator covariance_operator(MatrixView<const double> F) {
  require_features(F);
  return square(F, 1.0 / static_cast<double>(F.rows()));
}

/// [KDE] (7): epsilon Fᵀ (k + n epsilon I)^-1 F.
OutputOperator conditional_covariance_operator(MatrixView<const double> F, MatrixView<const double> k, double epsilon) {
  require_features(F);
  check_operator(ConditionalOperator{epsilon});
  const Index n = F.rows();
  require_shape(k, n, n, "k");
  require_finite(k, "k");
  Matrix shifted = Matrix::copy_of(k), H = Matrix::copy_of(F);
  as_eigen(shifted.view()).diagonal().array() += static_cast<double>(n) * epsilon;
  Cholesky(shifted.view()).solve_lower(H.view());
  return square(H.view(), epsilon);
}

Matrix span_coordinates(MatrixView<const double> L) {
  const Index n = L.rows();
  require(n > 0, "L must have at least one row");
  require_symmetric(L, symmetry_tolerance, "L");
  require_finite(L, "L");
  Matrix values, vectors;
  decompose(L, values, vectors, "L");
  Index first = 0;
  while (first < n && values(first, 0) <= rounding_of(n) * values(n - 1, 0)) ++first;
  Matrix out(n, n - first);
  const Eigen::VectorXd roots = as_eigen(values.view()).col(0).tail(n - first).cwiseSqrt();
  as_eigen(out.view()) = (as_eigen(vectors.view()).rightCols(n - first) * roots.asDiagonal()).rowwise().reverse();
  return out;
}

}  // namespace gramian
