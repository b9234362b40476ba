// SPDX-License-Identifier: BSD-3-Clause
// Normal systems over rows that arrive in blocks.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/typing.h>

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "call.hpp"
#include "gramian/gram/normal_sum.hpp"
#include "kernel_spec.hpp"
#include "matrices.hpp"
#include "points.hpp"
#include "shared_arrays.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

using NamedParts = py::typing::Dict<py::str, py::object>;

MatrixView<const double> matrix_or_none(const py::object& object, const char* name) {
  return object.is_none() ? MatrixView<const double>() : matrix_argument<double>(object, name);
}
Matrix copy_or_none(const py::object& object, const char* name) { return Matrix::copy_of(matrix_or_none(object, name)); }

NamedParts dict_of(NormalSystem&& system) {
  return py::dict("square"_a = array_of(std::move(system.square)), "right"_a = array_of(std::move(system.right)),
                  "y_square"_a = array_of(system.y_square));
}

py::object array_of_samples(const Samples& samples) {
  if (samples.size() == 0) return py::none();
  if (samples.form() == Samples::Form::dense) return array_of(Matrix::copy_of(samples.dense().view()));
  const SparseRows<double>& X = samples.sparse();
  const auto copied = [](const auto* from, Index count) {
    return array_of(std::vector<std::decay_t<decltype(*from)>>(from, from + count));
  };
  const Index entries = X.row_start[X.rows];
  return py::make_tuple("sparse", copied(X.row_start, X.rows + 1), copied(X.columns, entries), copied(X.values, entries), X.cols);
}

NormalSumParts parts_argument(const py::dict& parts) {
  NormalSumParts out;
  out.rows = parts["rows"].cast<Index>();
  out.levels = parts["levels"].cast<std::vector<Index>>();
  out.open_chunks = parts["open_chunks"].cast<Index>();
  for (const py::handle item : parts["sums"]) {
    const auto sum = item.cast<py::dict>();
    out.sums.push_back({copy_or_none(sum["square"], "square"), copy_or_none(sum["right"], "right"),
                        sum["y_square"].cast<std::vector<double>>()});
  }
  out.pending = shared_samples(parts["pending"], "pending");
  out.pending_weights = copy_or_none(parts["pending_weights"], "pending_weights");
  out.pending_Y = copy_or_none(parts["pending_Y"], "pending_Y");
  return out;
}

/// A sum and the lock that it is used under.
class SumOfRows {
 public:
  SumOfRows(const py::tuple& kernel_spec, const py::object& C, Index outputs, const py::object& parts) {
    const Kernel kernel = kernel_argument(kernel_spec);
    const PointsArgument centres(C, py::none());
    if (parts.is_none()) {
      sum_ = std::make_unique<NormalSum>(kernel, centres.X(), outputs);
    } else {
      sum_ = std::make_unique<NormalSum>(kernel, centres.X(), outputs, parts_argument(parts.cast<py::dict>()));
    }
  }

  void add(const py::object& X, const py::object& Y, const py::object& weights) {
    const PointsArgument points(X, py::none());
    const auto y = matrix_or_none(Y, "Y"), w = matrix_or_none(weights, "weights");
    call(lock_, [&] { sum_->add(points.X(), w, y); });
  }
  void merge(const SumOfRows& other) {
    require(this != &other, "a sum cannot be merged with itself");
    call([&] {
      const std::scoped_lock both(lock_, other.lock_);
      sum_->merge(*other.sum_);
    });
  }
  Index rows() const { return sum_->rows(); }
  NamedParts system() const {
    NormalSystem system;
    call(lock_, [&] { system = sum_->system(); });
    return dict_of(std::move(system));
  }
  NamedParts parts() const {
    NormalSumParts parts;
    call(lock_, [&] { parts = sum_->parts(); });
    py::list sums;
    for (NormalSystem& sum : parts.sums) sums.append(dict_of(std::move(sum)));
    return py::dict("rows"_a = parts.rows, "sums"_a = sums, "levels"_a = parts.levels, "open_chunks"_a = parts.open_chunks,
                    "pending"_a = array_of_samples(parts.pending),
                    "pending_weights"_a = array_of(std::move(parts.pending_weights)),
                    "pending_Y"_a = array_of(std::move(parts.pending_Y)));
  }

 private:
  mutable std::mutex lock_;
  std::unique_ptr<NormalSum> sum_;
};

}  // namespace

void bind_normal_sum(py::module_& module) {
  py::class_<SumOfRows>(module, "NormalSum", "K^T W K, K^T W Y and Y^T W Y over rows that arrive in blocks.")
      .def(py::init<const py::tuple&, const py::object&, Index, const py::object&>(), "kernel"_a, "C"_a, "outputs"_a,
           "parts"_a = py::none())
      .def("add", &SumOfRows::add, "X"_a, "Y"_a, "weights"_a, "Adds rows.")
      .def("merge", &SumOfRows::merge, "other"_a, "Adds the rows of another sum behind these.")
      .def_property_readonly("rows", &SumOfRows::rows)
      .def("system", &SumOfRows::system, "The sums of all rows so far.")
      .def("parts", &SumOfRows::parts, "All of it as arrays.");
}

}  // namespace gramian::python
