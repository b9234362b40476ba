// SPDX-License-Identifier: BSD-3-Clause
// The logistic loss, of one output or of several: the negative logarithm of the probability that outputs give to the target.
#include <cmath>

#include "gramian/losses/loss.hpp"
#include "losses/sample_sums.hpp"

namespace gramian {
namespace {

constexpr double seconds_per_number = 1e-8;

/// log(1 + e^f) - t f, whatever the size of f. std::max would lose a NaN.
double binary(double target, double output, double* bar) {
  const double small = std::exp(-std::fabs(output)), positive = output < 0.0 ? 0.0 : output;
  if (bar != nullptr) *bar = (output >= 0.0 ? 1.0 : small) / (1.0 + small) - target;
  return positive - target * output + std::log1p(small);
}

/// total log sum e^f - sum t f, total = sum t.
double multinomial(MatrixView<const double> target, MatrixView<const double> output, MatrixView<double> output_bar, Index i) {
  double most = output(i, 0), sum = 0.0, total = 0.0, along = 0.0;
  for (Index j = 1; j < output.cols(); ++j) most = output(i, j) > most ? output(i, j) : most;
  for (Index j = 0; j < output.cols(); ++j) {
    sum += std::exp(output(i, j) - most);
    total += target(i, j);
    along += target(i, j) * (output(i, j) - most);
  }
  for (Index j = 0; j < output_bar.cols(); ++j) {
    output_bar(i, j) = total * std::exp(output(i, j) - most) / sum - target(i, j);
  }
  return total * std::log(sum) - along;
}

class LogisticLoss final : public Loss {
 public:
  double evaluate(MatrixView<const double> target, MatrixView<const double> output,
                  MatrixView<double> output_bar) const override {
    require_loss_shapes(target, output, output_bar);
    if (output.empty()) return 0.0;
    return sum_over_samples(output, seconds_per_number, [&](Index i) {
      return output.cols() > 1 ? multinomial(target, output, output_bar, i)
                               : binary(target(i, 0), output(i, 0), output_bar.empty() ? nullptr : &output_bar(i, 0));
    });
  }
};

}  // namespace

std::unique_ptr<Loss> logistic_loss() { return std::make_unique<LogisticLoss>(); }

void softmax(MatrixView<const double> outputs, MatrixView<double> out) {
  const bool one = outputs.cols() == 1;
  require(out.rows() == outputs.rows() && out.cols() == (one ? 2 : outputs.cols()),
          "out must have a row for each of outputs, and a column for each class");
  parallel_for(out.rows(), seconds_per_number * static_cast<double>(out.cols()), [&](Index i, int) {
    const auto logit = [&](Index j) { return !one ? outputs(i, j) : j == 0 ? 0.0 : outputs(i, 0); };
    double most = logit(0), sum = 0.0;
    for (Index j = 1; j < out.cols(); ++j) most = logit(j) > most ? logit(j) : most;
    for (Index j = 0; j < out.cols(); ++j) sum += out(i, j) = std::exp(logit(j) - most);
    for (Index j = 0; j < out.cols(); ++j) out(i, j) /= sum;
  });
}

}  // namespace gramian
