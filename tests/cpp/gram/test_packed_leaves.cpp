// SPDX-License-Identifier: BSD-3-Clause
// Leaves with points that stay: what they are packed with, how their values are joined, and what is refused.
#include "gram/packed_leaves.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

#include "support/bent.hpp"
#include "support/check.hpp"
#include "support/naive.hpp"

using namespace gramian;

namespace {

constexpr Index block_numbers = 4 * isa::tile_size;

PackedLeaves<double> leaves_of(const Kernel& kernel, MatrixView<const double> points) {
  return {kernel, points, 1, "the points"};
}

/// The first value of a block where that of leaf i is first + i.
double joined(const PackedLeaves<double>& leaves, double first) {
  const Index rows = 4, cols = isa::tile_size;
  std::vector<double> blocks(static_cast<std::size_t>((1 + leaves.scratch_blocks()) * block_numbers));
  leaves.evaluate<block_numbers>(rows, cols, blocks.data(), blocks.data() + block_numbers, [&](Index leaf, double* values) {
    std::fill_n(values, rows * cols, first + static_cast<double>(leaf));
  });
  for (Index i = 1; i < rows * cols; ++i) CHECK_EQ(blocks[static_cast<std::size_t>(i)], blocks[0]);
  return blocks[0];
}

}  // namespace

TEST(values_are_joined_as_the_kernel_says) {
  const auto X = naive::normal<double>(5, 3, 1);
  const Kernel a("gaussian", {0.3}), b("linear", {}), c("laplacian", {0.5});
  CHECK_EQ(leaves_of(a, X.view).count(), 1);
  CHECK_EQ(leaves_of(2.0 * a + b * c, X.view).count(), 3);
  CHECK_EQ(joined(leaves_of(a, X.view), 2.0), 2.0);
  CHECK_EQ(joined(leaves_of(2.0 * a + b * c, X.view), 2.0), 16.0);
  CHECK_EQ(joined(leaves_of(a * (b + 3.0 * c), X.view), 2.0), 30.0);
  CHECK_EQ(joined(leaves_of((a + b) * (c + b), X.view), 2.0), 45.0);
}

TEST(points_are_packed_for_each_leaf) {
  const auto X = naive::normal<double>(5, 3, 1), fresh = naive::normal<double>(7, 3, 2);
  const PackedLeaves<double> leaves = leaves_of(Kernel("gaussian", {0.3}, {1.0, 2.0, 4.0}) + Kernel("linear", {}), X.view);
  CHECK_EQ(leaves.size(), 5);
  CHECK_EQ(leaves.dimension(), 3);
  std::vector<Packed<double>> packed;
  leaves.pack(fresh.view, 1, 0, packed);
  CHECK_EQ(packed.size(), 2);
  for (Index k = 0; k < 3; ++k) {
    for (Index i = 0; i < 5; ++i) CHECK_EQ(leaves[1].points.from(i).panels[k], X.view(i, k));
    for (Index i = 0; i < 7; ++i) CHECK_EQ(packed[1].from(i).panels[k], fresh.view(i, k));
  }
  CHECK(packed[0].from(0).panels[0] != fresh.view(0, 0));
}

TEST(a_leaf_on_images_sees_its_columns) {
  const auto X = naive::normal<double>(5, 3, 1);
  const Kernel kernel = Kernel("linear", {}) + on_images(std::make_shared<support::Bent>(), Kernel("linear", {}));
  const ImagePlan plan(kernel, 3);
  naive::Matrix<double> seen(5, plan.width());
  std::vector<Buffer<double>> others;
  plan.apply(X.view, others, seen.view);
  const PackedLeaves<double> leaves(kernel, seen.view, 1, "the points", &plan);
  CHECK_EQ(leaves.dimension(), 5);
  for (Index i = 0; i < 5; ++i) {
    for (Index k = 0; k < 3; ++k) CHECK_EQ(leaves[0].points.from(i).panels[k], X.view(i, k));
    for (Index k = 3; k < 5; ++k) CHECK_EQ(leaves[0].points.from(i).panels[k], 0.0);
    for (Index k = 0; k < 3; ++k) CHECK_EQ(leaves[1].points.from(i).panels[k], 0.0);
    CHECK_EQ(leaves[1].points.from(i).panels[3], X.view(i, 0) * X.view(i, 1));
    CHECK_EQ(leaves[1].points.from(i).panels[4], X.view(i, 2));
  }
}

TEST(what_is_not_finite_is_refused) {
  auto X = naive::normal<double>(5, 3, 1);
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK_THROWS(std::invalid_argument, joined(leaves_of(Kernel("linear", {}), X.view), infinity));
  std::vector<Packed<double>> packed;
  const PackedLeaves<double> leaves = leaves_of(Kernel("gaussian", {0.3}), X.view);
  X(3, 1) = infinity;
  CHECK_THROWS(std::invalid_argument, leaves_of(Kernel("gaussian", {0.3}), X.view));
  CHECK_THROWS(std::invalid_argument, leaves.pack(X.view, 1, 0, packed));
}

TEST_MAIN
