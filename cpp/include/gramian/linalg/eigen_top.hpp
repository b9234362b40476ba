// SPDX-License-Identifier: BSD-3-Clause
// The largest eigenvalues of a symmetric operator with their eigenvectors, by products with blocks of vectors.
#pragma once

#include <cstdint>
#include <vector>

#include "gramian/base/export.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/base/view.hpp"

namespace gramian {

/// Options of eigen_top().
struct EigenTopOptions {
  /// A pair is found when |A v - value v| <= tolerance |A|; below 2e-14 that is what rounding allows.
  double tolerance = 1e-10;
  int max_products = 1000;  ///< products of A with a block of vectors, at most
  std::uint64_t seed = 0;   ///< of the random start
  bool centred = false;     ///< A stands for (I - 11ᵀ/n) A (I - 11ᵀ/n), which is never formed

  template <class Visit>
  static void fields(Visit visit) {
    visit("tolerance", &EigenTopOptions::tolerance);
    visit("max_products", &EigenTopOptions::max_products);
    visit("seed", &EigenTopOptions::seed);
    visit("centred", &EigenTopOptions::centred);
  }
};

/// Why eigen_top() ended.
enum class EigenTopStop {
  converged,     ///< every pair is within the tolerance
  max_products,  ///< the pairs are the best ones so far; the residuals say how good
};

/// How eigen_top() ended, and how exact its pairs are.
struct EigenTopResult {
  EigenTopStop reason = EigenTopStop::converged;
  int products = 0;               ///< blocks of vectors that A was multiplied with; 0 if all of A was decomposed
  std::vector<double> residuals;  ///< |A v - value v| for each pair, computed from A
};

/// out = A V for V and out: n x r, row-major without gaps.
using SymmetricAction = FunctionRef<void(MatrixView<const double> V, MatrixView<double> out)>;

/// The k largest eigenvalues, largest first, of a symmetric operator on vectors of n numbers; values: k x 1, V: n x k,
/// eigenvectors in columns, the entry of largest magnitude of each of them positive.
///
/// Block Lanczos with full reorthogonalisation and thick restarts. A block has more than k vectors, so that an eigenvalue is
/// found as often as it occurs. A few dozen products at most when the wanted eigenvalues stand apart; O(n k^2) beside each of
/// them and O(n k) memory. For n up to a few hundred, or few blocks, the whole matrix is decomposed.
/// The same bits for any number of threads if the operator has them.
///
/// Throws std::invalid_argument if shapes disagree, k > n or an option is out of its range, NumericalError if a product
/// is not finite.
GRAMIAN_API EigenTopResult eigen_top(Index n, SymmetricAction apply, MatrixView<double> values, MatrixView<double> V,
                                     const EigenTopOptions& options = {});

/// The same for a stored matrix A: n x n, of which one triangle is read. Throws std::invalid_argument also if A is not finite.
GRAMIAN_API EigenTopResult eigen_top(MatrixView<const double> A, MatrixView<double> values, MatrixView<double> V,
                                     const EigenTopOptions& options = {});

}  // namespace gramian
