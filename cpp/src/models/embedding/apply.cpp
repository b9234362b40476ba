// SPDX-License-Identifier: BSD-3-Clause
// What a trained embedding says of new samples.
#include <algorithm>
#include <cmath>
#include <limits>

#include "gramian/base/error.hpp"
#include "gramian/models/embedding/classifier.hpp"
#include "base/view_ops.hpp"

namespace gramian::embedding {
namespace {

/// [MCE] (36): p times its information, which is 0 unless p is positive.
double entropy_term(double p) { return p > 0.0 ? -p * std::log(p) : 0.0; }

}  // namespace

void margin(MatrixView<const double> decision, MatrixView<double> out) {
  require(decision.cols() == 2, "decision must have two columns, one for each class");
  require(out.rows() == decision.rows() && out.cols() == 1, "out must have one number for each row of decision");
  for (Index i = 0; i < decision.rows(); ++i) {
    const double first = std::max(decision(i, 0), 0.0), second = std::max(decision(i, 1), 0.0), sum = first + second;
    const double margin = sum > 0.0 ? second / sum - first / sum : 0.0;
    out(i, 0) = margin == 0.0 && decision(i, 1) > decision(i, 0) ? std::numeric_limits<double>::min() : margin;
  }
}

/// [MCE] (33), (37): of the clip-normalised probabilities, or of the estimates themselves.
void entropy(MatrixView<const double> decision, EntropyMethod method, MatrixView<double> out) {
  require(out.rows() == decision.rows() && out.cols() == 1, "out must have one number for each row of decision");
  for_rows(decision.rows(), decision.cols(), [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      double sum = 0.0, entropy = 0.0;
      for (Index c = 0; c < decision.cols(); ++c) sum += std::max(decision(i, c), 0.0);
      const double scale = method == EntropyMethod::expected ? 1.0 : sum;
      for (Index c = 0; c < decision.cols(); ++c) entropy += entropy_term(decision(i, c) / scale);
      const bool nothing = method == EntropyMethod::clip && !(sum > 0.0);
      out(i, 0) = nothing ? std::log(static_cast<double>(decision.cols())) : entropy;
    }
  });
}

}  // namespace gramian::embedding
