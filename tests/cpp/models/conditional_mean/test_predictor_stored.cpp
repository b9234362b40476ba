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

TEST(embeddings_on_landmarks_come_back) {
  const Points X(view(fresh.X)), inputs(view(data.X));
  const std::vector<Index> rows = {0, 3, 5, 7, 11, 13, 17, 20, 22};
  const Dense Z = dependency_data::rows_of(data.X, rows), targets = dependency_data::rows_of(data.Y, rows);
  const Kernel output("laplacian", {0.7});
  const auto fit = conditional_mean::fit_landmarks(gaussian(), inputs, Points(view(Z)), {}, view(data.Y), {0.01});
  Parts parts = conditional_mean::parts_of(fit, gaussian(), Samples::copy_of(Points(view(Z))), Samples::copy_of(inputs), output,
                                           Samples::copy_of(Points(view(data.Y))));
  parts.roots = SharedMatrix(Matrix::filled(25, 1, 1.0));
  const Mean model(std::move(parts));
  support::check_stored(model, X, {Verb::predict});
  CHECK(weights_of(reloaded(model), X) == weights_of(model, X));
  CHECK(!support::message_of_model(model, "\"samples.form\":\"dense\"", "\"samples.form\":\"count\"").empty());
  NormalSystem system;
  const Dense K = dependency_data::gram(gaussian(), data.X, Z), L = dependency_data::gram(output, data.Y, targets);
  const Dense square = K.transpose() * K, right = K.transpose() * L;
  system.square = Matrix::copy_of(view(square));
  system.right = Matrix::copy_of(view(right));
  const auto sums = conditional_mean::fit_sums(gaussian(), Points(view(Z)), output, Points(view(targets)), system, 25.0, {0.01});
  const Mean summed(conditional_mean::parts_of(sums, gaussian(), Samples::copy_of(Points(view(Z))), output,
                                               Samples::copy_of(Points(view(targets)))));
  CHECK(weights_of(reloaded(summed), X) == weights_of(summed, X));
  CHECK(reloaded(summed).sample(X, 4) == summed.sample(X, 4));
}

TEST(a_damaged_description_is_refused) {
  const Mean model(fitted());
  CHECK(!support::message_of_model(model, "\"laplacian\"", "\"laplacean\"").empty());
  CHECK(!support::message_of_model(model, "\"labels\":[]", "\"labels\":[\"a\"]").empty());
  CHECK(!support::message_of_model(model, "\"dense\"", "\"count\"").empty());
}

TEST_MAIN
