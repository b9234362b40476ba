// SPDX-License-Identifier: BSD-3-Clause
// A trained model as a value says what the functions of apply.hpp say, and refuses parts that do not fit together.
#include "gramian/models/deep_pca/predictor.hpp"

#include <functional>
#include <limits>
#include <stdexcept>
#include <thread>
#include <vector>

#include "gramian/gram/full.hpp"
#include "support/any_threads.hpp"
#include "support/deep_pca_data.hpp"
#include "support/sparse_copy.hpp"

using namespace gramian;
using pca::two_classes;
using pca::two_gaussians;
using pca::with_linear;

namespace {

using Numbers = std::vector<double>;

deep_pca::Model trained(const Points& X, const std::vector<deep_pca::Level>& levels) {
  deep_pca::Options options;
  options.centred = true;
  options.solver = pca::lbfgs(200);
  return deep_pca::fit(PointSource(X), levels, options).model;
}

Numbers applied(const gramian::Predictor& model, Verb verb, const Points& X) {
  Numbers out(static_cast<std::size_t>(X.size() * model.outputs(verb)));
  model.apply(verb, X, {out.data(), X.size(), model.outputs(verb)});
  return out;
}

Numbers side_by_side(const std::vector<Matrix>& levels) {
  Numbers out;
  for (Index i = 0; i < levels.front().rows(); ++i) {
    for (const Matrix& H : levels) {
      for (Index c = 0; c < H.cols(); ++c) out.push_back(H(i, c));
    }
  }
  return out;
}

Numbers numbers_of(const Matrix& A) { return {A.data(), A.data() + A.size()}; }

deep_pca::Parts small_parts() {
  const naive::Matrix<double> X = two_classes(30, 4);
  return deep_pca::parts_of(trained(Points(X.view), two_gaussians()), Samples::copy_of(Points(X.view)));
}

void check_refused(const std::function<void(deep_pca::Parts&)>& spoil) {
  deep_pca::Parts parts = small_parts();
  spoil(parts);
  CHECK_THROWS(std::invalid_argument, deep_pca::Predictor(std::move(parts)));
}

}  // namespace

TEST(verbs_are_the_functions) {
  const naive::Matrix<double> X = two_classes(60, 4), Z = two_classes(25, 4, 9);
  for (const auto& levels : {two_gaussians(), with_linear(0.8)}) {
    deep_pca::Model fitted = trained(Points(X.view), levels);
    const deep_pca::Codes codes = deep_pca::transform(fitted, Points(Z.view), Points(X.view));
    const auto back = deep_pca::inverse_transform(fitted, 2, codes.features[1].view(), X.view);
    const deep_pca::Predictor model(deep_pca::parts_of(std::move(fitted), Samples::copy_of(Points(X.view))));
    CHECK(applied(model, Verb::transform, Points(Z.view)) == side_by_side(codes.features));
    CHECK(applied(model, Verb::inverse_transform, Points(codes.features[1].view())) == numbers_of(back.points));
    CHECK_EQ(model.inputs(Verb::transform), 4);
    CHECK_EQ(model.outputs(Verb::transform), 5);
    CHECK_EQ(model.inputs(Verb::inverse_transform), 2);
    CHECK(!model.has(Verb::predict));
    CHECK(check::same_for_any_threads([&] { return applied(model, Verb::transform, Points(Z.view)); }));
  }
}

TEST(sparse_samples) {
  const naive::Matrix<double> X = two_classes(40, 4);
  const auto sparse = naive::sparse_of(X);
  deep_pca::Model fitted = trained(Points(sparse.rows()), two_gaussians());
  const deep_pca::Predictor model(deep_pca::parts_of(std::move(fitted), Samples::copy_of(Points(sparse.rows()))));
  const deep_pca::Codes codes = model.codes(Points(sparse.rows()));
  CHECK(applied(model, Verb::transform, Points(sparse.rows())) == side_by_side(codes.features));
  CHECK_EQ(model.preimages(1, codes.features[0].view()).points.cols(), 4);
}

TEST(inner_products_only) {
  const naive::Matrix<double> X = two_classes(40, 4);
  naive::Matrix<double> K(40, 40);
  const Kernel gaussian("gaussian", {0.3});
  full(gaussian, Points(X.view), K.view);
  const std::vector<deep_pca::Level> levels = {{Kernel("linear", {}), 3, 1.0}, {Kernel("gaussian", {1.0}), 2, 1.0}};
  const InnerProducts<double> inner(K.view);
  deep_pca::Options options;
  options.solver = pca::lbfgs(200);
  deep_pca::Model fitted = deep_pca::fit(PointSource(inner), levels, options).model;
  const deep_pca::Predictor model(deep_pca::parts_of(std::move(fitted), Samples::counted(40)));
  const naive::Matrix<double> zeros(40, 1);
  const auto codes = deep_pca::transform(model.view(), InnerProducts<double>(K.view, zeros.view, zeros.view));
  CHECK(applied(model, Verb::transform, Points(K.view)) == side_by_side(codes.features));
  CHECK(!model.has(Verb::inverse_transform));
  CHECK_THROWS(std::invalid_argument, model.preimages(1, codes.features[0].view()));
}

