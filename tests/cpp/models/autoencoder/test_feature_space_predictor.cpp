// SPDX-License-Identifier: BSD-3-Clause
// An autoencoder of a feature space as a value says what its formulas say, and refuses parts that do not fit together.
#include "gramian/models/autoencoder/feature_space_predictor.hpp"

#include <cmath>
#include <limits>
#include <thread>
#include <vector>

#include "support/any_threads.hpp"
#include "support/autoencoder_data.hpp"
#include "support/check.hpp"
#include "support/dense.hpp"
#include "support/feature_space_problem.hpp"
#include "support/naive.hpp"
#include "support/sparse_copy.hpp"

using namespace gramian;
using namespace feature_space;
using Model = autoencoder::FeatureSpacePredictor;
using support::relative;

namespace {

const Kernel gaussian("gaussian", {0.4}), wide("gaussian", {0.4}, {1.0, 2.0, 0.5}), linear("linear", {}),
    tent("laplacian", {0.5});

Dense applied(const Model& model, Verb verb, const Points& X) {
  Dense out(X.size(), model.outputs(verb));
  model.apply(verb, X, view(out));
  return out;
}

Dense errors_of(const Model& model, const Points& X) {
  Dense out(X.size(), 1);
  model.reconstruction_errors(X, view(out));
  return out;
}

Dense weights_of(const Model& model, const Dense& codes) {
  Dense out(codes.rows(), model.parts().training.size());
  model.weights(view(codes), view(out));
  return out;
}

/// By the definition of the distance in the feature space.
Index nearest_by_hand(const Problem& p, const Dense& w, const Dense& candidates) {
  const Dense scores = own_of(p.kernel, candidates) - 2.0 * gram(p.kernel, candidates, p.X) * w.transpose();
  Index best = 0;
  scores.col(0).minCoeff(&best);
  return best;
}

}  // namespace

TEST(codes_weights_and_errors) {
  for (const bool few : {false, true}) {
    for (const Kernel& kernel : {gaussian, wide, linear, tent}) {
      const Problem p(kernel, few);
      const Model model(p.parts());
      const Dense Y = spectral::normal(9, 3, 11);
      const Points points(view(Y));
      const Dense codes = applied(model, Verb::transform, points);
      CHECK(relative(codes, p.codes(Y)) <= 1e-12);
      CHECK(relative(weights_of(model, codes), p.weights(codes)) <= 1e-9);
      CHECK(relative(errors_of(model, points), p.errors(Y)) <= 1e-8);
      CHECK(check::same_for_any_threads([&] { return applied(model, Verb::transform, points); }));
      CHECK(check::same_for_any_threads([&] { return errors_of(model, points); }));
    }
  }
}

/// The samples of a problem support all layers, and its reconstruction is given.
TEST(a_given_reconstruction_takes_the_place_of_the_regression) {
  for (const Kernel& kernel : {gaussian, linear}) {
    const Problem p(kernel);
    autoencoder::FeatureSpaceParts parts = p.parts();
    const Dense G = spectral::normal(20, 20, 21), fresh = spectral::normal(7, 2, 12), Y = spectral::normal(9, 3, 11);
    parts.reconstruction = shared(G);
    const Model model(parts);
    const Dense by_hand = gram(p.peak, fresh, p.S3) * G;
    CHECK(relative(weights_of(model, fresh), by_hand) <= 1e-12);
    const Dense codes = applied(model, Verb::transform, Points(view(Y))), W = weights_of(model, codes);
    const Dense products = W * gram(kernel, p.X, p.X), across = gram(kernel, Y, p.X);
    const Dense errors = own_of(kernel, Y) + (W.cwiseProduct(products) - 2.0 * W.cwiseProduct(across)).rowwise().sum();
    CHECK(relative(errors_of(model, Points(view(Y))), errors) <= 1e-8);
    parts.landmarks = {0, 4, 9, 13, 19};
    CHECK_THROWS(std::invalid_argument, Model{parts});
    parts.landmarks.clear();
    parts.reconstruction = shared(spectral::normal(20, 19, 21));
    CHECK_THROWS(std::invalid_argument, Model{parts});
  }
}

