// SPDX-License-Identifier: BSD-3-Clause
#include "models/deep_pca/rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/view_ops.hpp"
#include "gram/row_derivatives.hpp"
#include "gramian/eigen.hpp"
#include "gramian/gram/adjoint.hpp"
#include "gramian/gram/hessian_vector.hpp"
#include "gramian/gram/preimage.hpp"
#include "gramian/gram/product.hpp"
#include "linalg/small.hpp"
#include "linalg/tall.hpp"
#include "models/deep_pca/measure.hpp"

namespace gramian::deep_pca {
namespace {

constexpr double zero_eigenvalue = 1e-12;  ///< relative to the largest

Eigen::Map<const Eigen::RowVectorXd> row_of(const std::vector<double>& values) {
  return {values.data(), static_cast<Index>(values.size())};
}

/// Where a value is 0 up to rounding, 0.
Eigen::RowVectorXd inverse_of(const Eigen::RowVectorXd& values) {
  const double least = zero_eigenvalue * values.cwiseAbs().maxCoeff();
  return (values.array().abs() > least).select(values.cwiseInverse(), 0.0);
}

}  // namespace

std::vector<bool> usable_rows(const Matrix& first, const Features& h, double reach) {
  std::vector<bool> usable(static_cast<std::size_t>(first.rows()), true);
  const auto look_at = [&](const Matrix& rows) {
    for (Index i = 0; i < rows.rows(); ++i) {
      for (Index c = 0; c < rows.cols(); ++c) {
        if (!(std::fabs(rows(i, c)) <= reach)) usable[static_cast<std::size_t>(i)] = false;
      }
    }
  };
  look_at(first);
  for (const Matrix& level : h) look_at(level);
  return usable;
}

UsableRows::UsableRows(const Matrix& first, const Features& h, double reach)
    : usable(usable_rows(first, h, reach)),
      all(std::find(usable.begin(), usable.end(), false) == usable.end()),
      given_first(&first),
      given(&h) {
  if (all) return;
  own_first = first.clone();
  for (const Matrix& level : h) own.push_back(level.clone());
  for (Index i = 0; i < first.rows(); ++i) {
    if (usable[static_cast<std::size_t>(i)]) continue;
    as_eigen(own_first.view()).row(i).setZero();
    for (Matrix& level : own) as_eigen(level.view()).row(i).setZero();
  }
}

void UsableRows::mark(std::vector<double>& sizes) const {
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (!usable[i]) sizes[i] = std::numeric_limits<double>::infinity();
  }
}

Equations::Equations(const View& model) : model_(model) {
  const SampleMeasure measure(model.samples(), model.weights);
  for (Index j = 0; j < depth(); ++j) {
    Matrix centred = Matrix::copy_of(H(j));
    if (model.centred) measure.centre(H(j), centred.view());
    measure.repeat(centred.view(), centred.view());
    if (j == 0 && !model.coefficients.empty()) copy_rows(model.coefficients, centred.view());
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

std::vector<Index> Equations::nearest(const Matrix& first) const {
  Matrix rows = first.clone(), training = Matrix::copy_of(model_.inputs);
  divide(0, rows);
  divide(0, training);
  // Squared distances are products then, and of numbers that are no larger than they have to be.
  const Eigen::RowVectorXd mean = as_eigen(training.view()).colwise().mean();
  as_eigen(training.view()).rowwise() -= mean;
  as_eigen(rows.view()).rowwise() -= mean;
  const Features none;
  const UsableRows usable(rows, none);
  Matrix squares(training.rows(), 1);
  as_eigen(squares.view()) = as_eigen(training.view()).rowwise().squaredNorm();
  NearestCandidates found = nearest_candidates(usable.first().view(), transposed(training.view()), squares.view());
  for (std::size_t i = 0; i < found.indices.size(); ++i) {
    if (!usable.usable[i]) found.indices[i] = 0;
  }
  return std::move(found.indices);
}

Features Equations::training(const std::vector<Index>& samples) const {
  Features h;
  for (Index j = 0; j < depth(); ++j) h.push_back(picked(H(j), samples));
  return h;
}

std::vector<double> Equations::residuals(const Matrix& first, const Features& h) const {
  Features r;
  return residuals(first, h, r);
}

std::vector<double> Equations::residuals(const Matrix& first, const Features& h, Features& r) const {
  const UsableRows rows(first, h);
  Features forwards, backwards;
  forwards.push_back(rows.first().clone());
  for (Index j = 0; j + 1 < depth(); ++j) {
    const Matrix& at = rows.h()[static_cast<std::size_t>(j)];
    if (!model_.coupled || !has_row_derivatives(level(j + 1).kernel)) {
      forwards.push_back(forward(j + 1, at));
      backwards.push_back(backward(j, at, rows.h()));
      continue;
    }
    const Matrix P = less_mean(j + 1, rows.h()[static_cast<std::size_t>(j + 1)]);
    RowGradients found = row_gradients(level(j + 1).kernel, at.view(), H(j), centred(j + 1), P.view());
    finish_forward(j + 1, found.values);
    as_eigen(found.gradients.view()) /= level(j + 1).eta;
    forwards.push_back(std::move(found.values));
    backwards.push_back(std::move(found.gradients));
  }
  backwards.push_back(Matrix::filled(first.rows(), components(depth() - 1), 0.0));
  std::vector<double> scales, found = residuals_of(rows.h(), forwards, backwards, scales);
  rows.mark(found);
  r = std::move(forwards);
  return found;
}

std::vector<double> Equations::residuals_of(const Features& h, Features& forwards, const Features& backwards,
                                            std::vector<double>& scales) const {
  const Index q = h.front().rows();
  std::vector<double> sizes(static_cast<std::size_t>(q));
  scales.resize(sizes.size());
  for_rows(q, unknowns_, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      double worst = 0.0, scale = 0.0;
      for (std::size_t j = 0; j < h.size(); ++j) {
        for (Index c = 0; c < h[j].cols(); ++c) {
          const double own = h[j](i, c) * eigenvalues(static_cast<Index>(j))[static_cast<std::size_t>(c)],
                       back = backwards[j](i, c);
          double& r = forwards[j](i, c);
          scale = std::max({scale, std::fabs(own), std::fabs(r), std::fabs(back)});
          r = own - r - back;
          worst = std::max(worst, std::fabs(r));
        }
      }
      sizes[static_cast<std::size_t>(i)] = scale > 0.0 ? worst / scale : 0.0;
      scales[static_cast<std::size_t>(i)] = scale;
    }
  });
  return sizes;
}

