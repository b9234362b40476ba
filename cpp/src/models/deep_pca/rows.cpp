// SPDX-License-Identifier: BSD-3-Clause
#include "models/deep_pca/rows.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gramian/base/parallel.hpp"
#include "gramian/eigen.hpp"
#include "gramian/gram/adjoint.hpp"
#include "gramian/gram/hessian_vector.hpp"
#include "gramian/gram/product.hpp"
#include "linalg/small.hpp"
#include "linalg/tall.hpp"
#include "models/deep_pca/levels.hpp"

namespace gramian::deep_pca {
namespace {

constexpr double zero_eigenvalue = 1e-12;  ///< relative to the largest
constexpr int most_halvings = 6;
constexpr double seconds_per_difference = 1e-9;

Eigen::Map<const Eigen::RowVectorXd> row_of(const std::vector<double>& values) {
  return {values.data(), static_cast<Index>(values.size())};
}

/// Where a value is 0 up to rounding, 0.
Eigen::RowVectorXd inverse_of(const Eigen::RowVectorXd& values) {
  const double least = zero_eigenvalue * values.cwiseAbs().maxCoeff();
  return (values.array().abs() > least).select(values.cwiseInverse(), 0.0);
}

/// Beyond, squares of features are of no use: what a step far out of reach, or a system without a solution, leaves.
constexpr double out_of_reach = 1e100;

/// Whether all numbers of a row are there, and within reach.
std::vector<bool> usable_rows(const Matrix& first, const Features& h) {
  std::vector<bool> usable(static_cast<std::size_t>(first.rows()), true);
  const auto look_at = [&](const Matrix& rows) {
    for (Index i = 0; i < rows.rows(); ++i) {
      for (Index c = 0; c < rows.cols(); ++c) {
        if (!(std::fabs(rows(i, c)) <= out_of_reach)) usable[static_cast<std::size_t>(i)] = false;
      }
    }
  };
  look_at(first);
  for (const Matrix& level : h) look_at(level);
  return usable;
}

Features copy_of(const Features& h) {
  Features out;
  for (const Matrix& level : h) out.push_back(level.clone());
  return out;
}

}  // namespace

Equations::Equations(const View& model) : model_(model) {
  for (Index j = 0; j < depth(); ++j) {
    Matrix centred = Matrix::copy_of(H(j));
    if (model.centred) centre_columns(H(j), centred.view());
    centred_.push_back(std::move(centred));
    offsets_.push_back(unknowns_);
    unknowns_ += components(j);
  }
}

Matrix Equations::less_mean(Index j, const Matrix& h) const {
  Matrix out = h.clone();
  as_eigen(out.view()).rowwise() -= row_of(model_.means[static_cast<std::size_t>(j)]);
  return out;
}

Matrix Equations::first(const Matrix& products) const {
  Matrix out(products.rows(), components(0));
  as_eigen(out.view()) = as_eigen(products.view()).leftCols(components(0));
  finish_forward(0, out);
  return out;
}

void Equations::finish_forward(Index j, Matrix& rows) const {
  auto F = as_eigen(rows.view());
  F = (F.rowwise() - row_of(model_.offsets[static_cast<std::size_t>(j)])) / level(j).eta;
}

Matrix Equations::forward(Index j, const Matrix& below) const {
  Matrix out(below.rows(), components(j));
  product(level(j).kernel, Points(below.view()), Points(H(j - 1)), centred(j), out.view());
  finish_forward(j, out);
  return out;
}

Matrix Equations::backward(Index j, const Matrix& at, const Features& h) const {
  Matrix out = Matrix::filled(at.rows(), components(j), 0.0);
  if (j + 1 == depth() || !model_.coupled) return out;
  const Matrix P = less_mean(j + 1, h[static_cast<std::size_t>(j + 1)]);
  adjoint(level(j + 1).kernel, Points(at.view()), Points(H(j)), GramGradient<double>(P.view(), centred(j + 1)), out.view(), {});
  as_eigen(out.view()) /= level(j + 1).eta;
  return out;
}

void Equations::divide(Index j, Matrix& rows) const { as_eigen(rows.view()) *= inverse_of(row_of(eigenvalues(j))).asDiagonal(); }

Features Equations::pass(const Matrix& first) const {
  Features h;
  for (Index j = 0; j < depth(); ++j) {
    Matrix rows = j == 0 ? first.clone() : forward(j, h.back());
    divide(j, rows);
    h.push_back(std::move(rows));
  }
  return h;
}

Features Equations::nearest(const Matrix& first) const {
  Matrix rows = first.clone(), training = Matrix::copy_of(model_.inputs);
  divide(0, rows);
  divide(0, training);
  Features h;
  for (Index j = 0; j < depth(); ++j) h.emplace_back(first.rows(), components(j));
  const double task_seconds = seconds_per_difference * static_cast<double>(training.size());
  const Eigen::Map<const SmallMatrix> all(training.data(), training.rows(), training.cols());
  parallel_for(rows.rows(), task_seconds, [&](Index i, int) {
    const Eigen::Map<const Eigen::RowVectorXd> own(&rows(i, 0), rows.cols());
    Index which = 0;
    double least = std::numeric_limits<double>::infinity();
    for (Index k = 0; k < all.rows(); ++k) {
      const double square = (own - all.row(k)).squaredNorm();
      if (square < least) least = square, which = k;
    }
    for (Index j = 0; j < depth(); ++j) as_eigen(h[static_cast<std::size_t>(j)].view()).row(i) = as_eigen(H(j)).row(which);
  });
  return h;
}

std::vector<double> Equations::residuals(const Matrix& first, const Features& h, Features* out) const {
  const std::vector<bool> usable = usable_rows(first, h);
  if (std::find(usable.begin(), usable.end(), false) == usable.end()) return usable_residuals(first, h, out);
  Matrix some_first = first.clone();
  Features some = copy_of(h);
  for (Index i = 0; i < first.rows(); ++i) {
    if (usable[static_cast<std::size_t>(i)]) continue;
    as_eigen(some_first.view()).row(i).setZero();
    for (Matrix& level : some) as_eigen(level.view()).row(i).setZero();
  }
  std::vector<double> found = usable_residuals(some_first, some, out);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!usable[i]) found[i] = std::numeric_limits<double>::infinity();
  }
  return found;
}

