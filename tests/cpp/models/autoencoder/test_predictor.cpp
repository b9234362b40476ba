// SPDX-License-Identifier: BSD-3-Clause
// An autoencoder as a value says what its formula says, and refuses parts that do not fit together.
#include "gramian/models/autoencoder/predictor.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "gramian/gram/full.hpp"
#include "support/any_threads.hpp"
#include "support/autoencoder_data.hpp"
#include "support/check.hpp"
#include "support/dense.hpp"
#include "support/spectral.hpp"

using namespace gramian;
using autoencoder::Parts;
using Model = autoencoder::Predictor;
using support::gram;
using support::relative;
using support::shared;
using Dense = spectral::Matrix;

namespace {

const Kernel hill("gaussian", {0.4}), line("linear", {});

Dense applied(const Model& model, Verb verb, const Dense& X) {
  Dense out(X.rows(), model.outputs(verb));
  model.apply(verb, Points(view(X)), view(out));
  return out;
}

/// 4 -> 3 -> 2 -> 4 on 25 supports.
struct Problem {
  Dense S1 = spectral::normal(25, 4, 1), S2 = spectral::normal(25, 3, 2), S3 = spectral::normal(25, 2, 3);
  Dense Phi1 = 0.3 * spectral::normal(25, 3, 4), Phi2 = 0.3 * spectral::normal(25, 2, 5), Phi3 = spectral::normal(25, 4, 6);

  Parts parts(Index code_layer = 2) const {
    return {{{KernelLayer::scalar(hill, 3, 0.1), shared(Phi1), Samples::copy_of(view(S1))},
             {KernelLayer::scalar(line, 2, 0.1), shared(Phi2), Samples::copy_of(view(S2))},
             {KernelLayer::scalar(hill, 4, 0.1), shared(Phi3), Samples::copy_of(view(S3))}},
            code_layer};
  }
  Dense image1(const Dense& X) const { return gram(hill, X, S1) * Phi1; }
  Dense image2(const Dense& Z) const { return gram(line, Z, S2) * Phi2; }
  Dense image3(const Dense& Z) const { return gram(hill, Z, S3) * Phi3; }
};

}  // namespace

TEST(codes_and_back) {
  const Problem p;
  const Dense X = spectral::normal(300, 4, 7), Z1 = spectral::normal(300, 3, 8), Z2 = spectral::normal(300, 2, 9);
  const Model second(p.parts()), first(p.parts(1));
  CHECK(relative(applied(second, Verb::transform, X), p.image2(p.image1(X))) <= 1e-13);
  CHECK(relative(applied(second, Verb::inverse_transform, Z2), p.image3(Z2)) <= 1e-13);
  CHECK(relative(applied(first, Verb::transform, X), p.image1(X)) <= 1e-13);
  CHECK(relative(applied(first, Verb::inverse_transform, Z1), p.image3(p.image2(Z1))) <= 1e-13);
  CHECK(check::same_for_any_threads([&] { return applied(second, Verb::transform, X); }));
  CHECK_EQ(second.inputs(Verb::transform), 4);
  CHECK_EQ(second.inputs(Verb::inverse_transform), 2);
  CHECK(!second.has(Verb::predict) && !second.has(Verb::scores) && !second.has(Verb::predict_proba));
}

TEST(errors_of_reconstructions) {
  const Problem p;
  const Model model(p.parts());
  const Dense X = spectral::normal(5000, 4, 10);  // more rows than are compared together
  const Dense wanted = (X - p.image3(p.image2(p.image1(X)))).rowwise().squaredNorm();
  const auto errors = [&](const Dense& some) {
    Dense out(some.rows(), 1);
    model.reconstruction_errors(view(some), view(out));
    return out;
  };
  const Dense all = errors(X);
  CHECK(relative(all, wanted) <= 1e-12);
  for (const Index i : {Index(0), Index(4095), Index(4999)}) CHECK_EQ(errors(X.row(i))(0, 0), all(i, 0));
}

TEST(a_row_depends_on_no_other_row) {
  const Problem p;
  const Model model(p.parts());
  const Dense X = spectral::normal(40, 4, 11), codes = applied(model, Verb::transform, X);
  for (Index i = 0; i < 40; ++i) CHECK(applied(model, Verb::transform, X.row(i)) == Dense(codes.row(i)));
}

TEST(a_fit_becomes_a_value) {
  const auto X = autoencoder_data::samples("circles", 40);
  for (const std::vector<Index>& landmarks : {std::vector<Index>(), std::vector<Index>{1, 4, 9, 25}}) {
    autoencoder::Options options = autoencoder_data::iterations_of(10);
    options.landmarks = landmarks;
    const autoencoder::Fit fit =
        autoencoder::fit(Points(X.view), X.view, autoencoder_data::open_layers({3, 1, 2}, 1e-3), options);
    const Model model(autoencoder::parts_of(fit, Samples::copy_of(Points(X.view)), 2));
    naive::Matrix<double> codes(40, 1), errors(40, 1);
    model.apply(Verb::transform, Points(X.view), codes.view);
    CHECK(autoencoder_data::largest_difference(codes.view, fit.outputs[1].view()) <= 1e-9);
    model.reconstruction_errors(X.view, errors.view);
    double mean = 0.0;
    for (Index i = 0; i < 40; ++i) mean += errors(i, 0) / 40.0;
    CHECK_NEAR(mean, fit.loss, 1e-9);
  }
}

TEST(parts_that_do_not_fit_together) {
  const Problem p;
  const auto refused = [&](auto change) {
    Parts parts = p.parts();
    change(parts);
    CHECK_THROWS(std::invalid_argument, Model(parts));
  };
  refused([](Parts& parts) { parts.code_layer = 0; });
  refused([](Parts& parts) { parts.code_layer = 3; });
  refused([](Parts& parts) { parts.layers.clear(); });
  refused([](Parts& parts) { parts.layers.pop_back(); });
  refused([](Parts& parts) { parts.layers.erase(parts.layers.begin()); });
  refused([](Parts& parts) { parts.layers[0].supports = Samples::counted(25); });
  refused([&](Parts& parts) { parts.layers[1].coefficients = shared(p.Phi2.topRows(24)); });
  refused([&](Parts& parts) { parts.layers[2].supports = Samples::copy_of(view(p.S2)); });
  refused([&](Parts& parts) {
    Dense broken = p.Phi3;
    broken(7, 2) = std::nan("");
    parts.layers[2].coefficients = shared(broken);
  });
  const Model model(p.parts());
  const Dense X = spectral::normal(5, 4, 12), narrow = spectral::normal(5, 3, 13);
  Dense codes(5, 2), wide(5, 3), errors(5, 1);
  CHECK_THROWS(std::invalid_argument, model.apply(Verb::transform, Points(view(narrow)), view(codes)));
  CHECK_THROWS(std::invalid_argument, model.apply(Verb::transform, Points(view(X)), view(wide)));
  CHECK_THROWS(std::invalid_argument, model.apply(Verb::predict, Points(view(X)), view(codes)));
  CHECK_THROWS(std::invalid_argument, model.reconstruction_errors(view(narrow), view(errors)));
  CHECK_THROWS(std::invalid_argument, model.reconstruction_errors(view(X), view(codes)));
  Dense broken = X;
  broken(1, 1) = std::numeric_limits<double>::infinity();
  CHECK_THROWS(std::invalid_argument, model.apply(Verb::transform, Points(view(broken)), view(codes)));
}

TEST_MAIN
