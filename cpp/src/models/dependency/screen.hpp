// SPDX-License-Identifier: BSD-3-Clause
// Few candidates of many, by a product of low rank with a bound of what it leaves out.
#pragma once

#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/gram/expansion.hpp"
#include "gramian/models/dependency.hpp"

namespace gramian::dependency {

/// Coordinates t of new inputs: kernel values with the input supports, or F_k^-1 times these with ranks. Their lengths are
/// bounded by |t|^2 <= k(x, x) in the metric K^-1 of the kernel, or are those of Euclid where the kernel is not known.
class InputCoordinates {
 public:
  InputCoordinates(const View& model, const CrossSource& inputs);

  Index count() const { return model_.inputs(); }
  /// The Gram matrix of the supports; empty for Euclid's metric.
  Matrix metric() const;
  /// t of some inputs, in their order.
  Matrix picked(const std::vector<Index>& rows) const;
  /// Bounds of their lengths.
  std::vector<double> lengths(const std::vector<Index>& rows, MatrixView<const double> t) const;
  /// Rows [t A, bound of |t|] of inputs first, first + 1, ... A: count() x r, out: rows x (r + 1).
  void project(Index first, MatrixView<const double> A, MatrixView<double> out) const;
  /// The same with A as the weights of a sum over the supports; only for a kernel without ranks.
  void project(Index first, const KernelExpansion& A, MatrixView<double> out) const;

  /// Whether the metric is that of the kernel.
  bool by_kernel() const { return by_kernel_; }

 private:
  Matrix in_factor(Matrix cross) const;
  void write_lengths(const Points& some, MatrixView<double> squares) const;

  const View& model_;
  const CrossSource& inputs_;
  bool by_kernel_;
};

/// Scores norms_j - 2 <m_j, t>, and B Aᵀ close to M: with z = Aᵀ t a score is norms_j - 2 <b_j, z> up to 2 rest_j |t|, where
/// rest_j is the length of row j of M - B Aᵀ in the dual metric. The first `looks` numbers of z tell most candidates from the
/// best ones.
struct Screen {
  std::vector<Index> rows;    ///< the candidate of each row below: of equal ones the first, if one of them is enough
  Matrix M;                   ///< c x s1
  std::vector<double> norms;  ///< c
  Index looks = 0;
  Matrix A;      ///< s1 x r; empty: no rank makes it worth while
  Matrix B;      ///< c x r
  Matrix first;  ///< c x (looks + 2): the first numbers of b_j, the length of the others, rest_j

  Index rank() const { return A.cols(); }
  double rest(Index candidate) const { return first(candidate, looks + 1); }
};

/// What so many inputs cost in one call without a screen, and what a screen costs, in multiplications of a large product.
double cost_of_scores(const View& model, Index inputs, Index candidates);
double cost_of_screen(const View& model, Index candidates);
/// Whether the numbers of a screen are more than are kept.
bool too_many_for_screen(const View& model, Index candidates);
/// Whether so many inputs are worth a screen.
bool worth_screening(const View& model, Index inputs, Index candidates);

/// Both numbers of directions are those that cost least for some of the inputs. O(c s1 (s1 + s2) + min(c, 1024)^3), and 8 c (s1 +
/// 256) bytes.
Screen make_screen(const View& model, const InputCoordinates& inputs, Index input_count, const CrossSource& candidates,
                   Index count);

}  // namespace gramian::dependency
