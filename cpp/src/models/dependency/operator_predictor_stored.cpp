// SPDX-License-Identifier: BSD-3-Clause
#include <utility>

#include "gramian/models/dependency/operator_predictor.hpp"
#include "serving/stored/operator_kernel.hpp"
#include "serving/stored/samples.hpp"

namespace gramian::dependency {

void OperatorPredictor::store(stored::Writer& to) const {
  stored::Writer kernel = to.child("kernel");
  stored::put_operator_kernel(kernel, *parts().kernel);
  stored::put_samples(to, "inputs", parts().inputs);
  to.matrix("coefficients", parts().coefficients);
}

OperatorPredictor OperatorPredictor::load(stored::Reader& from) {
  OperatorParts parts;
  parts.inputs = stored::take_samples(from, "inputs");
  parts.coefficients = from.matrix("coefficients", parts.inputs.size());
  stored::Reader kernel = from.child("kernel");
  parts.kernel = stored::take_operator_kernel(kernel, parts.coefficients.cols());
  return OperatorPredictor(std::move(parts));
}

}  // namespace gramian::dependency
