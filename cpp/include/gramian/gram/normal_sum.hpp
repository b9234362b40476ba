// SPDX-License-Identifier: BSD-3-Clause
// The normal system of a Gram matrix whose rows arrive in blocks.
#pragma once

#include <memory>
#include <vector>

#include "gramian/base/export.hpp"
#include "gramian/base/matrix.hpp"
#include "gramian/gram/samples.hpp"
#include "gramian/kernels/kernel.hpp"

namespace gramian {

/// A normal system of m centres and r outputs.
struct NormalSystem {
  Matrix square{};                 ///< Kᵀ W K: m x m, exactly symmetric
  Matrix right{};                  ///< Kᵀ W Y: m x r
  std::vector<double> y_square{};  ///< sum of w y^2 of each output

  NormalSystem clone() const { return {square.clone(), right.clone(), y_square}; }  ///< a copy
};

/// A NormalSum as arrays. Rows are summed in chunks, chunks in pages, and pages in pairs of pairs; `sums` has one system for each
/// of these that is waiting for its partner, the oldest one first.
struct NormalSumParts {
  Index rows = 0;                    ///< that were added, pending ones included
  std::vector<NormalSystem> sums{};  ///< above the diagonal of each square are zeros
  std::vector<Index> levels{};       ///< of each sum: 2^level pages; -1 for a page that is not full, which comes last
  Index open_chunks = 0;             ///< of that page
  Samples pending{};                 ///< the rows of a chunk that is not full
  Matrix pending_weights{};          ///< of these rows: one column
  Matrix pending_Y{};                ///< of these rows: r columns
};

/// Kᵀ W K, Kᵀ W Y and Yᵀ W Y for K = K(X, C), where the rows of X arrive in blocks and are not kept. The bits depend on the rows
/// in their order, and not on the blocks that they arrive in or on the number of threads: rows wait until a chunk of a fixed size
/// is full, and chunks are added in a fixed tree. Memory: one m x m matrix, one more for each time that the number of pages of
/// 98 304 rows doubles, and two chunks of rows.
class GRAMIAN_API NormalSum {
 public:
  /// Copies the centres C, dense or sparse; the type of their numbers is that of all points. `outputs` may be 0.
  NormalSum(const Kernel& kernel, const Points& C, Index outputs);
  /// Continues where parts() was called. Throws std::invalid_argument if the parts do not fit each other, the centres or the
  /// number of outputs.
  NormalSum(const Kernel& kernel, const Points& C, Index outputs, NormalSumParts parts);
  ~NormalSum();
  NormalSum(NormalSum&&) noexcept;
  NormalSum& operator=(NormalSum&&) noexcept;

  /// Adds rows: X as C, weights n x 1 or empty for 1, Y n x outputs. Throws std::invalid_argument if they do not fit, a weight is
  /// negative or a number is not finite. After an exception this sum may have some of the rows: take it from its parts again.
  void add(const Points& X, MatrixView<const double> weights, MatrixView<const double> Y);

  /// Continues this stream with that of another sum over the same kernel and centres. The chunk and the page that this stream has
  /// open are closed as they are, so the bits depend on where streams were cut, and on nothing else. They are those of one stream
  /// if this one has 2^k times 98 304 rows and the other one has no more.
  void merge(const NormalSum& other);

  /// Rows that were added.
  Index rows() const;
  /// The number of centres.
  Index size() const;
  /// The number of outputs.
  Index outputs() const;

  /// The system of all rows so far. O(m^2 (m + pending rows)) time.
  NormalSystem system() const;
  /// One part of system().
  Matrix square() const { return system().square; }
  Matrix right() const { return system().right; }                     ///< one part of system()
  std::vector<double> y_square() const { return system().y_square; }  ///< one part of system()

  /// All of it, copied.
  NormalSumParts parts() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gramian