std::vector<double> Equations::usable_residuals(const Matrix& first, const Features& h, Features* out) const {
  const Index q = first.rows();
  Eigen::VectorXd worst = Eigen::VectorXd::Zero(q), scale = worst;
  for (Index j = 0; j < depth(); ++j) {
    const Matrix& rows = h[static_cast<std::size_t>(j)];
    Matrix terms = j == 0 ? first.clone() : forward(j, h[static_cast<std::size_t>(j - 1)]);
    const Matrix backwards = backward(j, rows, h);
    auto r = as_eigen(terms.view());
    const auto back = as_eigen(backwards.view());
    const SmallMatrix own = as_eigen(rows.view()) * row_of(eigenvalues(j)).asDiagonal();
    for (const Eigen::VectorXd& most :
         {Eigen::VectorXd(own.cwiseAbs().rowwise().maxCoeff()), Eigen::VectorXd(r.cwiseAbs().rowwise().maxCoeff()),
          Eigen::VectorXd(back.cwiseAbs().rowwise().maxCoeff())}) {
      scale = scale.cwiseMax(most);
    }
    r = own - r - back;
    worst = worst.cwiseMax(r.cwiseAbs().rowwise().maxCoeff());
    if (out != nullptr) out->push_back(std::move(terms));
  }
  worst = (scale.array() > 0.0).select(worst.cwiseQuotient(scale), 0.0);
  return {worst.data(), worst.data() + q};
}

/// Lambda_j - d G_j / d h_j / eta_{j+1}, direction by direction.
void Equations::add_own_block(Index j, const Features& h, std::vector<SmallMatrix>& out) const {
  const Matrix& at = h[static_cast<std::size_t>(j)];
  const Index q = at.rows(), s = components(j), n = H(j).rows();
  const bool last = j + 1 == depth();
  const Matrix P = last ? Matrix() : less_mean(j + 1, h[static_cast<std::size_t>(j + 1)]);
  const Matrix no_row = Matrix::filled(q, 1, 0.0), no_col = Matrix::filled(n, 1, 0.0), still = Matrix::filled(n, s, 0.0);
  for (Index c = 0; c < s; ++c) {
    Matrix along = Matrix::filled(q, s, 0.0), rate = Matrix::filled(q, s, 0.0);
    as_eigen(along.view()).col(c).setOnes();
    if (!last) {
      hessian_vector(level(j + 1).kernel, Points(at.view()), Points(H(j)), along.view(), still.view(),
                     GramGradient<double>(P.view(), centred(j + 1)), GramGradient<double>(no_row.view(), no_col.view()),
                     rate.view(), {});
    }
    for (Index i = 0; i < q; ++i) {
      SmallMatrix& jacobian = out[static_cast<std::size_t>(i)];
      for (Index k = 0; k < s && !last; ++k) jacobian(offset(j) + k, offset(j) + c) -= rate(i, k) / level(j + 1).eta;
      jacobian(offset(j) + c, offset(j) + c) += eigenvalues(j)[static_cast<std::size_t>(c)];
    }
  }
}

