// SPDX-License-Identifier: BSD-3-Clause
#include <utility>

#include "gramian/models/autoencoder/feature_space_predictor.hpp"
#include "serving/stored/kernel.hpp"
#include "serving/stored/layer.hpp"
#include "serving/stored/samples.hpp"

namespace gramian::autoencoder {

void FeatureSpacePredictor::store(stored::Writer& to) const {
  const FeatureSpaceParts& parts = this->parts();
  stored::put_kernel_if_any(to, "input_kernel", parts.input_kernel);
  stored::put_samples(to, "training", parts.training);
  to.vector("squared_norms", parts.squared_norms);
  to.matrix("factor", parts.factor);
  to.indices("landmarks", parts.landmarks);
  stored::put_layers(to, parts.layers);
  to.matrix("codes", parts.codes);
  to.put("code_layer", parts.code_layer);
  to.vector("sample_weights", parts.sample_weights);
  to.matrix_if_any("reconstruction", parts.reconstruction);
}

FeatureSpacePredictor FeatureSpacePredictor::load(stored::Reader& from) {
  FeatureSpaceParts parts;
  parts.input_kernel = stored::take_kernel_if_any(from, "input_kernel");
  parts.training = stored::take_samples(from, "training");
  parts.squared_norms = from.vector("squared_norms");
  parts.factor = from.matrix("factor");
  parts.landmarks = from.indices("landmarks", parts.training.size());
  parts.layers = stored::take_layers(from);
  parts.codes = from.matrix("codes");
  parts.code_layer = from.integer("code_layer", 1, static_cast<Index>(parts.layers.size()));
  parts.sample_weights = from.vector("sample_weights");
  parts.reconstruction = from.matrix_if_any("reconstruction");
  return FeatureSpacePredictor(std::move(parts));
}

}  // namespace gramian::autoencoder
