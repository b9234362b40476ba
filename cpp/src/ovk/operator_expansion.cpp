// SPDX-License-Identifier: BSD-3-Clause
#include "ovk/operator_expansion.hpp"

#include <string>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "gram/rows.hpp"
#include "gramian/base/error.hpp"
#include "gramian/eigen.hpp"
#include "gramian/gram/expansion.hpp"

namespace gramian {

/// One form of kernel with its supports.
struct OperatorExpansion::Node {
  virtual ~Node() = default;
  virtual void apply(const Points& X, MatrixView<double> out) const = 0;

  struct Separable;
  struct Pointwise;
  struct Sum;
  struct Own;
};

/// sum_j k(x, s_j) A v_j.
struct OperatorExpansion::Node::Separable final : Node {
  Separable(const SeparableForm& form, const Samples& supports, const SharedMatrix& V)
      : sum(form.k, supports, turned(form.A, V)) {}
  static SharedMatrix turned(const OutputOperator& A, const SharedMatrix& V) {
    Matrix out(V.rows(), V.cols());
    A.apply(V.view(), out.view());
    return SharedMatrix(std::move(out));
  }
  void apply(const Points& X, MatrixView<double> out) const override { sum.apply(X, out); }

  KernelExpansion sum;
};

/// x ∘ sum_j s_j ∘ v_j.
struct OperatorExpansion::Node::Pointwise final : Node {
  Pointwise(const Samples& supports, const SharedMatrix& V) : sums(1, V.cols()) {
    require(supports.dimension() == V.cols(), "x ∘ x' needs a coordinate for each of " + std::to_string(V.cols()) + " outputs");
    const Matrix y = dense_copy(supports.points());
    const Eigen::RowVectorXd all = as_eigen(y.view()).cwiseProduct(as_eigen(V.view())).colwise().sum();
    as_eigen(sums.view()) = all;
  }
  void apply(const Points& X, MatrixView<double> out) const override {
    const Matrix x = dense_copy(X);
    require_finite(x.view(), "X");
    as_eigen(out) = as_eigen(x.view()) * as_eigen(sums.view()).row(0).asDiagonal();
  }

  Matrix sums;
};

struct OperatorExpansion::Node::Sum final : Node {
  Sum(const SumForm& form, const Samples& supports, const SharedMatrix& V) {
    for (const auto& [factor, K] : form.terms) terms.emplace_back(factor, OperatorExpansion(K, supports, V));
  }
  void apply(const Points& X, MatrixView<double> out) const override {
    Matrix term(out.rows(), out.cols());
    as_eigen(out).setZero();
    for (const auto& [factor, K] : terms) {
      K.apply(X, term.view());
      as_eigen(out) += factor * as_eigen(term.view());
    }
  }

  std::vector<std::pair<double, OperatorExpansion>> terms;
};

/// A kernel of the caller's own.
struct OperatorExpansion::Node::Own final : Node {
  Own(OperatorKernelPointer kernel, Samples supports, SharedMatrix vectors)
      : K(std::move(kernel)), S(std::move(supports)), V(std::move(vectors)) {}
  void apply(const Points& X, MatrixView<double> out) const override { K->apply(X, S.points(), V.view(), out); }

  OperatorKernelPointer K;
  Samples S;
  SharedMatrix V;
};

OperatorExpansion::OperatorExpansion(const OperatorKernelPointer& K, const Samples& supports, const SharedMatrix& V) {
  require_shape(V.view(), supports.size(), K->outputs(), "V");
  const OperatorForm form = K->form();
  if (const auto* separable = std::get_if<SeparableForm>(&form)) {
    node_ = std::make_shared<const Node::Separable>(*separable, supports, V);
  } else if (std::holds_alternative<PointwiseForm>(form)) {
    node_ = std::make_shared<const Node::Pointwise>(supports, V);
  } else if (const auto* sum = std::get_if<SumForm>(&form)) {
    node_ = std::make_shared<const Node::Sum>(*sum, supports, V);
  } else {
    node_ = std::make_shared<const Node::Own>(K, supports, V);
  }
}

void OperatorExpansion::apply(const Points& X, MatrixView<double> out) const { node_->apply(X, out); }

}  // namespace gramian