/// -d G_j / d h_{j+1} / eta_{j+1}, and its transpose: G_j is linear in h_{j+1}.
void Equations::add_next_block(Index j, const Features& h, std::vector<SmallMatrix>& out) const {
  const Matrix& at = h[static_cast<std::size_t>(j)];
  const Index q = at.rows(), s = components(j);
  const Matrix ones = Matrix::filled(q, 1, 1.0);
  const MatrixView<const double> next = centred(j + 1);
  for (Index c = 0; c < components(j + 1); ++c) {
    Matrix rate(q, s);
    const MatrixView<const double> column(next.data() + c, next.rows(), 1, next.row_stride(), 1);
    adjoint(level(j + 1).kernel, Points(at.view()), Points(H(j)), GramGradient<double>(ones.view(), column), rate.view(), {});
    for (Index i = 0; i < q; ++i) {
      SmallMatrix& jacobian = out[static_cast<std::size_t>(i)];
      for (Index k = 0; k < s; ++k) {
        const double entry = -rate(i, k) / level(j + 1).eta;
        jacobian(offset(j) + k, offset(j + 1) + c) += entry;
        jacobian(offset(j + 1) + c, offset(j) + k) += entry;
      }
    }
  }
}

std::vector<SmallMatrix> Equations::jacobians(const Features& h) const {
  std::vector<SmallMatrix> out(static_cast<std::size_t>(h.front().rows()), SmallMatrix::Zero(unknowns_, unknowns_));
  for (Index j = 0; j < depth(); ++j) {
    add_own_block(j, h, out);
    if (j + 1 < depth()) add_next_block(j, h, out);
  }
  return out;
}

void Equations::newton(const Matrix& first, Features& h) const {
  Features residual;
  const std::vector<double> before = residuals(first, h, &residual);
  const std::vector<SmallMatrix> all = jacobians(h);
  const Index q = first.rows();
  SmallMatrix steps(q, unknowns_);
  const double size = static_cast<double>(unknowns_);
  parallel_for(q, seconds_per_difference * size * size * size, [&](Index i, int) {
    Eigen::VectorXd r(unknowns_);
    for (Index j = 0; j < depth(); ++j) {
      r.segment(offset(j), components(j)) = as_eigen(residual[static_cast<std::size_t>(j)].view()).row(i);
    }
    steps.row(i) = all[static_cast<std::size_t>(i)].fullPivLu().solve(r).transpose();
  });
  const Features start = copy_of(h);
  Eigen::VectorXd length = Eigen::VectorXd::Ones(q);
  for (int halving = 0; halving < most_halvings; ++halving) {
    for (Index j = 0; j < depth(); ++j) {
      const auto at = static_cast<std::size_t>(j);
      as_eigen(h[at].view()) = as_eigen(start[at].view()) - length.asDiagonal() * steps.middleCols(offset(j), components(j));
    }
    const std::vector<double> after = residuals(first, h);
    bool better = true;
    for (std::size_t i = 0; i < after.size(); ++i) {
      if (after[i] < before[i] || after[i] < 1e-14) continue;
      length(static_cast<Index>(i)) *= 0.5;
      better = false;
    }
    if (better) return;
  }
}

/// [DKPCA] App. A.2: [Lambda_1 -C_1/eta_2; -C_1ᵀ/eta_2 Lambda_2 -C_2/eta_3; ...] with C_j = H_jᵀ C H_{j+1}; for two levels this
/// is the printed formula with 1 / eta_2^2 inside of the inverse.
Features Equations::solve_linear(const Matrix& first) const {
  const Index q = first.rows();
  SmallMatrix system = SmallMatrix::Zero(unknowns_, unknowns_);
  Eigen::RowVectorXd means(unknowns_);
  for (Index j = 0; j < depth(); ++j) {
    system.diagonal().segment(offset(j), components(j)) = row_of(eigenvalues(j));
    means.segment(offset(j), components(j)) = row_of(model_.means[static_cast<std::size_t>(j)]);
    if (j + 1 == depth()) continue;
    const SmallMatrix block = tall_cross(H(j), centred(j + 1)) / level(j + 1).eta;
    system.block(offset(j), offset(j + 1), components(j), components(j + 1)) = -block;
    system.block(offset(j + 1), offset(j), components(j + 1), components(j)) = -block.transpose();
  }
  // Differences from the means are what the couplings see.
  SmallMatrix right = SmallMatrix::Zero(q, unknowns_);
  right.leftCols(components(0)) = as_eigen(first.view());
  right.rowwise() -= means * system.diagonal().asDiagonal();
  const SmallEigen eigen = small_eigen(system);
  const SmallMatrix solved =
      right * eigen.vectors * inverse_of(eigen.values.transpose()).asDiagonal() * eigen.vectors.transpose();
  Features h;
  for (Index j = 0; j < depth(); ++j) {
    Matrix rows(q, components(j));
    as_eigen(rows.view()) = solved.middleCols(offset(j), components(j)).rowwise() + means.segment(offset(j), components(j));
    h.push_back(std::move(rows));
  }
  return h;
}

}  // namespace gramian::deep_pca
