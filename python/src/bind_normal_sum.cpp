// SPDX-License-Identifier: BSD-3-Clause
// Normal systems over rows that arrive in blocks.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/typing.h>

#include <mutex>
#include <utility>
#include <vector>

#include "call.hpp"
#include "gramian/gram/normal_sum.hpp"
#include "kernel_spec.hpp"
#include "matrices.hpp"
#include "optional_matrix.hpp"
#include "points.hpp"
#include "results.hpp"
#include "shared_arrays.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

using PointsOrNone = py::typing::Union<py::array_t<double>, py::tuple, py::none>;  ///< as PointsArgument takes them
using Systems = py::typing::List<NormalSystem>;
using ArrayOrNone = py::typing::Optional<py::array_t<double>>;

/// NormalSumParts on the memory of Python objects.
struct PartsInPython {
  Index rows;
  Systems sums;
  std::vector<Index> levels;
  Index open_chunks;
  PointsOrNone pending;
  ArrayOrNone pending_weights;
  ArrayOrNone pending_Y;
};

NormalSystem system_of(const py::object& square, const py::object& right, const std::vector<double>& y_square) {
  return {Matrix::copy_of(matrix_argument<double>(square, "square")), Matrix::copy_of(matrix_argument<double>(right, "right")),
          y_square};
}

PointsOrNone array_of_samples(const Samples& samples) {
  if (samples.size() == 0) return PointsOrNone(py::none());
  if (samples.form() == Samples::Form::dense) return PointsOrNone(array_of(Matrix::copy_of(samples.dense().view())));
  const SparseRows<double>& X = samples.sparse();
  const auto copied = [](const auto* from, Index count) {
    return array_of(std::vector<std::decay_t<decltype(*from)>>(from, from + count));
  };
  const auto entry = [&](const auto* from) { return copied(from, X.row_start[X.rows]); };
  return PointsOrNone(py::make_tuple("sparse", copied(X.row_start, X.rows + 1), entry(X.columns), entry(X.values), X.cols));
}

PartsInPython in_python(NormalSumParts&& parts) {
  Systems sums;
  for (NormalSystem& sum : parts.sums) sums.append(py::cast(std::move(sum)));
  return {parts.rows,
          sums,
          std::move(parts.levels),
          parts.open_chunks,
          array_of_samples(parts.pending),
          ArrayOrNone(array_of(std::move(parts.pending_weights))),
          ArrayOrNone(array_of(std::move(parts.pending_Y)))};
}

NormalSumParts in_engine(const PartsInPython& parts) {
  NormalSumParts out;
  out.rows = parts.rows;
  for (const py::handle sum : parts.sums) {
    if (!py::isinstance<NormalSystem>(sum)) throw py::type_error("sums must hold objects of NormalSystem");
    out.sums.push_back(sum.cast<const NormalSystem&>().clone());
  }
  out.levels = parts.levels;
  out.open_chunks = parts.open_chunks;
  out.pending = shared_samples(parts.pending, "pending");
  out.pending_weights = Matrix::copy_of(matrix_or_none(parts.pending_weights, "pending_weights"));
  out.pending_Y = Matrix::copy_of(matrix_or_none(parts.pending_Y, "pending_Y"));
  return out;
}

/// A sum and the lock that it is used under.
class SumOfRows {
 public:
  SumOfRows(const py::tuple& kernel_spec, const py::object& C, Index outputs)
      : sum_(kernel_argument(kernel_spec), PointsArgument(C, py::none()).X(), outputs) {}
  SumOfRows(const py::tuple& kernel_spec, const py::object& C, Index outputs, const PartsInPython& parts)
      : sum_(kernel_argument(kernel_spec), PointsArgument(C, py::none()).X(), outputs, in_engine(parts)) {}

  void add(const py::object& X, const py::object& Y, const py::object& weights) {
    const PointsArgument points(X, py::none());
    const auto y = matrix_or_none(Y, "Y"), w = matrix_or_none(weights, "weights");
    call(lock_, [&] { sum_.add(points.X(), w, y); });
  }
  void merge(const SumOfRows& other) {
    require(this != &other, "a sum cannot be merged with itself");
    call([&] {
      const std::scoped_lock both(lock_, other.lock_);
      sum_.merge(other.sum_);
    });
  }
  Index rows() const { return sum_.rows(); }
  NormalSystem system() const {
    NormalSystem system;
    call(lock_, [&] { system = sum_.system(); });
    return system;
  }
  PartsInPython parts() const {
    NormalSumParts parts;
    call(lock_, [&] { parts = sum_.parts(); });
    return in_python(std::move(parts));
  }

 private:
  mutable std::mutex lock_;
  NormalSum sum_;
};

}  // namespace

void bind_normal_sum(py::module_& module) {
  py::class_<NormalSystem> system(module, "NormalSystem", "K^T W K, K^T W Y and Y^T W Y.");
  system.def(py::init(&system_of), "square"_a, "right"_a, "y_square"_a);
  add_array(system, "square", [](const NormalSystem& it) -> const auto& { return it.square; });
  add_array(system, "right", [](const NormalSystem& it) -> const auto& { return it.right; });
  add_array(system, "y_square", [](const NormalSystem& it) -> const auto& { return it.y_square; });
  py::class_<PartsInPython>(module, "NormalSumParts", "A sum as arrays, from which it continues.")
      .def(py::init<Index, Systems, std::vector<Index>, Index, PointsOrNone, ArrayOrNone, ArrayOrNone>(), "rows"_a, "sums"_a,
           "levels"_a, "open_chunks"_a, "pending"_a, "pending_weights"_a, "pending_Y"_a)
      .def_readonly("rows", &PartsInPython::rows)
      .def_readonly("sums", &PartsInPython::sums)
      .def_readonly("levels", &PartsInPython::levels)
      .def_readonly("open_chunks", &PartsInPython::open_chunks)
      .def_readonly("pending", &PartsInPython::pending)
      .def_readonly("pending_weights", &PartsInPython::pending_weights)
      .def_readonly("pending_Y", &PartsInPython::pending_Y);
  py::class_<SumOfRows>(module, "NormalSum", "K^T W K, K^T W Y and Y^T W Y over rows that arrive in blocks.")
      .def(py::init<const py::tuple&, const py::object&, Index>(), "kernel"_a, "C"_a, "outputs"_a)
      .def(py::init<const py::tuple&, const py::object&, Index, const PartsInPython&>(), "kernel"_a, "C"_a, "outputs"_a,
           "parts"_a)
      .def("add", &SumOfRows::add, "X"_a, "Y"_a, "weights"_a, "Adds rows.")
      .def("merge", &SumOfRows::merge, "other"_a, "Adds the rows of another sum behind these.")
      .def_property_readonly("rows", &SumOfRows::rows)
      .def("system", &SumOfRows::system, "The sums of all rows so far.")
      .def("parts", &SumOfRows::parts, "A copy of all of it.");
}

}  // namespace gramian::python
