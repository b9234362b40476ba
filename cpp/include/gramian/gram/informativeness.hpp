// SPDX-License-Identifier: BSD-3-Clause
// How much components tell about samples that the others do not say.
#pragma once

#include "gramian/base/export.hpp"
#include "gramian/base/view.hpp"

namespace gramian {

/// [WINDIN]: sum_i rho_i (I(x, z_i) - I(z_i, z without i)) in nats, rho_i in proportion to I(x, z_i), of components that are read
/// with independent normal noise, of `noise` standard deviations of each. Information is bounded from above by pairwise
/// divergences, -1/n sum_i log 1/n sum_j exp(-|z_i - z_j|^2 / 2) in units of the noise, [KT]. codes: n x s, components in
/// columns; those that never change are left out. O(n^2 s). Throws std::invalid_argument for no samples, entries that are not
/// finite, or a noise that is not above 0.
GRAMIAN_API double weighted_informativeness(MatrixView<const double> codes, double noise = 0.1);

}  // namespace gramian
