// SPDX-License-Identifier: BSD-3-Clause
#include "isa/cpu.hpp"

#if defined(__x86_64__) || defined(_M_X64)
#define GRAMIAN_X86_64
#if defined(_MSC_VER)
#include <intrin.h>
#else
#include <cpuid.h>
#endif
#endif

namespace gramian::isa {

#if defined(GRAMIAN_X86_64)
namespace {

struct Registers {
  unsigned a = 0, b = 0, c = 0, d = 0;
};

// The compiler's own __builtin_cpu_supports needs a run-time library that clang-cl does not link.
Registers cpuid(unsigned leaf, unsigned subleaf) {
  Registers r;
#if defined(_MSC_VER)
  int values[4];
  __cpuidex(values, static_cast<int>(leaf), static_cast<int>(subleaf));
  r = {static_cast<unsigned>(values[0]), static_cast<unsigned>(values[1]), static_cast<unsigned>(values[2]),
       static_cast<unsigned>(values[3])};
#else
  __cpuid_count(leaf, subleaf, r.a, r.b, r.c, r.d);
#endif
  return r;
}

unsigned saved_register_states() {
#if defined(_MSC_VER)
  return static_cast<unsigned>(_xgetbv(0));
#else
  unsigned low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
#endif
}

constexpr unsigned bit(int i) { return 1u << i; }
bool has(unsigned value, unsigned mask) { return (value & mask) == mask; }

}  // namespace

int x86_level() {
  if (cpuid(0, 0).a < 7) return 2;
  const Registers basic = cpuid(1, 0);
  const Registers extended = cpuid(7, 0);
  const Registers amd = cpuid(0x80000001u, 0);

  constexpr unsigned osxsave = bit(27), avx = bit(28), fma = bit(12), movbe = bit(22), f16c = bit(29);
  if (!has(basic.c, osxsave | avx | fma | movbe | f16c)) return 2;
  constexpr unsigned bmi1 = bit(3), avx2 = bit(5), bmi2 = bit(8), lzcnt = bit(5);
  if (!has(extended.b, bmi1 | avx2 | bmi2) || !has(amd.c, lzcnt)) return 2;
  constexpr unsigned xmm_ymm = 0x6;
  if (!has(saved_register_states(), xmm_ymm)) return 2;

  constexpr unsigned avx512_f_dq_cd_bw_vl = bit(16) | bit(17) | bit(28) | bit(30) | bit(31);
  constexpr unsigned opmask_zmm = 0xe0;
  const bool level_4 = has(extended.b, avx512_f_dq_cd_bw_vl) && has(saved_register_states(), xmm_ymm | opmask_zmm);
  return level_4 ? 4 : 3;
}
#else
int x86_level() { return 0; }
#endif

}  // namespace gramian::isa
