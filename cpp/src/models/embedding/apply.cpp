// SPDX-License-Identifier: BSD-3-Clause
// What a trained embedding says of new samples.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "gramian/base/error.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/gram/product.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/models/embedding/classifier.hpp"
#include "base/view_ops.hpp"
#include "models/embedding/linear.hpp"
#include "models/embedding/weights.hpp"
#include "gram/rows.hpp"

namespace gramian::embedding {
namespace {

constexpr Index block_rows = 8192;

template <class Apply>
void each_block(const Points& X, MatrixView<double> out, Apply apply) {
  for (Index first = 0; first < X.size(); first += block_rows) {
    poll_stop();
    const Index rows = std::min(block_rows, X.size() - first);
    apply(rows_of(X, first, rows), part(out, first, rows, 0, out.cols()));
  }
}

bool in_coordinates(const View& model) { return model.kernel != nullptr && model.form == Form::features; }

void check_decision(const View& model, const FeatureMap* features, const Points& supports, const Points& X,
                    MatrixView<double> out) {
  require(model.kernel || features != nullptr, "the model was trained on features: they must be given");
  require((features == nullptr ? 0 : features->parameter_count()) == model.theta_count,
          "the feature map must be the one that the model was trained on");
  require(out.rows() == X.size() && out.cols() == model.weights.cols(),
          "out must have a row for each of X and a column for each class");
  const Index rows = in_coordinates(model) ? X.dimension() : supports.size();
  require(!model.kernel || rows == model.weights.rows(), "supports has " + std::to_string(rows) +
                                                             " rows, but the model is supported by " +
                                                             std::to_string(model.weights.rows()) + " samples");
}

/// [MCE] (36): p times its information, which is 0 unless p is positive.
double entropy_term(double p) { return p > 0.0 ? -p * std::log(p) : 0.0; }

}  // namespace

/// [MCE] (5): f(x) = Vᵀ k(x), or Wᵀ phi(x) of features.
void decision(const View& model, FeatureMap* features, const Points& supports, const Points& X, MatrixView<double> out) {
  check_decision(model, features, supports, X, out);
  if (features == nullptr) {
    const Matrix units = in_coordinates(model) ? unit_vectors(X.dimension()) : Matrix();
    const Points by = in_coordinates(model) ? Points(units.view()) : supports;
    return each_block(X, out,
                      [&](const Points& some, MatrixView<double> to) { product(*model.kernel, some, by, model.weights, to); });
  }
  const Matrix S = model.kernel ? features_of(*features, model.theta, supports) : Matrix();
  each_block(X, out, [&](const Points& some, MatrixView<double> to) {
    const Matrix Z = features_of(*features, model.theta, some);
    if (!model.kernel) return gemm(1.0, Z.view(), model.weights, 0.0, to);
    product(*model.kernel, Points(Z.view()), Points(S.view()), model.weights, to);
  });
}

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
