// SPDX-License-Identifier: BSD-3-Clause
// The frame of a model file: the names of its texts, and the versions of the format. 1.1: classifiers may have a calibration,
// deep kernel PCA the weights of its samples.
#pragma once

#include <string>

#include "gramian/io/document.hpp"

namespace gramian::stored {

constexpr const char* format_text = "gramian";
constexpr int format_major = 1, format_minor = 1;

/// The version that this library writes.
std::string format_version();

/// Whether a file is of this version, or of another one that it says this library may read. Throws ModelFileError, with the
/// version that is wanted, if this library can't read it.
enum class Age { known, newer };
Age check_format(const io::Document& document);

/// A text that must be there.
const std::string& required_text(const io::Document& document, const std::string& name);

}  // namespace gramian::stored
