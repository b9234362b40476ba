// SPDX-License-Identifier: BSD-3-Clause
// What a message on memory says that helps.
#pragma once

namespace gramian::python {

constexpr const char* fewer_samples = "pass fewer samples at a time";

}  // namespace gramian::python
