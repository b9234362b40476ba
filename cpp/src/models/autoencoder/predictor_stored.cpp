// SPDX-License-Identifier: BSD-3-Clause
#include <utility>

#include "gramian/models/autoencoder/predictor.hpp"
#include "serving/stored/layer.hpp"

namespace gramian::autoencoder {

void Predictor::store(stored::Writer& to) const {
  stored::put_layers(to, parts().layers);
  to.put("code_layer", parts().code_layer);
}

Predictor Predictor::load(stored::Reader& from) {
  Parts parts;
  parts.layers = stored::take_layers(from);
  parts.code_layer = from.integer("code_layer", 1, static_cast<Index>(parts.layers.size()));
  return Predictor(std::move(parts));
}

}  // namespace gramian::autoencoder
