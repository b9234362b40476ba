// SPDX-License-Identifier: BSD-3-Clause
#include "models/conditional_mean/parts.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "base/check.hpp"
#include "gram/rows.hpp"
#include "gram/source.hpp"
#include "gramian/base/error.hpp"
#include "gramian/gram/full.hpp"

namespace gramian::conditional_mean {
namespace {

/// Kernel and samples are of use together; a single row shows that the kernel suits them.
void check_side(const std::optional<Kernel>& kernel, const Samples& samples, const char* name) {
  require(kernel.has_value() == (samples.form() != Samples::Form::count),
          std::string(name) + " must be rows of numbers if there is a kernel for them, and only if so");
  if (!kernel) return;
  double value = 0.0;
  const Points points = samples.points();
  full(*kernel, rows_of(points, 0, 1), rows_of(points, 0, 1), MatrixView<double>(&value, 1, 1));
}

void check_factor(MatrixView<const double> factor, Index n) {
  require_shape(factor, n, n, "factor");
  require_finite(factor, "factor");
  for (Index i = 0; i < n; ++i) require(factor(i, i) > 0.0, "factor must be positive on its diagonal");
}

void check_roots(MatrixView<const double> roots, Index n) {
  if (roots.empty()) return;
  require_shape(roots, n, 1, "roots");
  require_finite(roots, "roots");
  for (Index i = 0; i < n; ++i) require(roots(i, 0) >= 0.0, "roots must not be negative");
}

void check_labels(const Parts& parts) {
  if (parts.labels.empty()) return;
  const MatrixView<const double> numbers = parts.outputs.dense().view();
  require_shape(numbers, parts.outputs.size(), 1, "outputs that are labels");
  const double classes = static_cast<double>(parts.labels.size());
  for (Index i = 0; i < numbers.rows(); ++i) {
    const double number = numbers(i, 0);
    require(number >= 0.0 && number < classes && number == std::floor(number), "outputs must be numbers of the labels");
  }
}

void check_outputs(const Parts& parts, Index n) {
  if (parts.output_kernel) {
    require(parts.output_gram.empty(), "output_gram is for outputs without a kernel");
    require(parts.outputs.size() == n, "outputs are " + std::to_string(parts.outputs.size()) + ", there must be " +
                                           std::to_string(n) + ": one for each training input");
  } else {
    require(parts.outputs.size() == 0, "outputs need a kernel");
    require_shape(parts.output_gram.view(), n, n, "output_gram");
    check_source(GramSource(parts.output_gram.view()), "outputs");
  }
  check_labels(parts);
  const SharedMatrix& coefficients = parts.coefficients;
  if (coefficients.empty()) return;
  require(parts.outputs.form() == Samples::Form::dense && parts.labels.empty(), "coefficients are for outputs that are vectors");
  require_shape(coefficients.view(), parts.inputs.size(), parts.outputs.dimension(), "coefficients");
  require_finite(coefficients.view(), "coefficients");
}

void check_landmarks(const Parts& parts) {
  const Samples &samples = parts.samples, &landmarks = parts.inputs;
  if (samples.size() > 0) {
    require(parts.kernel.has_value() && samples.form() == landmarks.form() && samples.dimension() == landmarks.dimension(),
            "samples must be as the inputs are, with a kernel for them");
    require(parts.mixing.empty(), "mixing is for an embedding without samples");
  }
  if (parts.mixing.empty()) return;
  require(parts.kernel.has_value() && parts.roots.empty(), "mixing needs a kernel of the inputs, and no roots");
  require_shape(parts.mixing.view(), parts.mixing.rows(), landmarks.size(), "mixing");
  require_finite(parts.mixing.view(), "mixing");
}

}  // namespace

Index outputs_of(const Parts& parts) {
  if (!parts.mixing.empty()) return parts.mixing.rows();
  return parts.samples.size() > 0 ? parts.samples.size() : parts.inputs.size();
}

void check_parts(const Parts& parts) {
  require(parts.inputs.size() > 0, "inputs are empty: there must be at least one");
  check_side(parts.kernel, parts.inputs, "inputs");
  check_factor(parts.factor.view(), parts.inputs.size());
  check_landmarks(parts);
  const Index n = outputs_of(parts);
  check_roots(parts.roots.view(), n);
  check_outputs(parts, n);
  if (parts.output_kernel) check_side(parts.output_kernel, parts.outputs, "outputs");
}

Parts parts_of(const Model& model, const Kernel& kernel, const Samples& inputs, const Kernel& output_kernel,
               const Samples& outputs) {
  Parts parts;
  parts.kernel = kernel;
  parts.inputs = inputs;
  parts.factor = SharedMatrix::copy_of(model.factor());
  parts.output_kernel = output_kernel;
  parts.outputs = outputs;
  if (outputs.form() == Samples::Form::dense) {
    Matrix coefficients(model.size(), outputs.dimension());
    model.coefficients(outputs.dense().view(), coefficients.view());
    parts.coefficients = SharedMatrix(std::move(coefficients));
  }
  return parts;
}

Parts parts_of(const LandmarkFit& fit, const Kernel& kernel, const Samples& landmarks, const Samples& inputs,
               const Kernel& output_kernel, const Samples& outputs) {
  Parts parts;
  parts.kernel = kernel;
  parts.inputs = landmarks.some(fit.pivots);
  parts.factor = SharedMatrix::copy_of(fit.factor.view());
  parts.samples = inputs;
  if (!fit.coefficients.empty()) parts.coefficients = SharedMatrix::copy_of(fit.coefficients.view());
  parts.output_kernel = output_kernel;
  parts.outputs = outputs;
  return parts;
}

Parts parts_of(const SummedFit& fit, const Kernel& kernel, const Samples& landmarks, const Kernel& output_kernel,
               const Samples& outputs) {
  Parts parts = parts_of(fit, kernel, landmarks, Samples(), output_kernel, outputs.some(fit.output_pivots));
  parts.mixing = SharedMatrix::copy_of(fit.mixing.view());
  return parts;
}

}  // namespace gramian::conditional_mean
