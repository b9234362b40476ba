// SPDX-License-Identifier: BSD-3-Clause
#include "deep_pca_spec.hpp"

#include <utility>

#include "arrays.hpp"

namespace gramian::python {

DeepPcaArrays::DeepPcaArrays(deep_pca::Summary summary, std::vector<Array> features, Array inputs)
    : features_(std::move(features)), inputs_(std::move(inputs)) {
  static_cast<deep_pca::Summary&>(view_) = std::move(summary);
  for (const Array& H : features_) view_.features.push_back(matrix_argument<double>(H, "features"));
  view_.inputs = matrix_argument<double>(inputs_, "inputs");
}

}  // namespace gramian::python
