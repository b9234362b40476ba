// SPDX-License-Identifier: BSD-3-Clause
// What the parts of a predictor have to satisfy.
#pragma once

#include "gramian/models/dependency/predictor.hpp"

namespace gramian::dependency {

/// Whether g(x) is a vector of the space that outputs are in.
inline bool has_axes(const Parts& parts) { return parts.vectors.has_value() && parts.coefficients.empty(); }

/// How many output supports there are.
Index support_count(const Parts& parts);

/// Throws std::invalid_argument that names the part.
void check_parts(const Parts& parts);

/// The same for candidates; `name` is what the message calls them.
void check_candidates(const Parts& parts, const Outputs& candidates, const char* name);

}  // namespace gramian::dependency