TEST(threads_share_a_model) {
  const deep_pca::Predictor model(small_parts());
  const naive::Matrix<double> Z = two_classes(10, 4, 9);
  const Numbers wanted = applied(model, Verb::transform, Points(Z.view));
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&] {
      for (int turn = 0; turn < 20; ++turn) CHECK(applied(model, Verb::transform, Points(Z.view)) == wanted);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(maps_around_the_levels) {
  const naive::Matrix<double> X = two_classes(50, 5), Z = two_classes(8, 5, 9);
  const std::vector<DenseLayer> there = {{3, Activation::tanh, 0.0}}, back = {{5, Activation::identity, 0.0}};
  const FixedFeatures phi(NetworkFeatures{there}, 5, feature_network(5, there)->start(1));
  const FixedFeatures psi(NetworkFeatures{back}, 3, feature_network(3, back)->start(2));
  naive::Matrix<double> features(50, 3), fresh(8, 3);
  phi.apply(X.view, features.view);
  phi.apply(Z.view, fresh.view);
  const deep_pca::Predictor levels(
      deep_pca::parts_of(trained(Points(features.view), two_gaussians()), Samples::copy_of(Points(features.view))));
  const deep_pca::ParametricPredictor model(phi, psi, levels);
  CHECK(applied(model, Verb::transform, Points(Z.view)) == applied(levels, Verb::transform, Points(fresh.view)));
  naive::Matrix<double> codes(8, 2), points(8, 5);
  const Numbers between = applied(levels, Verb::inverse_transform, Points(codes.view));
  psi.apply({between.data(), 8, 3}, points.view);
  CHECK(applied(model, Verb::inverse_transform, Points(codes.view)) == points.numbers);
  CHECK_THROWS(std::invalid_argument, deep_pca::ParametricPredictor(psi, phi, levels));
  CHECK_THROWS(std::invalid_argument, deep_pca::ParametricPredictor(phi, phi, levels));
}

TEST(parts_that_do_not_fit_together) {
  const auto nan = std::numeric_limits<double>::quiet_NaN();
  check_refused([](auto& parts) { parts.summary.levels.clear(); });
  check_refused([](auto& parts) { parts.features.pop_back(); });
  check_refused([](auto& parts) { parts.features[0] = SharedMatrix(Matrix::filled(29, 3, 0.1)); });
  check_refused([](auto& parts) { parts.features[1] = SharedMatrix(Matrix::filled(30, 3, 0.1)); });
  check_refused([&](auto& parts) { parts.features[1] = SharedMatrix(Matrix::filled(30, 2, nan)); });
  check_refused([](auto& parts) { parts.inputs = SharedMatrix(Matrix::filled(30, 2, 0.1)); });
  check_refused([](auto& parts) { parts.inputs = SharedMatrix(); });
  check_refused([&](auto& parts) { parts.inputs = SharedMatrix(Matrix::filled(30, 3, nan)); });
  check_refused([](auto& parts) { parts.summary.eigenvalues[0].pop_back(); });
  check_refused([&](auto& parts) { parts.summary.eigenvalues[0][0] = nan; });
  check_refused([](auto& parts) { parts.summary.means.clear(); });
  check_refused([](auto& parts) { parts.summary.offsets[1].push_back(0.0); });
  check_refused([](auto& parts) { parts.summary.levels[1].eta = 0.0; });
  check_refused([](auto& parts) { parts.summary.levels[1].components = 7; });
  check_refused([](auto& parts) { parts.summary.levels[0].kernel = Kernel("gaussian", {1.0}, {1.0, 2.0}); });
  check_refused([](auto& parts) { parts.summary.levels[1].kernel = Kernel("gaussian", {1.0}, {1.0, 2.0}); });
  check_refused([](auto& parts) { parts.training = Samples::counted(30); });
  check_refused([](auto& parts) { parts.training = parts.training.some({0, 1, 2}); });
  check_refused([](auto& parts) { parts.transform.tolerance = 0.0; });
  check_refused([](auto& parts) { parts.inverse.ridge = 0.0; });
  check_refused([](auto& parts) { parts.coefficients = SharedMatrix(Matrix::filled(30, 3, 0.1)); });
  check_refused([](auto& parts) { parts.centre = SharedMatrix(Matrix::filled(30, 1, 0.1)); });
  const deep_pca::Predictor model(small_parts());
  const naive::Matrix<double> narrow(3, 3), codes(3, 1);
  CHECK_THROWS(std::invalid_argument, model.codes(Points(narrow.view)));
  CHECK_THROWS(std::invalid_argument, model.preimages(2, codes.view));
  CHECK_THROWS(std::invalid_argument, model.preimages(3, codes.view));
}

TEST_MAIN
