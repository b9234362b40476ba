// SPDX-License-Identifier: BSD-3-Clause
#include "layers/feature_coordinates.hpp"

#include <algorithm>
#include <cmath>

#include "base/view_ops.hpp"
#include "gram/source.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/linalg/cholesky.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/linalg/incomplete_cholesky.hpp"
#include "gramian/linalg/triangular.hpp"
#include "linalg/inner_product.hpp"

namespace gramian {
namespace {

/// Of the trace, where k(x, x) is the same everywhere: functions of norm 1 that are left out have values below the square root of
/// this.
constexpr double negligible = 1e-10;
/// Of the trace of any other kernel, which grows with offsets and units that say nothing of what the targets depend on: as little
/// as rounding leaves to be told. Whatever is in the basis has pivots above this, so that T^T K T = I to 3 digits or better; of
/// coefficients the condition number is that of K itself, which is at least as bad as the smallest pivot.
constexpr double barely_told = 1e-13;

class InputColumns final : public SymmetricColumns {
 public:
  InputColumns(const Kernel& kernel, const PointSource& input) : kernel_(kernel), input_(input) {}
  Index size() const override { return input_.size(); }
  void diagonal(double* out) const override {
    const MatrixView<double> column(out, size(), 1);
    gramian::diagonal(kernel_, input_, column);
  }
  void columns(const std::vector<Index>& which, MatrixView<double> out) const override {
    PickedPairs(input_, {}, which).full(kernel_, out);
  }

