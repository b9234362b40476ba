// SPDX-License-Identifier: BSD-3-Clause
// The engine's random numbers, so that Python can check them against other generators.
#include <pybind11/pybind11.h>

#include <cstdint>

#include "arrays.hpp"
#include "call.hpp"
#include "gramian/base/random.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

constexpr const char* what = "the random numbers";
constexpr const char* advice = "draw fewer of them at a time";

py::array_t<double> random_normal(std::uint64_t seed, std::uint64_t stream, Index rows, Index cols) {
  auto out = new_matrix<double>(rows, cols, what, advice);
  call([&, view = writable_view(out)] { RandomStream(seed, stream).fill_normal(view); });
  return out;
}

py::array_t<double> random_uniform(std::uint64_t seed, std::uint64_t stream, Index rows, Index cols) {
  auto out = new_matrix<double>(rows, cols, what, advice);
  call([&, view = writable_view(out)] { RandomStream(seed, stream).fill_uniform(view); });
  return out;
}

py::array_t<std::uint64_t> random_bits(std::uint64_t seed, std::uint64_t stream, Index rows, Index cols) {
  auto out = new_matrix<std::uint64_t>(rows, cols, what, advice);
  call([&, view = writable_view(out)] {
    const RandomStream random(seed, stream);
    std::uint64_t i = 0;
    for (Index row = 0; row < rows; ++row) {
      for (Index col = 0; col < cols; ++col) view(row, col) = random.bits(i++);
    }
  });
  return out;
}

py::array_t<Index> permutation(std::uint64_t seed, std::uint64_t stream, Index size) {
  auto out = new_matrix<Index>(1, size, what, advice);
  call([&, data = out.mutable_data()] { random_permutation(RandomStream(seed, stream), data, size); });
  return out;
}

}  // namespace

void bind_random(py::module_& module) {
  module.def("normal", &random_normal, "seed"_a, "stream"_a, "rows"_a, "cols"_a, "Standard normal numbers.");
  module.def("uniform", &random_uniform, "seed"_a, "stream"_a, "rows"_a, "cols"_a, "Uniform numbers in [0, 1).");
  module.def("bits", &random_bits, "seed"_a, "stream"_a, "rows"_a, "cols"_a, "64 random bits an entry.");
  module.def("permutation", &permutation, "seed"_a, "stream"_a, "size"_a, "A random order of 0 .. size-1, as one row.");
}

}  // namespace gramian::python
