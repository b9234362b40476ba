// SPDX-License-Identifier: BSD-3-Clause
// Objectives of optimisers.
#pragma once

#include <cstdint>

#include "gramian/base/export.hpp"
#include "gramian/base/index.hpp"
#include "gramian/base/observer.hpp"
#include "gramian/base/snapshot.hpp"

namespace gramian {

/// A function of size() numbers with its gradient.
class GRAMIAN_API Objective {
 public:
  virtual ~Objective();
  virtual Index size() const = 0;
  /// The value at x; unless it is null, `gradient` (size() numbers) is overwritten. NaN or infinity, in either, say: x is out of
  /// the domain. What it throws leaves the optimiser as it is.
  virtual double evaluate(const double* x, double* gradient) = 0;
  /// What it has learned from evaluations and its owner needs after them, for a run that is continued by another process. Values
  /// and gradients must not depend on it. Nothing, as a rule.
  virtual void fields(SnapshotFields& state);
};

/// A function that can also be estimated from a part of its data.
class GRAMIAN_API StochasticObjective : public Objective {
 public:
  ~StochasticObjective() override;
  /// An estimate of the value and of the gradient without bias, drawn with the random numbers of (seed, step): the same
  /// arguments give the same estimate. A doubly stochastic objective also draws which entries of the gradient it fills, scaled
  /// so that the expectation is the gradient.
  virtual double sample(const double* x, std::uint64_t seed, std::uint64_t step, double* gradient) = 0;
};

/// A set that x is kept in.
class GRAMIAN_API Projection {
 public:
  virtual ~Projection();
  virtual void project(double* x) = 0;  ///< x becomes a point of the set, itself if it was one
};

/// What an optimiser is given besides its options.
struct Task {
  Objective& objective;
  const double* start;
  Observer* observer = nullptr;
  StochasticObjective* estimates = nullptr;  ///< the objective again, whose estimates are followed
  Projection* set = nullptr;                 ///< to stay in
};

enum class Estimates { refused, taken, needed };  ///< whether an optimiser follows them

}  // namespace gramian