/// d G_j / d h_j, one coordinate after the other: column c of k is the derivative of the gradient along it.
Matrix Equations::curvature_by_columns(Index j, const Features& h) const {
  const Matrix& at = h[static_cast<std::size_t>(j)];
  const Index q = at.rows(), s = components(j), n = H(j).rows();
  const Matrix P = less_mean(j + 1, h[static_cast<std::size_t>(j + 1)]);
  const Matrix no_row = Matrix::filled(q, 1, 0.0), no_col = Matrix::filled(n, 1, 0.0), still = Matrix::filled(n, s, 0.0);
  Matrix out(q, s * s);
  for (Index c = 0; c < s; ++c) {
    Matrix along = Matrix::filled(q, s, 0.0), rate = Matrix::filled(q, s, 0.0);
    as_eigen(along.view()).col(c).setOnes();
    hessian_vector(level(j + 1).kernel, Points(at.view()), Points(H(j)), along.view(), still.view(),
                   GramGradient<double>(P.view(), centred(j + 1)), GramGradient<double>(no_row.view(), no_col.view()),
                   rate.view(), {});
    for (Index k = 0; k < s; ++k) as_eigen(out.view()).col(k * s + c) = as_eigen(rate.view()).col(k) / level(j + 1).eta;
  }
  return out;
}

/// d G_j / d h_{j+1}: G_j is linear in h_{j+1}.
Matrix Equations::coupling_by_columns(Index j, const Features& h) const {
  const Matrix& at = h[static_cast<std::size_t>(j)];
  const Index q = at.rows(), s = components(j), above = components(j + 1);
  const Matrix ones = Matrix::filled(q, 1, 1.0);
  const MatrixView<const double> next = centred(j + 1);
  Matrix out(q, above * s);
  for (Index c = 0; c < above; ++c) {
    Matrix rate(q, s);
    const MatrixView<const double> column(next.data() + c, next.rows(), 1, next.row_stride(), 1);
    adjoint(level(j + 1).kernel, Points(at.view()), Points(H(j)), GramGradient<double>(ones.view(), column), rate.view(), {});
    as_eigen(out.view()).middleCols(c * s, s) = as_eigen(rate.view()) / level(j + 1).eta;
  }
  return out;
}

bool Equations::allows_rough() const {
  const auto within = [](MatrixView<const double> A) {
    for (Index i = 0; i < A.rows(); ++i) {
      for (Index c = 0; c < A.cols(); ++c) {
        if (!(std::fabs(A(i, c)) <= out_of_rough_reach)) return false;
      }
    }
    return true;
  };
  for (Index j = 0; j < depth(); ++j) {
    if (!within(H(j)) || !within(centred(j))) return false;
  }
  return true;
}

Equations::Derivatives Equations::derivatives(Index j, const Features& h, Accuracy accuracy) const {
  const Matrix& at = h[static_cast<std::size_t>(j)];
  const Index s = components(j), above = components(j + 1);
  if (!has_row_derivatives(level(j + 1).kernel)) {
    return {forward(j + 1, at), backward(j, at, h), coupling_by_columns(j, h), curvature_by_columns(j, h)};
  }
  const Matrix P = less_mean(j + 1, h[static_cast<std::size_t>(j + 1)]);
  RowDerivatives found = row_derivatives(level(j + 1).kernel, at.view(), H(j), centred(j + 1), P.view(), accuracy);
  finish_forward(j + 1, found.values);
  Matrix back(at.rows(), s);
  const double unit = 1.0 / level(j + 1).eta;
  for_rows(at.rows(), above * s, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      for (Index k = 0; k < s * s; ++k) found.curvature(i, k) *= unit;
      for (Index c = 0; c < above * s; ++c) found.slopes(i, c) *= unit;
      for (Index k = 0; k < s; ++k) {
        double sum = 0.0;
        for (Index c = 0; c < above; ++c) sum += P(i, c) * found.slopes(i, c * s + k);
        back(i, k) = sum;
      }
    }
  });
  return {std::move(found.values), std::move(back), std::move(found.slopes), std::move(found.curvature)};
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
