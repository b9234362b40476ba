// SPDX-License-Identifier: BSD-3-Clause
// The one list of kernels: a file beside this one, and its name here, make a kernel. Only what is compiled for each kernel
// includes it, which is isa/build.cpp and registry.cpp: everything else knows a kernel by its place in the list.
#pragma once

#include "kernels/arc_cosine.hpp"
#include "kernels/cauchy.hpp"
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

namespace gramian {
namespace {

template <class... Profiles>
struct KernelList {};

/// Order is kept: new kernels go to the end.
using Registry =
    KernelList<Linear, Polynomial, Gaussian, Laplacian, LaplacianL1, Matern32, Matern52, TensorMatern2, TensorMatern3,
               RationalQuadratic, ArcCosine0, ArcCosine1, ArcCosine2, Tanimoto, Cosine, Delta, Cauchy>;

}  // namespace
}  // namespace gramian
