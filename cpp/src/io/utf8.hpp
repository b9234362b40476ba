// SPDX-License-Identifier: BSD-3-Clause
// UTF-8: names and texts of files are in it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gramian::io {

/// The bytes of the character that begins at `at`: 1 to 4; 0 if these are no UTF-8. Refused are overlong forms, surrogates, and
/// what is above U+10FFFF.
std::size_t utf8_length(std::string_view text, std::size_t at);

/// Whether all of the text is UTF-8.
bool is_utf8(std::string_view text);

/// Appends a code point, which must be a character.
void append_utf8(std::string& text, unsigned code_point);

/// The name in quotes for a message: what is not printable ASCII is replaced by "?", and the end of a long one by "...".
std::string quoted(std::string_view name);

}  // namespace gramian::io
