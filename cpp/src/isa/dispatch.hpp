// SPDX-License-Identifier: BSD-3-Clause
// The build of the hot kernels that this process uses, chosen once.
#pragma once

#include <string>

#include "isa/table.hpp"

namespace gramian::isa {

struct Choice {
  const Table* table;
  std::string reason;
};

/// The best build that the processor runs, or the one that GRAMIAN_ISA names if it can run it.
const Choice& choice();

template <class T>
const Ops<T>& ops();
template <>
inline const Ops<double>& ops<double>() {
  return choice().table->float64;
}
template <>
inline const Ops<float>& ops<float>() {
  return choice().table->float32;
}

}  // namespace gramian::isa
