// SPDX-License-Identifier: BSD-3-Clause
// A trained autoencoder of a feature space, small enough for its formulas.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <vector>

#include "gramian/gram/full.hpp"
#include "gramian/models/autoencoder/feature_space_predictor.hpp"
#include "support/dense.hpp"
#include "support/spectral.hpp"

namespace feature_space {

using namespace gramian;
using autoencoder::FeatureSpaceParts;
using support::gram;
using support::shared;
using Dense = spectral::Matrix;

inline Dense own_of(const Kernel& kernel, const Dense& X) {
  Dense out(X.rows(), 1);
  diagonal(kernel, Points(view(X)), view(out));
  return out;
}

/// 20 samples of 3 features, layers inner -> 3 -> 2 -> space; with landmarks 5 of the samples support them.
struct Problem {
  explicit Problem(const Kernel& input = Kernel("gaussian", {0.4}), bool few = false) : kernel(input) {
    if (few) landmarks = {0, 4, 9, 13, 19};
    const Index m = few ? 5 : 20;
    Phi1 = 0.3 * spectral::normal(m, 3, 2);
    Phi2 = 0.3 * spectral::normal(m, 2, 3);
    S2 = pick(image1(X));
    Z = image2(image1(X));
    S3 = pick(Z);
    Dense K = gram(kernel, X, X);
    K.diagonal().array() += 1e-10;
    C = Eigen::LLT<Dense>(K).matrixL();
  }

  Dense pick(const Dense& A) const {
    if (landmarks.empty()) return A;
    Dense out(static_cast<Index>(landmarks.size()), A.cols());
    for (Index i = 0; i < out.rows(); ++i) out.row(i) = A.row(landmarks[static_cast<std::size_t>(i)]);
    return out;
  }
  std::vector<double> squares() const {
    const Dense own = own_of(kernel, X);
    return {own.data(), own.data() + own.size()};
  }
  FeatureSpaceParts parts() const {
    FeatureSpaceParts all;
    all.input_kernel = kernel;
    all.training = Samples::copy_of(view(X));
    all.squared_norms = squares();
    all.factor = shared(C);
    all.landmarks = landmarks;
    all.layers = {{KernelLayer::scalar(line, 3, 0.1), shared(Phi1), Samples::counted(Phi1.rows())},
                  {KernelLayer::scalar(hill, 2, 0.1), shared(Phi2), Samples::copy_of(view(S2))},
                  {KernelLayer::scalar(peak, C.cols(), penalty), shared(spectral::normal(S3.rows(), C.cols(), 5)),
                   Samples::copy_of(view(S3))}};
    all.codes = shared(Z);
    all.code_layer = 2;
    return all;
  }

  /// The first kernel sees inner products in the feature space.
  Dense image1(const Dense& Y) const { return gram(kernel, Y, pick(X)) * Phi1; }
  Dense image2(const Dense& A) const { return gram(hill, A, S2) * Phi2; }
  Dense codes(const Dense& Y) const { return image2(image1(Y)); }
  /// Of the ridge regression on the codes.
  Dense weights(const Dense& codes) const {
    const Dense K = gram(peak, Z, S3), S = gram(peak, S3, S3);
    if (landmarks.empty()) return gram(peak, codes, Z) * (K + 20.0 * penalty * Dense::Identity(20, 20)).inverse();
    return gram(peak, codes, S3) * (K.transpose() * K + 20.0 * penalty * S).inverse() * K.transpose();
  }
  Dense errors(const Dense& Y) const {
    const Dense W = weights(codes(Y)), K = gram(kernel, X, X), cross = gram(kernel, Y, X);
    return own_of(kernel, Y) - 2.0 * W.cwiseProduct(cross).rowwise().sum() + (W * K).cwiseProduct(W).rowwise().sum();
  }

  Kernel kernel, line = Kernel("linear", {}), hill = Kernel("gaussian", {0.7}), peak = Kernel("laplacian", {1.0});
  double penalty = 1e-2;
  std::vector<Index> landmarks{};
  Dense X = spectral::normal(20, 3, 1), Phi1, Phi2, S2, S3, Z, C;
};

}  // namespace feature_space
