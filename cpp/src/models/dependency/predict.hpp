// SPDX-License-Identifier: BSD-3-Clause
// What predictions of every form begin with: checks, and squared norms of candidates.
#pragma once

#include "gramian/models/dependency.hpp"

namespace gramian::dependency {

void check_model(const View& model);
void check_choice(const View& model, const CrossSource& inputs, const CrossSource& candidates, Index count);

/// cross: rows `first` and so on of the candidates.
void norms_of(const View& model, const CrossSource& candidates, Index first, MatrixView<const double> cross,
              MatrixView<double> norms);

}  // namespace gramian::dependency
