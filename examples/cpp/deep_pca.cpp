// SPDX-License-Identifier: BSD-3-Clause
// Deep kernel PCA without Python: two levels of Gaussian kernels on two noisy classes. Fits from level-wise kernel PCA and from a
// random start, and says what each has captured; then gives new samples their features, and finds a sample again from them.
#include <cmath>
#include <cstdio>
#include <vector>

#include "gramian/gramian.hpp"

namespace {

using gramian::Index;
using gramian::MatrixView;

constexpr Index features = 6;

/// One class is spread over a cube, the other lies along a line.
std::vector<double> samples(Index count, std::uint64_t seed) {
  const gramian::RandomStream random(seed);
  std::vector<double> points;
  std::uint64_t next = 0;
  for (Index i = 0; i < count; ++i) {
    const bool wide = random.uniform(next++) < 0.4;
    const double along = random.normal(next++);
    for (Index k = 0; k < features; ++k) {
      const double spread = 2.0 * random.uniform(next++) - 1.0;
      points.push_back(wide ? spread : 0.5 + 0.2 * along * static_cast<double>(k + 1) / features + 0.05 * spread);
    }
  }
  return points;
}

double share_of_training_rows(const gramian::deep_pca::Fit& fit, const gramian::deep_pca::Codes& codes) {
  Index right = 0;
  for (Index i = 0; i < fit.model.samples(); ++i) {
    double off = 0.0;
    for (std::size_t j = 0; j < codes.features.size(); ++j) {
      for (Index c = 0; c < codes.features[j].cols(); ++c)
        off = std::fmax(off, std::fabs(codes.features[j](i, c) - fit.model.features[j](i, c)));
    }
    right += off < 1e-2 ? 1 : 0;
  }
  return static_cast<double>(right) / static_cast<double>(fit.model.samples());
}

void describe(const char* name, const gramian::deep_pca::Fit& fit) {
  std::printf("%s: J = %.2e, %.1f %% of the trace, stopped by %s after %lld iterations\n", name, fit.objective,
              100.0 * fit.captured_trace[0], gramian::name_of(fit.result.stop_reason),
              static_cast<long long>(fit.result.iterations));
}

}  // namespace

int main() {
  const Index count = 200, fresh = 20;
  const std::vector<double> x = samples(count, 1), y = samples(fresh, 2);
  const MatrixView<const double> X(x.data(), count, features), Y(y.data(), fresh, features);
  const std::vector<gramian::deep_pca::Level> levels = {{gramian::Kernel("gaussian", {0.5}), 4, 1.0},
                                                        {gramian::Kernel("gaussian", {1.0}), 2, 1.0}};
  gramian::deep_pca::Options options;
  gramian::RiemannianLbfgsOptions iterations;
  iterations.max_iterations = 300;
  iterations.gradient_tolerance = 1e-6;
  iterations.value_tolerance = 1e-10;
  options.solver = iterations;
  const gramian::deep_pca::Fit fit = gramian::deep_pca::fit(gramian::Points(X), levels, options);
  options.start = gramian::deep_pca::Start::random;
  const gramian::deep_pca::Fit random = gramian::deep_pca::fit(gramian::Points(X), levels, options);
  describe("from kernel PCA", fit);
  describe("from a random start", random);  // small residuals, as the eigenvalues that it has found are small

  const gramian::deep_pca::Codes training = gramian::deep_pca::transform(fit.model, gramian::Points(X), gramian::Points(X));
  const gramian::deep_pca::Codes codes = gramian::deep_pca::transform(fit.model, gramian::Points(Y), gramian::Points(X));
  const double share = share_of_training_rows(fit, training);
  std::printf("%.0f %% of the training samples have their features again; the first new sample has", 100.0 * share);
  for (Index c = 0; c < 4; ++c) std::printf(" %+.4f", codes.features[0](0, c));
  std::printf(" and");
  for (Index c = 0; c < 2; ++c) std::printf(" %+.4f", codes.features[1](0, c));

  const gramian::deep_pca::LevelPreimages found = gramian::deep_pca::inverse_transform(fit.model, 1, codes.features[0].view(), X);
  double error = 0.0, spread = 0.0;
  for (Index i = 0; i < fresh; ++i) {
    for (Index k = 0; k < features; ++k) {
      error += std::pow(found.points(i, k) - Y(i, k), 2);
      spread += std::pow(Y(i, k) - 0.3, 2);
    }
  }
  std::printf("\nfound again from 4 numbers with %.0f %% of the new samples' mean square\n", 100.0 * error / spread);
  return fit.objective < 1e-4 && fit.captured_trace[0] > 10.0 * random.captured_trace[0] && share > 0.95 && error < spread ? 0
                                                                                                                           : 1;
}
