// SPDX-License-Identifier: BSD-3-Clause
// The equations (A.1) of new samples, a batch of them at a time.
#pragma once

#include <vector>

#include "gram/row_derivatives.hpp"
#include "gramian/models/deep_pca/apply.hpp"
#include "linalg/tall.hpp"

namespace gramian::deep_pca {

/// The features of some samples, level by level.
using Features = std::vector<Matrix>;

/// Beyond, squares of features are of no use: what a step far out of reach, or a system without a solution, leaves.
constexpr double out_of_reach = 1e100;
/// The same for numbers in float32, which kernels scale.
constexpr double out_of_rough_reach = 1e6;

/// Whether all numbers of a row are there, and within reach.
std::vector<bool> usable_rows(const Matrix& first, const Features& h, double reach = out_of_reach);

/// Rows of which a number is not finite, or so large that squares are of no use, are zeros in the copies.
struct UsableRows {
  UsableRows(const Matrix& first, const Features& h, double reach = out_of_reach);
  const Matrix& first() const { return all ? *given_first : own_first; }
  const Features& h() const { return all ? *given : own; }
  /// Infinity for the others.
  void mark(std::vector<double>& sizes) const;

  std::vector<bool> usable;
  bool all;
  const Matrix* given_first;
  const Features* given;
  Matrix own_first;
  Features own;
};

/// [DKPCA] (A.1), (A.2): for features h_1 .. h_J of a new sample, without the weights, the residuals
///
///   r_j = Lambda_j h_j - F_j - G_j / eta_{j+1},  F_j = ((C H_j)ᵀ k_j(H_{j-1}, h_{j-1}) - offset_j) / eta_j,
///   G_j = first role of the adjoint of k_{j+1}(h_j, H_j) with P = h_{j+1} - mean_{j+1}, Q = C H_{j+1}.
///
/// With weights each row of C H_j is there so often: as often as its weight says.
///
/// They are the gradient of one number for each sample, so that their Jacobian is symmetric. F_1 is given: q x s_1.
class Equations {
 public:
  explicit Equations(const View& model);

  Index depth() const { return model_.depth(); }
  Index components(Index j) const { return model_.features[static_cast<std::size_t>(j)].cols(); }
  Index unknowns() const { return unknowns_; }
  Index samples() const { return model_.samples(); }
  Index offset(Index j) const { return offsets_[static_cast<std::size_t>(j)]; }  ///< of a level among the unknowns of a row
  /// C H_j, each row times its weight
  MatrixView<const double> centred(Index j) const { return centred_[static_cast<std::size_t>(j)].view(); }

  /// F_1 from k_1 C H_1, the first columns of products.
  Matrix first(const Matrix& products) const;
  /// F_j of levels from the second on.
  Matrix forward(Index j, const Matrix& below) const;
  /// G_j / eta_{j+1}; zeros for the last level, and for a model without a way back.
  Matrix backward(Index j, const Matrix& at, const Features& h) const;
  /// Lambda_j^-1 of each row; where an eigenvalue is 0, 0.
  void divide(Index j, Matrix& rows) const;

  /// Each level from the one below, as if there were no way back.
  Features pass(const Matrix& first) const;
  /// The training samples with the nearest F_1, in units of Lambda_1: all that the equations know of a sample.
  std::vector<Index> nearest(const Matrix& first) const;
  /// The features of some of them.
  Features training(const std::vector<Index>& samples) const;
  /// The largest entry of a row's residuals, relative to that of the terms they are made of; infinity for a row with a term that
  /// is not finite.
  std::vector<double> residuals(const Matrix& first, const Features& h) const;
  /// The same; r becomes the residuals themselves, of rows that are usable.
  std::vector<double> residuals(const Matrix& first, const Features& h, Features& r) const;
  /// The same from terms F_j and G_j / eta_(j+1) that are there already; these become r_j. scales: the largest term of each row.
  std::vector<double> residuals_of(const Features& h, Features& forwards, const Features& backwards,
                                   std::vector<double>& scales) const;
  /// F_(j+1), G_j / eta_(j+1) and the derivatives of the latter in h_(j+1), q x (s_(j+1) s_j), and in h_j, q x (s_j s_j).
  struct Derivatives {
    Matrix forward, backward, coupling, curvature;
  };
  Derivatives derivatives(Index j, const Features& h, Accuracy accuracy = Accuracy::full) const;
  /// Whether the training samples are within reach of rough derivatives.
  bool allows_rough() const;
  const std::vector<double>& eigenvalues(Index j) const { return model_.eigenvalues[static_cast<std::size_t>(j)]; }

  /// All levels in one linear system, where the upper kernels are linear.
  Features solve_linear(const Matrix& first) const;

 private:
  Matrix coupling_by_columns(Index j, const Features& h) const;
  Matrix curvature_by_columns(Index j, const Features& h) const;
  Matrix less_mean(Index j, const Matrix& h) const;
  void finish_forward(Index j, Matrix& rows) const;
  const Level& level(Index j) const { return model_.levels[static_cast<std::size_t>(j)]; }
  MatrixView<const double> H(Index j) const { return model_.features[static_cast<std::size_t>(j)]; }

  View model_;
  std::vector<Matrix> centred_;
  std::vector<Index> offsets_;
  Index unknowns_ = 0;
};

}  // namespace gramian::deep_pca
