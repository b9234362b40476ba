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

/// OSError(errno, reason, path), which Python makes a FileNotFoundError or a PermissionError of.
void set_os_error(const FileError& error) {
  const auto path = py::reinterpret_steal<py::object>(PyUnicode_DecodeFSDefault(error.path().c_str()));
  if (!path) return;  // the error of the decoding is set
  const py::object value =
      py::handle(PyExc_OSError)(error.code().default_error_condition().value(), error.code().message(), path);
  PyErr_SetObject(py::type::handle_of(value).ptr(), value.ptr());
}

void translate(std::exception_ptr pointer) {
  try {
    if (pointer) std::rethrow_exception(pointer);
  } catch (const NumericalError& error) {
    py::set_error(py::module_::import("gramian.exceptions").attr("NumericalError"), error.what());
  } catch (const ModelFileError& error) {
    py::set_error(py::module_::import("gramian.exceptions").attr("ModelFileError"), error.what());
  } catch (const FileError& error) {
    set_os_error(error);
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
