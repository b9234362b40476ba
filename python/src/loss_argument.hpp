// SPDX-License-Identifier: BSD-3-Clause
// Losses on their way from Python: as tuples, so that no C++ object lives there, or as they are written there.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>

#include "gramian/losses/loss.hpp"
#include "scalars.hpp"

namespace gramian::python {

/// The loss that an object stands for: "squared"; a tuple of a name in the engine's list and its parameters, or an object whose
/// _lower() returns one; else any object with evaluate(target, output) -> (value, gradient), called with the GIL by whichever
/// thread evaluates it. TypeError for what is none of these; ValueError for parameters out of range and, later, for what evaluate
/// returns.
std::unique_ptr<Loss> loss_argument(const pybind11::object& loss);

/// Null for None, which is squared.
template <>
struct BoundValue<std::shared_ptr<const Loss>> {
  static constexpr bool shown = false;
  static std::shared_ptr<const Loss> read(pybind11::handle object, const std::string&) {
    if (object.is_none()) return nullptr;
    return loss_argument(pybind11::reinterpret_borrow<pybind11::object>(object));
  }
};

}  // namespace gramian::python
