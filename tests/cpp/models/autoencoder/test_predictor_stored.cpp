// SPDX-License-Identifier: BSD-3-Clause
// Autoencoders of vectors through a file.
#include <vector>

#include "gramian/models/autoencoder/predictor.hpp"
#include "serving/stored/writer.hpp"
#include "support/spectral.hpp"
#include "support/stored_model.hpp"

using namespace gramian;
using autoencoder::Parts;
using Dense = spectral::Matrix;

namespace {

SharedMatrix shared(Index rows, Index cols, std::uint64_t seed) {
  const Dense numbers = spectral::normal(rows, cols, seed);
  return SharedMatrix::copy_of(view(numbers));
}

/// 3 -> 2 -> 3 on 15 supports.
Parts parts() {
  Parts made;
  made.layers = {{KernelLayer::scalar(Kernel("gaussian", {0.4}), 2, 0.1), shared(15, 2, 1), Samples(shared(15, 3, 2))},
                 {KernelLayer::scalar(0.5 * Kernel("laplacian", {0.3}), 3, 0.2), shared(15, 3, 3), Samples(shared(15, 2, 4))}};
  return made;
}

}  // namespace

TEST(both_ways_come_back) {
  const autoencoder::Predictor model(parts());
  const Dense rows = spectral::normal(6, 3, 5), codes = spectral::normal(6, 2, 6);
  support::check_stored(model, Points(view(rows)), {Verb::transform});
  support::check_stored(model, Points(view(codes)), {Verb::inverse_transform});
}

TEST(a_damaged_description_is_refused) {
  const autoencoder::Predictor model(parts());
  CHECK(!support::message_of_model(model, "\"code_layer\":1", "\"code_layer\":2").empty());
  CHECK(!support::message_of_model(model, "\"layers\":2", "\"layers\":1").empty());
  CHECK(!support::message_of_model(model, "\"laplacian\"", "\"laplace\"").empty());
}

TEST_MAIN
