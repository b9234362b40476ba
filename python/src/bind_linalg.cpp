// SPDX-License-Identifier: BSD-3-Clause
// Cholesky factorizations and triangular systems.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/typing.h>

#include <string>
#include <vector>

#include "arrays.hpp"
#include "call.hpp"
#include "option_fields.hpp"
#include "gramian/linalg/cholesky.hpp"
#include "gramian/linalg/cholesky_batch.hpp"
#include "gramian/base/finite.hpp"
#include "gramian/linalg/symmetry.hpp"
#include "gramian/linalg/triangular.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

using Numbers = py::array_t<double>;

py::typing::Tuple<Numbers, double> cholesky_of(const py::object& A, const CholeskyOptions& options, double tolerance) {
  const auto a = matrix_argument<double>(A, "A");
  auto L = new_matrix<double>(a.rows(), a.rows(), "the Cholesky factor", "use fewer points or a low-rank model");
  double jitter = 0.0;
  call([&, out = writable_view(L)] {
    require_symmetric(a, tolerance, "A");
    jitter = cholesky(a, out, options);
  });
  return py::make_tuple(L, jitter);
}

Numbers solve_with_factor(const py::object& L, const py::object& B) {
  const auto l = matrix_argument<double>(L, "L"), b = matrix_argument<double>(B, "B");
  auto X = new_matrix<double>(b.rows(), b.cols(), "the solution", "pass fewer columns of B at a time");
  call([&, x = writable_view(X)] { cholesky_solve(l, b, x); });
  return X;
}

Numbers solve_triangle(const py::object& L, const py::object& B, bool lower, bool transposed) {
  const auto l = matrix_argument<double>(L, "L"), b = matrix_argument<double>(B, "B");
  auto X = new_matrix<double>(b.rows(), b.cols(), "the solution", "pass fewer columns of B at a time");
  call([&, x = writable_view(X)] {
    if (lower) return transposed ? solve_lower_transposed(l, b, x) : solve_lower(l, b, x);
    return transposed ? solve_upper_transposed(l, b, x) : solve_upper(l, b, x);
  });
  return X;
}

bool all_finite_in(const py::object& A) {
  const auto a = matrix_argument<double>(A, "A");
  bool finite = false;
  call([&] { finite = all_finite(a); });
  return finite;
}

double log_determinant_of(const py::object& L) { return log_determinant(matrix_argument<double>(L, "L")); }

Numbers inverse_diagonal_of(const py::object& L) {
  const auto l = matrix_argument<double>(L, "L");
  Numbers out(l.rows());
  call([&, data = out.mutable_data()] { inverse_diagonal(l, data); });
  return out;
}

/// The stacks are C-ordered: the package sees to it.
void require_stack(const Numbers& stack, const char* name) {
  if (stack.ndim() != 3 || (stack.flags() & py::array::c_style) == 0) {
    throw py::type_error(std::string(name) + " must be a C-ordered array of 3 dimensions");
  }
}

py::typing::Tuple<py::array_t<int>, Numbers> solve_batch(const Numbers& A, Numbers B, const CholeskyOptions& options) {
  require_stack(A, "A");
  require_stack(B, "B");
  const auto first = [](auto* data, const py::array& stack) { return MatrixView(data, stack.shape(1), stack.shape(2)); };
  const BatchView<const double> a(A.shape(0), A.shape(1) * A.shape(2), first(A.data(), A));
  const BatchView<double> b(B.shape(0), B.shape(1) * B.shape(2), first(B.mutable_data(), B));
  std::vector<SystemReport> reports(static_cast<std::size_t>(a.count()));
  call([&] { cholesky_solve_batch(a, b, reports.data(), options); });
  py::array_t<int> status(a.count());
  Numbers jitter(a.count());
  for (Index i = 0; i < a.count(); ++i) {
    status.mutable_at(i) = static_cast<int>(reports[static_cast<std::size_t>(i)].status);
    jitter.mutable_at(i) = reports[static_cast<std::size_t>(i)].jitter;
  }
  return py::make_tuple(status, jitter);
}

}  // namespace

void bind_linalg(py::module_& module) {
  module.def(
      "symmetry_tolerance", [](bool single) { return single ? symmetry_tolerance_float : symmetry_tolerance; }, "single"_a,
      "By how much a matrix in single or double precision may differ from its transpose, relative to its diagonal.");
  bind_options<CholeskyOptions>(module, "CholeskyOptions", "the Cholesky factorization");
  module.def("cholesky", &cholesky_of, "A"_a, "options"_a, "symmetry_tolerance"_a,
             "The lower factor of A as a new array, and the jitter that was added to its diagonal.");
  module.def("cholesky_solve", &solve_with_factor, "L"_a, "B"_a, "(L L^T)^-1 B as a new array.");
  module.def("solve_triangular", &solve_triangle, "L"_a, "B"_a, "lower"_a, "transposed"_a, "L^-1 B or L^-T B as a new array.");
  module.def("all_finite", &all_finite_in, "A"_a, "Whether A has neither NaN nor infinity.");
  module.def("log_determinant", &log_determinant_of, "L"_a, "log det(L L^T).");
  module.def("inverse_diagonal", &inverse_diagonal_of, "L"_a, "The diagonal of (L L^T)^-1.");
  module.def("cholesky_solve_batch", &solve_batch, py::arg("A").noconvert(), py::arg("B").noconvert(), "options"_a,
             "B[b] = A[b]^-1 B[b] in place; the status and the jitter of each system.");
}

}  // namespace gramian::python
