// SPDX-License-Identifier: BSD-3-Clause
// A classifier that learns its own kernel, without Python: two spirals, and features that say nothing about them.
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "gramian/gramian.hpp"

namespace {

using gramian::Index;
using gramian::MatrixView;

constexpr Index features = 5, classes = 2;

struct Samples {
  std::vector<double> X;  // a row a sample
  std::vector<Index> labels;
  MatrixView<const double> view() const { return {X.data(), static_cast<Index>(labels.size()), features}; }
};

/// Points on one of two spirals, with noise; the other features are noise alone, and of another scale.
Samples draw(Index count, std::uint64_t seed) {
  const gramian::RandomStream random(seed);
  Samples out;
  std::uint64_t next = 0;
  for (Index i = 0; i < count; ++i) {
    const double turn = 1.0 + 8.0 * random.uniform(next++), side = i % 2 == 0 ? 1.0 : -1.0;
    out.X.push_back(side * turn * std::cos(turn) + 0.3 * random.normal(next++));
    out.X.push_back(side * turn * std::sin(turn) + 0.3 * random.normal(next++));
    for (Index j = 2; j < features; ++j) out.X.push_back(100.0 * random.normal(next++));
    out.labels.push_back(i % 2);
  }
  return out;
}

/// Part of the new samples whose likeliest class is their own.
double share_right(const gramian::embedding::Model& fitted, const Samples& training, const Samples& later) {
  const auto labels = std::vector<gramian::ClassLabel>{std::string("first spiral"), std::string("second spiral")};
  const gramian::embedding::Predictor model(
      gramian::embedding::parts_of(fitted, gramian::Samples::copy_of(training.view()), labels));
  gramian::Matrix chosen(later.view().rows(), 1);
  model.apply(gramian::Verb::predict, later.view(), chosen.view());
  Index right = 0;
  for (Index i = 0; i < chosen.rows(); ++i)
    right += chosen(i, 0) == static_cast<double>(later.labels[static_cast<std::size_t>(i)]);
  return static_cast<double>(right) / static_cast<double>(chosen.rows());
}

}  // namespace

int main() {
  const Samples training = draw(600, 1), later = draw(1000, 2);
  const gramian::embedding::LabelledSample sample{training.view(), training.labels.data(), classes};

  gramian::embedding::Options options;
  options.learning = gramian::embedding::MedianLengths();
  const gramian::embedding::Fit before = gramian::embedding::fit(sample, nullptr, nullptr, options);
  options.learning = gramian::embedding::ValidationSearch();
  const gramian::embedding::Fit fit = gramian::embedding::fit(sample, nullptr, nullptr, options);

  const double by_median = share_right(before.model, training, later), learned = share_right(fit.model, training, later);
  std::printf("length scales from the median distance: %.3f of new samples are right\n", by_median);
  std::printf("learned in %d steps (%s):               %.3f\n", static_cast<int>(fit.result.iterations),
              gramian::name_of(fit.result.stop_reason), learned);
  const std::vector<double> parameters = fit.model.kernel->parameters();  // factor, gamma, then a length for each feature
  std::printf("lengths of the spirals' features: %.2g %.2g, of the others: %.2g %.2g %.2g\n", parameters[2], parameters[3],
              parameters[4], parameters[5], parameters[6]);
  return learned > 0.95 && by_median < 0.8 ? 0 : 1;
}
