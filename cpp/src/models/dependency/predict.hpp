// SPDX-License-Identifier: BSD-3-Clause
// What predictions of every form begin with: checks, and squared norms of candidates.
#pragma once

#include "gramian/base/matrix.hpp"
#include "gramian/models/dependency.hpp"

namespace gramian::dependency {

void check_model(const View& model);
void check_choice(const View& model, const CrossSource& inputs, const CrossSource& candidates, Index count);

/// cross: rows `first` and so on of the candidates.
void norms_of(const View& model, const CrossSource& candidates, Index first, MatrixView<const double> cross,
              MatrixView<double> norms);

/// What linear_predictions() computes of the output supports Y, whatever the inputs are.
struct LinearMap {
  LinearMap(const View& model, const Points& Y);

  /// out = sum_j w_j(x) y_j.
  void apply(const View& model, const CrossSource& inputs, MatrixView<double> out) const;
  void add_mean(MatrixView<double> out) const;

  Matrix coefficients;  ///< what k_x, or with ranks F_k^-1 k_x, is multiplied with: Cᵀ Y, or Gᵀ F_l^-1 Y
  Matrix mean{};        ///< of the outputs, which weights of a centred model have in them: 1 x d; empty for others
};

}  // namespace gramian::dependency
