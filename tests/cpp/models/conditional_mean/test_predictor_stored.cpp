// SPDX-License-Identifier: BSD-3-Clause
// Embeddings through a file.
#include <vector>

#include "gramian/models/conditional_mean/predictor.hpp"
#include "serving/stored/writer.hpp"
#include "support/dependency_samples.hpp"
#include "support/stored_model.hpp"

using namespace gramian;
using conditional_mean::Parts;
using Mean = conditional_mean::Predictor;
using dependency_data::gaussian;
using gramian::view;
using Dense = spectral::Matrix;

namespace {

const dependency_data::Samples data = dependency_data::samples(25, 1), fresh = dependency_data::samples(6, 2);

Parts fitted() {
  const conditional_mean::Model model(GramSource(gaussian(), Points(view(data.X))), {0.01});
  return conditional_mean::parts_of(model, gaussian(), Samples::copy_of(Points(view(data.X))), Kernel("laplacian", {0.7}),
                                    Samples::copy_of(Points(view(data.Y))));
}

std::vector<double> weights_of(const Mean& model, const Points& X) {
  std::vector<double> out(static_cast<std::size_t>(X.size() * model.size()));
  model.weights(X, {out.data(), X.size(), model.size()});
  return out;
}

Mean reloaded(const Mean& model) {
  const std::string bytes = support::bytes_of(document_of(model));
  return load_model_from_memory(bytes.data(), bytes.size()).as<Mean>();
}

}  // namespace

TEST(an_embedding_comes_back) {
  const Mean model(fitted());
  const Points X(view(fresh.X));
  support::check_stored(model, X, {Verb::predict});
  CHECK(weights_of(reloaded(model), X) == weights_of(model, X));
  CHECK(reloaded(model).sample(X, 4) == model.sample(X, 4));
}

TEST(weights_and_values_come_back) {
  Parts parts = fitted();
  parts.kernel.reset();
  parts.output_kernel.reset();
  parts.inputs = Samples::counted(25);
  parts.outputs = Samples();
  parts.coefficients = SharedMatrix();
  const Dense gram = dependency_data::gram(gaussian(), data.Y, data.Y);
  parts.output_gram = SharedMatrix::copy_of(view(gram));
  parts.roots = SharedMatrix(Matrix::filled(25, 1, 1.0));
  const Mean model(std::move(parts));
  const Dense cross = dependency_data::gram(gaussian(), fresh.X, data.X);
  CHECK(weights_of(reloaded(model), Points(view(cross))) == weights_of(model, Points(view(cross))));
  CHECK(reloaded(model).sample(Points(view(cross)), 3) == model.sample(Points(view(cross)), 3));
}

TEST(a_damaged_description_is_refused) {
  const Mean model(fitted());
  CHECK(!support::message_of_model(model, "\"laplacian\"", "\"laplacean\"").empty());
  CHECK(!support::message_of_model(model, "\"labels\":[]", "\"labels\":[\"a\"]").empty());
  CHECK(!support::message_of_model(model, "\"dense\"", "\"count\"").empty());
}

TEST_MAIN
