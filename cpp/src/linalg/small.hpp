// SPDX-License-Identifier: BSD-3-Clause
// Factorizations of matrices that fit a cache, for the code around them that is about large ones.
#pragma once

#include <Eigen/Core>
#include <string>

#include "linalg/column_blocks.hpp"

namespace gramian {

struct SmallEigen {
  Eigen::VectorXd values;   ///< ascending
  Eigen::MatrixXd vectors;  ///< in columns
};

/// Reads the lower triangle. Throws NumericalError if the iteration does not converge, as it does not for NaN.
SmallEigen small_eigen(const Eigen::Ref<const Eigen::MatrixXd>& A);
Eigen::VectorXd small_eigenvalues(const Eigen::Ref<const Eigen::MatrixXd>& A);

/// "3 x 4", for messages.
std::string shape_text(Index rows, Index cols);

/// Throws std::invalid_argument naming the matrix unless it has this shape.
void require_shape(Index rows, Index cols, Index wanted_rows, Index wanted_cols, const char* name);
template <class T>
void require_shape(MatrixView<T> A, Index rows, Index cols, const char* name) {
  require_shape(A.rows(), A.cols(), rows, cols, name);
}

/// Throws std::invalid_argument naming the matrix if an entry is not finite.
void require_finite(MatrixView<const double> A, const char* name);

}  // namespace gramian
