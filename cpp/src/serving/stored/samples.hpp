// SPDX-License-Identifier: BSD-3-Clause
// Samples and labels in model files.
#pragma once

#include <string>
#include <vector>

#include "gramian/gram/samples.hpp"
#include "gramian/serving/predictor.hpp"
#include "serving/stored/reader.hpp"
#include "serving/stored/writer.hpp"

namespace gramian::stored {

/// "<name>.form" with "<name>.count", "<name>.rows", or "<name>.row_start", "<name>.columns", "<name>.values" and "<name>.cols".
void put_samples(Writer& writer, const std::string& name, const Samples& samples);
Samples take_samples(Reader& reader, const std::string& name);

/// A list of strings and numbers; {"whole": digits} for a whole number.
void put_labels(Writer& writer, const std::string& name, const std::vector<ClassLabel>& labels);
std::vector<ClassLabel> take_labels(Reader& reader, const std::string& name);

}  // namespace gramian::stored
