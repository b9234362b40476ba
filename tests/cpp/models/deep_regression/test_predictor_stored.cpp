// SPDX-License-Identifier: BSD-3-Clause
// Regressions and classifiers of several layers through a file.
#include <vector>

#include "gramian/models/deep_regression/predictor.hpp"
#include "serving/stored/writer.hpp"
#include "support/spectral.hpp"
#include "support/stored_model.hpp"

using namespace gramian;
using deep_regression::Outputs;
using deep_regression::Parts;
using Model = deep_regression::Predictor;
using Dense = spectral::Matrix;

namespace {

SharedMatrix shared(Index rows, Index cols, std::uint64_t seed) {
  const Dense numbers = spectral::normal(rows, cols, seed);
  return SharedMatrix::copy_of(view(numbers));
}

/// 3 -> 2 -> c on 20 supports, with a sum of kernels with operators in the first layer.
Parts parts(Index outputs) {
  KernelLayer first;
  first.terms = {{Kernel("gaussian", {0.4}), OutputOperator::diagonal({0.5, 0.25})},
                 {Kernel("linear", {}), OutputOperator::identity(2)}};
  first.penalty = 0.5;
  const Samples supports(shared(20, 3, 1)), images(shared(20, 2, 2));
  Parts made;
  made.layers = {{first, shared(20, 2, 3), supports},
                 {KernelLayer::scalar(Kernel("matern52", {1.5}, {0.5, 2.0}), outputs, 0.0), shared(20, outputs, 4), images}};
  made.inputs = {{0.5, -1.0, 0.25}, {2.0, 0.5, 1.5}};
  return made;
}

}  // namespace

TEST(every_meaning_comes_back) {
  const Dense fresh = spectral::normal(6, 3, 5);
  const Points X(view(fresh));
  Parts values = parts(2);
  values.outputs = {{0.1, 0.2}, {3.0, 4.0}};
  support::check_stored(Model(values), X, {Verb::predict, Verb::transform});
  const std::vector<Verb> of_classes = {Verb::predict, Verb::predict_proba, Verb::scores, Verb::transform};
  Parts logits = parts(3);
  logits.meaning = Outputs::logits;
  logits.classes = {std::string("a"), std::string("b"), std::string("c")};
  support::check_stored(Model(logits), X, of_classes);
  logits.meaning = Outputs::probabilities;
  support::check_stored(Model(logits), X, of_classes);
  Parts two = parts(1);
  two.meaning = Outputs::logits;
  two.classes = {std::int64_t(0), std::int64_t(1)};
  support::check_stored(Model(two), X, of_classes);
}

TEST(a_damaged_description_is_refused) {
  const Model model(parts(2));
  CHECK(!support::message_of_model(model, "\"values\"", "\"logits\"").empty());
  CHECK(!support::message_of_model(model, "\"values\"", "\"value\"").empty());
  CHECK(!support::message_of_model(model, "\"layers\":2", "\"layers\":3").empty());
  CHECK(!support::message_of_model(model, "\"identity\":2", "\"identity\":20").empty());
  CHECK(!support::message_of_model(model, "\"layers.0.penalty\":0.5", "\"layers.0.penalty\":-0.5").empty());
}

TEST_MAIN
