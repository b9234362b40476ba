// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints in files.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <string>

#include "gramian/io/checkpoint_file.hpp"

namespace gramian::python {

namespace py = pybind11;
using namespace py::literals;

namespace {

CheckpointPace pace_of(Index iterations) {
  CheckpointPace pace;
  pace.iterations = iterations;
  return pace;
}

}  // namespace

void bind_checkpoint(py::module_& module) {
  py::class_<Checkpoint>(module, "Checkpoint", "How far a computation has come.")
      .def_property_readonly("stopped", &Checkpoint::stopped, "Whether somebody said stop.")
      .def("settled", &Checkpoint::settled, "seed"_a, "The seed of the run that is resumed, in its place, or this one.");
  py::class_<io::CheckpointFile, Checkpoint>(module, "CheckpointFile", "The same in a file.")
      .def(py::init([](const std::string& path, const std::string& problem, Index every) {
             return std::make_unique<io::CheckpointFile>(path, problem, pace_of(every));
           }),
           "path"_a, "problem"_a, "every"_a, "every: iterations; 0 is by time.")
      .def("remove", &io::CheckpointFile::remove, "Removes the file.");
  module.def("problem_of_checkpoint", &io::problem_of_checkpoint, "path"_a, "The problem that a checkpoint is of, or None.");
}

}  // namespace gramian::python
