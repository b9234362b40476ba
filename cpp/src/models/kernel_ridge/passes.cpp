// SPDX-License-Identifier: BSD-3-Clause
#include "models/kernel_ridge/passes.hpp"

#include "base/view_ops.hpp"
#include "models/kernel_ridge/checks.hpp"

namespace gramian::kernel_ridge {

namespace {

constexpr Index rows_for_each_landmark = 2;

/// Of what depends on b only: alpha |b|^2 + |W^(1/2) K a|^2 - 2 bᵀ T^-1 Kᵀ W y, by the residual r of the system.
ValueOfColumn objective() {
  return [](const double* b, const double* r, const double* right, Index n) {
    double sum = 0.0;
    for (Index i = 0; i < n; ++i) sum -= b[i] * (r[i] + right[i]);
    return sum;
  };
}

/// Adds what the objective has beside the value that depends on the coefficients.
class WithConstant final : public Observer {
 public:
  WithConstant(Observer* observer, double constant) : observer_(observer), constant_(constant) {}
  bool observe(const Iteration& iteration, const double* x) override {
    Iteration told = iteration;
    told.value += constant_;
    return observer_->observe(told, x);
  }
  bool concurrent() const override { return observer_->concurrent(); }
  CheckpointPart checkpoint() const override { return observer_->checkpoint(); }

 private:
  Observer* observer_;
  double constant_;
};

}  // namespace

LandmarkFit solve_by_passes(const LandmarkBasis& basis, const PassProblem& problem, const LandmarkOptions& options,
                            Observer* observer) {
  const Index m = basis.landmarks();
  const Matrix square = restricted_square(basis, problem.sketch(rows_for_each_landmark * m));
  Matrix unknowns(basis.rank(), problem.targets.cols());
  problem.system(basis, options.alphas[0]).right_side(problem.targets, unknowns.view());
  ConjugateGradientsOptions limits;
  limits.tolerance = options.tolerance;
  limits.max_iterations = options.max_iterations;
  WithConstant told(observer, problem.square);
  LandmarkFit out;
  out.solver = LandmarkSolver::conjugate_gradients;
  out.coefficients = Matrix(m, problem.targets.cols());
  by_alpha(options.alphas, unknowns.view(), [&](double alpha, MatrixView<double> columns) {
    if (out.stop_reason == SolverStop::observer) return fill_zero(columns);
    const LandmarkSystem system = problem.system(basis, alpha);
    const RestrictedInverse inverse(square.view(), alpha);
    Observer* const watching = observer != nullptr ? &told : nullptr;
    take(conjugate_gradients(system, columns, limits, &inverse, watching, {{}, objective()}), columns, out);
  });
  out.objective += problem.square;
  for (Iteration& one : out.history) one.value += problem.square;
  basis.expand(unknowns.view(), out.coefficients.view());
  return out;
}

}  // namespace gramian::kernel_ridge
