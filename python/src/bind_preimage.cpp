// SPDX-License-Identifier: BSD-3-Clause
// Back from a feature space.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "arrays.hpp"
#include "call.hpp"
#include "gramian/gram/preimage.hpp"
#include "matrices.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

py::tuple preimages(double gamma, const py::object& points, const py::object& weights) {
  const auto X = matrix_argument<double>(points, "X"), W = matrix_argument<double>(weights, "weights");
  Preimages found;
  call([&] { found = gaussian_preimages(gamma, X, W, {}); });
  auto result = new_matrix<double>(found.points.rows(), found.points.cols(), "the pre-images", "pass fewer codes at a time");
  std::copy_n(found.points.data(), found.points.size(), result.mutable_data());
  return py::make_tuple(result, std::count(found.converged.begin(), found.converged.end(), std::uint8_t(0)));
}

py::array_t<Index> nearest(const py::object& weights, const py::object& cross, const py::object& diagonal) {
  const auto W = matrix_argument<double>(weights, "weights"), K = matrix_argument<double>(cross, "cross");
  const auto squares = matrix_argument<double>(diagonal, "diagonal");
  NearestCandidates found;
  call([&] { found = nearest_candidates(W, K, squares); });
  return array_of(found.indices);
}

}  // namespace

void bind_preimage(py::module_& module) {
  module.def("gaussian_preimages", &preimages, "gamma"_a, "X"_a, "weights"_a,
             "Points whose images are nearest to weighted sums of images, and how many of them did not converge.");
  module.def("nearest_candidate", &nearest, "weights"_a, "cross"_a, "diagonal"_a,
             "For each weighted sum of images the candidate whose image is nearest.");
}

}  // namespace gramian::python
