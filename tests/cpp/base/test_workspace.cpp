// SPDX-License-Identifier: BSD-3-Clause
#include "base/workspace.hpp"

#include "support/check.hpp"

using namespace gramian;

TEST(a_room_only_grows) {
  Room room;
  double* const first = room.take(20, 30).data();
  CHECK(room.take(10, 60).data() == first);
  CHECK(room.take(3, 2).data() == first);
  CHECK_EQ(room.take(3, 2).rows(), 3);
  CHECK_EQ(room.take(50, 60).cols(), 60);
}

TEST(scratch_of_one_call_is_that_of_the_next) {
  release_memory();
  double* first = nullptr;
  for (int call = 0; call < 3; ++call) {
    Scratch scratch;
    const MatrixView<double> some = scratch.take(512, 512);  // 2 MiB, which malloc may give back
    if (call == 0) first = some.data();
    CHECK(some.data() == first);
    CHECK(scratch.take(100, 700).data() == first);
  }
  CHECK(memory_report().kept >= std::uint64_t(4) << 20);
}

TEST(small_scratch_is_small) {
  release_memory();
  {
    Scratch().take(10, 10);
  }
  CHECK_EQ(memory_report().kept, std::uint64_t(0));
}

TEST(bytes_are_those_of_all_matrices) {
  CHECK_EQ(bytes_of(10, 20), std::uint64_t(1600));
  CHECK_EQ(bytes_of(10, 20, 3), std::uint64_t(4800));
}

TEST_MAIN
