// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/models/autoencoder.hpp"

#include <algorithm>
#include <utility>

#include "gramian/base/memory.hpp"
#include "gramian/base/parallel.hpp"
#include "models/autoencoder/options.hpp"
#include "models/autoencoder/start.hpp"
#include "models/autoencoder/training.hpp"
#include "models/layered/starts.hpp"

namespace gramian {
AutoencoderFit fit_autoencoder(const PointSource& input, MatrixView<const double> targets,
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
  RestartResult restarts =
      run_starts(options.restarts, at_once, observer, [&](Index i, Observer* watch) { return training->run(i, watch); });
  AutoencoderFit fit;
  fit.result = std::move(restarts.best);
  fit.restart_values = std::move(restarts.values);
  training->describe(fit.result.x.data(), fit);
  return fit;
}

}  // namespace gramian
