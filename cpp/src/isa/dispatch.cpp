// SPDX-License-Identifier: BSD-3-Clause
#include "isa/dispatch.hpp"

#include <cstdlib>

#include "isa/cpu.hpp"

namespace gramian::isa {

#if defined(GRAMIAN_ISA_X86)
namespace v2 {
extern const Table table;
}
namespace v3 {
extern const Table table;
}
namespace v4 {
extern const Table table;
}
namespace {

Choice choose() {
  const Table* const tables[] = {&v2::table, &v3::table, &v4::table};
  const int best = x86_level();
  const char* wanted = std::getenv("GRAMIAN_ISA");
  if (wanted == nullptr || *wanted == '\0') return {tables[best - 2], "the best build that this processor runs"};
  for (int level = 2; level <= 4; ++level) {
    if (wanted != std::string(tables[level - 2]->name)) continue;
    if (level <= best) return {tables[level - 2], std::string("GRAMIAN_ISA=") + wanted};
    return {tables[best - 2], std::string("GRAMIAN_ISA=") + wanted + " is more than this processor runs"};
  }
  return {tables[best - 2], std::string("GRAMIAN_ISA=") + wanted + " is none of v2, v3, v4"};
}

}  // namespace
#else
namespace generic {
extern const Table table;
}
namespace {

Choice choose() { return {&generic::table, "the only build of the hot kernels in this library"}; }

}  // namespace
#endif

const Choice& choice() {
  static const Choice chosen = choose();
  return chosen;
}

}  // namespace gramian::isa
