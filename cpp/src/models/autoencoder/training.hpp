// SPDX-License-Identifier: BSD-3-Clause
// The ways to train an autoencoder: each has one run for each start, and says what became of the best.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "gramian/models/autoencoder.hpp"
#include "models/autoencoder/start.hpp"

namespace gramian {

struct AutoencoderTask {
  const PointSource& input;
  MatrixView<const double> targets;
  const AutoencoderOptions& options;
  LastLayer last_layer;
  const AutoencoderStart& start;
  const double* warm_start;
  int at_once;  ///< runs that share the memory
};

class AutoencoderTraining {
 public:
  virtual ~AutoencoderTraining() = default;
  /// May be called by several threads at once.
  virtual OptimResult run(Index start, Observer* observer) = 0;
  /// All but the optimiser's results, at the coefficients x.
  virtual void describe(const double* x, AutoencoderFit& fit) = 0;
};

std::unique_ptr<AutoencoderTraining> make_training(const AutoencoderTask& task);

/// Bytes that one run needs, beside what all of them share; a little more rather than less.
std::uint64_t bytes_of_run(const PointSource& input, MatrixView<const double> targets, const AutoencoderOptions& options,
                           LastLayer last_layer);

}  // namespace gramian
