// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/base/checkpoint.hpp"

#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/stage.hpp"
#include "support/checkpoints.hpp"

using checkpoints::InMemory;
using gramian::Checkpoint;
using gramian::CheckpointPart;
using gramian::Index;
using gramian::Snapshot;
using gramian::SnapshotFields;

namespace {

Snapshot state_of(double number) {
  Snapshot state;
  SnapshotFields fields(state);
  fields("number", number);
  return state;
}

double number_of(const std::optional<Snapshot>& state) { return state ? state->reals.at("number").at(0) : -1.0; }

/// Written by time.
class Timed final : public Checkpoint {
 public:
  explicit Timed(double seconds) : Checkpoint({0, seconds}) {}
  Index writes = 0;

 private:
  void write(const Parts&) override { ++writes; }
};

}  // namespace

TEST(no_part_keeps_nothing) {
  CheckpointPart none;
  CHECK(!none);
  CHECK(!none.next());
  CHECK(!none.part("a"));
  CHECK(!none.due(1));
  none.keep(state_of(1.0));
  none.end(state_of(1.0));
  none.stop();
  CHECK(!none.result());
  CHECK(!none.progress());
}

TEST(parts_are_found_again_in_their_order) {
  InMemory first;
  CheckpointPart a = first.whole().next(), b = first.whole().next(), inner = b.part("start 3").next();
  a.keep(state_of(1.0));
  a.end(state_of(2.0));
  inner.keep(state_of(3.0));
  InMemory second(0, first.written);
  const CheckpointPart again = second.whole().next(), later = second.whole().next();
  CHECK_EQ(number_of(again.result()), 2.0);
  CHECK(!again.progress());
  CHECK_EQ(number_of(later.part("start 3").next().progress()), 3.0);
  CHECK(!later.part("start 4").next().progress());
  CHECK(!second.whole().next().result());
}

TEST(the_end_of_a_part_takes_the_place_of_its_parts) {
  InMemory checkpoint;
  CheckpointPart outer = checkpoint.whole().part("a");
  outer.part("b").keep(state_of(1.0));
  outer.part("c").end(state_of(2.0));
  checkpoint.whole().part("ab").keep(state_of(3.0));
  outer.end(state_of(4.0));
  CHECK_EQ(checkpoint.written.size(), 2u);
  CHECK_EQ(number_of(outer.result()), 4.0);
  CHECK_EQ(number_of(checkpoint.whole().part("ab").progress()), 3.0);
}

TEST(what_begins_after_a_stop_is_not_kept) {
  InMemory checkpoint;
  CheckpointPart running = checkpoint.whole().part("running"), outer = checkpoint.whole().part("outer");
  running.keep(state_of(1.0));
  running.stop();
  CHECK(checkpoint.stopped());
  running.keep(state_of(2.0));
  CHECK_EQ(number_of(checkpoint.written.begin()->second.state), 2.0);
  outer.end(state_of(3.0));
  CheckpointPart late = checkpoint.whole().part("late");
  CHECK(!late.due(1));
  late.keep(state_of(4.0));
  late.end(state_of(5.0));
  CHECK_EQ(checkpoint.written.size(), 1u);
}

TEST(seeds_are_those_of_the_first_process) {
  InMemory first(0);
  CHECK_EQ(first.settled(7), 7u);
  CHECK_EQ(first.settled(~std::uint64_t(0)), ~std::uint64_t(0));
  first.whole().next().keep(state_of(1.0));
  InMemory second(0, first.written);
  CHECK_EQ(second.settled(1), 7u);
  CHECK_EQ(second.settled(2), ~std::uint64_t(0));
  CHECK_EQ(second.settled(3), 3u);
}

TEST(it_is_written_as_often_as_was_asked) {
  Timed never(3600.0), always(0.0);
  CheckpointPart rare = never.whole().next(), frequent = always.whole().next();
  CHECK(!rare.due(1));
  CHECK(frequent.due(1));
  rare.end(state_of(1.0));
  frequent.end(state_of(1.0));
  CHECK_EQ(never.writes, 0);
  CHECK_EQ(always.writes, 1);
  CHECK_THROWS(std::invalid_argument, Timed(-1.0));
  class Negative final : public Checkpoint {
   public:
    Negative() : Checkpoint({-1}) {}
    void write(const Parts&) override {}
  };
  CHECK_THROWS(std::invalid_argument, Negative());
}

TEST(several_threads_keep_their_parts) {
  InMemory checkpoint;
  const CheckpointPart whole = checkpoint.whole().next();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      CheckpointPart own = whole.part("start " + std::to_string(t));
      for (int i = 0; i < 50; ++i) own.keep(state_of(i));
      own.end(state_of(100 + t));
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK_EQ(checkpoint.writes, 4 * 51);
  for (int t = 0; t < 4; ++t) CHECK_EQ(number_of(whole.part("start " + std::to_string(t)).result()), 100.0 + t);
}

TEST(a_stage_reads_what_it_wrote) {
  double result = 1.0, progress = 2.0;
  const auto make = [&](gramian::Observer* observer) {
    return gramian::Stage(
        observer, [&](SnapshotFields& state) { state("result", result); },
        [&](SnapshotFields& state) { state("progress", progress); });
  };
  InMemory first;
  gramian::Checkpointed observer(nullptr, first.whole());
  gramian::Stage stage = make(&observer);
  CHECK(!stage.has_ended());
  CHECK(!stage.resumes());
  stage.keep(1);
  result = progress = 0.0;
  InMemory second(0, first.written);
  gramian::Checkpointed later(nullptr, second.whole());
  gramian::Stage resumed = make(&later);
  CHECK(!resumed.has_ended());
  CHECK(resumed.resumes());
  CHECK_EQ(result, 1.0);
  CHECK_EQ(progress, 2.0);
  result = 5.0;
  resumed.end();
  result = progress = 0.0;
  InMemory third(0, second.written);
  gramian::Checkpointed last(nullptr, third.whole());
  gramian::Stage over = make(&last);
  CHECK(over.has_ended());
  CHECK_EQ(result, 5.0);
  CHECK_EQ(progress, 0.0);
}

TEST_MAIN
