// SPDX-License-Identifier: BSD-3-Clause
// Which images of the points the leaves of a kernel see, and where they stand side by side.
#pragma once

#include <vector>

#include "base/workspace.hpp"
#include "gramian/kernels/kernel.hpp"
#include "gramian/kernels/point_map.hpp"

namespace gramian {

constexpr const char* images_need_coordinates =
    "a kernel on images needs the coordinates of dense points: inner products or sparse rows are not enough";

/// Whether a part of the kernel sees images of the points.
bool has_images(const Kernel::Node& node);

/// Columns of what all leaves see.
struct Columns {
  Index first = 0;
  Index count = 0;
};

class ImagePlan {
 public:
  struct Image {
    const PointMap* map;  ///< null: the points
    Index of;             ///< the image that it is one of
    Index size;
    bool seen;
    Columns columns{};
  };

  /// Throws std::invalid_argument if a map takes points with another number of features.
  ImagePlan(const Kernel& kernel, Index dimension);

  /// Image 0 are the points, then maps are counted depth first.
  const std::vector<Image>& images() const { return images_; }
  /// Of all columns that are seen.
  Index width() const { return width_; }

  /// out: a row for each of X, with width() columns. `others` has memory for images that no leaf sees, which grows.
  void apply(MatrixView<const double> X, std::vector<Buffer<double>>& others, MatrixView<double> out) const;

 private:
  void add_images(const Kernel::Node& node, Index image);

  Kernel kernel_;  // holds the maps
  std::vector<Image> images_;
  Index width_ = 0;
};

}  // namespace gramian
