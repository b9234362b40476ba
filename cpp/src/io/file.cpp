// SPDX-License-Identifier: BSD-3-Clause
#include "io/file.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <random>

namespace gramian::io {

InputFile::~InputFile() = default;

std::string temporary_name() {
  static std::atomic<std::uint64_t> calls{0};
  std::random_device entropy;
  const auto time = static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  std::uint64_t mark = (static_cast<std::uint64_t>(entropy()) << 32) ^ entropy() ^ time ^ (++calls << 48);
  std::string name = ".gramian-";
  for (int digit = 0; digit < 16; ++digit, mark >>= 4) name += "0123456789abcdef"[mark & 15u];
  return name + ".tmp";
}

}  // namespace gramian::io
