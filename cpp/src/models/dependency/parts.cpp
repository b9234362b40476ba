// SPDX-License-Identifier: BSD-3-Clause
#include "models/dependency/parts.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/check.hpp"
#include "gram/rows.hpp"
#include "gramian/base/error.hpp"
#include "gramian/gram/full.hpp"

namespace gramian::dependency {
namespace {

bool known(const Samples& samples) { return samples.form() != Samples::Form::count; }

void check_rows(const std::vector<Index>& rows, Index size, const char* name) {
  for (const Index row : rows) {
    if (row < 0 || row >= size) {
      require(false, std::string(name) + " has " + std::to_string(row) + ", it must be in 0 .. " + std::to_string(size - 1));
    }
  }
}

void require_same(Index found, Index wanted, const char* what, const char* of) {
  require(found == wanted,
          std::string(what) + " are " + std::to_string(found) + ", and " + of + " has " + std::to_string(wanted) + " of them");
}

/// A kernel that is not for its points says so when it sees one.
void try_kernel(const Kernel& kernel, const Samples& samples) {
  double value = 0.0;
  const Points points = samples.points();
  full(kernel, rows_of(points, 0, 1), rows_of(points, 0, 1), MatrixView<double>(&value, 1, 1));
}

void check_inputs(const Parts& parts) {
  if (parts.vectors) {
    require(!parts.kernel && parts.inputs.size() == 0 && parts.input_supports.empty(),
            "kernel, inputs and input_supports are not for an operator-valued kernel");
    require(parts.input_factor.empty() && parts.components.empty() && !parts.centred,
            "factors, components and mean are not for an operator-valued kernel");
    if (parts.coefficients.empty()) return;
    return require_same(parts.coefficients.cols(), parts.vectors->outputs(Verb::predict), "columns of coefficients", "g(x)");
  }
  const Index s1 = parts.coefficients.cols();
  require(s1 > 0, "coefficients are empty");
  require(parts.kernel.has_value() == known(parts.inputs), "inputs must be rows of numbers if there is a kernel, and only if so");
  require(!parts.kernel || parts.input_supports.empty(), "input_supports are for rows of kernel values");
  check_rows(parts.input_supports, parts.inputs.size(), "input_supports");
  const Index picked = static_cast<Index>(parts.input_supports.size());
  require_same(s1, picked > 0 ? picked : parts.inputs.size(), "columns of coefficients", "the input side");
  if (parts.kernel) try_kernel(*parts.kernel, parts.inputs);
}

void check_factor(MatrixView<const double> factor, Index size, const char* name) {
  require_shape(factor, size, size, name);
  require_finite(factor, name);
  for (Index i = 0; i < size; ++i) {
    if (factor(i, i) == 0.0) require(false, std::string(name) + " has a zero on its diagonal");
  }
}

void check_model(const Parts& parts) {
  require_finite(parts.coefficients.view(), "coefficients");
  require(parts.input_factor.empty() == parts.output_factor.empty(), "input_factor and output_factor go together");
  if (!parts.input_factor.empty()) {
    check_factor(parts.input_factor.view(), parts.coefficients.cols(), "input_factor");
    check_factor(parts.output_factor.view(), parts.coefficients.rows(), "output_factor");
  }
  const Index p = parts.components.cols();
  if (!parts.components.empty()) {
    require_shape(parts.components.view(), parts.coefficients.rows(), p, "components");
    require_finite(parts.components.view(), "components");
  }
  require(parts.mean.empty() || parts.centred, "mean is for centred components");
  if (!parts.centred) return;
  require_same(static_cast<Index>(parts.mean.size()), p, "coordinates of mean", "components");
  require(std::all_of(parts.mean.begin(), parts.mean.end(), [](double x) { return std::isfinite(x); }),
          "mean has an entry that is not finite");
}

void check_outputs(const Parts& parts) {
  const Index n = parts.outputs.size();
  require(n > 0, "outputs are empty: there must be at least one");
  require(!known(parts.outputs.points) || parts.output_kernel, "outputs that are points need an output kernel");
  check_rows(parts.output_supports, n, "output_supports");
  check_candidates(parts, parts.outputs, "outputs");
  if (has_axes(parts)) {
    require(parts.outputs.points.form() == Samples::Form::dense && parts.output_kernel->traits().inner_product,
            "without coefficients outputs of an operator-valued kernel must be dense, and their kernel linear");
    require(parts.output_supports.empty(), "output_supports are for weights of outputs");
    return require_same(parts.outputs.points.dimension(), parts.vectors->outputs(Verb::predict), "coordinates of outputs",
                        "g(x)");
  }
  const Index picked = static_cast<Index>(parts.output_supports.size());
  require_same(parts.coefficients.rows(), picked > 0 ? picked : n, "rows of coefficients", "the output side");
  if (parts.output_kernel) try_kernel(*parts.output_kernel, parts.outputs.points);
}

void check_preimage(const Parts& parts) {
  const Preimage way = parts.preimage;
  const bool points = parts.output_kernel.has_value();
  if (way == Preimage::linear || way == Preimage::sequence) {
    require(points && parts.output_kernel->traits().inner_product, "this preimage is for a linear output kernel");
  }
  if (way == Preimage::gaussian) {
    require(points && parts.output_kernel->traits().proportional_slope, "preimage gaussian is for a Gaussian output kernel");
    require(parts.outputs.points.form() == Samples::Form::dense, "preimage gaussian is for dense outputs");
  }
  const Index symbols = static_cast<Index>(parts.symbols.size());
  require(way != Preimage::sequence || symbols > 0, "sequences need symbols");
  require(symbols == 0 || (points && parts.outputs.points.dimension() % symbols == 0),
          "outputs must have a number for each symbol at each position");
  require((way == Preimage::candidates) == (parts.candidates.size() > 0),
          "candidates are for preimage candidates, which needs some");
  if (parts.candidates.size() > 0) check_candidates(parts, parts.candidates, "candidates");
}

}  // namespace

Index support_count(const Parts& parts) {
  return has_axes(parts) ? parts.vectors->outputs(Verb::predict) : parts.coefficients.rows();
}

void check_candidates(const Parts& parts, const Outputs& candidates, const char* name) {
  const std::string text = name;
  if (parts.output_kernel) {
    const Samples& points = parts.outputs.points;
    require(known(candidates.points) && candidates.values.empty() && candidates.squares.empty(), text + " must be points");
    require(candidates.points.size() > 0, text + " are empty: pass at least one");
    require_same(candidates.points.dimension(), points.dimension(), (text + ": their features").c_str(), "an output of the fit");
    return require(candidates.points.form() == points.form(), text + " must be dense or sparse as the outputs of the fit are");
  }
  require(!known(candidates.points), text + " that are points need an output kernel");
  require_shape(candidates.values.view(), candidates.values.rows(), support_count(parts),
                (text + ": their kernel values").c_str());
  require(candidates.values.rows() > 0, text + " are empty: pass at least one");
  require_shape(candidates.squares.view(), candidates.values.rows(), 1, (text + ": their squares").c_str());
  require_finite(candidates.values.view(), name);
  require_finite(candidates.squares.view(), name);
}

void check_parts(const Parts& parts) {
  check_inputs(parts);
  check_model(parts);
  check_outputs(parts);
  check_preimage(parts);
}

}  // namespace gramian::dependency
