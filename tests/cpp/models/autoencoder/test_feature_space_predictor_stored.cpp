// SPDX-License-Identifier: BSD-3-Clause
// Autoencoders of feature spaces through a file.
#include <vector>

#include "gramian/models/autoencoder/feature_space_predictor.hpp"
#include "serving/stored/writer.hpp"
#include "support/feature_space_problem.hpp"
#include "support/stored_model.hpp"

using namespace gramian;
using namespace feature_space;
using Model = autoencoder::FeatureSpacePredictor;

namespace {

std::vector<double> errors_of(const Model& model, const Points& X) {
  std::vector<double> out(static_cast<std::size_t>(X.size()));
  model.reconstruction_errors(X, {out.data(), X.size(), 1});
  return out;
}

}  // namespace

TEST(both_ways_come_back) {
  const Dense rows = spectral::normal(6, 3, 11), codes = spectral::normal(6, 2, 12);
  for (const bool few : {false, true}) {
    for (const Kernel& kernel : {Kernel("gaussian", {0.4}, {1.0, 2.0, 0.5}), Kernel("linear", {}), Kernel("laplacian", {0.5})}) {
      const Model model(Problem(kernel, few).parts());
      const Points X(view(rows));
      support::check_stored(model, X, {Verb::transform});
      support::check_stored(model, Points(view(codes)), {Verb::inverse_transform});
      const std::string bytes = support::bytes_of(document_of(model));
      CHECK(errors_of(load_model_from_memory(bytes.data(), bytes.size()).as<Model>(), X) == errors_of(model, X));
    }
  }
}

TEST(a_given_reconstruction_comes_back) {
  FeatureSpaceParts parts = Problem().parts();
  parts.reconstruction = shared(spectral::normal(20, 20, 21));
  const Model model(parts);
  const Dense codes = spectral::normal(6, 2, 12);
  support::check_stored(model, Points(view(codes)), {Verb::inverse_transform});
}

TEST(a_damaged_description_is_refused) {
  const Model model(Problem().parts());
  CHECK(!support::message_of_model(model, "\"code_layer\":", "\"code_layer\":9").empty());
  CHECK(!support::message_of_model(model, "\"gaussian\"", "\"gaussen\"").empty());
  CHECK(!support::message_of_model(model, "\"training.form\":\"dense\"", "\"training.form\":\"sparse\"").empty());
}

TEST_MAIN
