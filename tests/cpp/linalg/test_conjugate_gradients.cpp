// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/linalg/conjugate_gradients.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <limits>
#include <string>
#include <vector>

#include "gramian/base/checkpoint.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/linalg/low_rank_inverse.hpp"
#include "support/check.hpp"
#include "support/spectral.hpp"

using namespace gramian;
using gramian::view;
using spectral::normal;
using spectral::Vector;
using Dense = spectral::Matrix;

namespace {

ConjugateGradientsOptions with(double tolerance, Index max_iterations = 5000) {
  ConjugateGradientsOptions options;
  options.tolerance = tolerance;
  options.max_iterations = max_iterations;
  return options;
}

ConjugateGradients solve(const Dense& A, const Dense& B, const ConjugateGradientsOptions& options,
                         const Preconditioner* inverse = nullptr, Observer* observer = nullptr,
                         const ConjugateGradientsStart& start = {}) {
  return conjugate_gradients(StoredOperator(view(A)), view(B), options, inverse, observer, start);
}

Dense solution_of(const ConjugateGradients& found) { return as_eigen(found.solution.view()); }

Vector relative_residuals(const Dense& A, const Dense& X, const Dense& B) {
  Vector out(B.cols());
  for (Index j = 0; j < B.cols(); ++j) {
    const double norm = B.col(j).norm();
    out(j) = norm == 0.0 ? X.col(j).norm() : (B.col(j) - A * X.col(j)).norm() / norm;
  }
  return out;
}

/// Ten kinds of positive definite matrices of condition 1e10 at most.
std::vector<spectral::Family> systems() {
  const auto spread = [](Index n, double last) { return spectral::spread(n, [last](double t) { return std::pow(last, t); }); };
  const auto shifted = [](const Dense& K, double shift) { return Dense(K + shift * Dense::Identity(K.rows(), K.cols())); };
  return {
      {"identity", [](Index n) { return Dense(Dense::Identity(n, n)); }},
      {"geometric 1e-2", [=](Index n) { return spectral::with_eigenvalues(spread(n, 1e-2)); }},
      {"geometric 1e-6", [=](Index n) { return spectral::with_eigenvalues(spread(n, 1e-6)); }},
      {"clustered",
       [](Index n) {
         return spectral::with_eigenvalues(spectral::spread(n, [](double t) { return t < 0.3 ? 1e4 : t < 0.6 ? 1.0 : 1e-3; }));
       }},
      {"one outlier",
       [](Index n) {
         return spectral::with_eigenvalues(spectral::spread(n, [](double t) { return t == 0.0 ? 1e9 : 1.0 + t; }));
       }},
      {"repeated rows",
       [=](Index n) {
         Dense X = normal(n, 2, 3);
         for (Index i = n - 1; i > 0; --i) X.row(i) = X.row(i / 3).eval();
         return shifted(spectral::gaussian(X), 1e-6);
       }},
      {"rank deficient",
       [=](Index n) {
         const Dense U = normal(n, 3, 6);
         return shifted(U * U.transpose(), 1e-4);
       }},
      {"kernel, tiny shift", [=](Index n) { return shifted(spectral::gaussian(normal(n, 3, 8)), 1e-10); }},
      {"scaled up", [=](Index n) { return Dense(1e150 * shifted(spectral::gaussian(normal(n, 3, 4)), 1e-3)); }},
      {"scaled down", [=](Index n) { return Dense(1e-150 * shifted(spectral::gaussian(normal(n, 3, 5)), 1e-3)); }},
  };
}

/// Columns that are done after different numbers of iterations, one of them zero.
Dense sides(const Dense& A) {
  Dense B = normal(A.rows(), 4, 21);
  B.col(1) = A * normal(A.rows(), 1, 22);
  B.col(2).setZero();
  B.col(3) *= 1e-100;
  return B;
}

}  // namespace

TEST(systems_of_ten_kinds_are_solved) {
  for (const spectral::Family& family : systems()) {
    for (const Index n : {Index(1), Index(2), Index(60)}) {
      const Dense A = family.make(n), B = sides(A);
      const ConjugateGradients found = solve(A, B, with(1e-6));
      const Vector residuals = relative_residuals(A, solution_of(found), B);
      const std::string what = family.name + ", " + std::to_string(n);
      if (!found.converged) check::fail(__FILE__, __LINE__, what + ": " + name_of(found.stop_reason));
      CHECK_EQ(found.stop_reason, SolverStop::tolerance);
      for (Index j = 0; j < 4; ++j) {
        CHECK(residuals(j) <= 1.001e-6);
        CHECK_NEAR(found.residuals[static_cast<std::size_t>(j)], residuals(j), 1e-7);
      }
      CHECK(solution_of(found).col(2).norm() == 0.0);
      CHECK_EQ(found.history.size(), static_cast<std::size_t>(found.iterations) + 1);
    }
  }
}

