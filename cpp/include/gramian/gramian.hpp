// SPDX-License-Identifier: BSD-3-Clause
// Everything an embedder may include, except gramian/eigen.hpp, which needs an Eigen of the embedder's own.
#pragma once

#include "gramian/build.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/export.hpp"
#include "gramian/base/index.hpp"
#include "gramian/base/memory.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/base/random.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/base/view.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/gram/points.hpp"
#include "gramian/gram/product.hpp"
#include "gramian/kernels/kernel.hpp"
#include "gramian/linalg/eigen_symmetric.hpp"
#include "gramian/linalg/eigen_top.hpp"
#include "gramian/linalg/kronecker.hpp"
#include "gramian/linalg/stiefel.hpp"
#include "gramian/linalg/symmetric_product.hpp"
#include "gramian/linalg/woodbury.hpp"
#include "gramian/version.hpp"
