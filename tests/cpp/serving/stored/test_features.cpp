// SPDX-License-Identifier: BSD-3-Clause
#include "serving/stored/features.hpp"

#include <limits>
#include <string>
#include <vector>

#include "support/check.hpp"
#include "support/naive.hpp"
#include "support/stored_parts.hpp"

using namespace gramian;
using support::Reader;
using support::replaced;
using support::reread;
using support::says;
using support::with_model;
using support::Writer;

namespace {

FixedFeatures network() {
  return FixedFeatures(NetworkFeatures{{{4, Activation::relu, 0.1},
                                        {3, Activation::sigmoid, 0.0},
                                        {2, Activation::tanh, 0.0},
                                        {2, Activation::identity, 0.0}}},
                       3);
}

FixedFeatures fourier() {
  return FixedFeatures(
      FourierFeatures{2.0 * Kernel("gaussian", {0.3}, {1.0, 0.5, 0.1}), 6, std::numeric_limits<std::uint64_t>::max()}, 3);
}

io::Document document_of(const FixedFeatures& features) {
  Writer writer("test");
  stored::put_features(writer, features);
  return writer.document();
}

void check_same(const FixedFeatures& features) {
  Writer writer("test");
  stored::put_features(writer, features);
  Reader reader = reread(writer);
  const FixedFeatures again = stored::take_features(reader);
  reader.finish();
  CHECK(again.theta() == features.theta());
  const auto X = naive::normal<double>(5, 3, 1);
  Matrix a(5, features.outputs()), b(5, again.outputs());
  features.apply(X.view, a.view());
  again.apply(X.view, b.view());
  for (Index i = 0; i < a.size(); ++i) CHECK_EQ(a.data()[i], b.data()[i]);
}

bool refuses(const FixedFeatures& features, const std::string& from, const std::string& to, const std::string& message) {
  const io::Document document = document_of(features);
  return says(message, [&] {
    Reader reader(with_model(document, replaced(*document.find_text("model"), from, to)));
    stored::take_features(reader);
  });
}

}  // namespace

TEST(networks_and_random_features_come_back) {
  check_same(network());
  check_same(fourier());
}

TEST(networks_that_contradict_are_refused) {
  CHECK(refuses(network(), "\"inputs\":3", "\"inputs\":4", "'form': theta has 45 numbers"));
  CHECK(refuses(network(), "\"inputs\":3", "\"inputs\":0", "'inputs': must be a whole number in [1,"));
  CHECK(refuses(network(), "\"relu\"", "\"gelu\"", "'layers': activation 'gelu' is none of identity, relu, sigmoid, tanh"));
  CHECK(refuses(network(), "\"dropout\":0.1", "\"dropout\":1", "dropout must be"));
  CHECK(refuses(network(), "\"dropout\":0.1", "\"dropout\":null", "a layer has 'outputs', 'activation' and 'dropout'"));
  CHECK(refuses(network(), "\"outputs\":4", "\"outputs\":2147483648", "'form': theta has 45 numbers"));
  CHECK(refuses(network(), "\"outputs\":4", "\"outputs\":4.5", "outputs of a layer must be a whole number"));
  CHECK(refuses(network(), "\"network\"", "\"forest\"", "'form': 'forest' is none of network, random_fourier"));
  CHECK(refuses(network(), "\"layers\":[", "\"layers\":7,\"x\":[", "'layers': must be a list"));
}

TEST(random_features_that_contradict_are_refused) {
  CHECK(refuses(fourier(), "\"count\":6", "\"count\":5", "'form': "));
  CHECK(refuses(fourier(), "\"count\":6", "\"count\":67108864",
                "'count': 67108864 features of 3 inputs are more than a file may ask for"));
  CHECK(refuses(fourier(), "\"inputs\":3", "\"inputs\":67108864", "are more than a file may ask for"));
  CHECK(refuses(fourier(), "\"inputs\":3", "\"inputs\":4", "'form': "));
  CHECK(refuses(fourier(), "\"gaussian\"", "\"linear\"", "'kernel': "));
  for (const char* seed : {"\"\"", "\"-1\"", "\"18446744073709551616\"", "\"1x\"", "1"})
    CHECK(refuses(fourier(), "\"18446744073709551615\"", seed, "'seed': must be"));
}

TEST(features_without_parameters_are_not_drawn) {
  Writer writer("test");
  writer.put("inputs", 1);
  writer.put("form", "network");
  writer.put("layers", io::JsonArray{io::JsonObject{{"outputs", Index(1) << 31}, {"activation", "relu"}, {"dropout", 0.0}}});
  writer.vector("theta", {});
  Reader reader = reread(writer);
  CHECK(says("'theta': has no numbers", [&] { stored::take_features(reader); }));
}

TEST(features_of_a_program_s_own_are_refused_where_they_are_saved) {
  const FixedFeatures own(OwnFeatures([] { return feature_network(3, {{2, Activation::relu, 0.0}}); }), 3);
  Writer writer("test");
  CHECK(says<std::invalid_argument>("features of a program's own can't be saved", [&] { stored::put_features(writer, own); }));
}

TEST_MAIN