TEST(solutions_are_those_of_dense_solves) {
  for (const double shift : {1e-6, 1e-3, 1.0}) {
    const Dense A = spectral::gaussian(normal(50, 3, 1)) + shift * Dense::Identity(50, 50), B = sides(A);
    const Dense expected = Eigen::LLT<Dense>(A).solve(B);
    const Dense found = solution_of(solve(A, B, with(1e-12)));
    for (Index j = 0; j < 4; ++j) {
      CHECK((found.col(j) - expected.col(j)).norm() <= 1e-10 / shift * expected.col(j).norm());
    }
  }
}

TEST(the_inverse_itself_takes_one_iteration_at_any_shift) {
  const Dense F = normal(80, 12, 2);
  for (const double shift : {1e-12, 1e-8, 1e-4, 1.0}) {
    const Dense A = F * F.transpose() + shift * Dense::Identity(80, 80), B = normal(80, 3, 3);
    const LowRankInverse inverse(view(F), shift);
    const ConjugateGradients found = solve(A, B, with(1e-3), &inverse);
    // At 1e-12 rounding of A x is one percent of b.
    CHECK(shift < 1e-8 ? found.residuals[0] < 0.1 : found.converged && found.iterations <= 2);
  }
}

TEST(columns_leave_when_they_are_done) {
  struct Counted final : SymmetricOperator {
    explicit Counted(const Dense& matrix) : A(matrix) {}
    Index size() const override { return A.rows(); }
    void apply(MatrixView<const double> V, MatrixView<double> out) const override {
      widths.push_back(V.cols());
      as_eigen(out) = A * as_eigen(V);
    }
    Dense A;
    mutable std::vector<Index> widths;
  };
  const Counted A(spectral::with_eigenvalues(spectral::spread(40, [](double t) { return std::pow(1e-4, t); })));
  Dense B = normal(40, 3, 5);
  Eigen::SelfAdjointEigenSolver<Dense> eigen(A.A);
  B.col(1) = eigen.eigenvectors().col(39);  // done after one iteration
  const ConjugateGradients found = conjugate_gradients(A, view(B), with(1e-8));
  CHECK(found.converged);
  CHECK(A.widths[0] == 3 && A.widths[1] == 3 && A.widths[2] == 2);
  // One product more for each pass in which nothing but residuals are computed.
  CHECK(static_cast<Index>(A.widths.size()) <= found.iterations + 1);
}

TEST(a_tolerance_below_rounding_ends_in_stagnation) {
  for (const double tolerance : {0.0, 1e-17}) {
    const Dense A = spectral::with_eigenvalues(spectral::spread(50, [](double t) { return std::pow(1e-8, t); }));
    const ConjugateGradients found = solve(A, normal(50, 2, 7), with(tolerance, 100000));
    CHECK(found.stop_reason == SolverStop::stagnation && !found.converged);
    CHECK(found.iterations < 2000);
    for (const double residual : found.residuals) CHECK(residual < 1e-7);
  }
  // A right side that the matrix does not reach.
  Dense A = Dense::Zero(6, 6);
  A.diagonal() << 1.0, 2.0, 3.0, 4.0, 0.0, 0.0;
  const ConjugateGradients found = solve(A, Dense::Ones(6, 1), with(1e-8));
  CHECK(found.stop_reason == SolverStop::stagnation);
  CHECK(found.residuals[0] >= std::sqrt(2.0 / 6.0) * (1 - 1e-12));
}

