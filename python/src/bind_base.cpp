// SPDX-License-Identifier: BSD-3-Clause
// What was built, what runs, and the settings of the process.
#include <pybind11/pybind11.h>
#include <pybind11/typing.h>

#include <cstdint>

#include "gramian/base/memory.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/build.hpp"

namespace gramian::python {

namespace py = pybind11;
using namespace py::literals;

namespace {

using Facts = py::typing::Dict<py::str, py::object>;

Facts build_dict() {
  const BuildReport report = build_report();
  return Facts("version"_a = report.version, "isa"_a = report.isa, "isa_reason"_a = report.isa_reason,
               "compiler"_a = report.compiler, "blas"_a = report.blas, "eigen"_a = report.eigen);
}

Facts thread_dict() {
  const ThreadReport report = thread_report();
  return Facts("threads"_a = report.threads, "reason"_a = report.reason, "backend"_a = report.backend);
}

Facts memory_dict() {
  const MemoryReport report = memory_report();
  return Facts("available"_a = report.available, "limit"_a = report.limit, "reason"_a = report.reason, "kept"_a = report.kept);
}

}  // namespace

void bind_base(py::module_& module) {
  module.def("build_report", &build_dict, "Version, instruction set, compiler and libraries of the engine that is loaded.");
  module.def("thread_report", &thread_dict, "How many threads the next call may use, and why.");
  module.def("memory_report", &memory_dict, "Bytes free, bytes one computation may take, and why; kept ones are free.");
  module.def("set_num_threads", &set_num_threads, "threads"_a, "Threads of all later work of the process; 0 is the default.");
  module.def("set_memory_limit", &set_memory_limit, "bytes"_a, "Bytes that one computation may take; 0 is the default.");
  module.def("require_memory", &require_memory, "bytes"_a, "what"_a, "advice"_a, "MemoryError if the bytes would not fit.");
  module.def("release_memory", &release_memory, "Gives kept memory back to the system. Returns the bytes.");
}

}  // namespace gramian::python
