// SPDX-License-Identifier: BSD-3-Clause
// The one place where the engine's exceptions become Python's. std::invalid_argument -> ValueError and std::bad_alloc ->
// MemoryError are pybind11's own.
#include <pybind11/pybind11.h>

#include <exception>
#include <stdexcept>

#include "gramian/base/error.hpp"

namespace gramian::python {

namespace py = pybind11;

namespace {

void translate(std::exception_ptr pointer) {
  try {
    if (pointer) std::rethrow_exception(pointer);
  } catch (const NumericalError& error) {
    py::set_error(py::module_::import("gramian.exceptions").attr("NumericalError"), error.what());
  } catch (const MemoryLimitError& error) {
    py::set_error(PyExc_MemoryError, error.what());
  } catch (const std::length_error& error) {
    // A size that overflows 64 bits is a size that does not fit the memory.
    py::set_error(PyExc_MemoryError, error.what());
  }
}

}  // namespace

void bind_errors(py::module_&) { py::register_local_exception_translator(&translate); }

}  // namespace gramian::python
