// SPDX-License-Identifier: BSD-3-Clause
// The expression of a kernel as a tree: numbers of leaves, parameters and images, and the scratch tiles that a walk needs.
#include "gram/kernel_tree.hpp"

#include <memory>
#include <vector>

#include "support/bent.hpp"
#include "support/check.hpp"

using namespace gramian;

namespace {

struct Leaves {
  explicit Leaves(const Kernel& kernel)
      : tree(number_leaves(kernel.node(), counts, [&](const Kernel::Node& node, Index image, Index first_parameter) {
          CHECK(node.kind == NodeKind::leaf);
          images.push_back(image);
          first_parameters.push_back(first_parameter);
        })) {}

  KernelCounts counts;
  std::vector<Index> images, first_parameters;
  KernelTree tree;
};

const Kernel gaussian("gaussian", {0.3}), scaled("gaussian", {0.3}, {1.0, 2.0}), linear("linear", {});

}  // namespace

TEST(leaves_and_parameters_are_counted_in_their_order) {
  const Kernel kernel = 2.0 * scaled + linear * gaussian;
  const Leaves leaves(kernel);
  CHECK_EQ(leaves.counts.leaves, 3);
  CHECK_EQ(leaves.counts.parameters, static_cast<Index>(kernel.parameters().size()));
  CHECK((leaves.first_parameters == std::vector<Index>{1, 4, 4}));
  const KernelTree& sum = leaves.tree;
  CHECK(sum.kind == NodeKind::sum);
  CHECK(sum.children[0].kind == NodeKind::multiple);
  CHECK_EQ(sum.children[0].factor, 2.0);
  CHECK_EQ(sum.children[0].first_parameter, 0);
  CHECK_EQ(sum.children[0].children[0].leaf, 0);
  CHECK(sum.children[1].kind == NodeKind::product);
  CHECK_EQ(sum.children[1].children[1].leaf, 2);
}

TEST(images_are_counted_depth_first) {
  const auto map = std::make_shared<support::Bent>();
  const Leaves leaves(linear + on_images(map, gaussian + on_images(map, scaled)) + on_images(map, linear));
  CHECK((leaves.images == std::vector<Index>{0, 1, 2, 3}));
  CHECK_EQ(leaves.counts.images, 3);
}

TEST(scratch_is_what_a_walk_needs) {
  CHECK_EQ(Leaves(gaussian).tree.depth(), 0);
  CHECK_EQ(Leaves(gaussian).tree.depth(3, 2), 2);
  CHECK_EQ(Leaves(2.0 * gaussian).tree.depth(), 0);
  CHECK_EQ(Leaves(gaussian + linear + linear).tree.depth(), 1);
  CHECK_EQ(Leaves(gaussian + linear * linear).tree.depth(), 2);
  CHECK_EQ(Leaves(gaussian).tree.backprop_depth(), 1);
  CHECK_EQ(Leaves(2.0 * gaussian).tree.backprop_depth(), 1);
  CHECK_EQ(Leaves(gaussian + linear).tree.backprop_depth(), 2);
  CHECK_EQ(Leaves(gaussian * linear).tree.backprop_depth(), 2);
}

TEST_MAIN
