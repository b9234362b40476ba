// SPDX-License-Identifier: BSD-3-Clause
// Doubles as text that comes back to the bit, the same in every locale.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gramian::io {

/// The shortest text that read_number() returns to the same bits, as JSON writes numbers. `value` must be finite.
std::string number_text(double value);

/// The double nearest to a number in the form of JSON; none if it is beyond the range of doubles.
std::optional<double> read_number(std::string_view text);

/// The same by the C library, for standard libraries that have no std::to_chars for doubles.
std::string number_text_by_c(double value);
std::optional<double> read_number_by_c(std::string_view text);

}  // namespace gramian::io
