// SPDX-License-Identifier: BSD-3-Clause
// A classifier as a value says what its formula says, and refuses parts that do not fit together.
#include "gramian/models/embedding/predictor.hpp"

#include <limits>
#include <vector>

#include "gramian/gram/full.hpp"
#include "gramian/losses/calibration.hpp"
#include "gramian/losses/probabilities.hpp"
#include "support/any_threads.hpp"
#include "support/check.hpp"
#include "support/dense.hpp"
#include "support/embedding_data.hpp"
#include "support/sparse_copy.hpp"

using namespace gramian;
using embedding_data::Dense;
using embedding_data::Sample;
using support::gram;
using support::relative;
using support::shared;

namespace {

const std::vector<ClassLabel> labels = {std::int64_t(3), std::string("b"), 0.5};

Dense applied(const embedding::Predictor& model, Verb verb, const Points& X) {
  Dense out(X.size(), model.outputs(verb));
  model.apply(verb, X, view(out));
  return out;
}

/// f(x) and what follows from it.
void check_verbs(const embedding::Predictor& model, const Points& X, const Dense& f) {
  CHECK(relative(applied(model, Verb::scores, X), f) <= 1e-13);
  Dense p = applied(model, Verb::scores, X);
  const Dense scores = p;
  clip_normalise(view(p));
  CHECK(applied(model, Verb::predict_proba, X) == p);
  const Dense chosen = applied(model, Verb::predict, X);
  for (Index i = 0; i < f.rows(); ++i) {
    Index best = 0;
    scores.row(i).maxCoeff(&best);
    CHECK_EQ(chosen(i, 0), static_cast<double>(best));
  }
}

}  // namespace

TEST(a_kernel_on_samples) {
  const Sample sample(60, 3, 4, 0.5, 1), fresh(5000, 3, 4, 0.5, 2);
  const Kernel kernel = 0.7 * Kernel("gaussian", {0.4}, {1.0, 0.5, 2.0, 3.0});
  const Dense W = spectral::normal(60, 3, 3);
  const embedding::Predictor model({kernel, {}, Samples::copy_of(sample.points()), shared(W), labels});
  const Dense f = gram(kernel, fresh.X, sample.X) * W;
  check_verbs(model, fresh.points(), f);
  CHECK(check::same_for_any_threads([&] { return applied(model, Verb::scores, fresh.points()); }));
  CHECK_EQ(model.inputs(Verb::predict), 4);
  CHECK(!model.has(Verb::transform));
  CHECK(std::get<std::string>(model.classes()[1]) == "b");
}

TEST(sparse_samples) {
  Dense X = spectral::normal(30, 5, 4);
  X = (X.array() > 0.3).select(X, 0.0).eval();
  naive::Matrix<double> copy(30, 5);
  for (Index i = 0; i < 30; ++i) {
    for (Index j = 0; j < 5; ++j) copy(i, j) = X(i, j);
  }
  const auto sparse = naive::sparse_of(copy);
  const Points points(sparse.rows());
  const Dense W = spectral::normal(30, 3, 5);
  const Kernel kernel("gaussian", {0.3});
  const embedding::Predictor model({kernel, {}, Samples::copy_of(points), shared(W), labels});
  check_verbs(model, points, gram(kernel, X, X) * W);
  CHECK(model.takes_sparse(Verb::scores));
  check_verbs(model, Points(view(X)), gram(kernel, X, X) * W);  // converted
  const embedding::Predictor of_dense({kernel, {}, Samples::copy_of(Points(view(X))), shared(W), labels});
  check_verbs(of_dense, points, gram(kernel, X, X) * W);
}

TEST(kernel_values) {
  const Dense cross = spectral::normal(20, 6, 6), W = spectral::normal(6, 3, 7);
  const embedding::Predictor model({std::nullopt, {}, Samples::counted(6), shared(W), labels});
  check_verbs(model, Points(view(cross)), cross * W);
  CHECK_EQ(model.inputs(Verb::scores), 6);
  Dense broken = cross;
  broken(2, 3) = std::numeric_limits<double>::infinity();
  CHECK_THROWS(std::invalid_argument, applied(model, Verb::scores, Points(view(broken))));
}

TEST(features_with_and_without_a_kernel) {
  const std::vector<DenseLayer> layers = {{6, Activation::tanh, 0.0}, {2, Activation::identity, 0.0}};
  const FixedFeatures network(NetworkFeatures{layers}, 4, feature_network(4, layers)->start(8));
  const Sample sample(25, 3, 4, 0.5, 9), fresh(5000, 3, 4, 0.5, 10);  // more rows than are taken together
  Dense Z(25, 2), Z_new(5000, 2);
  network.apply(view(sample.X), view(Z));
  network.apply(view(fresh.X), view(Z_new));
  const Kernel kernel("matern52", {0.8});
  const Dense W = spectral::normal(25, 3, 11), V = spectral::normal(2, 3, 12), U = spectral::normal(8, 3, 13);
  const embedding::Predictor on_features({kernel, {network}, Samples::copy_of(sample.points()), shared(W), labels});
  check_verbs(on_features, fresh.points(), gram(kernel, Z_new, Z) * W);
  const embedding::Predictor linear({std::nullopt, {network}, {}, shared(V), labels});
  check_verbs(linear, fresh.points(), Z_new * V);
  const FixedFeatures fourier(FourierFeatures{kernel, 8, 14}, 2);
  Dense F(5000, 8);
  fourier.apply(view(Z_new), view(F));
  check_verbs(embedding::Predictor({std::nullopt, {network, fourier}, {}, shared(U), labels}), fresh.points(), F * U);
}