TEST(samples_from_codes) {
  const Dense fresh = spectral::normal(7, 2, 12);
  for (const bool few : {false, true}) {
    const Problem sums(linear, few), far(tent, few), hills(gaussian, few), scaled(wide, few);
    CHECK(relative(applied(Model(sums.parts()), Verb::inverse_transform, Points(view(fresh))), sums.weights(fresh) * sums.X) <=
          1e-9);
    const Model chosen(far.parts());
    const Dense W = far.weights(fresh), found = applied(chosen, Verb::inverse_transform, Points(view(fresh)));
    const std::vector<Index> nearest = chosen.nearest(view(fresh)), among = chosen.nearest(view(fresh), Points(view(far.X)));
    for (Index i = 0; i < 7; ++i) {
      const Index best = nearest_by_hand(far, W.row(i), far.X);
      CHECK_EQ(nearest[static_cast<std::size_t>(i)], best);
      CHECK_EQ(among[static_cast<std::size_t>(i)], best);
      CHECK(found.row(i) == far.X.row(best));
    }
    for (const Problem* p : {&hills, &scaled}) {  // the fixed point is no further than the nearest sample
      const Model model(p->parts());
      const autoencoder::Reconstructed points = model.reconstruct(view(fresh));
      const Dense own = p->weights(fresh);
      for (Index i = 0; i < 7; ++i) {
        const Dense z = Eigen::Map<const Dense>(points.points.data() + 3 * i, 1, 3);
        const double response = (gram(p->kernel, z, p->X) * own.row(i).transpose())(0, 0);
        CHECK(std::fabs(response) >= (gram(p->kernel, p->X, p->X) * own.row(i).transpose()).maxCoeff() - 1e-9);
      }
      CHECK_EQ(points.astray, 0);
    }
  }
}

TEST(kernel_values) {
  for (const bool few : {false, true}) {
    const Problem p(gaussian, few);
    FeatureSpaceParts parts = p.parts();
    const Model known(parts);
    parts.input_kernel.reset();
    parts.training = Samples::counted(20);
    const Model model(parts);
    const Dense Y = spectral::normal(9, 3, 13), cross = gram(gaussian, Y, p.X), own = own_of(gaussian, Y);
    CHECK_EQ(model.inputs(Verb::transform), 20);
    CHECK(!model.has(Verb::inverse_transform));
    const Dense codes = applied(known, Verb::transform, Points(view(Y)));
    CHECK(relative(applied(model, Verb::transform, Points(view(cross))), codes) <= 1e-12);  // |phi(x)| is 1 for all x
    Dense encoded(9, 2), errors(9, 1);
    const Dense supports = p.pick(cross.transpose()).transpose();
    model.encode({view(supports), view(own)}, view(encoded));
    CHECK(relative(encoded, codes) <= 1e-12);
    model.reconstruction_errors({view(cross), view(own)}, view(errors));
    CHECK(errors == errors_of(known, Points(view(Y))));
    CHECK(model.nearest(view(codes), {view(cross), view(own)}) == known.nearest(view(codes), Points(view(Y))));
    CHECK_THROWS(std::invalid_argument, model.reconstruct(view(codes)));
    CHECK_THROWS(std::invalid_argument, errors_of(model, Points(view(Y))));
    parts.squared_norms[3] = 2.0;
    CHECK(!Model(parts).has(Verb::transform));
  }
}

