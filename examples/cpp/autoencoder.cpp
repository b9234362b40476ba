// SPDX-License-Identifier: BSD-3-Clause
// A kernel autoencoder 2-1-2 on three noisy concentric circles, without Python: one number for each point, from which the point
// is found again as well as it can be. Trains, then encodes and decodes points that it has not seen.
#include <cmath>
#include <cstdio>
#include <vector>

#include "gramian/gramian.hpp"

namespace {

using gramian::Index;
using gramian::MatrixView;

std::vector<double> circles(Index count, std::uint64_t seed) {
  const gramian::RandomStream random(seed);
  std::vector<double> points;
  for (Index i = 0; i < count; ++i) {
    const std::uint64_t first = static_cast<std::uint64_t>(3 * i);
    const double radius = static_cast<double>(1 + i % 3), angle = 6.283185307179586 * random.uniform(first);
    points.push_back(radius * std::cos(angle) + 0.05 * random.normal(first + 1));
    points.push_back(radius * std::sin(angle) + 0.05 * random.normal(first + 2));
  }
  return points;
}

double mean_square(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return 2.0 * sum / static_cast<double>(a.size());  // of points, not of coordinates
}

}  // namespace

int main() {
  const Index samples = 300, fresh = 60;
  const std::vector<double> x = circles(samples, 1), y = circles(fresh, 2);
  const MatrixView<const double> X(x.data(), samples, 2), Y(y.data(), fresh, 2);

  // Gaussian kernels: of the data, narrower than a circle; of the codes, as wide as these are apart. Smaller penalties follow the
  // training points more closely, and new ones less.
  std::vector<gramian::LayerPlan> layers(2);
  layers[0].terms.push_back({gramian::Kernel("gaussian", {1.0}), gramian::OutputOperator::identity(1)});
  layers[0].outputs = 1;
  layers[1].outputs = 2;
  layers[0].penalty = layers[1].penalty = 1e-3;

  gramian::LbfgsOptions solver;
  solver.max_iterations = 200;
  solver.gradient_tolerance = 1e-6;
  solver.value_tolerance = 1e-9;
  gramian::autoencoder::Options options;
  options.training = gramian::autoencoder::EliminatedTraining{solver};
  options.restarts = 4;
  const gramian::autoencoder::Fit fit = gramian::autoencoder::fit(gramian::Points(X), X, layers, options);

  std::vector<double> codes(fresh), decoded(2 * fresh);
  const MatrixView<double> Z(codes.data(), fresh, 1);
  const gramian::autoencoder::Predictor model(gramian::autoencoder::parts_of(fit, gramian::Samples::copy_of(X), 1));
  model.apply(gramian::Verb::transform, Y, Z);
  model.apply(gramian::Verb::inverse_transform, Z, MatrixView<double>(decoded.data(), fresh, 2));

  const double error = mean_square(y, decoded), spread = mean_square(y, std::vector<double>(y.size(), 0.0));
  std::printf("gramian %s: 2-1-2 on %lld points, stopped by %s after %lld iterations\n", gramian::build_report().version.c_str(),
              static_cast<long long>(samples), gramian::name_of(fit.result.stop_reason),
              static_cast<long long>(fit.result.iterations));
  std::printf("distortion of the training points %.5f, of %lld new points %.5f; their mean square is %.3f\n", fit.loss,
              static_cast<long long>(fresh), error, spread);
  for (Index i = 0; i < 3; ++i) {
    std::printf("(%+.3f, %+.3f) -> %+.3f -> (%+.3f, %+.3f)\n", y[2 * i], y[2 * i + 1], codes[i], decoded[2 * i],
                decoded[2 * i + 1]);
  }
  // One number can't hold two coordinates: what is learned is a curve through the circles. A line would leave half of the mean
  // square, as circles are as wide as high.
  return fit.loss < 0.15 * spread && error < 0.3 * spread ? 0 : 1;
}
