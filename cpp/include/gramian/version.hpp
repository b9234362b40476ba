// SPDX-License-Identifier: BSD-3-Clause
// The version of gramian. CMake, the wheel and the documentation read it from this file.
#pragma once

#define GRAMIAN_VERSION_MAJOR 0
#define GRAMIAN_VERSION_MINOR 1
#define GRAMIAN_VERSION_PATCH 0
#define GRAMIAN_VERSION "0.1.0"
