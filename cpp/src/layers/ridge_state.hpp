// SPDX-License-Identifier: BSD-3-Clause
// What the last layer's ridge regression works with.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gramian/base/error.hpp"
#include "gramian/gram/plan.hpp"
#include "gramian/layers/ridge_output.hpp"
#include "layers/ridge_columns.hpp"
#include "layers/ridge_system.hpp"

namespace gramian {

/// The Gram matrices of codes with the landmarks among them.
class LandmarkGrams;

struct RidgeOutput::State {
  State(const KernelLayer& layer, MatrixView<const double> targets, Index code_size, RidgeOutputOptions options);

  Index n() const { return C.rows(); }
  Index r() const { return C.cols(); }
  double ridge() const { return interpolate ? 0.0 : divisor * lambda; }
  double weight(Index i) const { return weights.empty() ? 1.0 : weights[static_cast<std::size_t>(i)]; }

  void move_to(MatrixView<const double> Z);
  double solve();
  void write_gradient(MatrixView<const double> Z, MatrixView<double> Zbar);
  double solve_landmarks(const LandmarkGrams& grams);
  void write_gradients(MatrixView<const double> Z, MatrixView<const double> S, MatrixView<double> Zbar, MatrixView<double> Sbar);
  double evaluate_at(MatrixView<const double> given, MatrixView<double> Zbar);

  Kernel kernel;
  OutputOperator A;
  bool interpolate;
  double lambda;   // what |f|^2 is multiplied with
  double divisor;  // of the sum of squares
  std::vector<double> weights;
  MatrixView<const double> C;
  Index p;
  RidgeColumns columns;

  std::optional<GramPlan> plan{};
  bool keeps_tiles = false;  // the plan
  RidgeSystem system{};
  std::vector<double> penalties{};  // of each group: lambda, and what jitter adds to it
  Matrix Phi{}, Psi{};              // Psi: in the eigenbasis of A, unless that is the identity
  Matrix cross{}, residual{}, products{};
  double distortion = 0.0, squared_norm = 0.0, jitter = 0.0;

 private:
  double solve_group(const RidgeGroup& group, double& penalty);
  double solve_constant(const RidgeGroup& group, MatrixView<double> psi);
  void shift_diagonal(double a);
  double factorize(double a);
  void add_weighted(MatrixView<const double> psi, double added, double inner);
  void write_dense_gradient(MatrixView<const double> Z, MatrixView<double> Zbar);
};

}  // namespace gramian
