// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/layers/fixed_features.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/pool.hpp"
#include "gramian/base/error.hpp"
#include "gramian/layers/random_features.hpp"

namespace gramian {
namespace {

std::unique_ptr<FeatureMap> map_of(const FixedFeatures::Form& form, Index inputs) {
  if (const auto* network = std::get_if<NetworkFeatures>(&form)) return feature_network(inputs, network->layers);
  if (const auto* fourier = std::get_if<FourierFeatures>(&form)) {
    return random_fourier_features(fourier->kernel, inputs, fourier->count, fourier->seed);
  }
  std::unique_ptr<FeatureMap> own = std::get<OwnFeatures>(form)();
  require(own->inputs() == inputs,
          "X has " + std::to_string(inputs) + " features, and the feature map takes " + std::to_string(own->inputs()));
  return own;
}

}  // namespace

struct FixedFeatures::State {
  State(Form own_form, Index own_inputs, std::vector<double> own_theta)
      : form(std::move(own_form)), inputs(own_inputs), theta(std::move(own_theta)) {
    const auto map = maps.borrow([&] { return map_of(form, inputs); });
    if (theta.empty()) theta = map->start(0);
    const auto size = static_cast<Index>(theta.size());
    require(size == map->parameter_count(), "theta has " + std::to_string(size) + " numbers, and the feature map has " +
                                                std::to_string(map->parameter_count()) + " parameters");
    require(std::all_of(theta.begin(), theta.end(), [](double x) { return std::isfinite(x); }),
            "theta has an entry that is not finite");
    outputs = map->outputs();
  }

  Form form;
  Index inputs, outputs = 0;
  std::vector<double> theta;
  Pool<FeatureMap> maps{};  // each serves one thread at a time
};

FixedFeatures::FixedFeatures(Form form, Index inputs, std::vector<double> theta)
    : state_(std::make_shared<const State>(std::move(form), inputs, std::move(theta))) {}

Index FixedFeatures::inputs() const { return state_->inputs; }
Index FixedFeatures::outputs() const { return state_->outputs; }
const FixedFeatures::Form& FixedFeatures::form() const { return state_->form; }
const std::vector<double>& FixedFeatures::theta() const { return state_->theta; }

void FixedFeatures::apply(MatrixView<const double> X, MatrixView<double> Z) const {
  const auto map = state_->maps.borrow([&] { return map_of(state_->form, state_->inputs); });
  map->forward(state_->theta.data(), X, Z, {});
}

}  // namespace gramian
