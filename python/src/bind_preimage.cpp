// SPDX-License-Identifier: BSD-3-Clause
// Back from a feature space.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "arrays.hpp"
#include "call.hpp"
#include "gramian/gram/preimage.hpp"
#include "matrices.hpp"
#include "option_fields.hpp"
#include "results.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

Preimages preimages(double gamma, const py::object& points, const py::object& weights) {
  const auto X = matrix_argument<double>(points, "X"), W = matrix_argument<double>(weights, "weights");
  Preimages found;
  call([&] { found = gaussian_preimages(gamma, X, W, {}); });
  return found;
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
  bind_options<PreimageOptions>(module, "PreimageOptions", "pre-images by a fixed point");
  py::class_<Preimages> found(module, "Preimages", "Points, and for each of them 1 if it has converged.");
  add_array(found, "points", [](const Preimages& all) -> const auto& { return all.points; });
  add_array(found, "converged", [](const Preimages& all) -> const auto& { return all.converged; });
  module.def("gaussian_preimages", &preimages, "gamma"_a, "X"_a, "weights"_a,
             "Points whose images are nearest to weighted sums of images.");
  module.def("nearest_candidate", &nearest, "weights"_a, "cross"_a, "diagonal"_a,
             "For each weighted sum of images the candidate whose image is nearest.");
}

}  // namespace gramian::python
