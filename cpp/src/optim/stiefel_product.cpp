// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/optim/stiefel_product.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "gramian/base/error.hpp"

namespace gramian {

StiefelProduct::StiefelProduct(std::vector<StiefelShape> blocks, Index free_numbers)
    : blocks_(std::move(blocks)), free_(free_numbers) {
  require(free_numbers >= 0, "free_numbers must not be negative");
  for (const StiefelShape& shape : blocks_) {
    require(shape.cols >= 0 && shape.rows >= shape.cols, "a block of " + std::to_string(shape.rows) + " x " +
                                                             std::to_string(shape.cols) +
                                                             " can't have orthonormal columns: it needs at least as many rows");
    offsets_.push_back(size_);
    size_ += checked_product(shape.rows, shape.cols);
  }
  size_ += free_numbers;
}

MatrixView<const double> StiefelProduct::block(const double* x, Index index) const {
  return {x + offsets_[static_cast<std::size_t>(index)], shape(index).rows, shape(index).cols};
}

MatrixView<double> StiefelProduct::block(double* x, Index index) const {
  return {x + offsets_[static_cast<std::size_t>(index)], shape(index).rows, shape(index).cols};
}

void StiefelProduct::copy_free(const double* from, double* to) const {
  if (from != to) std::copy_n(from + free_offset(), free_, to + free_offset());
}

void StiefelProduct::project(double* x) {
  for (Index j = 0; j < block_count(); ++j) stiefel_project(block(x, j), block(x, j));
}

void StiefelProduct::tangent(const double* x, const double* z, double* out) const {
  for (Index j = 0; j < block_count(); ++j) stiefel_tangent(block(x, j), block(z, j), block(out, j));
  copy_free(z, out);
}

void StiefelProduct::retract(const double* x, const double* z, StiefelRetraction retraction, double* out) const {
  for (Index j = 0; j < block_count(); ++j) stiefel_retract(block(x, j), block(z, j), retraction, block(out, j));
  for (Index i = free_offset(); i < size_; ++i) out[i] = x[i] + z[i];
}

double StiefelProduct::infeasibility(const double* x) const {
  double most = 0.0;
  for (Index j = 0; j < block_count(); ++j) most = std::max(most, stiefel_infeasibility(block(x, j)));
  return most;
}

}  // namespace gramian
