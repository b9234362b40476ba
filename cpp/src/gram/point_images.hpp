// SPDX-License-Identifier: BSD-3-Clause
// What the leaves of a kernel see of dense points: these, images of them, or both side by side.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "gram/image_plan.hpp"
#include "gram/pair_source.hpp"
#include "gramian/base/matrix.hpp"

namespace gramian {

constexpr const char* no_directions_of_images =
    "a kernel on images has no second derivatives in the points here: take the kernel below it, on the images";

/// Points and the images that a kernel's maps make of them. Those that a leaf sees stand side by side in the source; a leaf
/// scales the columns of others by 0, and so a gradient in them is 0 too.
template <class T>
class PointImages {
 public:
  /// Null unless has_images(). Throws std::invalid_argument if the points are not dense, or have other features than a map.
  static std::shared_ptr<PointImages> make(const Kernel& kernel, const PairSource<T>& points);

  PointImages(const Kernel& kernel, const PairSource<T>& points);
  PointImages(const PointImages&) = delete;
  PointImages& operator=(const PointImages&) = delete;

  /// The points have changed.
  void update();

  const PairSource<T>& points() const { return points_; }
  const PairSource<T>& source() const { return *source_; }

  /// Where a leaf below these images stands, as ImagePlan counts them.
  Columns columns(Index image) const { return plan_.images()[static_cast<std::size_t>(image)].columns; }

  /// What to write a gradient in the source's first or second set into ...
  MatrixView<T> bar(bool first);
  /// ... and the gradient in the points that comes of it; out is overwritten.
  void pull_back(bool first, MatrixView<T> out);

 private:
  struct Numbers {
    Matrix x{}, y{}, bar{};  // y is empty for one set
  };
  void charge() const;
  void fill(bool first);
  const Matrix& values(Index image, bool first) const {
    const Numbers& numbers = numbers_[static_cast<std::size_t>(image)];
    return first ? numbers.x : numbers.y;
  }

  PairSource<T> points_;
  ImagePlan plan_;
  std::vector<Numbers> numbers_;  // of each image
  Buffer<T> x_, y_, bar_;
  std::optional<PairSource<T>> source_;
};

}  // namespace gramian
