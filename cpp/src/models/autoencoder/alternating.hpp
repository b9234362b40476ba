// SPDX-License-Identifier: BSD-3-Clause
// [KAE] Alg. 1: gradient steps for the inner layers and a solve for the last one, in turns.
#pragma once

#include "gramian/models/autoencoder.hpp"
#include "models/layered/objective.hpp"

namespace gramian::autoencoder {

/// Values are those after the solve, which never rise. Where the last layer is optimal the gradient with it held and that of the
/// eliminated objective are the same: so are the stationary points.
///
/// Two departures from the printed algorithm. Step lengths are found by halving until the objective falls, instead of a rule for
/// gamma_t that would have to be tuned. And a step goes along the gradient in the space of f_l, Xbar_l + 2 lambda_l Phi_l,
/// instead of K_l times that: the same stationary points without the condition number of K_l, which lets plain steps crawl.
OptimResult alternate(LayeredObjective& objective, const double* start, const AlternatingOptions& options, Observer* observer);

}  // namespace gramian::autoencoder
