// SPDX-License-Identifier: BSD-3-Clause
// Whether a fit of dependency estimation is asked for what there is.
#pragma once

#include "gramian/models/dependency.hpp"

namespace gramian::dependency {

/// Throws std::invalid_argument naming what is wrong.
void check(const GramSource& inputs, const GramSource& outputs, const Options& options);

/// The lambdas that are to be compared, or the one that is taken as it is.
std::vector<double> candidates_for_lambda(const Options& options);

/// The first of the smallest ones. Throws NumericalError if none of them is finite.
std::size_t smallest(const std::vector<double>& criteria);

}  // namespace gramian::dependency
