// SPDX-License-Identifier: BSD-3-Clause
// Several searches, one after the other, as one that goes on.
#pragma once

#include "gramian/optim/result.hpp"

namespace gramian::optim_detail {

/// Numbers the iterations of the next search as those after the ones of `before`, for who watches all of them.
class Continued final : public Observer {
 public:
  /// observer must outlive this.
  Continued(Observer& observer, const OptimResult& before)
      : observer_(observer), iterations_(before.iterations), evaluations_(before.evaluations) {}
  bool observe(const Iteration& iteration, const double* x) override;
  bool concurrent() const override { return observer_.concurrent(); }
  CheckpointPart checkpoint() const override { return observer_.checkpoint(); }

 private:
  Observer& observer_;
  Index iterations_, evaluations_;
};

/// all becomes the search that ended with `more`; the start of `more` is where `all` was, and no entry of the history.
void append(OptimResult more, OptimResult& all);

}  // namespace gramian::optim_detail
