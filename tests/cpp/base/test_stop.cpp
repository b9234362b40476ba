// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/base/stop.hpp"

#include <chrono>
#include <stdexcept>
#include <thread>

#include "gramian/base/error.hpp"
#include "support/check.hpp"

namespace {

using gramian::poll_stop;
using gramian::StopScope;

struct Counter : gramian::StopCheck {
  explicit Counter(bool says) : answer(says) {}
  bool should_stop() override {
    ++asked;
    return answer;
  }
  bool answer;
  int asked = 0;
};

void pass_the_interval() { std::this_thread::sleep_for(std::chrono::milliseconds(15)); }

TEST(without_a_scope_nothing_is_asked) {
  Counter check(true);
  poll_stop();
  CHECK_EQ(check.asked, 0);
}

TEST(yes_throws_interrupted) {
  Counter check(true);
  StopScope scope(check);
  pass_the_interval();
  CHECK_THROWS(gramian::Interrupted, poll_stop());
  CHECK_EQ(check.asked, 1);
}

TEST(asked_at_most_every_ten_milliseconds) {
  Counter check(false);
  StopScope scope(check);
  const auto start = std::chrono::steady_clock::now();
  auto elapsed = std::chrono::steady_clock::duration::zero();
  while (elapsed < std::chrono::milliseconds(55)) {
    poll_stop();
    elapsed = std::chrono::steady_clock::now() - start;
  }
  CHECK(check.asked >= 1);
  CHECK(check.asked <= 1 + elapsed / std::chrono::milliseconds(10));
}

TEST(many_short_scopes_ask_no_more_often) {
  Counter check(false);
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 1000; ++i) {
    StopScope scope(check);
    poll_stop();
  }
  CHECK(check.asked <= 1 + (std::chrono::steady_clock::now() - start) / std::chrono::milliseconds(10));
}

TEST(innermost_scope_is_asked_and_the_outer_one_returns) {
  Counter outer(false), inner(false);
  StopScope outer_scope(outer);
  {
    StopScope inner_scope(inner);
    pass_the_interval();
    poll_stop();
    CHECK_EQ(inner.asked, 1);
    CHECK_EQ(outer.asked, 0);
  }
  pass_the_interval();
  poll_stop();
  CHECK_EQ(inner.asked, 1);
  CHECK_EQ(outer.asked, 1);
}

TEST(a_scope_knows_who_was_asked_before) {
  Counter outer(false), inner(false);
  StopScope outer_scope(outer);
  StopScope inner_scope(inner);
  CHECK(outer_scope.outer() == nullptr);
  CHECK(inner_scope.outer() == &outer);
}

TEST(scope_ends_with_an_exception) {
  Counter check(true);
  try {
    StopScope scope(check);
    throw std::runtime_error("any");
  } catch (const std::runtime_error&) {
  }
  pass_the_interval();
  poll_stop();
  CHECK_EQ(check.asked, 0);
}

TEST(another_thread_has_no_scope) {
  Counter check(true);
  StopScope scope(check);
  std::thread([] {
    pass_the_interval();
    poll_stop();
  }).join();
  CHECK_EQ(check.asked, 0);
}

}  // namespace

TEST_MAIN
