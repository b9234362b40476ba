// SPDX-License-Identifier: BSD-3-Clause
#include "gram/point_images.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include "gramian/base/error.hpp"
#include "gramian/base/memory.hpp"
#include "kernels/node.hpp"

namespace gramian {
namespace {

template <class T>
void copy_columns(const Matrix& from, Index first, Index width, T* to) {
  for (Index i = 0; i < from.rows(); ++i) {
    for (Index k = 0; k < from.cols(); ++k) to[i * width + first + k] = static_cast<T>(from(i, k));
  }
}

}  // namespace

bool has_images(const Kernel::Node& node) {
  return node.kind == NodeKind::images ||
         std::any_of(node.children.begin(), node.children.end(), [](const Kernel& child) { return has_images(child.node()); });
}

template <class T>
std::shared_ptr<PointImages<T>> PointImages<T>::make(const Kernel& kernel, const PairSource<T>& points) {
  return has_images(kernel.node()) ? std::make_shared<PointImages>(kernel, points) : nullptr;
}

template <class T>
PointImages<T>::PointImages(const Kernel& kernel, const PairSource<T>& points) : kernel_(kernel), points_(points) {
  require(points.dense(),
          "a kernel on images needs the coordinates of dense points: inner products or sparse rows are not enough");
  images_.push_back({nullptr, 0, points.dimension(), false});
  add_images(kernel.node(), 0);
  for (Image& image : images_) {
    if (image.seen) image.columns = {width_, image.size};
    if (image.seen) width_ += image.size;
  }
  charge();
  x_ = Buffer<T>(checked_product(points.rows(), width_));
  if (!points.same()) y_ = Buffer<T>(checked_product(points.cols(), width_));
  update();
  const Points x(MatrixView<const T>(x_.data(), points.rows(), width_));
  source_.emplace(points.same() ? PairSource<T>(x)
                                : PairSource<T>(x, Points(MatrixView<const T>(y_.data(), points.cols(), width_))));
}

/// What is seen of both sets, in T, and all images with the gradients in them.
template <class T>
void PointImages<T>::charge() const {
  Index numbers = 2 * width_;
  for (const Image& image : images_) numbers += 2 * image.size;
  const Index points = points_.rows() + (points_.same() ? 0 : points_.cols());
  require_memory(static_cast<std::uint64_t>(checked_product(8 * numbers, points)), "the images of the points",
                 "use fewer points at a time");
}

template <class T>
void PointImages<T>::add_images(const Kernel::Node& node, Index image) {
  if (node.kind == NodeKind::leaf) images_[static_cast<std::size_t>(image)].seen = true;
  if (node.kind != NodeKind::images) {
    for (const Kernel& child : node.children) add_images(child.node(), image);
    return;
  }
  const Index inputs = images_[static_cast<std::size_t>(image)].size;
  require(node.map->inputs() == inputs, "the kernel is on images of points with " + std::to_string(node.map->inputs()) +
                                            " features, these have " + std::to_string(inputs) + ": they must be the same");
  images_.push_back({node.map.get(), image, node.map->outputs(), false});
  add_images(node.children.front().node(), static_cast<Index>(images_.size()) - 1);
}

template <class T>
void PointImages<T>::update() {
  fill(true);
  if (!points_.same()) fill(false);
}

template <class T>
void PointImages<T>::fill(bool first) {
  const MatrixView<const T> X = first ? points_.x() : points_.y();
  for (Image& image : images_) {
    Matrix& out = first ? image.x : image.y;
    if (out.rows() != X.rows()) out = Matrix(X.rows(), image.size);
    if (image.map == nullptr) {
      for (Index i = 0; i < X.rows(); ++i) {
        for (Index k = 0; k < X.cols(); ++k) out(i, k) = static_cast<double>(X(i, k));
      }
    } else {
      image.map->apply(values(images_[static_cast<std::size_t>(image.of)], first).view(), out.view());
    }
    if (image.seen) copy_columns(out, image.columns.first, width_, (first ? x_ : y_).data());
  }
}

template <class T>
MatrixView<T> PointImages<T>::bar(bool first) {
  const Index rows = first ? points_.rows() : points_.cols();
  if (bar_.size() != rows * width_) bar_ = Buffer<T>(checked_product(rows, width_));
  return {bar_.data(), rows, width_};
}

template <class T>
void PointImages<T>::pull_back(bool first, MatrixView<T> out) {
  const MatrixView<T> all = bar(first);
  for (Image& image : images_) {
    if (image.bar.rows() != all.rows()) image.bar = Matrix(all.rows(), image.size);
    for (Index i = 0; i < all.rows(); ++i) {
      for (Index k = 0; k < image.size; ++k)
        image.bar(i, k) = image.seen ? static_cast<double>(all(i, image.columns.first + k)) : 0.0;
    }
  }
  for (std::size_t m = images_.size() - 1; m > 0; --m) {  // each comes behind the one that it is an image of
    Image& from = images_[static_cast<std::size_t>(images_[m].of)];
    images_[m].map->pull_back(values(from, first).view(), images_[m].bar.view(), from.bar.view());
  }
  for (Index i = 0; i < out.rows(); ++i) {
    for (Index k = 0; k < out.cols(); ++k) out(i, k) = static_cast<T>(images_.front().bar(i, k));
  }
}

template class PointImages<double>;
template class PointImages<float>;

}  // namespace gramian
