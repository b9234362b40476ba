// SPDX-License-Identifier: BSD-3-Clause
// Ridge regressions with operator-valued kernels through a file.
#include "gramian/models/dependency/operator_predictor.hpp"
#include "serving/stored/writer.hpp"
#include "support/dependency_values.hpp"
#include "support/stored_model.hpp"

using namespace dependency_values;
using dependency::OperatorParts;
using dependency::OperatorPredictor;

namespace {

/// Half of k(x, x') I.
class Own final : public OperatorKernel {
 public:
  Index outputs() const override { return 2; }
  void block(const Points& X, Index i, const Points& Y, Index j, MatrixView<double> out) const override {
    half_->block(X, i, Y, j, out);
  }
  void apply(const Points& X, const Points& Y, MatrixView<const double> V, MatrixView<double> out) const override {
    half_->apply(X, Y, V, out);
  }

 private:
  OperatorKernelPointer half_ = sum_kernel({{0.5, separable_kernel(gaussian(), OutputOperator::identity(2))}});
};

}  // namespace

TEST(every_kernel_comes_back) {
  const Pairs data(20, 1), fresh(8, 2);
  const Dense Psi = spectral::normal(20, 2, 3);
  const OperatorKernelPointer separable = separable_kernel(gaussian(), OutputOperator::diagonal({0.5, 0.0}));
  const OperatorKernelPointer sum = sum_kernel({{0.0, separable}, {3.0, sum_kernel({{1.0, pointwise_kernel(2)}})}});
  for (const OperatorKernelPointer& K : {separable, pointwise_kernel(2), sum, diagonal_regularization(gaussian(), 0.25, 2)}) {
    support::check_stored(OperatorPredictor(OperatorParts{K, copy(data.X), shared(Psi)}), fresh.points(), {Verb::predict});
  }
}

TEST(a_kernel_of_a_program_stays_there) {
  const Pairs data(20, 1);
  const Dense Psi = spectral::normal(20, 2, 3);
  const OperatorPredictor model(OperatorParts{std::make_shared<Own>(), copy(data.X), shared(Psi)});
  CHECK_THROWS(std::invalid_argument, document_of(model));
}

TEST(a_damaged_description_is_refused) {
  const Pairs data(20, 1);
  const Dense Psi = spectral::normal(20, 2, 3);
  const OperatorPredictor model(
      OperatorParts{sum_kernel({{2.0, separable_kernel(gaussian(), OutputOperator::identity(2))}}), copy(data.X), shared(Psi)});
  CHECK(!support::message_of_model(model, "\"separable\"", "\"separate\"").empty());
  CHECK(!support::message_of_model(model, "\"kernel.terms\":1", "\"kernel.terms\":2").empty());
  CHECK(!support::message_of_model(model, "\"identity\":2", "\"identity\":3").empty());
  CHECK(!support::message_of_model(model, "\"kernel.terms.0.factor\":2", "\"kernel.terms.0.factor\":-2").empty());
}

TEST_MAIN
