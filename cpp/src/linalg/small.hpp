// SPDX-License-Identifier: BSD-3-Clause
// Factorizations of matrices that fit a cache, for the code around them that is about large ones.
#pragma once

#include <Eigen/Core>

#include "linalg/column_blocks.hpp"

namespace gramian {

struct SmallEigen {
  Eigen::VectorXd values;   ///< ascending
  Eigen::MatrixXd vectors;  ///< in columns
};

/// Reads the lower triangle. Throws NumericalError if the iteration does not converge, as it does not for NaN.
SmallEigen small_eigen(const Eigen::Ref<const Eigen::MatrixXd>& A);
Eigen::VectorXd small_eigenvalues(const Eigen::Ref<const Eigen::MatrixXd>& A);

}  // namespace gramian
