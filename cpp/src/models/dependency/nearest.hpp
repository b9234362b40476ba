// SPDX-License-Identifier: BSD-3-Clause
// The best of the same candidates for any number of inputs, prepared once.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "gramian/gram/expansion.hpp"
#include "gramian/models/dependency.hpp"
#include "linalg/product_tiles.hpp"
#include "models/dependency/screen.hpp"

namespace gramian::dependency {

/// A screen in the form that inputs are compared with it. Any number of threads may use it at the same time.
class NearestChoice {
 public:
  /// The `count` best candidates of inputs such as these, of which input_count are to come.
  NearestChoice(const View& model, const CrossSource& inputs, Index input_count, const CrossSource& candidates, Index count);
  NearestChoice(const NearestChoice&) = delete;
  NearestChoice& operator=(const NearestChoice&) = delete;

  /// False: all scores cost less than a screen, or some are not finite, and rows() may not be called.
  bool worth_while() const { return !screen_.A.empty(); }
  /// Packs the input supports for all later calls. Only for a kernel without ranks.
  void keep_supports(const Kernel& kernel, const Samples& supports);
  /// inputs.rows() x count rows of candidates, the best first.
  std::vector<Index> rows(const View& model, const CrossSource& inputs) const;

 private:
  class Block;

  Index count_;
  Screen screen_;
  ProductTiles tiles_;
  std::optional<KernelExpansion> sum_{};
};

/// A choice that calls share: it is made once the calls so far have cost more than it does, so that one call never waits for
/// more than it would have saved.
class KeptChoice {
 public:
  /// What make() returns, as soon as calls have cost `enough`; null before that, and where it is not worth while.
  template <class Make>
  std::shared_ptr<const NearestChoice> after(double cost, double enough, Make make) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      spent_ += cost;
      if (decided_ || making_ || spent_ <= enough) return choice_;
      making_ = true;
    }
    std::shared_ptr<const NearestChoice> made;
    try {
      made = make();
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex_);
      making_ = false;
      throw;
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    decided_ = true;
    if (made->worth_while()) choice_ = std::move(made);
    return choice_;
  }

 private:
  std::mutex mutex_;
  double spent_ = 0.0;
  bool making_ = false, decided_ = false;
  std::shared_ptr<const NearestChoice> choice_;
};

}  // namespace gramian::dependency
