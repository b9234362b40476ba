// SPDX-License-Identifier: BSD-3-Clause
#include <utility>

#include "gramian/models/conditional_mean/predictor.hpp"
#include "serving/stored/kernel.hpp"
#include "serving/stored/samples.hpp"

namespace gramian::conditional_mean {
namespace {

void put_if_any(stored::Writer& to, const char* name, const SharedMatrix& A) {
  if (!A.empty()) to.matrix(name, A);
}

SharedMatrix take_if_any(stored::Reader& from, const char* name) { return from.has(name) ? from.matrix(name) : SharedMatrix(); }

}  // namespace

void Predictor::store(stored::Writer& to) const {
  const Parts& parts = this->parts();
  if (parts.kernel) stored::put_kernel(to, "kernel", *parts.kernel);
  stored::put_samples(to, "inputs", parts.inputs);
  to.matrix("factor", parts.factor);
  if (parts.samples.size() > 0) stored::put_samples(to, "samples", parts.samples);
  put_if_any(to, "mixing", parts.mixing);
  put_if_any(to, "roots", parts.roots);
  put_if_any(to, "coefficients", parts.coefficients);
  if (parts.output_kernel) stored::put_kernel(to, "output_kernel", *parts.output_kernel);
  stored::put_samples(to, "outputs", parts.outputs);
  put_if_any(to, "output_gram", parts.output_gram);
  stored::put_labels(to, "labels", parts.labels);
}

Predictor Predictor::load(stored::Reader& from) {
  Parts parts;
  if (from.has("kernel")) parts.kernel = stored::take_kernel(from, "kernel");
  parts.inputs = stored::take_samples(from, "inputs");
  parts.factor = from.matrix("factor");
  if (from.has("samples.form")) parts.samples = stored::take_samples(from, "samples");
  parts.mixing = take_if_any(from, "mixing");
  parts.roots = take_if_any(from, "roots");
  parts.coefficients = take_if_any(from, "coefficients");
  if (from.has("output_kernel")) parts.output_kernel = stored::take_kernel(from, "output_kernel");
  parts.outputs = stored::take_samples(from, "outputs");
  parts.output_gram = take_if_any(from, "output_gram");
  parts.labels = stored::take_labels(from, "labels");
  return Predictor(std::move(parts));
}

}  // namespace gramian::conditional_mean