TEST(calibrated_probabilities) {
  const Dense cross = spectral::normal(5000, 6, 6), W = spectral::normal(6, 3, 7);
  const Calibration calibration{3.0, 0.01};
  const embedding::Predictor model({std::nullopt, {}, Samples::counted(6), shared(W), labels, calibration});
  Dense p = applied(model, Verb::scores, Points(view(cross)));
  calibrated_softmax(calibration, view(p));
  CHECK(applied(model, Verb::predict_proba, Points(view(cross))) == p);
  const Dense chosen = applied(model, Verb::predict, Points(view(cross)));
  for (Index i = 0; i < p.rows(); ++i) CHECK_EQ(p(i, static_cast<Index>(chosen(i, 0))), p.row(i).maxCoeff());
  CHECK_THROWS(std::invalid_argument,
               embedding::Predictor({std::nullopt, {}, Samples::counted(6), shared(W), labels, Calibration{-1.0, 0.0}}));
}

TEST(a_row_depends_on_no_other_row) {
  const Sample sample(300, 3, 4, 0.5, 15), fresh(40, 3, 4, 0.5, 16);
  const embedding::Predictor model(
      {Kernel("gaussian", {0.4}), {}, Samples::copy_of(sample.points()), shared(spectral::normal(300, 3, 17)), labels});
  const Dense all = applied(model, Verb::predict_proba, fresh.points());
  for (Index i = 0; i < 40; ++i) {
    const Dense row = fresh.X.row(i);
    CHECK(applied(model, Verb::predict_proba, Points(view(row))) == Dense(all.row(i)));
  }
}

TEST(a_fit_becomes_a_value) {
  const Sample sample(80, 3, 4, 0.5, 18), fresh(20, 3, 4, 0.5, 19);
  embedding::Options options;
  options.learning = embedding::AsGiven();
  for (const Kernel& kernel : {Kernel("gaussian", {0.5}), Kernel("linear", {})}) {
    for (const std::vector<Index>& landmarks : {std::vector<Index>(), std::vector<Index>{1, 5, 30, 70}}) {
      options.landmarks = landmarks;
      const embedding::Fit fit = embedding::fit(sample.view(), &kernel, nullptr, options);
      const embedding::Predictor model(embedding::parts_of(fit.model, Samples::copy_of(sample.points()), labels));
      const Samples all = Samples::copy_of(sample.points());
      const Samples some = landmarks.empty() ? all : all.some(landmarks);
      const Dense wanted = embedding_data::predicted(fit.model, nullptr, some.points(), fresh.X);
      CHECK(relative(applied(model, Verb::scores, fresh.points()), wanted) <= 1e-14);
    }
  }
}

TEST(parts_that_do_not_fit_together) {
  const Sample sample(20, 3, 4, 0.5, 20);
  const Samples rows = Samples::copy_of(sample.points());
  const Kernel kernel("gaussian", {0.5});
  const SharedMatrix W = shared(spectral::normal(20, 3, 21)), short_one = shared(spectral::normal(19, 3, 22));
  const FixedFeatures three(NetworkFeatures{{{2, Activation::relu, 0.0}}}, 3, std::vector<double>(8, 0.1));
  CHECK_THROWS(std::invalid_argument, embedding::Predictor({kernel, {}, rows, short_one, labels}));
  CHECK_THROWS(std::invalid_argument, embedding::Predictor({kernel, {}, rows, W, {labels[0]}}));
  CHECK_THROWS(std::invalid_argument, embedding::Predictor({kernel, {}, Samples::counted(20), W, labels}));
  CHECK_THROWS(std::invalid_argument, embedding::Predictor({std::nullopt, {}, rows, W, labels}));
  CHECK_THROWS(std::invalid_argument, embedding::Predictor({kernel, {three}, rows, W, labels}));
  CHECK_THROWS(std::invalid_argument,
               embedding::Predictor({std::nullopt, {three, three}, {}, shared(spectral::normal(2, 3, 23)), labels}));
  CHECK_THROWS(std::invalid_argument, embedding::Predictor({std::nullopt, {}, {}, SharedMatrix(), {}}));
  CHECK_THROWS(std::invalid_argument, embedding::Predictor({Kernel("gaussian", {1.0}, {1.0, 2.0}), {}, rows, W, labels}));
  const embedding::Predictor model({kernel, {}, rows, W, labels});
  Dense out(20, 3), narrow(20, 2), X3(20, 3);
  CHECK_THROWS(std::invalid_argument, model.apply(Verb::scores, sample.points(), view(narrow)));
  CHECK_THROWS(std::invalid_argument, model.apply(Verb::scores, Points(view(X3)), view(out)));
  CHECK_THROWS(std::invalid_argument, model.apply(Verb::transform, sample.points(), view(out)));
}

TEST_MAIN
