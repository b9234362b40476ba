// SPDX-License-Identifier: BSD-3-Clause
// Tables are filled by name: an entry that was forgotten is null, and would be a crash at its first call.
#include "isa/table.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "isa/dispatch.hpp"
#include "support/check.hpp"

using namespace gramian;

/// Words of a table that are null: all of them are sizes or pointers.
template <class Table>
int empty_entries(const Table& table) {
  int empty = 0;
  for (std::size_t at = 0; at < sizeof(Table); at += sizeof(std::uintptr_t)) {
    std::uintptr_t word = 0;
    std::memcpy(&word, reinterpret_cast<const unsigned char*>(&table) + at, sizeof word);
    empty += word == 0 ? 1 : 0;
  }
  return empty;
}

TEST(every_entry_is_filled) {
  const isa::Table& table = *isa::choice().table;
  CHECK(empty_entries(table.dense) == 0);
  CHECK(empty_entries(table.feature) == 0);
  CHECK(empty_entries(table.float64) == 0);
  CHECK(empty_entries(table.float32) == 0);
}

TEST(a_forgotten_entry_is_seen) {
  isa::DenseOps<double> dense = isa::choice().table->dense;
  dense.rotate = nullptr;
  CHECK(empty_entries(dense) == 1);
}

TEST_MAIN