TEST(residuals_are_those_of_the_solution_and_not_of_the_recursion) {
  // A of which each product has an error of 1e-6: the recursion alone would converge to 1e-12.
  struct Rough final : SymmetricOperator {
    explicit Rough(const Dense& matrix) : A(matrix) {}
    Index size() const override { return A.rows(); }
    void apply(MatrixView<const double> V, MatrixView<double> out) const override {
      as_eigen(out) = (A * as_eigen(V)).cast<float>().cast<double>();
    }
    double unit_roundoff() const override { return 0x1p-24; }
    Dense A;
  };
  const Rough A(spectral::with_eigenvalues(spectral::spread(60, [](double t) { return std::pow(1e-3, t); })));
  const Dense B = normal(60, 2, 9);
  const ConjugateGradients found = conjugate_gradients(A, view(B), with(1e-12));
  CHECK(found.stop_reason == SolverStop::stagnation);
  const Vector residuals = relative_residuals(A.A, solution_of(found), B);
  for (Index j = 0; j < 2; ++j) {
    CHECK(residuals(j) < 1e-4);
    CHECK(found.residuals[static_cast<std::size_t>(j)] > 0.1 * residuals(j));
  }
}

TEST(iterations_end_at_their_bound_and_go_on_from_a_start) {
  const Dense A = spectral::gaussian(normal(60, 3, 1)) + 1e-3 * Dense::Identity(60, 60), B = normal(60, 2, 2);
  const ConjugateGradients few = solve(A, B, with(1e-10, 5));
  CHECK(few.stop_reason == SolverStop::max_iterations && few.iterations == 5);
  CHECK_NEAR(few.residuals[0], relative_residuals(A, solution_of(few), B)(0), 1e-12);
  const ConjugateGradients whole = solve(A, B, with(1e-10));
  const ConjugateGradients rest = solve(A, B, with(1e-10), nullptr, nullptr, {whole.solution.view(), {}});
  CHECK(rest.converged && rest.iterations == 0 && solution_of(rest) == solution_of(whole));
  const ConjugateGradients more = solve(A, B, with(1e-10), nullptr, nullptr, {few.solution.view(), {}});
  CHECK(more.converged && more.history.front().value < whole.history.front().value);
}

TEST(values_fall_and_are_the_energy) {
  const Dense A = spectral::gaussian(normal(40, 2, 1)) + 1e-2 * Dense::Identity(40, 40), B = 1e5 * normal(40, 3, 2);
  const ConjugateGradients found = solve(A, B, with(1e-10));
  for (std::size_t k = 1; k < found.history.size(); ++k)
    CHECK(found.history[k].value <= (1 - 1e-14) * found.history[k - 1].value);
  const Dense X = solution_of(found);
  const double energy = 0.5 * X.cwiseProduct(A * X).sum() - X.cwiseProduct(B).sum();
  CHECK_NEAR(found.history.back().value, energy, 1e-9 * std::fabs(energy));
  CHECK_EQ(found.history.front().value, 0.0);
  CHECK_NEAR(found.history.front().gradient_norm, B.cwiseAbs().maxCoeff(), 0.0);
  const auto squares = [](const double*, const double* r, const double*, Index n) {
    return Eigen::Map<const Vector>(r, n).squaredNorm();
  };
  const ConjugateGradients other = solve(A, B, with(1e-10), nullptr, nullptr, {{}, squares});
  CHECK_NEAR(other.history.front().value, B.squaredNorm(), 1e-12 * B.squaredNorm());
}

TEST(a_power_of_two_changes_no_digit) {
  const Dense A = spectral::gaussian(normal(40, 2, 1)) + 1e-2 * Dense::Identity(40, 40), B = normal(40, 2, 2);
  const Dense expected = solution_of(solve(A, B, with(1e-9)));
  for (const int power : {-900, -3, 3, 900}) {
    const double scale = std::ldexp(1.0, power);
    CHECK(solution_of(solve(A, Dense(scale * B), with(1e-9))) == Dense(scale * expected));
  }
}

TEST(observers_see_the_solution_and_may_stop) {
  const Dense A = spectral::gaussian(normal(40, 2, 1)) + 1e-3 * Dense::Identity(40, 40), B = normal(40, 2, 2);
  struct Watch : Observer {
    bool observe(const Iteration& iteration, const double* x) override {
      last = Eigen::Map<const Dense>(x, 40, 2);
      return iteration.number < 3;
    }
    Dense last;
  } watch;
  const ConjugateGradients found = solve(A, B, with(1e-10), nullptr, &watch);
  CHECK(found.stop_reason == SolverStop::observer && found.iterations == 3);
  CHECK(solution_of(found) == watch.last);
  CHECK_NEAR(found.residuals[1], relative_residuals(A, watch.last, B)(1), 1e-12);
}

