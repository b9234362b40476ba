// SPDX-License-Identifier: BSD-3-Clause
#include "models/dependency/options.hpp"

#include <cmath>
#include <string>

#include "base/check.hpp"
#include "gram/source.hpp"
#include "gramian/base/error.hpp"

namespace gramian {

void check_dependency(const GramSource& inputs, const GramSource& outputs, const DependencyOptions& options,
                      const DependencyValidation* validation) {
  check_source(inputs, "inputs");
  check_source(outputs, "outputs");
  const Index n = inputs.size();
  require(outputs.size() == n, "there are " + std::to_string(n) + " inputs, but " + std::to_string(outputs.size()) + " outputs");
  for (const double lambda : candidates_for_lambda(options)) {
    require_positive(lambda, "lambda");
  }
  require(options.output_operator != DependencyOperator::conditional || (std::isfinite(options.epsilon) && options.epsilon > 0.0),
          "epsilon must be a finite number greater than 0");
  require(options.components >= 0 && options.components <= n,
          "components must be from 1 to the number of samples, " + std::to_string(n) + ", or 0 for none");
  require(options.components == 0 || !options.ranks, "components and ranks exclude each other: ranks leave few components");
  require(!options.centred || options.components > 0, "centred is about components: there are none");
  if (validation == nullptr) return;
  require(!options.lambdas.empty(), "validation samples are there to select one of lambdas, which is empty");
  check_source(validation->inputs, n, "validation inputs");
  check_source(validation->outputs, n, "validation outputs");
  const Index samples = validation->inputs.rows();
  require(samples > 0, "there are no validation samples");
  require(validation->outputs.rows() == samples, "there are " + std::to_string(samples) + " validation inputs, but " +
                                                     std::to_string(validation->outputs.rows()) + " outputs");
}

std::vector<double> candidates_for_lambda(const DependencyOptions& options) {
  return options.lambdas.empty() ? std::vector<double>{options.lambda} : options.lambdas;
}

std::size_t smallest(const std::vector<double>& criteria) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < criteria.size(); ++i) {
    if (criteria[i] < criteria[best] || std::isnan(criteria[best])) best = i;
  }
  if (!std::isfinite(criteria[best])) {
    throw NumericalError("no lambda has a finite error: lambdas, or the values of the kernels, are too large or too small");
  }
  return best;
}

}  // namespace gramian
