// SPDX-License-Identifier: BSD-3-Clause
// A concatenated function as a value says what its formula says, and refuses parts that do not fit together.
#include "gramian/models/deep_regression/predictor.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "gramian/gram/full.hpp"
#include "gramian/losses/loss.hpp"
#include "gramian/losses/probabilities.hpp"
#include "support/any_threads.hpp"
#include "support/check.hpp"
#include "support/deep_fits.hpp"
#include "support/dense.hpp"
#include "support/naive.hpp"
#include "support/sparse_copy.hpp"
#include "support/spectral.hpp"

using namespace gramian;
using deep_regression::Outputs;
using deep_regression::Parts;
using Model = deep_regression::Predictor;
using support::gram;
using support::relative;
using support::shared;
using Dense = spectral::Matrix;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

const Kernel line("linear", {}), hill("gaussian", {0.4}), tent("matern52", {1.5});

Dense applied(const Model& model, Verb verb, const Points& X) {
  Dense out(X.size(), model.outputs(verb));
  model.apply(verb, X, view(out));
  return out;
}

Dense image_of(const Model& model, Index layer, const Points& X, Index width) {
  Dense out(X.size(), width);
  model.images(layer, X, view(out));
  return out;
}

Dense logs_of(const Model& model, const Points& X) {
  Dense out(X.size(), static_cast<Index>(model.classes().size()));
  model.log_proba(X, view(out));
  return out;
}

/// 3 -> 2 -> 2 -> c on 20 supports; the second layer is a sum of two kernels with operators.
struct Problem {
  explicit Problem(Index outputs = 2) : Phi3(spectral::normal(20, outputs, 7)) {}

  Dense S1 = spectral::normal(20, 3, 1), S2 = spectral::normal(20, 2, 2), S3 = spectral::normal(20, 2, 3);
  Dense Phi1 = 0.3 * spectral::normal(20, 2, 4), Phi2 = 0.3 * spectral::normal(20, 2, 5), Phi3;
  std::vector<double> shift = {0.5, -1.0, 0.25}, scale = {2.0, 0.5, 1.5};

  KernelLayer second() const {
    KernelLayer layer;
    layer.terms = {{hill, OutputOperator::diagonal({0.5, 0.0})}, {line, OutputOperator::identity(2)}};
    return layer;
  }
  Parts parts() const {
    Parts all;
    all.layers = {{KernelLayer::scalar(line, 2, 0.0), shared(Phi1), Samples::copy_of(view(S1))},
                  {second(), shared(Phi2), Samples::copy_of(view(S2))},
                  {KernelLayer::scalar(tent, Phi3.cols(), 0.0), shared(Phi3), Samples::copy_of(view(S3))}};
    all.inputs = {shift, scale};
    return all;
  }
  Parts classifying(Index classes, Outputs meaning) const {
    Parts all = parts();
    for (Index c = 0; c < classes; ++c) all.classes.emplace_back(std::int64_t(10 * c));
    all.meaning = meaning;
    return all;
  }

  Dense seen(const Dense& X) const {
    Dense out = X;
    for (Index k = 0; k < 3; ++k) out.col(k) = (X.col(k).array() - shift[k]) / scale[k];
    return out;
  }
  Dense image1(const Dense& X) const { return gram(line, seen(X), S1) * Phi1; }
  Dense image2(const Dense& X) const {
    const Dense Z = image1(X), K = gram(hill, Z, S2);
    Dense out = gram(line, Z, S2) * Phi2;
    out.col(0) += 0.5 * (K * Phi2.col(0));
    return out;
  }
  Dense values(const Dense& X) const { return gram(tent, image2(X), S3) * Phi3; }
};

}  // namespace

TEST(a_regression) {
  const Problem p;
  const Dense X = spectral::normal(5000, 3, 8);  // more rows than are taken together
  Parts parts = p.parts();
  parts.outputs = {{1.0, -2.0}, {0.5, 3.0}};
  const Model model(parts);
  Dense wanted = p.values(X);
  for (Index j = 0; j < 2; ++j) wanted.col(j) = wanted.col(j).array() * parts.outputs.scale[j] + parts.outputs.shift[j];
  const Points points(view(X));
  CHECK(relative(applied(model, Verb::predict, points), wanted) <= 1e-13);
  CHECK(relative(applied(model, Verb::transform, points), p.image2(X)) <= 1e-13);
  CHECK(relative(image_of(model, 1, points, 2), p.image1(X)) <= 1e-13);
  CHECK(image_of(model, 0, points, 3) == p.seen(X));
  CHECK(check::same_for_any_threads([&] { return applied(model, Verb::predict, points); }));
  CHECK_EQ(model.inputs(Verb::predict), 3);
  CHECK(!model.has(Verb::scores) && !model.has(Verb::predict_proba) && !model.has(Verb::inverse_transform));
}

