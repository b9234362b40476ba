// SPDX-License-Identifier: BSD-3-Clause
// What each kernel of the registry must state. One that lacks a fact does not compile: others would decide wrongly about it.
#pragma once

#include <type_traits>

#include "kernels/profile.hpp"

namespace gramian {
namespace {

// states_<fact><Profile>: whether there is Profile::<fact>.
#define GRAMIAN_KERNEL_FACT(fact)        \
  template <class Profile, class = void> \
  constexpr bool states_##fact = false;  \
  template <class Profile>               \
  constexpr bool states_##fact<Profile, std::void_t<decltype(Profile::fact)>> = true;
GRAMIAN_KERNEL_FACT(supremum)
GRAMIAN_KERNEL_FACT(width)
GRAMIAN_KERNEL_FACT(smooth_at_coincidence)
GRAMIAN_KERNEL_FACT(explicit_features)
GRAMIAN_KERNEL_FACT(squared_lipschitz)
GRAMIAN_KERNEL_FACT(spectrum)
GRAMIAN_KERNEL_FACT(points)
GRAMIAN_KERNEL_FACT(samples)
#undef GRAMIAN_KERNEL_FACT

template <class Profile>
constexpr bool states_every_fact() {
  constexpr int parameters = count_parameters(Profile::parameters);
  static_assert(states_supremum<Profile>, "a kernel must state supremum: the largest k(x, x), or unbounded");
  static_assert(states_width<Profile>, "a kernel must state width: which parameter is a length, as a power of it, or no_width");
  static_assert(states_smooth_at_coincidence<Profile>,
                "a kernel must state smooth_at_coincidence: whether it has no kink or jump where points coincide");
  static_assert(states_explicit_features<Profile>,
                "a kernel must state explicit_features: whether it is the inner product of the points");
  static_assert(states_squared_lipschitz<Profile>,
                "a kernel must state squared_lipschitz: that of its feature map at length 1, or unbounded");
  static_assert(states_spectrum<Profile>, "a kernel must state spectrum: how its random frequencies are drawn, or no_spectrum");
  static_assert(states_points<Profile>, "a kernel must state points: whether they are vectors, sets or labels");
  static_assert(parameters == 0 || states_samples<Profile>,
                "a kernel with parameters must state samples: values of all of them that tests and documentation try");
  return true;
}

}  // namespace
}  // namespace gramian
