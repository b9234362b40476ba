// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints without a file, and processes that end when one has been written.
#pragma once

#include <stdexcept>
#include <utility>

#include "gramian/base/checkpoint.hpp"
#include "gramian/base/observer.hpp"
#include "gramian/optim/result.hpp"
#include "support/check.hpp"

namespace checkpoints {

using gramian::Checkpoint;
using gramian::Index;

/// What a process dies of.
struct Killed : std::runtime_error {
  Killed() : std::runtime_error("killed") {}
};

/// Written after every iteration; the process ends when it has been written `last` times, 0: never.
class InMemory final : public Checkpoint {
 public:
  explicit InMemory(Index last = 0, Parts from = {}) : Checkpoint({1}), last_(last) { begin_from(std::move(from)); }

  Parts written;
  Index writes = 0;

 private:
  void write(const Parts& parts) override {
    written = parts;
    if (++writes == last_) throw Killed();
  }
  Index last_;
};

/// run(observer) in processes that live for `life` checkpoints each, until one gets to the end.
template <class Run>
auto in_processes(Index life, Run run, Index& processes) {
  Checkpoint::Parts parts;
  for (processes = 1;; ++processes) {
    CHECK(processes < 10000);
    InMemory checkpoint(life, parts);
    gramian::Checkpointed observer(nullptr, checkpoint.whole());
    try {
      return run(&observer);
    } catch (const Killed&) {
      parts = checkpoint.written;
    }
  }
}

inline void check_same(const gramian::OptimResult& a, const gramian::OptimResult& b) {
  CHECK(a.x == b.x);
  CHECK_EQ(a.value, b.value);
  CHECK_EQ(a.gradient_norm, b.gradient_norm);
  CHECK(a.stop_reason == b.stop_reason);
  CHECK_EQ(a.iterations, b.iterations);
  CHECK_EQ(a.evaluations, b.evaluations);
  CHECK_EQ(a.history.size(), b.history.size());
  for (std::size_t i = 0; i < a.history.size(); ++i) {
    CHECK_EQ(a.history[i].number, b.history[i].number);
    CHECK_EQ(a.history[i].value, b.history[i].value);
    CHECK_EQ(a.history[i].gradient_norm, b.history[i].gradient_norm);
    CHECK_EQ(a.history[i].step, b.history[i].step);
    CHECK_EQ(a.history[i].evaluations, b.history[i].evaluations);
    CHECK_EQ(a.history[i].evaluation, b.history[i].evaluation);
  }
}

}  // namespace checkpoints