TEST(sparse_samples_are_samples) {
  Problem p(linear);
  const auto sparse_rows = [](const Dense& A) {
    naive::Matrix<double> copy(A.rows(), A.cols());
    for (Index i = 0; i < A.rows(); ++i) {
      for (Index j = 0; j < A.cols(); ++j) copy(i, j) = A(i, j);
    }
    return naive::sparse_of(copy);
  };
  const auto training = sparse_rows(p.X), fresh = sparse_rows(spectral::normal(6, 3, 14));
  const Dense Y = spectral::normal(6, 3, 14);
  FeatureSpaceParts parts = p.parts();
  const Model dense(parts);
  parts.training = Samples::copy_of(Points(training.rows()));
  const Model sparse(parts);
  const Dense codes = applied(dense, Verb::transform, Points(view(Y)));
  for (const Model* model : {&dense, &sparse}) {
    CHECK(relative(applied(*model, Verb::transform, Points(fresh.rows())), codes) <= 1e-13);
    CHECK(relative(applied(*model, Verb::transform, Points(view(Y))), codes) <= 1e-13);
    CHECK(relative(applied(*model, Verb::inverse_transform, Points(view(codes))), p.weights(codes) * p.X) <= 1e-9);
  }
}

TEST(a_row_depends_on_no_other_row) {
  for (const Kernel& kernel : {gaussian, linear, tent}) {
    const Problem p(kernel);
    const Model model(p.parts());
    const bool iterates = kernel.traits().proportional_slope;
    const Dense Y = spectral::normal(40, 3, 15), codes = applied(model, Verb::transform, Points(view(Y)));
    const Dense back = applied(model, Verb::inverse_transform, Points(view(codes))), errors = errors_of(model, Points(view(Y)));
    const Dense weights = weights_of(model, codes);
    for (Index i = 0; i < 40; ++i) {
      const Dense row = Y.row(i), code = codes.row(i);
      CHECK(applied(model, Verb::transform, Points(view(row))) == code);
      const Dense again = applied(model, Verb::inverse_transform, Points(view(code))), wanted = back.row(i);
      CHECK(iterates ? relative(again, wanted) <= 1e-6 : again == wanted);
      CHECK(weights_of(model, code) == Dense(weights.row(i)));
      CHECK_EQ(errors_of(model, Points(view(row)))(0, 0), errors(i, 0));
    }
  }
}

TEST(threads_share_the_system_of_the_last_layer) {
  const Problem p;
  const Model model(p.parts());
  const Dense codes = spectral::normal(30, 2, 16), wanted = weights_of(Model(p.parts()), codes);
  std::vector<Dense> found(4);
  std::vector<std::thread> threads;
  for (Dense& one : found) threads.emplace_back([&] { one = weights_of(model, codes); });
  for (std::thread& thread : threads) thread.join();
  for (const Dense& one : found) CHECK(one == wanted);
}

TEST(a_fit_becomes_a_value) {
  const auto X = autoencoder_data::samples("moons", 20);
  const Kernel kernel("gaussian", {2.0});
  Dense K = gram(kernel, as_eigen(X.view), as_eigen(X.view));
  K.diagonal().array() += 1e-10;
  const Dense C = Eigen::LLT<Dense>(K).matrixL();
  autoencoder::Options options = autoencoder_data::iterations_of(8);
  for (const std::vector<Index>& landmarks : {std::vector<Index>(), std::vector<Index>{0, 5, 11, 17}}) {
    options.landmarks = landmarks;
    const auto fit =
        autoencoder::fit(InnerProducts<double>(view(K)), view(C), autoencoder_data::open_layers({3, 2, 20}, 1e-2), options);
    const Model model(
        autoencoder::parts_of(fit, kernel, Samples::copy_of(Points(X.view)), std::vector<double>(20, 1.0), shared(C), 2));
    naive::Matrix<double> codes(20, 2), errors(20, 1);
    model.apply(Verb::transform, Points(X.view), codes.view);
    CHECK(autoencoder_data::largest_difference(codes.view, fit.outputs[1].view()) <= 1e-8);
    model.reconstruction_errors(Points(X.view), errors.view);
    double mean = 0.0;
    for (Index i = 0; i < 20; ++i) mean += errors(i, 0) / 20.0;
    CHECK_NEAR(mean, fit.loss, 1e-7);
  }
}

