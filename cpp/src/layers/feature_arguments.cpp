// SPDX-License-Identifier: BSD-3-Clause
#include "layers/feature_arguments.hpp"

#include <string>

#include "base/check.hpp"
#include "base/workspace.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/memory.hpp"

namespace gramian {

void check_forward(const FeatureMap& features, MatrixView<const double> X, MatrixView<const double> Z) {
  require(X.cols() == features.inputs(),
          "features: X has " + std::to_string(X.cols()) + " columns, the features take " + std::to_string(features.inputs()));
  require_shape(Z, X.rows(), features.outputs(), "features: Z");
}

void check_reverse(const FeatureMap& features, Index rows, MatrixView<const double> Zbar) {
  require(rows >= 0, "features: a reverse pass needs a forward pass before it");
  require(Zbar.rows() == rows && Zbar.cols() == features.outputs(), "features: the gradient is " + shape_text(Zbar) +
                                                                        ", and the last forward pass gave " +
                                                                        shape_text(rows, features.outputs()));
}

void require_pass_memory(Index rows, Index numbers_in_row) {
  require_memory(bytes_of(rows, numbers_in_row), "a pass of " + std::to_string(rows) + " rows through features",
                 "pass fewer rows at a time");
}

}  // namespace gramian
