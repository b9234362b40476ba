// SPDX-License-Identifier: BSD-3-Clause
// Classifiers of all forms through a file.
#include <vector>

#include "gramian/models/embedding/predictor.hpp"
#include "serving/stored/writer.hpp"
#include "support/dense.hpp"
#include "support/embedding_data.hpp"
#include "support/sparse_copy.hpp"
#include "support/stored_model.hpp"

using namespace gramian;
using embedding_data::Dense;
using support::shared;

namespace {

const std::vector<Verb> verbs = {Verb::scores, Verb::predict_proba, Verb::predict};
const std::vector<ClassLabel> labels = {std::int64_t(-9007199254740993), std::string("\"b\" \n é"), 0.1};

embedding::Predictor on_samples() {
  const Dense X = spectral::normal(20, 3, 1);
  const Kernel kernel = 0.3 * Kernel("gaussian", {0.1}, {1.0, 0.5, 2.0}) + Kernel("matern32", {0.7}) * Kernel("linear", {});
  return embedding::Predictor({kernel, {}, Samples::copy_of(Points(view(X))), shared(spectral::normal(20, 3, 2)), labels});
}

}  // namespace

TEST(every_form_comes_back) {
  const Dense X = spectral::normal(20, 3, 1), fresh = spectral::normal(7, 3, 3), cross = spectral::normal(7, 20, 4);
  support::check_stored(on_samples(), Points(view(fresh)), verbs);
  const SharedMatrix W = shared(spectral::normal(20, 3, 2));
  support::check_stored(embedding::Predictor({std::nullopt, {}, Samples::counted(20), W, labels}), Points(view(cross)), verbs);
  support::check_stored(embedding::Predictor({std::nullopt, {}, Samples::counted(20), W, labels, Calibration{1.0 / 3.0, 0.1}}),
                        Points(view(cross)), verbs);
  naive::Matrix<double> copy(20, 3);
  for (Index i = 0; i < 20; ++i) copy(i, i % 3) = X(i, 0);
  const auto sparse = naive::sparse_of(copy);
  const Points points(sparse.rows());
  support::check_stored(embedding::Predictor({Kernel("gaussian", {0.4}), {}, Samples::copy_of(points), W, labels}), points,
                        verbs);
}

TEST(features_come_back) {
  const Dense X = spectral::normal(20, 3, 1), fresh = spectral::normal(7, 3, 3);
  const std::vector<DenseLayer> layers = {{4, Activation::tanh, 0.25}, {2, Activation::relu, 0.0}};
  const FixedFeatures network(NetworkFeatures{layers}, 3, feature_network(3, layers)->start(5));
  const FixedFeatures fourier(FourierFeatures{Kernel("matern52", {1.3}), 6, ~std::uint64_t(0)}, 2);
  const SharedMatrix W = shared(spectral::normal(20, 3, 6)), V = shared(spectral::normal(6, 3, 7));
  const Samples supports = Samples::copy_of(Points(view(X)));
  support::check_stored(embedding::Predictor({Kernel("gaussian", {1.0}), {network}, supports, W, labels}), Points(view(fresh)),
                        verbs);
  support::check_stored(embedding::Predictor({std::nullopt, {network, fourier}, {}, V, labels}), Points(view(fresh)), verbs);
}

TEST(features_of_a_program_stay_there) {
  const OwnFeatures make = [] { return feature_network(3, {{2, Activation::relu, 0.0}}); };
  const FixedFeatures own(make, 3);
  const embedding::Predictor model({std::nullopt, {own}, {}, shared(spectral::normal(2, 3, 8)), labels});
  CHECK_THROWS(std::invalid_argument, document_of(model));
}

TEST(a_damaged_description_is_refused) {
  const embedding::Predictor model = on_samples();
  const auto message = [&](const char* from, const char* to) { return support::message_of_model(model, from, to); };
  CHECK(!message("\"gaussian\"", "\"gausian\"").empty());
  CHECK(!message("\"length_scales\":[1,0.5,2]", "\"length_scales\":[1,0.5]").empty());
  CHECK(!message("\"dense\"", "\"sparse\"").empty());
  CHECK(!message("\"maps\":0", "\"maps\":1").empty());
  CHECK(!message("\"maps\":0", "\"maps\":0,\"more\":1").empty());
  CHECK(!message("{\"whole\":\"-9007199254740993\"}", "{\"whole\":\"9223372036854775808\"}").empty());
  CHECK(!message("{\"whole\":\"-9007199254740993\"},", "").empty());
  CHECK(message("\"gaussian\"", "\"laplacian\"").empty());  // another model, as good as this one
}

TEST(a_model_has_one_type) {
  const std::string bytes = support::bytes_of(document_of(on_samples()));
  const AnyModel any = load_model_from_memory(bytes.data(), bytes.size());
  CHECK(any.predictor()->family() == std::string("embedding"));
  struct Other final : Predictor {
    const char* family() const override { return "other"; }
    Index inputs(Verb) const override { return 0; }
    Index outputs(Verb) const override { return 0; }
    void store(stored::Writer&) const override {}
    void compute(Verb, const Points&, MatrixView<double>) const override {}
  };
  CHECK_THROWS(std::invalid_argument, any.as<Other>());
}

TEST_MAIN
