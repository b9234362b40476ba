// SPDX-License-Identifier: BSD-3-Clause
// Trained layers as a map: against their sums, and its derivative by differences and adjointness.
#include "gramian/layers/composition_map.hpp"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "gramian/gram/full.hpp"
#include "support/check.hpp"
#include "support/finite_difference.hpp"
#include "support/naive.hpp"

using namespace gramian;
using difference::Numbers;
using difference::Real;

namespace {

using View = MatrixView<const double>;

/// Two layers on three features, the second one a sum of kernels with operators.
struct Problem {
  naive::Matrix<double> X = naive::normal<double>(6, 3, 1), V = naive::normal<double>(6, 3, 2);
  naive::Matrix<double> S1 = naive::normal<double>(5, 3, 3), S2 = naive::normal<double>(5, 2, 4);
  naive::Matrix<double> Phi1 = naive::normal<double>(5, 2, 5), Phi2 = naive::normal<double>(5, 2, 6);
  std::vector<double> shift = {0.1, -0.2, 0.3}, scale = {2.0, 0.5, 1.5};

  CompositionMap map() const {
    KernelLayer second;
    second.terms = {{Kernel("gaussian", {0.4}), OutputOperator::diagonal({0.5, 0.0})},
                    {Kernel("polynomial", {2, 0.1, 1.0}), OutputOperator::identity(2)}};
    std::vector<SupportedLayer> layers;
    layers.push_back(
        {KernelLayer::scalar(Kernel("linear", {}), 2, 0.0), SharedMatrix::copy_of(Phi1.view), Samples::copy_of(S1.view)});
    layers.push_back({second, SharedMatrix::copy_of(Phi2.view), Samples::copy_of(S2.view)});
    return CompositionMap(std::move(layers), {shift, scale});
  }

  /// Images of X + t V, one after the other.
  Numbers images(Real t) const {
    Numbers out;
    for (Index i = 0; i < 6; ++i) {
      Real z[2] = {}, f[2] = {};
      for (Index m = 0; m < 5; ++m) {
        Real inner = 0;
        for (Index k = 0; k < 3; ++k) {
          const auto feature = static_cast<std::size_t>(k);
          const Real x = static_cast<Real>(X.view(i, k)) + t * static_cast<Real>(V.view(i, k));
          inner += (x - static_cast<Real>(shift[feature])) / static_cast<Real>(scale[feature]) * static_cast<Real>(S1.view(m, k));
        }
        for (Index j = 0; j < 2; ++j) z[j] += inner * static_cast<Real>(Phi1.view(m, j));
      }
      for (Index m = 0; m < 5; ++m) {
        const Real a = z[0] - static_cast<Real>(S2.view(m, 0)), b = z[1] - static_cast<Real>(S2.view(m, 1));
        const Real inner = 1 + 0.1L * (z[0] * static_cast<Real>(S2.view(m, 0)) + z[1] * static_cast<Real>(S2.view(m, 1)));
        f[0] += 0.5L * std::exp(-0.4L * (a * a + b * b)) * static_cast<Real>(Phi2.view(m, 0));
        for (Index j = 0; j < 2; ++j) f[j] += inner * inner * static_cast<Real>(Phi2.view(m, j));
      }
      out.insert(out.end(), f, f + 2);
    }
    return out;
  }
};

}  // namespace

TEST(images_are_sums_over_supports) {
  const Problem p;
  const CompositionMap map = p.map();
  CHECK_EQ(map.inputs(), 3);
  CHECK_EQ(map.outputs(), 2);
  Matrix Z(6, 2);
  map.apply(p.X.view, Z.view());
  const Numbers expected = p.images(0);
  for (Index e = 0; e < 12; ++e) {
    const Real wanted = expected[static_cast<std::size_t>(e)];
    CHECK_NEAR(static_cast<Real>(Z.data()[e]), wanted, 1e-12L * (1 + std::fabs(wanted)));
  }
}

TEST(a_gradient_goes_back_through_all_layers) {
  const Problem p;
  const naive::Matrix<double> W = naive::normal<double>(6, 2, 7);
  Matrix Xbar = Matrix::filled(6, 3, 0.0), twice = Matrix::filled(6, 3, 1.0);
  p.map().pull_back(p.X.view, W.view, Xbar.view());
  p.map().pull_back(p.X.view, W.view, twice.view());
  const auto along = difference::slopes([&](Real t) { return p.images(t); }, 1e-4L, 100);
  std::vector<double> back(Xbar.data(), Xbar.data() + 18);
  const Real size = std::sqrt(difference::dot(back, back)), allowed = 1e-12L * size;
  CHECK(difference::adjoint_pair(along, W.numbers, p.V.numbers, back, allowed));
  Real derivative = 0, error = 0;
  for (std::size_t e = 0; e < along.size(); ++e) {
    derivative += along[e].value * static_cast<Real>(W.numbers[e]);
    error += along[e].error * std::fabs(static_cast<Real>(W.numbers[e]));
  }
  CHECK(difference::agrees(difference::dot(p.V.numbers, back), {derivative, error}, allowed, size));
  for (Index e = 0; e < 18; ++e) CHECK_NEAR(twice.data()[e], 1.0 + Xbar.data()[e], 1e-12 * (1.0 + std::fabs(Xbar.data()[e])));
  back[4] *= 1.001;
  CHECK(!difference::adjoint_pair(along, W.numbers, p.V.numbers, back, allowed));
}

TEST(without_layers_points_are_moved_and_scaled) {
  const Problem p;
  const CompositionMap map({}, {p.shift, p.scale});
  Matrix Z(6, 3), bar = Matrix::filled(6, 3, 0.0);
  map.apply(p.X.view, Z.view());
  map.pull_back(p.X.view, p.V.view, bar.view());
  for (Index i = 0; i < 6; ++i) {
    for (Index k = 0; k < 3; ++k) {
      const auto feature = static_cast<std::size_t>(k);
      CHECK_EQ(Z(i, k), (p.X.view(i, k) - p.shift[feature]) / p.scale[feature]);
      CHECK_EQ(bar(i, k), p.V.view(i, k) / p.scale[feature]);
    }
  }
}

TEST(no_points_have_no_images) {
  const CompositionMap map = Problem().map();
  Matrix none(0, 3), images(0, 2), Xbar(0, 3);
  map.apply(none.view(), images.view());
  map.pull_back(none.view(), images.view(), Xbar.view());
  Matrix K(0, 6);
  full(on_images(std::make_shared<CompositionMap>(map), Kernel("linear", {})), none.view(), Problem().X.view, K.view());
  CHECK_EQ(K.rows(), 0);
}

TEST(shapes_are_checked) {
  const Problem p;
  const auto layer = [&](View Phi, View S) {
    std::vector<SupportedLayer> layers;
    layers.push_back({KernelLayer::scalar(Kernel("linear", {}), 2, 0.0), SharedMatrix::copy_of(Phi), Samples::copy_of(S)});
    return layers;
  };
  CHECK_THROWS(std::invalid_argument, CompositionMap({}));
  CHECK_THROWS(std::invalid_argument, CompositionMap({}, {p.shift, {1.0}}));
  CHECK_THROWS(std::invalid_argument, CompositionMap({}, {{}, {1.0, 0.0}}));
  CHECK_THROWS(std::invalid_argument, CompositionMap(layer(p.X.view, p.S1.view)));
  CHECK_THROWS(std::invalid_argument, CompositionMap(layer(p.Phi1.view, p.S1.view), {{1.0}, {}}));
}

TEST_MAIN
