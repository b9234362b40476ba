// SPDX-License-Identifier: BSD-3-Clause
#include "gram/image_plan.hpp"

#include <algorithm>
#include <string>

#include "base/view_ops.hpp"
#include "gramian/base/error.hpp"
#include "kernels/node.hpp"

namespace gramian {

bool has_images(const Kernel::Node& node) {
  return node.kind == NodeKind::images ||
         std::any_of(node.children.begin(), node.children.end(), [](const Kernel& child) { return has_images(child.node()); });
}

ImagePlan::ImagePlan(const Kernel& kernel, Index dimension) : kernel_(kernel) {
  images_.push_back({nullptr, 0, dimension, false});
  add_images(kernel.node(), 0);
  for (Image& image : images_) {
    if (image.seen) image.columns = {width_, image.size};
    if (image.seen) width_ += image.size;
  }
}

void ImagePlan::add_images(const Kernel::Node& node, Index image) {
  if (node.kind == NodeKind::leaf) images_[at(image)].seen = true;
  if (node.kind != NodeKind::images) {
    for (const Kernel& child : node.children) add_images(child.node(), image);
    return;
  }
  const Index inputs = images_[at(image)].size;
  if (node.map->inputs() != inputs) {
    require(false, "the kernel is on images of points with " + std::to_string(node.map->inputs()) + " features, these have " +
                       std::to_string(inputs) + ": they must be the same");
  }
  images_.push_back({node.map.get(), image, node.map->outputs(), false});
  add_images(node.children.front().node(), static_cast<Index>(images_.size()) - 1);
}

void ImagePlan::apply(MatrixView<const double> X, std::vector<Buffer<double>>& others, MatrixView<double> out) const {
  if (others.size() < images_.size()) others.resize(images_.size());
  const auto place_of = [&](Index i) {
    const Image& image = images_[at(i)];
    if (image.seen) return part(out, 0, out.rows(), image.columns.first, image.columns.count);
    return MatrixView<double>(others[at(i)].data(), X.rows(), image.size);
  };
  if (images_.front().seen) copy_rows(X, place_of(0));
  for (Index i = 1; i < static_cast<Index>(images_.size()); ++i) {  // each comes behind the one that it is an image of
    const Image& image = images_[at(i)];
    if (!image.seen) reserve(others[at(i)], checked_product(X.rows(), image.size));
    image.map->apply(image.of == 0 ? X : place_of(image.of), place_of(i));
  }
}

}  // namespace gramian
