// SPDX-License-Identifier: BSD-3-Clause
// Compiled by a test only to see it fail: a kernel in which the fact that LACKING names cannot be reached. Without LACKING it
// compiles.
#include "kernels/facts.hpp"
#include "kernels/gaussian.hpp"

namespace gramian {
namespace {

struct NewKernel : Gaussian {
#ifdef LACKING
 private:
  using Gaussian::LACKING;
#endif
};

static_assert(states_every_fact<NewKernel>());

}  // namespace
}  // namespace gramian
