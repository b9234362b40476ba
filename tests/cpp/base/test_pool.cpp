// SPDX-License-Identifier: BSD-3-Clause
#include "base/pool.hpp"

#include <atomic>
#include <thread>
#include <vector>

#include "support/check.hpp"

using namespace gramian;

namespace {

struct Counted {
  explicit Counted(std::atomic<int>& number) : made(number) { ++made; }
  std::atomic<int>& made;
  std::atomic<int> users{0};
};

}  // namespace

TEST(an_object_comes_back) {
  std::atomic<int> made{0};
  const Pool<Counted> pool;
  const auto make = [&] { return std::make_unique<Counted>(made); };
  for (int turn = 0; turn < 5; ++turn) pool.borrow(make);
  CHECK_EQ(made.load(), 1);
  {
    const auto first = pool.borrow(make), second = pool.borrow(make);
    CHECK(&*first != &*second);
  }
  CHECK_EQ(made.load(), 2);
  const Pool<Counted> copy(pool);
  copy.borrow(make);
  CHECK_EQ(made.load(), 3);
}

TEST(each_object_has_one_user) {
  std::atomic<int> made{0};
  std::atomic<bool> alone{true};
  const Pool<Counted> pool;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int turn = 0; turn < 2000; ++turn) {
        const auto object = pool.borrow([&] { return std::make_unique<Counted>(made); });
        if (++object->users != 1) alone = false;
        --object->users;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(alone.load());
  CHECK(made.load() <= 8);
}

TEST_MAIN
