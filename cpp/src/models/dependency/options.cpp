// SPDX-License-Identifier: BSD-3-Clause
#include "models/dependency/options.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "base/check.hpp"
#include "gram/source.hpp"
#include "gramian/base/error.hpp"
#include "ovk/separable_parts.hpp"

namespace gramian::dependency {

namespace {

void check_held_out(const Options& options, Index n) {
  if (options.held_out.empty()) return;
  require(!options.lambdas.empty(), "held_out is there to select one of lambdas, which is empty");
  std::vector<bool> seen(static_cast<std::size_t>(n), false);
  for (const Index i : options.held_out) {
    if (i < 0 || i >= n || seen[static_cast<std::size_t>(i)]) {
      require(false, "held_out must name samples from 0 to " + std::to_string(n - 1) + ", each at most once");
    }
    seen[static_cast<std::size_t>(i)] = true;
  }
  require(static_cast<Index>(options.held_out.size()) < n, "held_out must leave a sample to learn from");
}

void check_weights(const Options& options, Index n) {
  if (options.weights.empty()) return;
  require(static_cast<Index>(options.weights.size()) == n, "there must be a weight for each sample");
  for (const double weight : options.weights) require_positive(weight, "a weight");
  require(!options.centred && options.held_out.empty(), "weights have no meaning for centred components, nor with held_out");
}

}  // namespace

void check(const GramSource& inputs, const GramSource& outputs, const Options& options) {
  check_source(inputs, "inputs");
  check_source(outputs, "outputs");
  const Index n = inputs.size();
  require(outputs.size() == n, "there are " + std::to_string(n) + " inputs, but " + std::to_string(outputs.size()) + " outputs");
  for (const double lambda : candidates_for_lambda(options)) {
    require_positive(lambda, "lambda");
  }
  check_operator(options.output_operator);
  require(options.components >= 0 && options.components <= n,
          "components must be from 1 to the number of samples, " + std::to_string(n) + ", or 0 for none");
  require(options.components == 0 || !options.ranks, "components and ranks exclude each other: ranks leave few components");
  require(!options.centred || options.components > 0, "centred is about components: there are none");
  check_held_out(options, n);
  check_weights(options, n);
}

std::vector<double> candidates_for_lambda(const Options& options) {
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

}  // namespace gramian::dependency
