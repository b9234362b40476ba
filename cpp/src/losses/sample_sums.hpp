// SPDX-License-Identifier: BSD-3-Clause
// What all losses do: check shapes, and sum up costs of samples.
#pragma once

#include <algorithm>
#include <array>
#include <string>

#include "base/check.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/base/view.hpp"

namespace gramian {

/// A text is made where it is wanted alone: a loss is evaluated in each step of a search.
inline void require_loss_shapes(MatrixView<const double> target, MatrixView<const double> output, MatrixView<double> output_bar) {
  const auto check = [&](const char* name, MatrixView<const double> A, const char* otherwise) {
    if (A.rows() == output.rows() && A.cols() == output.cols()) return;
    require(false, std::string(name) + " is " + shape_text(A) + ", it must be " + shape_text(output) + " as output" + otherwise);
  };
  check("target", target, "");
  if (!output_bar.empty()) check("output_bar", output_bar, ", or empty");
}

/// sum_i cost(i) over the rows of `output`, in blocks that depend on their number alone; few enough to need no memory.
template <class SampleCost>
double sum_over_samples(MatrixView<const double> output, double seconds_per_number, SampleCost cost) {
  constexpr Index least_rows = 256, most_blocks = 256;
  std::array<double, most_blocks> sums;
  const Index rows = std::max(least_rows, (output.rows() + most_blocks - 1) / most_blocks);
  const Index blocks = (output.rows() + rows - 1) / rows;
  parallel_for(blocks, seconds_per_number * static_cast<double>(rows * output.cols()), [&](Index block, int) {
    double sum = 0.0;
    for (Index i = block * rows; i < std::min(output.rows(), (block + 1) * rows); ++i) sum += cost(i);
    sums[static_cast<std::size_t>(block)] = sum;
  });
  double total = 0.0;
  for (Index block = 0; block < blocks; ++block) total += sums[static_cast<std::size_t>(block)];
  return total;
}

}  // namespace gramian
