// SPDX-License-Identifier: BSD-3-Clause
// Data and layers of small deep regressions, and what is done with a fit.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "gramian/base/random.hpp"
#include "gramian/models/deep_regression.hpp"
#include "support/message.hpp"

namespace deep {

using namespace gramian;

inline const Kernel line("polynomial", {1, 1.0, 1.0}), hill("gaussian", {0.8}), tent("laplacian_l1", {1.0});

inline LayerPlan layer(const Kernel& kernel, Index outputs, double penalty) {
  return {{{kernel, OutputOperator::identity(outputs)}}, outputs, penalty};
}

/// The options of the mode.
inline gramian::deep_regression::Regression& regression(gramian::deep_regression::Options& options) {
  return std::get<gramian::deep_regression::Regression>(options.mode);
}

/// L-BFGS ends here.
inline void stop_at(gramian::deep_regression::Options& options, Index max_iterations, double value_tolerance = 2.2e-9,
                    double gradient_tolerance = 1e-5) {
  LbfgsOptions solver;
  solver.max_iterations = max_iterations;
  solver.value_tolerance = value_tolerance;
  solver.gradient_tolerance = gradient_tolerance;
  options.solver = solver;
}

struct Data {
  Matrix X, Y;
};

/// A ridge along the diagonal: not along the axes.
inline Data ridge_data(Index n, std::uint64_t seed = 1) {
  Data out{Matrix(n, 2), Matrix(n, 1)};
  RandomStream(seed).fill_uniform(out.X.view());
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < 2; ++k) out.X(i, k) = 2.0 * out.X(i, k) - 1.0;
    out.Y(i, 0) =
        1.0 / (0.3 + std::fabs(out.X(i, 0) - out.X(i, 1))) + 0.01 * RandomStream(seed, 1).normal(static_cast<std::uint64_t>(i));
  }
  return out;
}

inline Matrix predict(const gramian::deep_regression::Fit& fit, MatrixView<const double> X, MatrixView<const double> supports) {
  Matrix out(X.rows(), fit.model.layers.back().outputs());
  apply_layers(fit.model, 1, static_cast<Index>(fit.model.layers.size()), Points(X), Points(supports), out.view());
  return out;
}

inline double sum_of_squares(MatrixView<const double> A, MatrixView<const double> B) {
  double sum = 0.0;
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index j = 0; j < A.cols(); ++j) sum += (A(i, j) - B(i, j)) * (A(i, j) - B(i, j));
  }
  return sum;
}

inline Matrix rows_of(const Matrix& A, const std::vector<Index>& rows) {
  Matrix out(static_cast<Index>(rows.size()), A.cols());
  for (Index i = 0; i < out.rows(); ++i) {
    for (Index j = 0; j < A.cols(); ++j) out(i, j) = A(rows[static_cast<std::size_t>(i)], j);
  }
  return out;
}

using check::message_of;

inline bool says(const std::string& message, const std::string& what) { return check::contains(message, what); }

}  // namespace deep
