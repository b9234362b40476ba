// SPDX-License-Identifier: BSD-3-Clause
// What the processor and the operating system support.
#pragma once

namespace gramian::isa {

/// The x86-64 level (2, 3 or 4) of this processor as far as the engine's builds need it; 0 on other architectures. A level counts
/// only if the operating system saves its registers.
int x86_level();

}  // namespace gramian::isa
