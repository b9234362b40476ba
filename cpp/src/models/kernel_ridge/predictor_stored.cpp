// SPDX-License-Identifier: BSD-3-Clause
#include <utility>

#include "gramian/models/kernel_ridge/predictor.hpp"
#include "serving/stored/kernel.hpp"
#include "serving/stored/samples.hpp"

namespace gramian::kernel_ridge {

void Predictor::store(stored::Writer& to) const {
  stored::put_kernel_if_any(to, "kernel", parts().kernel);
  stored::put_samples(to, "supports", parts().supports);
  to.matrix("coefficients", parts().coefficients);
}

Predictor Predictor::load(stored::Reader& from) {
  Parts parts;
  parts.kernel = stored::take_kernel_if_any(from, "kernel");
  parts.supports = stored::take_samples(from, "supports");
  parts.coefficients = from.matrix("coefficients", parts.supports.size());
  return Predictor(std::move(parts));
}

}  // namespace gramian::kernel_ridge
