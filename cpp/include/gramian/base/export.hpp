// SPDX-License-Identifier: BSD-3-Clause
// What crosses the boundary of the shared library, and nothing else does: symbols are hidden unless marked.
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
