// SPDX-License-Identifier: BSD-3-Clause
// What was built, what runs, and the settings of the process.
#include <pybind11/pybind11.h>

#include <cstdint>

#include "gramian/base/memory.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/build.hpp"

namespace gramian::python {

namespace py = pybind11;
using namespace py::literals;

namespace {

void bind_reports(py::module_& module) {
  py::class_<BuildReport>(module, "BuildReport", "The engine that is loaded.")
      .def_readonly("version", &BuildReport::version)
      .def_readonly("isa", &BuildReport::isa)
      .def_readonly("isa_reason", &BuildReport::isa_reason)
      .def_readonly("compiler", &BuildReport::compiler)
      .def_readonly("blas", &BuildReport::blas)
      .def_readonly("eigen", &BuildReport::eigen);
  py::class_<ThreadReport>(module, "ThreadReport", "The threads of the next call.")
      .def_readonly("threads", &ThreadReport::threads)
      .def_readonly("reason", &ThreadReport::reason)
      .def_readonly("backend", &ThreadReport::backend);
  py::class_<MemoryReport>(module, "MemoryReport", "The memory of the next call, in bytes.")
      .def_readonly("available", &MemoryReport::available)
      .def_readonly("limit", &MemoryReport::limit)
      .def_readonly("reason", &MemoryReport::reason)
      .def_readonly("kept", &MemoryReport::kept);
}

}  // namespace

void bind_base(py::module_& module) {
  bind_reports(module);
  module.def("build_report", &build_report, "Version, instruction set, compiler and libraries of the engine that is loaded.");
  module.def("thread_report", &thread_report, "How many threads the next call may use, and why.");
  module.def("memory_report", &memory_report, "Bytes free, bytes one computation may take, and why; kept ones are free.");
  module.def("set_num_threads", &set_num_threads, "threads"_a, "Threads of all later work of the process; 0 is the default.");
  module.def("set_memory_limit", &set_memory_limit, "bytes"_a, "Bytes that one computation may take; 0 is the default.");
  module.def("require_memory", &require_memory, "bytes"_a, "what"_a, "advice"_a, "MemoryError if the bytes would not fit.");
  module.def("release_memory", &release_memory, "Gives kept memory back to the system. Returns the bytes.");
}

}  // namespace gramian::python
