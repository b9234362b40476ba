// SPDX-License-Identifier: BSD-3-Clause
// All kernel files, for the two places that iterate the registry: the objects of each instruction set, and registry.cpp.
#pragma once

#include "kernels/gaussian.hpp"
