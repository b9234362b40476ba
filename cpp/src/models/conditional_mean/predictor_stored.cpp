// SPDX-License-Identifier: BSD-3-Clause
#include <utility>

#include "gramian/models/conditional_mean/predictor.hpp"
#include "serving/stored/kernel.hpp"
#include "serving/stored/samples.hpp"

namespace gramian::conditional_mean {

void Predictor::store(stored::Writer& to) const {
  const Parts& parts = this->parts();
  stored::put_kernel_if_any(to, "kernel", parts.kernel);
  stored::put_samples(to, "inputs", parts.inputs);
  to.matrix("factor", parts.factor);
  if (parts.samples.size() > 0) stored::put_samples(to, "samples", parts.samples);
  to.matrix_if_any("mixing", parts.mixing);
  to.matrix_if_any("roots", parts.roots);
  to.matrix_if_any("coefficients", parts.coefficients);
  stored::put_kernel_if_any(to, "output_kernel", parts.output_kernel);
  stored::put_samples(to, "outputs", parts.outputs);
  to.matrix_if_any("output_gram", parts.output_gram);
  stored::put_labels(to, "labels", parts.labels);
}

Predictor Predictor::load(stored::Reader& from) {
  Parts parts;
  parts.kernel = stored::take_kernel_if_any(from, "kernel");
  parts.inputs = stored::take_samples(from, "inputs");
  parts.factor = from.matrix("factor");
  if (from.has("samples.form")) parts.samples = stored::take_samples(from, "samples");
  parts.mixing = from.matrix_if_any("mixing");
  parts.roots = from.matrix_if_any("roots");
  parts.coefficients = from.matrix_if_any("coefficients");
  parts.output_kernel = stored::take_kernel_if_any(from, "output_kernel");
  parts.outputs = stored::take_samples(from, "outputs");
  parts.output_gram = from.matrix_if_any("output_gram");
  parts.labels = stored::take_labels(from, "labels");
  return Predictor(std::move(parts));
}

}  // namespace gramian::conditional_mean
