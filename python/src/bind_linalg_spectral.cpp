// SPDX-License-Identifier: BSD-3-Clause
// Eigenpairs, matrices with orthonormal columns, systems with Kronecker structure.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/typing.h>

#include <string>
#include <vector>

#include "arrays.hpp"
#include "call.hpp"
#include "gramian/gram/product.hpp"
#include "gramian/linalg/eigen_symmetric.hpp"
#include "gramian/linalg/eigen_top.hpp"
#include "gramian/linalg/kronecker.hpp"
#include "gramian/linalg/stiefel.hpp"
#include "gramian/linalg/symmetry.hpp"
#include "kernel_spec.hpp"
#include "matrices.hpp"
#include "option_fields.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

using Numbers = py::array_t<double>;

constexpr const char* advice = "use fewer points or a low-rank model";

Numbers new_numbers(Index rows, Index cols, const char* what) { return new_matrix<double>(rows, cols, what, advice); }

void check_symmetric(const py::object& A) {
  const auto a = matrix_argument<double>(A, "A");
  call([&] { require_symmetric(a, symmetry_tolerance, "A"); });
}

py::typing::Tuple<Numbers, Numbers> eigen_of(const py::object& A) {
  const auto a = matrix_argument<double>(A, "A");
  auto values = new_numbers(a.rows(), 1, "the eigenvalues");
  auto V = new_matrix<double>(a.rows(), a.rows(), "the eigenvectors", "use gramian.linalg.top_eigenpairs");
  call([&, w = writable_view(values), v = writable_view(V)] { eigen_symmetric(a, w, v); });
  return py::make_tuple(values, V);
}

struct TopEigenpairs {
  Numbers values, vectors, residuals;
  int products;
  bool converged;
};

template <class Run>
TopEigenpairs top_with(Index n, Index k, Run run) {
  auto values = new_numbers(k, 1, "the eigenvalues"), V = new_numbers(n, k, "the eigenvectors");
  EigenTopResult result;
  call([&, w = writable_view(values), v = writable_view(V)] { result = run(w, v); });
  return {values, V, array_of(result.residuals), result.products, result.reason == EigenTopStop::converged};
}

TopEigenpairs eigen_top_of(const py::object& A, Index k, const EigenTopOptions& options) {
  const auto a = matrix_argument<double>(A, "A");
  return top_with(a.rows(), k, [&](MatrixView<double> w, MatrixView<double> v) { return eigen_top(a, w, v, options); });
}

TopEigenpairs eigen_top_of_kernel(const py::tuple& spec, const py::object& X, Index k, const EigenTopOptions& options) {
  const Kernel kernel = kernel_argument(spec);
  const auto x = matrix_argument<double>(X, "X");
  const Points points(x);
  const auto apply = [&](MatrixView<const double> V, MatrixView<double> out) { product(kernel, points, V, out); };
  return top_with(x.rows(), k,
                  [&](MatrixView<double> w, MatrixView<double> v) { return eigen_top(x.rows(), apply, w, v, options); });
}

Numbers project(const py::object& H) {
  const auto h = matrix_argument<double>(H, "H");
  auto out = new_numbers(h.rows(), h.cols(), "the projection");
  call([&, o = writable_view(out)] { stiefel_project(h, o); });
  return out;
}

Numbers tangent(const py::object& H, const py::object& Z) {
  const auto h = matrix_argument<double>(H, "H"), z = matrix_argument<double>(Z, "Z");
  auto out = new_numbers(h.rows(), h.cols(), "the tangent vector");
  call([&, o = writable_view(out)] { stiefel_tangent(h, z, o); });
  return out;
}

Numbers retract(const py::object& H, const py::object& Z, bool polar) {
  const auto h = matrix_argument<double>(H, "H"), z = matrix_argument<double>(Z, "Z");
  auto out = new_numbers(h.rows(), h.cols(), "the retraction");
  call([&, o = writable_view(out)] { stiefel_retract(h, z, polar ? StiefelRetraction::polar : StiefelRetraction::qr, o); });
  return out;
}

Numbers kronecker(const py::object& k, const py::object& T, double lambda, const py::object& B) {
  const auto inner = matrix_argument<double>(k, "k"), outer = matrix_argument<double>(T, "L");
  auto A = new_numbers(outer.rows(), inner.rows(), "the solution");
  const bool identity = B.is_none();
  const auto right = identity ? MatrixView<const double>() : matrix_argument<double>(B, "B");
  call([&, a = writable_view(A)] {
    const KroneckerSolver solver(outer, inner);
    identity ? solver.solve_identity(lambda, a) : solver.solve(lambda, right, a);
  });
  return A;
}

}  // namespace

void bind_linalg_spectral(py::module_& module) {
  module.def("check_symmetric", &check_symmetric, "A"_a, "ValueError unless A is square and symmetric.");
  module.def("eigen_symmetric", &eigen_of, "A"_a, "Eigenvalues, ascending, as one column, and eigenvectors in columns.");
  bind_options<EigenTopOptions>(module, "EigenTopOptions", "the largest eigenvalues");
  py::class_<TopEigenpairs>(module, "TopEigenpairs", "The largest eigenvalues as one column, and how they were found.")
      .def_readonly("values", &TopEigenpairs::values)
      .def_readonly("vectors", &TopEigenpairs::vectors)
      .def_readonly("residuals", &TopEigenpairs::residuals)
      .def_readonly("products", &TopEigenpairs::products)
      .def_readonly("converged", &TopEigenpairs::converged);
  module.def("eigen_top", &eigen_top_of, "A"_a, "k"_a, "options"_a, "The k largest eigenvalues of A.");
  module.def("eigen_top_of_kernel", &eigen_top_of_kernel, "kernel"_a, "X"_a, "k"_a, "options"_a,
             "The same for K(X, X), never stored.");
  module.def("stiefel_project", &project, "H"_a, "The polar factor of H.");
  module.def("stiefel_tangent", &tangent, "H"_a, "Z"_a, "Z - H sym(H^T Z).");
  module.def("stiefel_retract", &retract, "H"_a, "Z"_a, "polar"_a, "A point near H + Z, by the polar or the QR factor.");
  module.def("solve_kronecker", &kronecker, "k"_a, "L"_a, "lambda_"_a, "B"_a, "A with L A k + n lambda A = B; B is None: I.");
}

}  // namespace gramian::python
