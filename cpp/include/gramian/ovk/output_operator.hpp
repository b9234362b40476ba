// SPDX-License-Identifier: BSD-3-Clause
// A_l of a decomposable operator-valued kernel k_l A_l: symmetric positive semi-definite, on the outputs of a layer.
#pragma once

#include <memory>
#include <vector>

#include "gramian/base/matrix.hpp"

namespace gramian {

/// A value: immutable, and cheap to copy.
class GRAMIAN_API OutputOperator {
 public:
  enum class Form { identity, diagonal, full };

  /// Throws std::invalid_argument if the size is not at least 1.
  static OutputOperator identity(Index size);
  /// Throws std::invalid_argument if there is no entry, or one is negative or not finite.
  static OutputOperator diagonal(std::vector<double> entries);
  /// Throws std::invalid_argument unless A is square, finite, symmetric and positive semi-definite up to rounding. O(size^3).
  static OutputOperator full(MatrixView<const double> A);

  Form form() const { return form_; }
  Index size() const { return static_cast<Index>(eigenvalues_.size()); }
  double trace() const;

  /// out = V A for V, out: n x size; out may be V.
  void apply(MatrixView<const double> V, MatrixView<double> out) const;

  /// A = U diag(values) Uᵀ, values: size, in no special order. For a form other than full U is the identity, and is left empty.
  const std::vector<double>& eigenvalues() const { return eigenvalues_; }
  const Matrix& eigenvectors() const;
  /// A of the form full, symmetric to the last bit; empty for the other forms.
  const Matrix& numbers() const;

 private:
  struct Full {
    Matrix numbers;
    Matrix eigenvectors;
  };
  OutputOperator(Form form, std::vector<double> eigenvalues) : form_(form), eigenvalues_(std::move(eigenvalues)) {}
  void apply_full(MatrixView<const double> V, MatrixView<double> out) const;

  Form form_;
  std::vector<double> eigenvalues_;
  std::shared_ptr<const Full> full_;  // null for other forms
};

}  // namespace gramian
