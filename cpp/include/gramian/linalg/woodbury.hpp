// SPDX-License-Identifier: BSD-3-Clause
// Systems with a diagonal plus a matrix of low rank: factor once in O(n m^2), then solve in O(n m) a right-hand side.
#pragma once

#include <memory>

#include "gramian/base/export.hpp"
#include "gramian/base/view.hpp"

namespace gramian {

/// A = diag(d) + U C Uᵀ with positive d: n x 1, U: n x m, m < n in what it is made for, and C: m x m symmetric positive
/// semidefinite, of which the lower triangle is read. U is copied.
class GRAMIAN_API Woodbury {
 public:
  /// C = I and d = lambda everywhere: A = U Uᵀ + lambda I. Throws std::invalid_argument for shapes that do not fit, entries that
  /// are not finite, d or lambda not above zero, C not positive semidefinite; NumericalError if I + UᵀD^(-1)U overflows.
  Woodbury(MatrixView<const double> U, double lambda);
  Woodbury(MatrixView<const double> d, MatrixView<const double> U);
  Woodbury(MatrixView<const double> d, MatrixView<const double> U, MatrixView<const double> C);
  ~Woodbury();
  Woodbury(Woodbury&&) noexcept;
  Woodbury& operator=(Woodbury&&) noexcept;

  Index size() const;

  /// A X = B for B, X: n x r; X may be B. One step of refinement is part of it.
  void solve(MatrixView<const double> B, MatrixView<double> X) const;

  /// log det A
  double log_determinant() const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

}  // namespace gramian
