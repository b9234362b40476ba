// SPDX-License-Identifier: BSD-3-Clause
#include "models/kernel_ridge/landmark_system.hpp"

#include <utility>

#include "base/view_ops.hpp"
#include "models/kernel_ridge/checks.hpp"

namespace gramian::kernel_ridge {

LandmarkSystem::LandmarkSystem(const LandmarkBasis& basis, NormalPass pass, double unit_roundoff)
    : basis_(basis), pass_(std::move(pass)), unit_(unit_roundoff) {}

void LandmarkSystem::apply(MatrixView<const double> V, MatrixView<double> out) const {
  Matrix a(basis_.landmarks(), V.cols()), g(basis_.landmarks(), V.cols());
  basis_.expand(V, a.view());
  pass_(a.view(), {}, g.view());
  basis_.contract(g.view(), out);
  for_entries(out, [&](Index i, Index j) { out(i, j) += alpha_ * V(i, j); });
}

Matrix LandmarkSystem::right(MatrixView<const double> Y) const {
  const Matrix zero = Matrix::filled(basis_.landmarks(), Y.cols(), 0.0);
  Matrix g(basis_.landmarks(), Y.cols()), out(basis_.rank(), Y.cols());
  pass_(zero.view(), Y, g.view());
  for (Index i = 0; i < g.size(); ++i) g.data()[i] = -g.data()[i];
  basis_.contract(g.view(), out.view());
  return out;
}

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

LandmarkFit solve_by_passes(const LandmarkProblem& problem, const LandmarkOptions& options, Observer* observer) {
  const LandmarkBasis basis(problem.gram);
  LandmarkSystem system(basis, problem.pass, problem.unit_roundoff);
  const Index m = basis.landmarks();
  const Matrix sketch = problem.sketch(rows_for_each_landmark * m);
  Matrix unknowns = system.right(problem.targets);
  ConjugateGradientsOptions limits;
  limits.tolerance = options.tolerance;
  limits.max_iterations = options.max_iterations;
  WithConstant told(observer, problem.square);
  LandmarkFit out;
  out.solver = LandmarkSolver::conjugate_gradients;
  out.coefficients = Matrix(m, problem.targets.cols());
  by_alpha(options.alphas, unknowns.view(), [&](double alpha, MatrixView<double> columns) {
    if (out.stop_reason == SolverStop::observer) return fill_zero(columns);
    system.set_alpha(alpha);
    const RestrictedInverse inverse(basis, sketch.view(), alpha);
    take(conjugate_gradients(system, columns, limits, &inverse, observer != nullptr ? &told : nullptr, {{}, objective()}),
         columns, out);
  });
  out.objective += problem.square;
  for (Iteration& one : out.history) one.value += problem.square;
  basis.expand(unknowns.view(), out.coefficients.view());
  return out;
}

}  // namespace gramian::kernel_ridge
