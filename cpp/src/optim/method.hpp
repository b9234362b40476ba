// SPDX-License-Identifier: BSD-3-Clause
// An optimiser, cut between its iterations.
#pragma once

#include "gramian/base/snapshot.hpp"

namespace gramian::optim_detail {

/// What Course::run() runs. Whether to go on is the answer of Course, or no after Course::stop().
class Method {
 public:
  virtual ~Method() = default;
  virtual bool begin() = 0;             ///< evaluates the start; whether to go on
  virtual bool step(Index number) = 0;  ///< iteration `number` = 1, 2, ...; whether to go on
  virtual void finish() {}              ///< after the last one
  /// What the next iteration needs, besides what Course keeps.
  virtual void fields(SnapshotFields& state) = 0;
};

}  // namespace gramian::optim_detail
