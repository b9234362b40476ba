// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients on arrays and on functions written in Python, preconditioners, low-rank systems.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "call.hpp"
#include "gramian/linalg/conjugate_gradients.hpp"
#include "gramian/linalg/low_rank_inverse.hpp"
#include "gramian/linalg/woodbury.hpp"
#include "matrices.hpp"
#include "option_fields.hpp"
#include "python_objective.hpp"
#include "results.hpp"
#include "value_and_gradient.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

using Numbers = py::array_t<double>;

/// out = function(V), on copies: Python may keep what it gets.
void apply_function(const py::object& function, const std::string& what, MatrixView<const double> V, MatrixView<double> out) {
  const py::gil_scoped_acquire gil;
  Numbers given({V.rows(), V.cols()});
  for (Index i = 0; i < V.rows(); ++i) {
    for (Index j = 0; j < V.cols(); ++j) given.mutable_at(i, j) = V(i, j);
  }
  const Numbers found = array_of(function(given), what, {V.rows(), V.cols()});
  for (Index i = 0; i < V.rows(); ++i) {
    for (Index j = 0; j < V.cols(); ++j) out(i, j) = found.at(i, j);
  }
}

class PythonOperator final : public SymmetricOperator {
 public:
  PythonOperator(py::object function, Index size) : function_(std::move(function)), size_(size) {}
  Index size() const override { return size_; }
  void apply(MatrixView<const double> V, MatrixView<double> out) const override {
    apply_function(function_, "what A returns", V, out);
  }

 private:
  py::object function_;
  Index size_;
};

class PythonPreconditioner final : public Preconditioner {
 public:
  explicit PythonPreconditioner(py::object function) : function_(std::move(function)) {}
  void apply(MatrixView<const double> R, MatrixView<double> out) const override {
    apply_function(function_, "what preconditioner returns", R, out);
  }

 private:
  py::object function_;
};

std::unique_ptr<SymmetricOperator> operator_argument(const py::object& A, Index size) {
  if (py::isinstance<py::array>(A)) return std::make_unique<StoredOperator>(matrix_argument<double>(A, "A"));
  return std::make_unique<PythonOperator>(A, size);
}

std::unique_ptr<ConjugateGradients> solve(const py::object& A, const py::object& B, const ConjugateGradientsOptions& options,
                                          const py::object& preconditioner, const py::object& start, const py::object& callback) {
  const auto b = matrix_argument<double>(B, "B");
  const std::unique_ptr<SymmetricOperator> system = operator_argument(A, b.rows());
  const PythonPreconditioner function(preconditioner);
  const Preconditioner* inverse = nullptr;
  if (!preconditioner.is_none()) {
    inverse = py::isinstance<LowRankInverse>(preconditioner) ? preconditioner.cast<const LowRankInverse*>()
                                                             : static_cast<const Preconditioner*>(&function);
  }
  ConjugateGradientsStart from;
  if (!start.is_none()) from.solution = matrix_argument<double>(start, "x0");
  PythonObserver watching(callback, b.rows() * b.cols());
  auto found = std::make_unique<ConjugateGradients>();
  call([&] { *found = conjugate_gradients(*system, b, options, inverse, callback.is_none() ? nullptr : &watching, from); });
  return found;
}

std::unique_ptr<LowRankInverse> inverse_of(const py::object& F, const py::object& shift) {
  const auto f = matrix_argument<double>(F, "F"), d = matrix_argument<double>(shift, "shift");
  std::unique_ptr<LowRankInverse> made;
  call([&] { made = std::make_unique<LowRankInverse>(f, d); });
  return made;
}

Numbers applied(const LowRankInverse& inverse, const py::object& R) {
  const auto r = matrix_argument<double>(R, "R");
  auto out = new_matrix<double>(r.rows(), r.cols(), "the solution", "pass fewer columns at a time");
  call([&, o = writable_view(out)] { inverse.apply(r, o); });
  return out;
}

std::unique_ptr<Woodbury> woodbury(const py::object& d, const py::object& U, const py::object& C) {
  const auto diagonal = matrix_argument<double>(d, "d"), u = matrix_argument<double>(U, "U");
  const bool plain = C.is_none();
  const auto c = plain ? MatrixView<const double>() : matrix_argument<double>(C, "C");
  std::unique_ptr<Woodbury> made;
  call([&] { made = plain ? std::make_unique<Woodbury>(diagonal, u) : std::make_unique<Woodbury>(diagonal, u, c); });
  return made;
}

Numbers solve_woodbury(const Woodbury& system, const py::object& B) {
  const auto b = matrix_argument<double>(B, "B");
  auto X = new_matrix<double>(b.rows(), b.cols(), "the solution", "pass fewer columns at a time");
  call([&, x = writable_view(X)] { system.solve(b, x); });
  return X;
}

}  // namespace

void bind_solvers(py::module_& module) {
  bind_options<ConjugateGradientsOptions>(module, "ConjugateGradientsOptions", "conjugate gradients");
  py::class_<ConjugateGradients> result(module, "ConjugateGradients", "The solution of A X = B, and how it was found.");
  add_array(result, "solution", [](const ConjugateGradients& found) -> const auto& { return found.solution; });
  result.def_property_readonly("residuals", [](const ConjugateGradients& found) { return array_of(found.residuals); })
      .def_readonly("iterations", &ConjugateGradients::iterations)
      .def_property_readonly("stop_reason", [](const ConjugateGradients& f) { return std::string(name_of(f.stop_reason)); })
      .def_readonly("history", &ConjugateGradients::history);
  py::class_<LowRankInverse>(module, "LowRankInverse", "(F F^T + diag(shift))^-1, factored once.")
      .def(py::init(&inverse_of), "F"_a, "shift"_a)
      .def_property_readonly("size", &LowRankInverse::size)
      .def_property_readonly("rank", &LowRankInverse::rank)
      .def("apply", &applied, "R"_a, "The inverse times R, as a new array.");
  py::class_<Woodbury>(module, "Woodbury", "diag(d) + U C U^T, factored once; C is None: I.")
      .def(py::init(&woodbury), "d"_a, "U"_a, "C"_a)
      .def_property_readonly("size", &Woodbury::size)
      .def("solve", &solve_woodbury, "B"_a, "The inverse times B, as a new array.")
      .def("log_determinant", &Woodbury::log_determinant, "The logarithm of the determinant.");
  module.def("conjugate_gradients", &solve, "A"_a, "B"_a, "options"_a, "preconditioner"_a, "x0"_a, "callback"_a,
             "X with A X = B: A is a matrix, or a function of columns.");
}

}  // namespace gramian::python
