// SPDX-License-Identifier: BSD-3-Clause
// The eigenproblem of a diagonal matrix plus one of rank one.
#pragma once

#include <vector>

#include "gramian/base/matrix.hpp"

namespace gramian {

/// diag(poles) + weight z zᵀ = U diag(values) Uᵀ. Poles ascend and are apart, no z is zero: what deflation leaves. weight > 0.
struct SecularEigen {
  SecularEigen(const std::vector<double>& poles, const std::vector<double>& z, double weight);

  /// out(j, position[i]) = U(i, j): vectors in rows. Once only.
  void write_vectors(const std::vector<Index>& position, MatrixView<double> out);

  std::vector<double> values;  ///< ascending

 private:
  std::vector<double> numerators_;  // z of a matrix that has these values exactly
  Matrix distances_;                // row j: poles - values[j]
};

}  // namespace gramian
