// SPDX-License-Identifier: BSD-3-Clause
// A kernel ridge regression as a value.
#pragma once

#include <memory>
#include <optional>

#include "gramian/gram/samples.hpp"
#include "gramian/kernels/kernel.hpp"
#include "gramian/models/kernel_ridge.hpp"
#include "gramian/serving/predictor.hpp"

namespace gramian::kernel_ridge {

/// The parts of a Predictor.
struct Parts {
  std::optional<Kernel> kernel{};  ///< none: rows of X are kernel values to the supports
  Samples supports{};              ///< training samples or landmarks; only their number without a kernel
  SharedMatrix coefficients{};     ///< a row for each support
};

/// The parts of a regression that was fitted to these samples.
GRAMIAN_API Parts parts_of(const Fit& fit, const Kernel& kernel, const Samples& supports);

/// f(x) = sum_i k(x, s_i) c_i. Its verb is predict. A row costs O(n (d + r)).
class GRAMIAN_API Predictor final : public gramian::Predictor {
 public:
  /// Throws std::invalid_argument for parts that do not fit together; the message names them.
  explicit Predictor(Parts parts);

  const Parts& parts() const;

  const char* family() const override { return "kernel_ridge"; }
  Index inputs(Verb verb) const override;
  Index outputs(Verb verb) const override;
  bool takes_sparse(Verb verb) const override;
  void store(stored::Writer& to) const override;
  static Predictor load(stored::Reader& from);

 private:
  void compute(Verb verb, const Points& X, MatrixView<double> out) const override;

  struct State;
  std::shared_ptr<const State> state_;
};

}  // namespace gramian::kernel_ridge
