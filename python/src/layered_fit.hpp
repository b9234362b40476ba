// SPDX-License-Identifier: BSD-3-Clause
// What a training of layers hands back: the engine's own struct, on whose memory the arrays are.
#pragma once

#include <pybind11/pybind11.h>

#include <type_traits>

#include "gramian/models/deep_regression.hpp"

// A vector of matrices says that it can be copied.
template <>
struct pybind11::detail::is_copy_constructible<gramian::LayeredFit> : std::false_type {};
template <>
struct pybind11::detail::is_copy_constructible<gramian::deep_regression::Fit> : std::false_type {};
