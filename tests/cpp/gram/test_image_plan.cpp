// SPDX-License-Identifier: BSD-3-Clause
#include "gram/image_plan.hpp"

#include <memory>
#include <stdexcept>
#include <vector>

#include "base/view_ops.hpp"
#include "gramian/base/matrix.hpp"
#include "kernels/node.hpp"
#include "support/check.hpp"
#include "support/naive.hpp"

using namespace gramian;

namespace {

/// The first coordinates, each plus `shift`.
class Shifted final : public PointMap {
 public:
  Shifted(Index inputs, Index outputs, double shift) : inputs_(inputs), outputs_(outputs), shift_(shift) {}
  Index inputs() const override { return inputs_; }
  Index outputs() const override { return outputs_; }
  void apply(MatrixView<const double> X, MatrixView<double> Z) const override {
    for (Index i = 0; i < X.rows(); ++i) {
      for (Index k = 0; k < outputs_; ++k) Z(i, k) = X(i, k) + shift_;
    }
  }
  void pull_back(MatrixView<const double>, MatrixView<const double>, MatrixView<double>) const override {}

 private:
  Index inputs_, outputs_;
  double shift_;
};

Kernel shifted(Index inputs, Index outputs, double shift, const Kernel& kernel) {
  return on_images(std::make_shared<Shifted>(inputs, outputs, shift), kernel);
}

const Kernel linear("linear", {});

}  // namespace

TEST(images_stand_side_by_side) {
  const auto X = naive::normal<double>(7, 3, 1);
  // Points; an image that no leaf sees, with one of it; and an image of the points.
  const Kernel kernel = linear + shifted(3, 2, 10.0, shifted(2, 1, 100.0, linear)) * shifted(3, 3, 5.0, linear);
  CHECK(has_images(kernel.node()) && !has_images(linear.node()));
  const ImagePlan plan(kernel, 3);
  CHECK_EQ(plan.images().size(), 4u);
  CHECK_EQ(plan.width(), 3 + 1 + 3);
  CHECK(!plan.images()[1].seen && plan.images()[2].seen);
  Matrix out(7, plan.width());
  std::vector<Buffer<double>> others;
  for (const Index rows : {7, 1}) {
    plan.apply(rows_of<const double>(X.view, 0, rows), others, rows_of(out.view(), 0, rows));
    for (Index i = 0; i < rows; ++i) {
      for (Index k = 0; k < 3; ++k) CHECK_EQ(out(i, k), X.view(i, k));
      CHECK_EQ(out(i, 3), X.view(i, 0) + 10.0 + 100.0);
      for (Index k = 0; k < 3; ++k) CHECK_EQ(out(i, 4 + k), X.view(i, k) + 5.0);
    }
  }
}

TEST(points_with_other_features_are_refused) {
  CHECK_THROWS(std::invalid_argument, ImagePlan(shifted(3, 2, 1.0, linear), 4));
  CHECK_THROWS(std::invalid_argument, ImagePlan(shifted(3, 2, 1.0, shifted(3, 1, 1.0, linear)), 3));
}

TEST_MAIN
