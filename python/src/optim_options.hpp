// SPDX-License-Identifier: BSD-3-Clause
// Options of optimisers on their way from Python: by the names, and with the defaults, of the engine.
#pragma once

#include <pybind11/pybind11.h>

#include "gramian/optim/bfgs.hpp"
#include "gramian/optim/lbfgs.hpp"
#include "gramian/optim/riemannian.hpp"
#include "gramian/optim/stochastic.hpp"

namespace gramian::python {

// TypeError for a name that the solver does not have, or a value of the wrong kind.
LbfgsOptions lbfgs_argument(const pybind11::dict& options);
BfgsOptions bfgs_argument(const pybind11::dict& options);
GradientDescentOptions gradient_descent_argument(const pybind11::dict& options);
SgdOptions sgd_argument(const pybind11::dict& options);
AdamOptions adam_argument(const pybind11::dict& options, bool estimates);

RiemannianLbfgsOptions riemannian_lbfgs_argument(const pybind11::dict& options);
RiemannianAdamOptions riemannian_adam_argument(const pybind11::dict& options);
StiefelDescentOptions stiefel_descent_argument(const pybind11::dict& options);

}  // namespace gramian::python
