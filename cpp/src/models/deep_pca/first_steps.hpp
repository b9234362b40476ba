// SPDX-License-Identifier: BSD-3-Clause
// The first step of Newton's method, which begins at a training sample: all but F_1 is a matter of that sample.
#pragma once

#include <vector>

#include "models/deep_pca/rows.hpp"

namespace gramian::deep_pca {

/// Jacobians at some training samples, inverted once for all rows that begin there.
class FirstSteps {
 public:
  /// samples: ascending, each once.
  FirstSteps(const Equations& equations, std::vector<Index> samples);

  /// steps: rows x unknowns, of rows that begin at these of the samples, and the sizes of their residuals there. What a row gets
  /// does not hang on the others, nor on the other samples.
  Matrix take(const Matrix& first, const std::vector<Index>& of_rows, std::vector<double>& sizes) const;

 private:
  std::vector<Index> places_of(const std::vector<Index>& of_rows) const;

  const Equations& equations_;
  std::vector<Index> samples_;
  Matrix residuals_{};              ///< of each sample, with F_1 = 0: samples x unknowns
  std::vector<double> scales_{};    ///< the largest term that they are made of
  std::vector<double> sizes_{};     ///< infinity for a sample that is out of reach
  std::vector<Matrix> inverses_{};  ///< column c of all of them: samples x unknowns
};

}  // namespace gramian::deep_pca
