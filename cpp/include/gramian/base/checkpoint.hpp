// SPDX-License-Identifier: BSD-3-Clause
// How far a computation has come, kept between its iterations: another process goes on from there, with the same bits.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "gramian/base/export.hpp"
#include "gramian/base/index.hpp"
#include "gramian/base/snapshot.hpp"

namespace gramian {

class CheckpointPart;

/// How often a Checkpoint is written.
struct CheckpointPace {
  Index iterations = 0;   ///< after each multiple of this number of iterations; 0: by time
  double seconds = 60.0;  ///< at most so often; nothing is written in a run that is shorter
};

/// A computation consists of parts: searches that follow each other or run side by side. Of a part that has ended its result is
/// kept, of one that runs what the next iteration needs. Several threads may use it at once.
class GRAMIAN_API Checkpoint {
 public:
  /// What is kept of a part.
  struct Kept {
    Snapshot state;
    bool ended = false;
  };
  using Parts = std::map<std::string, Kept>;  ///< by their names
  using Clock = std::chrono::steady_clock;

  /// Throws std::invalid_argument for a pace that is negative or not a number.
  explicit Checkpoint(const CheckpointPace& pace);
  virtual ~Checkpoint();
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  /// The whole, of which everything else is a part.
  CheckpointPart whole();
  /// The k-th call returns the k-th seed of the run that is resumed; of a run that begins, the seed that it is given.
  std::uint64_t settled(std::uint64_t seed);
  /// Whether somebody said stop: from then on, parts that begin are not kept, as what they begin with may be unfinished.
  bool stopped() const;

 protected:
  /// To go on from these parts. Before anything else is asked.
  void begin_from(Parts parts);
  /// Makes the parts outlive the process. Called by one thread at a time; what it throws ends the computation.
  virtual void write(const Parts& parts) = 0;

 private:
  friend class CheckpointPart;
  void put(const std::string& name, Kept kept, bool now);
  bool is_time(Clock::time_point last) const;

  CheckpointPace pace_;
  mutable std::mutex mutex_;  // of all that follows
  Parts parts_;
  std::map<std::string, Index> followers_;  // begun so far, by the name of what they are a part of
  Index seeds_ = 0;                         // asked for so far
  Clock::time_point written_ = Clock::now();
  bool stopped_ = false;
};

/// A part of a Checkpoint, or none: then nothing is kept. A small value, to be copied.
class GRAMIAN_API CheckpointPart {
 public:
  CheckpointPart() = default;
  explicit operator bool() const { return whole_ != nullptr; }

  /// The next one of parts that follow each other: the same one each time that the computation is run.
  CheckpointPart next() const;
  /// One of those that run side by side.
  CheckpointPart part(const std::string& name) const;

  std::optional<Snapshot> result() const;    ///< if it has ended
  std::optional<Snapshot> progress() const;  ///< if it has begun and not ended

  /// Whether it is time to keep the progress, after so many iterations.
  bool due(Index iterations) const;
  /// Keeps the progress, and writes the checkpoint.
  void keep(Snapshot progress);
  /// Keeps the result, in place of the progress and of all parts of this one. Written when it is time.
  void end(Snapshot result);
  /// Somebody said stop.
  void stop();

 private:
  friend class Checkpoint;
  CheckpointPart(Checkpoint* whole, std::string name);
  std::optional<Snapshot> kept(bool ended) const;

  Checkpoint* whole_ = nullptr;
  std::string name_;
  bool late_ = false;  ///< begun after somebody said stop
  Checkpoint::Clock::time_point kept_{};
};

}  // namespace gramian
