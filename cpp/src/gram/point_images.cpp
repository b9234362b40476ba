// SPDX-License-Identifier: BSD-3-Clause
#include "gram/point_images.hpp"

#include <cstdint>

#include "gramian/base/error.hpp"
#include "gramian/base/memory.hpp"

namespace gramian {
namespace {

template <class T>
void copy_columns(const Matrix& from, Index first, Index width, T* to) {
  for (Index i = 0; i < from.rows(); ++i) {
    for (Index k = 0; k < from.cols(); ++k) to[i * width + first + k] = static_cast<T>(from(i, k));
  }
}

}  // namespace

template <class T>
std::shared_ptr<PointImages<T>> PointImages<T>::make(const Kernel& kernel, const PairSource<T>& points) {
  return has_images(kernel.node()) ? std::make_shared<PointImages>(kernel, points) : nullptr;
}

template <class T>
PointImages<T>::PointImages(const Kernel& kernel, const PairSource<T>& points)
    : points_(points), plan_(kernel, points.dimension()), numbers_(plan_.images().size()) {
  require(points.dense(), images_need_coordinates);
  charge();
  const Index width = plan_.width();
  x_ = Buffer<T>(checked_product(points.rows(), width));
  if (!points.same()) y_ = Buffer<T>(checked_product(points.cols(), width));
  update();
  const Points x(MatrixView<const T>(x_.data(), points.rows(), width));
  source_.emplace(points.same() ? PairSource<T>(x)
                                : PairSource<T>(x, Points(MatrixView<const T>(y_.data(), points.cols(), width))));
}

/// What is seen of both sets, in T, and all images with the gradients in them.
template <class T>
void PointImages<T>::charge() const {
  Index numbers = 2 * plan_.width();
  for (const ImagePlan::Image& image : plan_.images()) numbers += 2 * image.size;
  const Index points = points_.rows() + (points_.same() ? 0 : points_.cols());
  require_memory(static_cast<std::uint64_t>(checked_product(8 * numbers, points)), "the images of the points",
                 "use fewer points at a time");
}

template <class T>
void PointImages<T>::update() {
  fill(true);
  if (!points_.same()) fill(false);
}

template <class T>
void PointImages<T>::fill(bool first) {
  const MatrixView<const T> X = first ? points_.x() : points_.y();
  for (std::size_t m = 0; m < numbers_.size(); ++m) {
    const ImagePlan::Image& image = plan_.images()[m];
    Matrix& out = first ? numbers_[m].x : numbers_[m].y;
    if (out.rows() != X.rows()) out = Matrix(X.rows(), image.size);
    if (image.map == nullptr) {
      for (Index i = 0; i < X.rows(); ++i) {
        for (Index k = 0; k < X.cols(); ++k) out(i, k) = static_cast<double>(X(i, k));
      }
    } else {
      image.map->apply(values(image.of, first).view(), out.view());
    }
    if (image.seen) copy_columns(out, image.columns.first, plan_.width(), (first ? x_ : y_).data());
  }
}

template <class T>
MatrixView<T> PointImages<T>::bar(bool first) {
  const Index rows = first ? points_.rows() : points_.cols();
  if (bar_.size() != rows * plan_.width()) bar_ = Buffer<T>(checked_product(rows, plan_.width()));
  return {bar_.data(), rows, plan_.width()};
}

template <class T>
void PointImages<T>::pull_back(bool first, MatrixView<T> out) {
  const MatrixView<T> all = bar(first);
  const std::vector<ImagePlan::Image>& images = plan_.images();
  for (std::size_t m = 0; m < images.size(); ++m) {
    const ImagePlan::Image& image = images[m];
    Matrix& bar = numbers_[m].bar;
    if (bar.rows() != all.rows()) bar = Matrix(all.rows(), image.size);
    for (Index i = 0; i < all.rows(); ++i) {
      for (Index k = 0; k < image.size; ++k) bar(i, k) = image.seen ? static_cast<double>(all(i, image.columns.first + k)) : 0.0;
    }
  }
  for (std::size_t m = images.size() - 1; m > 0; --m) {  // each comes behind the one that it is an image of
    Matrix& below = numbers_[static_cast<std::size_t>(images[m].of)].bar;
    images[m].map->pull_back(values(images[m].of, first).view(), numbers_[m].bar.view(), below.view());
  }
  for (Index i = 0; i < out.rows(); ++i) {
    for (Index k = 0; k < out.cols(); ++k) out(i, k) = static_cast<T>(numbers_.front().bar(i, k));
  }
}

template class PointImages<double>;
template class PointImages<float>;

}  // namespace gramian
