// SPDX-License-Identifier: BSD-3-Clause
// All kernel files, for the two places that iterate the registry: the objects of each instruction set, and registry.cpp.
#pragma once

#include "kernels/arc_cosine.hpp"
#include "kernels/cosine.hpp"
#include "kernels/delta.hpp"
#include "kernels/gaussian.hpp"
#include "kernels/laplacian.hpp"
#include "kernels/laplacian_l1.hpp"
#include "kernels/linear.hpp"
#include "kernels/matern32.hpp"
#include "kernels/matern52.hpp"
#include "kernels/polynomial.hpp"
#include "kernels/rational_quadratic.hpp"
#include "kernels/tanimoto.hpp"
#include "kernels/tensor_matern2.hpp"
#include "kernels/tensor_matern3.hpp"
