// SPDX-License-Identifier: BSD-3-Clause
// Explicit features in model files: what they are, and their parameters.
#pragma once

#include <string>

#include "gramian/layers/fixed_features.hpp"
#include "serving/stored/reader.hpp"
#include "serving/stored/writer.hpp"

namespace gramian::stored {

/// Random frequencies follow from a seed, so that their memory is not in the file: this is the most of them.
constexpr Index most_frequencies = Index(1) << 26;

/// "inputs", "form" ("network" or "random_fourier"), the arguments of the form, and "theta". Throws std::invalid_argument for
/// features of a program's own.
void put_features(Writer& writer, const FixedFeatures& features);
FixedFeatures take_features(Reader& reader);

}  // namespace gramian::stored