TEST(a_row_depends_on_no_other_row) {
  const Problem p(3);
  const Model model(p.classifying(3, Outputs::logits));
  const Dense X = spectral::normal(40, 3, 9), all = applied(model, Verb::predict_proba, Points(view(X)));
  for (Index i = 0; i < 40; ++i) {
    const Dense row = X.row(i);
    CHECK(applied(model, Verb::predict_proba, Points(view(row))) == Dense(all.row(i)));
  }
}

TEST(classes_of_logits) {
  const Problem p(3), q(1);
  const Dense X = spectral::normal(50, 3, 10);
  const Points points(view(X));
  const Model three(p.classifying(3, Outputs::logits)), two(q.classifying(2, Outputs::logits));
  Dense z2 = Dense::Zero(50, 2);
  z2.col(1) = q.values(X);
  for (const auto& [model, z] : {std::pair<const Model&, Dense>(three, p.values(X)), std::pair<const Model&, Dense>(two, z2)}) {
    CHECK(relative(applied(model, Verb::scores, points), z) <= 1e-13);
    const Dense e = z.array().exp(), wanted = e.array().colwise() / e.rowwise().sum().array();
    CHECK(relative(applied(model, Verb::predict_proba, points), wanted) <= 1e-13);
    const Dense logs = wanted.array().log();
    CHECK(relative(logs_of(model, points), logs) <= 1e-12);
    const Dense chosen = applied(model, Verb::predict, points);
    for (Index i = 0; i < 50; ++i) {
      Index best = 0;
      z.row(i).maxCoeff(&best);
      CHECK_EQ(chosen(i, 0), static_cast<double>(best));
    }
  }
  CHECK_EQ(two.outputs(Verb::scores), 2);
}

TEST(logarithms_of_wide_logits_are_finite) {
  Problem p(3);
  p.Phi3 *= 1e4;
  const Dense X = spectral::normal(10, 3, 11);
  CHECK(logs_of(Model(p.classifying(3, Outputs::logits)), Points(view(X))).allFinite());
}

TEST(classes_of_estimates) {
  const Problem p(3);
  Parts parts = p.classifying(3, Outputs::probabilities);
  parts.outputs.shift.assign(3, 1.0 / 3.0);
  const Model model(parts);
  const Dense X = spectral::normal(50, 3, 12);
  const Points points(view(X));
  Dense wanted = p.values(X).array() + 1.0 / 3.0;
  CHECK(relative(applied(model, Verb::scores, points), wanted) <= 1e-13);
  clip_normalise(view(wanted));
  const Dense found = applied(model, Verb::predict_proba, points), logs = logs_of(model, points);
  CHECK(relative(found, wanted) <= 1e-12);
  for (Index i = 0; i < 50; ++i) {
    for (Index c = 0; c < 3; ++c) CHECK(logs(i, c) == std::log(found(i, c)));
  }
  CHECK((found.array() == 0.0).any());
}

TEST(sparse_and_dense_rows_are_the_same_rows) {
  Problem p;
  p.shift.assign(3, 0.0);
  naive::Matrix<double> rows(30, 3);
  Dense X = spectral::normal(30, 3, 13);
  X = (X.array() > -0.2).select(X, 0.0).eval();
  for (Index i = 0; i < 30; ++i) {
    for (Index k = 0; k < 3; ++k) rows(i, k) = X(i, k);
  }
  const auto sparse = naive::sparse_of(rows);
  const Points points(sparse.rows()), dense(view(X));
  Parts parts = p.parts();
  const Dense wanted = p.values(X);
  CHECK(relative(applied(Model(parts), Verb::predict, points), wanted) <= 1e-13);
  parts.layers[0].supports = Samples::copy_of(Points(naive::sparse_of([&] {
                                                       naive::Matrix<double> S(20, 3);
                                                       for (Index i = 0; i < 20; ++i) {
                                                         for (Index k = 0; k < 3; ++k) S(i, k) = p.S1(i, k);
                                                       }
                                                       return S;
                                                     }())
                                                         .rows()));
  const Model model(parts);
  CHECK(relative(applied(model, Verb::predict, points), wanted) <= 1e-13);
  CHECK(relative(applied(model, Verb::predict, dense), wanted) <= 1e-13);
  CHECK(relative(image_of(model, 0, points, 3), p.seen(X)) <= 1e-15);
  parts.inputs.shift = {0.0, 1.0, 0.0};
  CHECK_THROWS(std::invalid_argument, Model(parts));
}

