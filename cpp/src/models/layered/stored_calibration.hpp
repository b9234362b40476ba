// SPDX-License-Identifier: BSD-3-Clause
// How probabilities are made of scores, in a model file. Files of version 1.0 do not have it: there is none.
#pragma once

#include <optional>

#include "gramian/losses/calibration.hpp"
#include "serving/stored/reader.hpp"
#include "serving/stored/writer.hpp"

namespace gramian::stored {

void put_calibration(Writer& to, const std::optional<Calibration>& calibration);
std::optional<Calibration> take_calibration(Reader& from);

}  // namespace gramian::stored
