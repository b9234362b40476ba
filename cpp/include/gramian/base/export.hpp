// SPDX-License-Identifier: BSD-3-Clause
// The mark of public symbols. The shared library hides all others.
#pragma once

#if defined(_WIN32)
#if defined(GRAMIAN_BUILDING)
#define GRAMIAN_API __declspec(dllexport)
#else
#define GRAMIAN_API __declspec(dllimport)
#endif
#else
#define GRAMIAN_API __attribute__((visibility("default")))
#endif
