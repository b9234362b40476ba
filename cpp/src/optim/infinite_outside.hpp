// SPDX-License-Identifier: BSD-3-Clause
// What an optimiser sees of a point where the objective breaks down.
#pragma once

#include <limits>
#include <stdexcept>

#include "gramian/base/error.hpp"

namespace gramian {

/// A long step may lead to where codes overflow or a system breaks down. An optimiser that sees infinity takes a shorter one.
template <class Value>
double infinite_outside(const Value& value) {
  try {
    return value();
  } catch (const NumericalError&) {
  } catch (const std::invalid_argument&) {  // numbers that are not finite
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace gramian
