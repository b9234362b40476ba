// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/block_krylov.hpp"

#include <algorithm>
#include <cmath>

#include "gramian/base/error.hpp"
#include "linalg/small.hpp"

namespace gramian {
namespace {

constexpr Index least_capacity = 192;  // vectors of the basis, for blocks of few
constexpr Index most_blocks = 8;
constexpr int most_rounds = 12;
constexpr const char* not_finite = "a product of the operator with a block of vectors is not finite";

/// Relative to A, what is smaller than this is rounding.
constexpr double null_norm = 1e-14;

/// Makes columns with this Gram matrix orthonormal, up to the rounding of the Gram matrix (Stathopoulos and Wu 2002): directions
/// that drown in it are made larger, and their turn comes in the next round.
SmallMatrix orthonormaliser(const SmallMatrix& gram) {
  const Eigen::VectorXd inverse = gram.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const SmallEigen eigen = small_eigen(inverse.asDiagonal() * gram * inverse.asDiagonal());
  return inverse.asDiagonal() * eigen.vectors * eigen.values.cwiseMax(null_norm).cwiseSqrt().cwiseInverse().asDiagonal();
}

Index capacity_for(Index n, Index block) { return std::min(std::max(least_capacity, most_blocks * block), n - block); }

}  // namespace

std::uint64_t BlockKrylov::bytes(Index n, Index k) {
  const Index block = block_size(k), vectors = capacity_for(n, block) + 3 * block;  // the basis, a product and its result
  return static_cast<std::uint64_t>(checked_product(8 * vectors, n));
}

BlockKrylov::BlockKrylov(Index n, SymmetricAction apply, Index k, const EigenTopOptions& options)
    : n_(n),
      apply_(apply),
      k_(k),
      block_(block_size(k)),
      capacity_(capacity_for(n, block_)),
      random_(options.seed),
      basis_(n, capacity_ + block_),
      input_(checked_product(n, block_)),
      output_(checked_product(n, block_)),
      projected_(Eigen::MatrixXd::Zero(capacity_, capacity_)) {
  for (Index c = 0; c < block_; ++c) fill_random(c, 1.0);
  orthonormalise(1.0);
}

void BlockKrylov::fill_random(Index col, double norm) {
  const MatrixView<double> vector(input_.data(), n_, 1);
  random_.fill_normal(vector, drawn_);
  drawn_ += static_cast<std::uint64_t>(n_);
  const double factor = norm / std::sqrt(static_cast<double>(n_));
  for (Index i = 0; i < n_; ++i) vector(i, 0) *= factor;
  basis_.read(vector, col);
}

void BlockKrylov::multiply(MatrixView<const double> V, MatrixView<double> out) {
  apply_(V, out);
  ++products_;
  if (scale_ == 0.0) choose_scale(out);
  for (Index i = 0; i < out.rows() * out.cols(); ++i) out.data()[i] *= scale_;
}

void BlockKrylov::choose_scale(MatrixView<double> product) {
  double most = 0.0;
  for (Index i = 0; i < product.rows() * product.cols(); ++i) {
    if (!std::isfinite(product.data()[i])) throw NumericalError(not_finite);
    most = std::max(most, std::fabs(product.data()[i]));
  }
  scale_ = most == 0.0 ? 1.0 : std::ldexp(1.0, -std::clamp(std::ilogb(most), -1000, 1000));
}

void BlockKrylov::expand() {
  const Columns waiting{used_, block_};
  const MatrixView<double> input(input_.data(), n_, block_), output(output_.data(), n_, block_);
  basis_.write(input, waiting.first);
  multiply(input, output);
  const Index m = used_ + block_;
  const Columns basis{0, m}, next{m, block_};
  basis_.read(output, next.first);
  SmallMatrix coefficients = cross(basis_, basis, basis_, next);
  add_product(basis_, basis, -coefficients, basis_, next);
  const SmallMatrix again = cross(basis_, {0, m + block_}, basis_, next);
  const SmallMatrix left = again.topRows(m);
  add_product(basis_, basis, -left, basis_, next);
  coefficients += left;
  gram_ = again.bottomRows(block_);
  gram_ -= left.transpose() * left;
  if (!coefficients.allFinite() || !gram_.allFinite()) {
    throw NumericalError(not_finite);
  }
  projected_.block(0, used_, m, block_) = coefficients;
  projected_.block(used_, 0, block_, m) = coefficients.transpose();
  used_ = m;
}

void BlockKrylov::project() {
  const SmallEigen eigen = small_eigen(projected_.topLeftCorner(used_, used_));
  ritz_values_ = eigen.values.reverse();
  ritz_vectors_ = eigen.vectors.rowwise().reverse();
  norm_ = ritz_values_.cwiseAbs().maxCoeff();
  estimate_ = 0.0;
  for (Index j = 0; j < k_; ++j) {
    const Eigen::VectorXd last = ritz_vectors_.col(j).tail(block_);
    estimate_ = std::max(estimate_, std::sqrt(std::max(0.0, last.dot(gram_ * last))));
  }
}

void BlockKrylov::restart() {
  const Index keep = std::min(used_ / 2, used_ - 2 * block_);
  const SmallMatrix best = ritz_vectors_.leftCols(keep);
  replace_by_product(basis_, {0, used_}, best, 0);
  for (Index t = 0; t < basis_.blocks(); ++t) {
    std::copy_n(basis_.column(t, used_), block_ * ColumnBlocks::block_rows, basis_.column(t, keep));
  }
  projected_.setZero();
  projected_.diagonal().head(keep) = ritz_values_.head(keep);
  used_ = keep;
}

void BlockKrylov::prepare_next() {
  const double level = std::max(norm_, projected_.topLeftCorner(used_, used_).cwiseAbs().maxCoeff());
  if (!has_room()) restart();
  orthonormalise(level > 0.0 ? level : 1.0);
}

bool BlockKrylov::replace_null_columns(const SmallMatrix& gram, double level) {
  bool any = false;
  for (Index c = 0; c < block_; ++c) {
    if (gram(c, c) > null_norm * null_norm * level * level) continue;
    fill_random(used_ + c, level);
    any = true;
  }
  return any;
}

void BlockKrylov::orthonormalise(double level) {
  const Columns basis{0, used_}, waiting{used_, block_};
  for (int round = 0; round < most_rounds; ++round) {
    const SmallMatrix products = cross(basis_, {0, used_ + block_}, basis_, waiting);
    const SmallMatrix inside = products.topRows(used_);
    SmallMatrix gram = products.bottomRows(block_);
    const double overlap = used_ == 0 ? 0.0 : inside.cwiseAbs().maxCoeff();
    if (overlap <= 1e-13 && (gram - SmallMatrix::Identity(block_, block_)).cwiseAbs().maxCoeff() <= 1e-13) return;
    add_product(basis_, basis, -inside, basis_, waiting);
    gram -= inside.transpose() * inside;
    if (replace_null_columns(gram, level)) continue;
    replace_by_product(basis_, waiting, orthonormaliser(gram), waiting.first);
    level = 1.0;
  }
}

void BlockKrylov::write(MatrixView<double> values, MatrixView<double> V, std::vector<double>& residuals) {
  ColumnBlocks best(n_, k_);
  const SmallMatrix coefficients = ritz_vectors_.leftCols(k_);
  add_product(basis_, {0, used_}, coefficients, best, {0, k_});
  best.write(V);
  const MatrixView<double> input(input_.data(), n_, k_), output(output_.data(), n_, k_);
  best.write(input);
  multiply(input, output);
  residuals.assign(static_cast<std::size_t>(k_), 0.0);
  for (Index i = 0; i < n_; ++i) {
    for (Index j = 0; j < k_; ++j) {
      const double difference = output(i, j) - ritz_values_(j) * input(i, j);
      residuals[static_cast<std::size_t>(j)] += difference * difference;
    }
  }
  for (Index j = 0; j < k_; ++j) {
    values(j, 0) = ritz_values_(j) / scale_;
    residuals[static_cast<std::size_t>(j)] = std::sqrt(residuals[static_cast<std::size_t>(j)]);
  }
}

}  // namespace gramian