TEST(parts_that_do_not_fit_together) {
  for (const bool few : {false, true}) {
    const Problem p(gaussian, few);
    const auto refused = [&](auto change) {
      FeatureSpaceParts parts = p.parts();
      change(parts);
      CHECK_THROWS(std::invalid_argument, Model(parts));
    };
    refused([](FeatureSpaceParts& parts) { parts.input_kernel.reset(); });
    refused([](FeatureSpaceParts& parts) { parts.training = Samples::counted(20); });
    refused([&](FeatureSpaceParts& parts) { parts.training = parts.training.some({0, 1, 2, 3, 4}); });
    refused([](FeatureSpaceParts& parts) { parts.squared_norms.pop_back(); });
    refused([](FeatureSpaceParts& parts) { parts.squared_norms[1] = -1.0; });
    refused([](FeatureSpaceParts& parts) { parts.squared_norms[1] = std::nan(""); });
    refused([&](FeatureSpaceParts& parts) { parts.factor = shared(p.C.topRows(19)); });
    refused([&](FeatureSpaceParts& parts) { parts.factor = shared(p.C.leftCols(19)); });
    refused([&](FeatureSpaceParts& parts) { parts.factor = shared(p.C * std::numeric_limits<double>::infinity()); });
    for (const std::vector<Index>& rows : {std::vector<Index>{0, 4, 9, 13, 20}, {-1, 4, 9, 13, 19}, {4, 0, 9, 13, 19}, {0, 4}}) {
      refused([&](FeatureSpaceParts& parts) { parts.landmarks = rows; });
    }
    refused([](FeatureSpaceParts& parts) { parts.layers.pop_back(); });
    refused([](FeatureSpaceParts& parts) { parts.layers.clear(); });
    refused([](FeatureSpaceParts& parts) { parts.layers[0].supports = Samples::counted(7); });
    refused([&](FeatureSpaceParts& parts) { parts.layers[0].supports = parts.layers[2].supports; });
    refused([](FeatureSpaceParts& parts) { parts.layers[2].layer.penalty = 0.0; });
    refused([](FeatureSpaceParts& parts) { parts.layers[2].layer.terms.push_back(parts.layers[2].layer.terms[0]); });
    refused([&](FeatureSpaceParts& parts) { parts.codes = shared(p.Z.topRows(19)); });
    refused([&](FeatureSpaceParts& parts) { parts.codes = shared(p.Z.leftCols(1)); });
    refused([](FeatureSpaceParts& parts) { parts.code_layer = 0; });
    refused([](FeatureSpaceParts& parts) { parts.code_layer = 3; });
    refused([](FeatureSpaceParts& parts) { parts.sample_weights.assign(19, 1.0); });
    refused([](FeatureSpaceParts& parts) { parts.input_kernel = Kernel("gaussian", {1.0}, {1.0, 2.0}); });
    const Model model(p.parts());
    const Dense Y = spectral::normal(4, 3, 17), narrow = spectral::normal(4, 1, 18), cross = spectral::normal(4, 19, 19);
    Dense codes(4, 2), errors(4, 1);
    CHECK_THROWS(std::invalid_argument, applied(model, Verb::transform, Points(view(narrow))));
    CHECK_THROWS(std::invalid_argument, applied(model, Verb::inverse_transform, Points(view(narrow))));
    CHECK_THROWS(std::invalid_argument, weights_of(model, narrow));
    CHECK_THROWS(std::invalid_argument, model.nearest(view(narrow)));
    CHECK_THROWS(std::invalid_argument, model.nearest(view(codes), {view(cross), view(errors)}));
    CHECK_THROWS(std::invalid_argument, model.encode({view(cross), view(errors)}, view(codes)));
    CHECK_THROWS(std::invalid_argument, model.reconstruction_errors(Points(view(Y)), view(codes)));
    CHECK_THROWS(std::invalid_argument, model.apply(Verb::predict, Points(view(Y)), view(codes)));
  }
}

TEST_MAIN
