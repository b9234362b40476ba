// SPDX-License-Identifier: BSD-3-Clause
// Weights of a conditional mean embedding as a distribution: quantiles, deviations, distribution functions, densities.
#pragma once

#include <vector>

#include "gramian/base/export.hpp"
#include "gramian/base/matrix.hpp"

namespace gramian::conditional_mean {

/// Each row becomes the nearest one, in the Euclidean distance, of numbers of at least 0 that add up to 1. O(n log n) for a row
/// of n numbers. Throws std::invalid_argument if there are no columns, or a number is not finite.
GRAMIAN_API void project_on_simplex(MatrixView<double> weights);

/// In what follows each row of W: q x n is a distribution on the outputs y_1 .. y_n: its numbers are at least 0 and add up to 1,
/// as project_on_simplex() leaves them. Shapes that do not fit are std::invalid_argument.

/// The standard deviation of each of p outputs; Y: n x p, out: q x p. In two passes: equal outputs have the deviation 0.
GRAMIAN_API void deviations(MatrixView<const double> W, MatrixView<const double> Y, MatrixView<double> out);

/// The smallest output whose distribution function reaches a level, up to rounding of the sum; y: n x 1, levels in [0, 1], out: q
/// x levels.
GRAMIAN_API void quantiles(MatrixView<const double> W, MatrixView<const double> y, const std::vector<double>& levels,
                           MatrixView<double> out);

/// The distribution function of row i at its own number, P(y <= at_i); y: n x 1, at and out: q x 1. A number that outputs equal
/// counts half of their weights, so that the values of true outputs are uniform.
GRAMIAN_API void distribution_values(MatrixView<const double> W, MatrixView<const double> y, MatrixView<const double> at,
                                     MatrixView<double> out);

/// The density of a mixture of normal distributions at the outputs; y: n x 1, at: g x 1, out: q x g. bandwidth: the deviation of
/// each normal distribution; 0 is Silverman's rule for each row, .9 s m^(-1/5) with the deviation s of the row and m = 1 / sum
/// w^2 its effective number of outputs. A row on one output only needs a bandwidth: std::invalid_argument without.
GRAMIAN_API void densities(MatrixView<const double> W, MatrixView<const double> y, MatrixView<const double> at, double bandwidth,
                           MatrixView<double> out);

}  // namespace gramian::conditional_mean
