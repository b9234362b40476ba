// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/models/autoencoder.hpp"

#include <algorithm>
#include <utility>

#include "gramian/base/memory.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/optim/restarts.hpp"
#include "models/autoencoder_options.hpp"
#include "models/autoencoder_start.hpp"
#include "models/autoencoder_training.hpp"

namespace gramian {
namespace {

/// Passes on what it sees, and remembers that somebody said stop.
class Watch final : public Observer {
 public:
  explicit Watch(Observer& observer) : observer_(observer) {}
  bool observe(const Iteration& iteration, const double* x) override {
    stopped_ = stopped_ || !observer_.observe(iteration, x);
    return !stopped_;
  }
  bool stopped() const { return stopped_; }

 private:
  Observer& observer_;
  bool stopped_ = false;
};

/// Starts that would leave threads idle run one after the other, each on all threads; so do those that are watched, as an
/// observer is the caller's, and those that have no memory to run at once.
RestartResult run_starts(AutoencoderTraining& training, Index count, int at_once, Observer* observer) {
  if (at_once > 1) return run_restarts(count, [&](Index i) { return training.run(i, nullptr); });
  std::vector<OptimResult> results;
  if (observer == nullptr) {
    for (Index i = 0; i < count; ++i) results.push_back(training.run(i, nullptr));
  } else {
    Watch watch(*observer);
    for (Index i = 0; i < count && !watch.stopped(); ++i) results.push_back(training.run(i, &watch));
  }
  return run_restarts(static_cast<Index>(results.size()),
                      [&](Index i) { return std::move(results[static_cast<std::size_t>(i)]); });
}

}  // namespace

AutoencoderFit fit_autoencoder(const LayerInput& input, MatrixView<const double> targets,
                               const std::vector<AutoencoderLayer>& layers, const AutoencoderOptions& options,
                               const double* warm_start, Observer* observer) {
  const LastLayer last = checked_last_layer(input, targets, layers, options, warm_start != nullptr);
  const std::uint64_t bytes = bytes_of_run(input, targets, options, last);
  require_memory(bytes, "the training of the autoencoder", "use landmarks, fewer samples, or LastLayer::joint");
  int at_once = max_workers();
  const std::uint64_t room = memory_report().limit / std::max<std::uint64_t>(bytes, 1);
  if (observer != nullptr || options.restarts < at_once || room < static_cast<std::uint64_t>(at_once)) at_once = 1;

  const AutoencoderStart start(input, layers, options, warm_start);
  const std::unique_ptr<AutoencoderTraining> training =
      make_training({input, targets, options, last, start, warm_start, at_once});
  RestartResult restarts = run_starts(*training, options.restarts, at_once, observer);
  AutoencoderFit fit;
  fit.result = std::move(restarts.best);
  fit.restart_values = std::move(restarts.values);
  training->describe(fit.result.x.data(), fit);
  return fit;
}

}  // namespace gramian
