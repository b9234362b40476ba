// SPDX-License-Identifier: BSD-3-Clause
#include <string>
#include <utility>

#include "gramian/models/deep_pca/predictor.hpp"
#include "serving/stored/features.hpp"
#include "serving/stored/kernel.hpp"
#include "serving/stored/names.hpp"
#include "serving/stored/samples.hpp"

namespace gramian::deep_pca {
namespace {

constexpr Index most_levels = 1000, most_iterations = Index(1) << 31;

constexpr stored::Named<Extension> extensions[] = {
    {"automatic", Extension::automatic}, {"equations", Extension::equations}, {"smoother", Extension::smoother}};
constexpr stored::Named<Inverse> inverses[] = {
    {"automatic", Inverse::automatic}, {"fixed_point", Inverse::fixed_point}, {"ridge", Inverse::ridge}};

void put_level(stored::Writer to, const Parts& parts, std::size_t j) {
  const Summary& summary = parts.summary;
  stored::put_kernel(to, "kernel", summary.levels[j].kernel);
  to.put("eta", summary.levels[j].eta);
  to.matrix("features", parts.features[j]);
  to.vector("eigenvalues", summary.eigenvalues[j]);
  to.vector("means", summary.means[j]);
  to.vector("offsets", summary.offsets[j]);
}

void take_level(stored::Reader from, Parts& parts) {
  Summary& summary = parts.summary;
  parts.features.push_back(from.matrix("features", parts.training.size()));
  const Index components = parts.features.back().cols();
  summary.levels.push_back({stored::take_kernel(from, "kernel"), components, from.number("eta")});
  summary.eigenvalues.push_back(from.vector("eigenvalues", components));
  summary.means.push_back(from.vector("means", components));
  summary.offsets.push_back(from.vector("offsets", components));
}

void put_options(stored::Writer& to, const Parts& parts) {
  to.put("extension", stored::name_in(extensions, parts.transform.extension));
  to.put("max_iterations", parts.transform.max_iterations);
  to.put("tolerance", parts.transform.tolerance);
  to.put("inverse", stored::name_in(inverses, parts.inverse.method));
  to.put("ridge", parts.inverse.ridge);
  to.put("preimage_iterations", static_cast<Index>(parts.inverse.fixed_point.max_iterations));
  to.put("preimage_tolerance", parts.inverse.fixed_point.tolerance);
}

void take_options(stored::Reader& from, Parts& parts) {
  parts.transform.extension = stored::take_choice(extensions, from, "extension");
  parts.transform.max_iterations = from.integer("max_iterations", 1, most_iterations);
  parts.transform.tolerance = from.number("tolerance");
  parts.inverse.method = stored::take_choice(inverses, from, "inverse");
  parts.inverse.ridge = from.number("ridge");
  auto& fixed_point = parts.inverse.fixed_point;
  fixed_point.max_iterations = static_cast<decltype(fixed_point.max_iterations)>(from.integer("preimage_iterations", 1, 1 << 30));
  fixed_point.tolerance = from.number("preimage_tolerance");
}

}  // namespace

void Predictor::store(stored::Writer& to) const {
  const Parts& parts = this->parts();
  stored::put_samples(to, "training", parts.training);
  to.put("centred", parts.summary.centred);
  to.put("coupled", parts.summary.coupled);
  to.put("levels", parts.summary.depth());
  for (std::size_t j = 0; j < parts.features.size(); ++j) put_level(to.child("level", j), parts, j);
  to.matrix_if_any("inputs", parts.inputs);
  to.matrix_if_any("coefficients", parts.coefficients);
  to.matrix_if_any("centre", parts.centre);
  to.matrix_if_any("weights", parts.weights);
  put_options(to, parts);
}

Predictor Predictor::load(stored::Reader& from) {
  Parts parts;
  parts.training = stored::take_samples(from, "training");
  parts.summary.centred = from.flag("centred");
  parts.summary.coupled = from.flag("coupled");
  const Index levels = from.integer("levels", 1, most_levels);
  for (Index j = 0; j < levels; ++j) take_level(from.child("level", static_cast<std::size_t>(j)), parts);
  parts.inputs = from.matrix_if_any("inputs");
  parts.coefficients = from.matrix_if_any("coefficients");
  parts.centre = from.matrix_if_any("centre");
  parts.weights = from.matrix_if_any("weights");
  take_options(from, parts);
  return Predictor(std::move(parts));
}

void ParametricPredictor::store(stored::Writer& to) const {
  stored::Writer features = to.child("features"), back = to.child("back"), pca = to.child("pca");
  stored::put_features(features, features_);
  stored::put_features(back, back_);
  pca_.store(pca);
}

ParametricPredictor ParametricPredictor::load(stored::Reader& from) {
  stored::Reader features = from.child("features"), back = from.child("back"), pca = from.child("pca");
  FixedFeatures there = stored::take_features(features);
  return {std::move(there), stored::take_features(back), deep_pca::Predictor::load(pca)};
}

}  // namespace gramian::deep_pca
