// SPDX-License-Identifier: BSD-3-Clause
// What a kernel file is made of. Compiled once for each instruction set: plain C++, no standard library (why: isa/table.hpp).
#pragma once

#include <cstdint>

namespace gramian {
namespace {

struct ParameterSpec {
  const char* name;
  const char* meaning;
  double lower;  // the parameter is greater than this
};

/// What a tile hands to the kernel: the points are centred, multiplied by point_scale, and packed; then the kernel sees ...
enum class Form : std::uint8_t {
  distance,  // t = -|x - y|^2 / 2 <= 0
};

}  // namespace
}  // namespace gramian
