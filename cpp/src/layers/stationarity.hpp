// SPDX-License-Identifier: BSD-3-Clause
// How far the functions of a composition are from a stationary point, in their own spaces.
#pragma once

#include <vector>

#include "gramian/layers/composition.hpp"

namespace gramian {

/// sum over layers of |gradient in f_l|^2, after reverse() has made `gradient`: 0 at a stationary point, however ill-conditioned
/// the Gram matrices are. NaN for landmarks with a layer of several terms, or of an A that is not the identity.
double stationarity_square(const PointSource& input, const std::vector<Index>& landmarks, const Composition& layers,
                           const std::vector<double>& gradient);

}  // namespace gramian
