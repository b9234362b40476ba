// SPDX-License-Identifier: BSD-3-Clause
// Sums against fixed supports have the bits of the kernel's own action, for every form of kernel.
#include "ovk/operator_expansion.hpp"

#include <limits>
#include <vector>

#include "support/any_threads.hpp"
#include "support/check.hpp"
#include "support/dependency_samples.hpp"

using namespace gramian;
using dependency_data::Sparse;
using gramian::view;
using spectral::normal;
using Dense = spectral::Matrix;

namespace {

/// (1 + <x, y>) for all pairs of outputs: a form that the engine does not know.
struct Constant final : OperatorKernel {
  Index outputs() const override { return 3; }
  void block(const Points& X, Index i, const Points& Y, Index j, MatrixView<double> out) const override {
    const double value = 1.0 + X.float64()(i, 0) * Y.float64()(j, 0);
    for (Index a = 0; a < 3; ++a) {
      for (Index b = 0; b < 3; ++b) out(a, b) = value;
    }
  }
  void apply(const Points& X, const Points& Y, MatrixView<const double> V, MatrixView<double> out) const override {
    Dense K(3, 3);
    for (Index i = 0; i < X.size(); ++i) {
      for (Index a = 0; a < 3; ++a) out(i, a) = 0.0;
      for (Index j = 0; j < Y.size(); ++j) {
        block(X, i, Y, j, view(K));
        for (Index a = 0; a < 3; ++a) {
          for (Index b = 0; b < 3; ++b) out(i, a) += K(a, b) * V(j, b);
        }
      }
    }
  }
};

std::vector<OperatorKernelPointer> kernels() {
  const Dense A = normal(3, 3, 1), C = A * A.transpose();
  const OperatorKernelPointer one = separable_kernel(Kernel("gaussian", {0.5}), OutputOperator::full(view(C))),
                              two = separable_kernel(Kernel("matern32", {1.0}), OutputOperator::diagonal({1.0, 0.0, 2.0})),
                              mixed = diagonal_regularization(Kernel("laplacian", {1.0}), 0.3, 3);
  return {one, two, pointwise_kernel(3), mixed, sum_kernel({{2.0, sum_kernel({{0.5, one}, {1.0, mixed}})}, {0.1, two}})};
}

Dense summed(const OperatorExpansion& sum, const Points& X) {
  Dense out(X.size(), 3);
  sum.apply(X, view(out));
  return out;
}

}  // namespace

TEST(sums_have_the_bits_of_the_action) {
  const Dense S = normal(50, 3, 2), V = normal(50, 3, 3), X = normal(300, 3, 4);
  std::vector<OperatorKernelPointer> all = kernels();
  all.push_back(std::make_shared<Constant>());
  for (const OperatorKernelPointer& K : all) {
    const OperatorExpansion sum(K, Samples(SharedMatrix::copy_of(view(S))), SharedMatrix::copy_of(view(V)));
    for (const Index rows : {1, 3, 300}) {
      const Dense some = X.topRows(rows);
      Dense expected(rows, 3);
      K->apply(Points(view(some)), Points(view(S)), view(V), view(expected));
      CHECK(summed(sum, Points(view(some))) == expected);
    }
    CHECK(check::same_for_any_threads([&] { return summed(sum, Points(view(X))); }));
  }
}

TEST(sparse_supports) {
  Dense S = normal(30, 3, 5), X = normal(20, 3, 6);
  for (Dense* A : {&S, &X}) *A = (A->array().abs() < 0.5).select(0.0, *A).eval();
  const Dense V = normal(30, 3, 7);
  const Sparse supports(S), points(X);
  for (const OperatorKernelPointer& K : kernels()) {
    const OperatorExpansion sum(K, Samples::copy_of(supports.points()), SharedMatrix::copy_of(view(V)));
    Dense expected(20, 3);
    K->apply(points.points(), supports.points(), view(V), view(expected));
    CHECK(summed(sum, points.points()) == expected);
  }
}

TEST(forms_say_how_a_kernel_is_made) {
  const std::vector<OperatorKernelPointer> all = kernels();
  CHECK(std::get<SeparableForm>(all[0]->form()).A.form() == OutputOperator::Form::full);
  CHECK(std::get<SeparableForm>(all[1]->form()).k.info().name == "matern32");
  CHECK_EQ(std::get<PointwiseForm>(all[2]->form()).outputs, 3);
  CHECK_EQ(std::get<SumForm>(all[3]->form()).terms[0].first, 0.7);
  CHECK(std::holds_alternative<std::monostate>(Constant().form()));
}

TEST(arguments_that_do_not_fit) {
  const Dense S = normal(10, 3, 8), V = normal(10, 2, 9), wide = normal(10, 4, 10), three = normal(10, 3, 11);
  const auto make = [](const OperatorKernelPointer& K, const Dense& supports, const Dense& vectors) {
    return OperatorExpansion(K, Samples(SharedMatrix::copy_of(view(supports))), SharedMatrix::copy_of(view(vectors)));
  };
  for (const OperatorKernelPointer& K : kernels()) CHECK_THROWS(std::invalid_argument, make(K, S, V));
  CHECK_THROWS(std::invalid_argument, make(pointwise_kernel(3), wide, three));
  Dense X = normal(2, 3, 12);
  X(1, 1) = std::numeric_limits<double>::quiet_NaN();
  for (const OperatorKernelPointer& K : kernels()) {
    CHECK_THROWS(std::invalid_argument, static_cast<void>(summed(make(K, S, three), Points(view(X)))));
  }
}

TEST_MAIN