 private:
  Kernel kernel_;
  PointSource input_;
};

double tolerance_of(const InputColumns& K) {
  std::vector<double> squares(static_cast<std::size_t>(K.size()));
  K.diagonal(squares.data());
  const auto [least, most] = std::minmax_element(squares.begin(), squares.end());
  return *most - *least <= 1e-8 * *most ? negligible : barely_told;
}

/// The outputs of a term that is not 0 there.
std::vector<Index> outputs_of(const LayerTerm& term) {
  std::vector<Index> out;
  const bool full = term.A.form() == OutputOperator::Form::full;
  for (Index j = 0; j < term.A.size(); ++j) {
    if (full || term.A.eigenvalues()[static_cast<std::size_t>(j)] > 0.0) out.push_back(j);
  }
  return out;
}

bool share_outputs(const KernelLayer& layer) {
  std::vector<int> terms(static_cast<std::size_t>(layer.outputs()));
  for (const LayerTerm& term : layer.terms) {
    for (const Index j : outputs_of(term)) ++terms[static_cast<std::size_t>(j)];
  }
  return std::any_of(terms.begin(), terms.end(), [](int count) { return count > 1; });
}

/// L^-T of the rows of F that are its pivots.
Matrix inverse_transposed(MatrixView<const double> F, const std::vector<Index>& pivots) {
  const Index r = static_cast<Index>(pivots.size());
  Matrix L(r, r), T = Matrix::filled(r, r, 0.0);
  for (Index i = 0; i < r; ++i) {
    for (Index j = 0; j < r; ++j) L(i, j) = F(pivots[static_cast<std::size_t>(i)], j);
    T(i, i) = 1.0;
  }
  solve_lower_transposed(L.view(), T.view());
  return T;
}

enum class Ridge { of_the_mean, of_each };

/// W = (F^T F + ridge D)^-1 F^T targets, D = diag(F^T F) or its mean times I; returns the part of the targets' square that is
/// left. With a ridge of each feature what is small next to others, but not next to the targets, is found as well.
double solve_ridge(const Matrix& F, const Matrix& targets, Ridge kind, double ridge, Matrix& W) {
  const Index r = F.cols();
  const MatrixView<const double> across = transposed(F.view());
  Matrix S(r, r), left = targets.clone();
  gemm(1.0, across, F.view(), 0.0, S.view());
  gemm(1.0, across, targets.view(), 0.0, W.view());
  std::vector<double> scale(static_cast<std::size_t>(r), 1.0);
  double mean = 0.0;
  for (Index i = 0; i < r; ++i) mean += S(i, i) / static_cast<double>(r);
  for (Index i = 0; i < r; ++i) {
    if (kind == Ridge::of_each) scale[static_cast<std::size_t>(i)] = 1.0 / std::sqrt(S(i, i));
  }
  const auto scaled = [&](Index i) { return scale[static_cast<std::size_t>(i)]; };
  for (Index i = 0; i < r; ++i) {
    S(i, i) += ridge * (kind == Ridge::of_each ? S(i, i) : mean);
    for (Index j = 0; j < r; ++j) S(i, j) *= scaled(i) * scaled(j);
    for (Index j = 0; j < W.cols(); ++j) W(i, j) *= scaled(i);
  }
  cholesky_in_place(S.view());
  cholesky_solve(S.view(), W.view());
  for (Index i = 0; i < r; ++i) {
    for (Index j = 0; j < W.cols(); ++j) W(i, j) *= scaled(i);
  }
  gemm(-1.0, F.view(), W.view(), 1.0, left.view());
  const double all = sum_of_squares(targets.view());
  return all > 0.0 ? sum_of_squares(left.view()) / all : 0.0;
}

}  // namespace

std::shared_ptr<const FeatureCoordinates> FeatureCoordinates::make(const KernelLayer& layer, const PointSource& supports,
                                                                   Index most) {
  if (share_outputs(layer)) return nullptr;
  auto made = std::make_shared<FeatureCoordinates>();
  for (const LayerTerm& term : layer.terms) {
    if (!outputs_of(term).empty() && !made->add_block(term, supports, most)) return nullptr;
  }
  return made;
}

bool FeatureCoordinates::add_block(const LayerTerm& term, const PointSource& supports, Index most) {
  IncompleteCholeskyOptions options;
  options.max_rank = std::min(most, supports.size());
  const InputColumns K(term.kernel, supports);
  options.tolerance = tolerance_of(K);
  options.pivoting = Pivoting::greedy;
  const IncompleteCholesky factor = incomplete_cholesky(K, options);
  if (factor.stop_reason() == IncompleteStop::rank && factor.rank() < supports.size()) return false;
  Block block;
  block.columns = outputs_of(term);
  for (const Index j : block.columns) {
    const bool full = term.A.form() == OutputOperator::Form::full;
    block.scales.push_back(full ? 1.0 : 1.0 / std::sqrt(term.A.eigenvalues()[static_cast<std::size_t>(j)]));
  }
  block.pivots = factor.pivots();
  block.T = inverse_transposed(factor.factor(), block.pivots);
  block.F = Matrix::copy_of(factor.factor());
  block.first = size_;
  size_ += factor.rank() * static_cast<Index>(block.columns.size());
  rank_ += factor.rank();
  blocks_.push_back(std::move(block));
  return true;
}

void FeatureCoordinates::expand(const double* W, MatrixView<double> Phi) const {
  fill_zero(Phi);
  for (const Block& block : blocks_) {
    const Index r = block.T.rows(), c = static_cast<Index>(block.columns.size());
    const MatrixView<const double> weights(W + block.first, r, c);
    for (Index i = 0; i < r; ++i) {
      for (Index j = 0; j < c; ++j) {
        double sum = 0.0;
        for (Index k = i; k < r; ++k) sum += block.T(i, k) * weights(k, j);
        const auto column = static_cast<std::size_t>(j);
        Phi(block.pivots[static_cast<std::size_t>(i)], block.columns[column]) = block.scales[column] * sum;
      }
    }
  }
}

void FeatureCoordinates::pull_back(MatrixView<const double> Phibar, double* Wbar) const {
  for (const Block& block : blocks_) {
    const Index r = block.T.rows(), c = static_cast<Index>(block.columns.size());
    const MatrixView<double> out(Wbar + block.first, r, c);
    fill_zero(out);
    for (Index i = 0; i < r; ++i) {
      for (Index j = 0; j < c; ++j) {
        const auto column = static_cast<std::size_t>(j);
        const double bar = block.scales[column] * Phibar(block.pivots[static_cast<std::size_t>(i)], block.columns[column]);
        for (Index k = i; k < r; ++k) out(k, j) += block.T(i, k) * bar;
      }
    }
  }
}

void FeatureCoordinates::approximate(MatrixView<const double> targets, double* W) const {
  constexpr double exact = 1e-12, wide = 1e-3, within = 1e-12;
  for (const Block& block : blocks_) {
    const Index r = block.F.cols(), c = static_cast<Index>(block.columns.size());
    Matrix wanted(targets.rows(), c), weights(r, c);
    for (Index j = 0; j < c; ++j) {
      // f = F W A^1/2 where A is diagonal.
      const auto column = static_cast<std::size_t>(j);
      for (Index i = 0; i < wanted.rows(); ++i) wanted(i, j) = block.scales[column] * targets(i, block.columns[column]);
    }
    const bool few = 2 * r <= targets.rows();
    if (!few || solve_ridge(block.F, wanted, Ridge::of_each, exact, weights) > within) {
      solve_ridge(block.F, wanted, Ridge::of_the_mean, wide, weights);
    }
    std::copy_n(weights.data(), weights.size(), W + block.first);
  }
}

}  // namespace gramian
