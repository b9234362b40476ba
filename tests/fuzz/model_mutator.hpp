// SPDX-License-Identifier: BSD-3-Clause
// Changes of a model file that leave its container whole: raw bytes rarely get past the header.
#pragma once

#include <cstddef>
#include <cstdint>

#include "dice.hpp"
#include "gramian/io/document.hpp"

namespace fuzz {

/// The document of these bytes without what only Python reads; none if they are not a document.
bool read_seed(const std::uint8_t* data, std::size_t size, gramian::io::Document& out);

/// The same document with something changed: a value of its description, an array's shape, type or numbers, a name, an entry that
/// is gone, there twice, or taken from `other`.
gramian::io::Document mutated(const gramian::io::Document& document, const gramian::io::Document& other, Dice& dice);

}  // namespace fuzz
