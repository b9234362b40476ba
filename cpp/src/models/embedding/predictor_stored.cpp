// SPDX-License-Identifier: BSD-3-Clause
#include <utility>

#include "gramian/models/embedding/predictor.hpp"
#include "models/layered/stored_calibration.hpp"
#include "serving/stored/features.hpp"
#include "serving/stored/kernel.hpp"
#include "serving/stored/samples.hpp"

namespace gramian::embedding {
namespace {

constexpr Index most_maps = 100;

}  // namespace

void Predictor::store(stored::Writer& to) const {
  const Parts& parts = this->parts();
  stored::put_kernel_if_any(to, "kernel", parts.kernel);
  to.put("maps", static_cast<Index>(parts.features.size()));
  for (std::size_t i = 0; i < parts.features.size(); ++i) {
    stored::Writer map = to.child("map", i);
    stored::put_features(map, parts.features[i]);
  }
  stored::put_samples(to, "supports", parts.supports);
  to.matrix("weights", parts.weights);
  stored::put_labels(to, "classes", parts.classes);
  stored::put_calibration(to, parts.calibration);
}

Predictor Predictor::load(stored::Reader& from) {
  Parts parts;
  parts.kernel = stored::take_kernel_if_any(from, "kernel");
  const Index maps = from.integer("maps", 0, most_maps);
  for (Index i = 0; i < maps; ++i) {
    stored::Reader map = from.child("map", static_cast<std::size_t>(i));
    parts.features.push_back(stored::take_features(map));
  }
  parts.supports = stored::take_samples(from, "supports");
  parts.weights = from.matrix("weights");
  parts.classes = stored::take_labels(from, "classes");
  parts.calibration = stored::take_calibration(from);
  return Predictor(std::move(parts));
}

}  // namespace gramian::embedding