TEST(a_checkpoint_goes_on_with_the_same_bits) {
  struct Memory final : Checkpoint {
    explicit Memory(Parts parts = {}) : Checkpoint({1, 0.0}) { begin_from(std::move(parts)); }
    void write(const Parts& parts) override { kept = parts; }
    Parts kept;
  };
  struct Stop : Observer {
    explicit Stop(Index number) : last(number) {}
    bool observe(const Iteration& iteration, const double*) override { return iteration.number < last; }
    Index last;
  };
  const Dense A = spectral::gaussian(normal(60, 2, 1)) + 1e-4 * Dense::Identity(60, 60), B = sides(A);
  const ConjugateGradients whole = solve(A, B, with(1e-9));
  for (Index last = 1; last < whole.iterations; ++last) {
    Memory first;
    Stop stop(last);
    Checkpointed halted(&stop, first.whole());
    CHECK(solve(A, B, with(1e-9), nullptr, &halted).stop_reason == SolverStop::observer);
    Memory second(first.kept);
    Checkpointed resumed(nullptr, second.whole());
    const ConjugateGradients rest = solve(A, B, with(1e-9), nullptr, &resumed);
    CHECK(solution_of(rest) == solution_of(whole));
    CHECK(rest.residuals == whole.residuals && rest.iterations == whole.iterations);
    CHECK_EQ(rest.history.size(), whole.history.size());
    Memory third(second.kept);
    Checkpointed ended(nullptr, third.whole());
    const ConjugateGradients again = solve(A, B, with(1e-9), nullptr, &ended);
    CHECK(solution_of(again) == solution_of(whole) && again.stop_reason == whole.stop_reason);
  }
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const Dense F = normal(40000, 5, 1), B = normal(40000, 2, 2);
  struct Products final : SymmetricOperator {
    explicit Products(const Dense& factor) : F(factor) {}
    Index size() const override { return F.rows(); }
    void apply(MatrixView<const double> V, MatrixView<double> out) const override { LowRankInverse(view(F), 0.5).apply(V, out); }
    Dense F;
  };
  const Products A(F);
  set_num_threads(1);
  const Dense one = solution_of(conjugate_gradients(A, view(B), with(1e-8)));
  for (const int threads : {2, 7}) {
    set_num_threads(threads);
    CHECK(solution_of(conjugate_gradients(A, view(B), with(1e-8))) == one);
  }
  set_num_threads(0);
}

TEST(somebody_may_interrupt) {
  struct Now : StopCheck {
    bool should_stop() override { return true; }
  } now;
  const Dense A = Dense::Identity(5, 5), B = normal(5, 1, 1);
  const StopScope scope(now);
  CHECK_THROWS(Interrupted, [&] {
    for (int k = 0; k < 1000000; ++k) solve(A, B, with(1e-8));
  }());
}

TEST(what_is_not_positive_definite_is_an_error) {
  Dense A = Dense::Identity(4, 4), B = Dense::Ones(4, 1);
  A(2, 2) = -7.0;
  CHECK_THROWS(NumericalError, solve(A, B, with(1e-8)));
  A(2, 2) = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS(NumericalError, solve(A, B, with(1e-8)));
  struct Negative final : Preconditioner {
    void apply(MatrixView<const double> R, MatrixView<double> out) const override { as_eigen(out) = -as_eigen(R); }
  } negative;
  CHECK_THROWS(NumericalError, solve(Dense::Identity(4, 4), B, with(1e-8), &negative));
}

TEST(bad_input_is_refused) {
  const Dense A = Dense::Identity(4, 4), wide(4, 5);
  Dense B = Dense::Ones(4, 2);
  CHECK_THROWS(std::invalid_argument, StoredOperator(view(wide)));
  CHECK_THROWS(std::invalid_argument, solve(A, Dense::Ones(3, 1), with(1e-8)));
  CHECK_THROWS(std::invalid_argument, solve(A, B, with(-1.0)));
  CHECK_THROWS(std::invalid_argument, solve(A, B, with(std::numeric_limits<double>::quiet_NaN())));
  CHECK_THROWS(std::invalid_argument, solve(A, B, with(1e-8, -1)));
  CHECK_THROWS(std::invalid_argument, solve(A, B, with(1e-8), nullptr, nullptr, {view(A), {}}));
  CHECK_EQ(solve(A, Dense(4, 0), with(1e-8)).stop_reason, SolverStop::tolerance);
  B(1, 1) = std::numeric_limits<double>::infinity();
  CHECK_THROWS(std::invalid_argument, solve(A, B, with(1e-8)));
}

TEST_MAIN