TEST(a_fit_becomes_a_value) {
  const deep::Data data = deep::ridge_data(40), fresh = deep::ridge_data(9, 2);
  const std::vector<LayerPlan> layers = {deep::layer(deep::line, 2, 0.1), deep::layer(deep::hill, 1, 0.01)};
  for (const std::vector<Index>& landmarks : {std::vector<Index>(), std::vector<Index>{0, 3, 20, 39}}) {
    deep_regression::Options options;
    options.restarts = 1;
    deep::regression(options).landmarks = landmarks;
    deep::regression(options).joint = !landmarks.empty();
    deep::stop_at(options, 10);
    const auto fit = deep_regression::fit(Points(data.X.view()), data.Y.view(), layers, options);
    const Model model(deep_regression::parts_of(fit, Samples::copy_of(data.X.view())));
    const Matrix supports = landmarks.empty() ? Matrix::copy_of(data.X.view()) : deep::rows_of(data.X, landmarks);
    const Matrix wanted = deep::predict(fit, fresh.X.view(), supports.view());
    Matrix found(9, 1);
    model.apply(Verb::predict, fresh.X.view(), found.view());
    for (Index i = 0; i < 9; ++i) CHECK_EQ(found(i, 0), wanted(i, 0));
  }
}

TEST(parts_that_do_not_fit_together) {
  const Problem p;
  const auto refused = [&](auto change, Parts parts) {
    change(parts);
    CHECK_THROWS(std::invalid_argument, Model(parts));
  };
  const auto with = [&](auto change) { refused(change, p.parts()); };
  with([](Parts& parts) { parts.layers.clear(); });
  with([](Parts& parts) { parts.layers.erase(parts.layers.begin()); });
  with([&](Parts& parts) { parts.layers[0].coefficients = shared(p.Phi1.topRows(19)); });
  with([&](Parts& parts) { parts.layers[1].supports = Samples::copy_of(view(p.S1)); });
  with([](Parts& parts) { parts.layers[0].supports = Samples::counted(20); });
  with([&](Parts& parts) { parts.layers[0].layer = KernelLayer::scalar(line, 3, 0.0); });
  with([&](Parts& parts) { parts.layers[0].layer = KernelLayer::scalar(Kernel("gaussian", {1.0}, {1.0, 1.0}), 2, 0.0); });
  with([&](Parts& parts) {
    Dense broken = p.Phi1;
    broken(3, 1) = infinite;
    parts.layers[0].coefficients = shared(broken);
  });
  with([](Parts& parts) { parts.inputs.shift.pop_back(); });
  with([](Parts& parts) { parts.inputs.scale.push_back(1.0); });
  with([](Parts& parts) { parts.inputs.scale[1] = 0.0; });
  with([](Parts& parts) { parts.inputs.shift[0] = infinite; });
  with([](Parts& parts) { parts.outputs.shift = {1.0}; });
  with([](Parts& parts) { parts.outputs.scale = {1.0, std::nan("")}; });
  with([](Parts& parts) { parts.classes.emplace_back(std::int64_t(1)); });
  refused([](Parts& parts) { parts.classes.pop_back(); }, Problem(3).classifying(3, Outputs::logits));
  refused([](Parts& parts) { parts.meaning = Outputs::probabilities; }, Problem(1).classifying(2, Outputs::logits));
  const Model model(p.parts());
  const Dense X = spectral::normal(4, 3, 14), narrow = spectral::normal(4, 2, 15);
  Dense out(4, 2), wide(4, 3);
  CHECK_THROWS(std::invalid_argument, model.apply(Verb::predict, Points(view(narrow)), view(out)));
  CHECK_THROWS(std::invalid_argument, model.apply(Verb::predict, Points(view(X)), view(wide)));
  CHECK_THROWS(std::invalid_argument, model.apply(Verb::scores, Points(view(X)), view(out)));
  CHECK_THROWS(std::invalid_argument, model.images(3, Points(view(X)), view(out)));
  CHECK_THROWS(std::invalid_argument, model.images(-1, Points(view(X)), view(out)));
  CHECK_THROWS(std::invalid_argument, model.images(1, Points(view(narrow)), view(out)));
  CHECK_THROWS(std::invalid_argument, model.log_proba(Points(view(X)), view(out)));
  Dense broken = X;
  broken(2, 1) = std::nan("");
  CHECK_THROWS(std::invalid_argument, model.apply(Verb::predict, Points(view(broken)), view(out)));
}

TEST_MAIN
