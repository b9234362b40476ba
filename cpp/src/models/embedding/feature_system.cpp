// SPDX-License-Identifier: BSD-3-Clause
#include "models/embedding/feature_system.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/view_ops.hpp"
#include "gram/rows.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/linalg/triangular.hpp"
#include "models/embedding/left_out.hpp"
#include "models/embedding/objective_risk.hpp"

namespace gramian::embedding {
namespace {

constexpr Index block_rows = 4096;
constexpr Index most_left_out = 4096;
constexpr double least_left = 1e-12;  // of a row that decides its own prediction, but for rounding

double square_of(MatrixView<const double> A, Index row) {
  double square = 0.0;
  for (Index k = 0; k < A.cols(); ++k) square += A(row, k) * A(row, k);
  return square;
}

}  // namespace

/// A system that was positive definite in the search may fail here by rounding alone: with jitter, or not at all.
void refuse_lambda(double lambda) {
  throw NumericalError("the system of the embedding can't be factored with lambda = " + std::to_string(lambda) +
                       ": raise lambda, or scale the data");
}

double known_sensitivity(const Criterion& criterion, const Kernel* kernel) {
  if (criterion.sensitivity > 0.0 || kernel == nullptr) return criterion.sensitivity;
  const double square = kernel->supremum();
  return std::isfinite(square) ? std::sqrt(square) : 0.0;
}

FeatureSystem::FeatureSystem(const LabelledSample& sample, Index p, double lambda, Features features)
    : sampler_(sample, Risk::mean, {}, 0), features_(features), Z_(std::min(batch().size(), block_rows), p) {
  ridge_.begin(p, sample.classes);
  each_block([&](Index first, MatrixView<const double> Z) {
    ridge_.add_labels(Z, batch().roots.empty() ? nullptr : batch().roots.data() + first, batch().labels.data() + first);
  });
  solve(batch().total * lambda, lambda);
}

FeatureSystem::FeatureSystem(const LabelledSample& sample, NormalSystem sums, double weight, double lambda, Features features)
    : sampler_(sample, Risk::mean, {}, 0), features_(features), Z_(std::min(batch().size(), block_rows), sums.square.rows()) {
  ridge_.begin(std::move(sums.square), std::move(sums.right));
  solve(weight * lambda, lambda);
}

void FeatureSystem::solve(double shift, double lambda) {
  try {
    jitter_ = ridge_.solve(shift);
  } catch (const NumericalError&) {
    refuse_lambda(lambda);
  }
}

Calibration FeatureSystem::calibration(Index rows) {
  const LeftOut left_out(batch(), most_left_out);
  Matrix values(static_cast<Index>(left_out.rows().size()), W().cols());
  Index done = 0;
  each_block([&](Index first, MatrixView<const double> Z) {
    const PickedRows some(Points(Z), left_out.within(first, first + Z.rows()));
    const Index count = some.points().size();
    if (count > 0) leave_out(some.points().float64(), left_out.rows().data() + done, rows_of(values.view(), done, count));
    done += count;
  });
  return left_out.calibration(values.view(), rows);
}

void FeatureSystem::describe(double sensitivity, double epsilon, Model& model) {
  RiskSum sum(epsilon, W().cols());
  double largest_square = 0.0;
  each_block([&](Index first, MatrixView<const double> Z) {
    Matrix P(Z.rows(), W().cols());
    gemm(1.0, Z, W().view(), 0.0, P.view());
    for (Index i = 0; i < Z.rows(); ++i) {
      sum.add(P.view(), i, batch().label(first + i), batch().weight(first + i));
      largest_square = std::max(largest_square, square_of(Z, i));
    }
  });
  double square = 0.0;
  for (Index k = 0; k < W().size(); ++k) square += W().data()[k] * W().data()[k];
  model.sensitivity = sensitivity > 0.0 ? sensitivity : std::sqrt(largest_square);
  model.complexity = model.sensitivity * std::sqrt(square);
  model.risk = sum.risk() / batch().total;
  model.accuracy = sum.accuracy();
  model.predicted = sum.predicted();
  model.jitter = jitter_;
  model.weights = std::move(ridge_.W());
}

/// Their residual is that of the fit over 1 - w |L^-1 z|^2.
void FeatureSystem::leave_out(MatrixView<const double> Z, const Index* rows, MatrixView<double> out) {
  gemm(1.0, Z, W().view(), 0.0, out);
  Matrix solved = Matrix::copy_of(Z);
  solve_lower(ridge_.factor(), transposed(solved.view()));
  for (Index i = 0; i < Z.rows(); ++i) {
    const double left = std::max(1.0 - batch().weight(rows[i]) * square_of(solved.view(), i), least_left);
    for (Index c = 0; c < out.cols(); ++c) {
      const double y = batch().label(rows[i]) == c ? 1.0 : 0.0;
      out(i, c) = y - (y - out(i, c)) / left;
    }
  }
}

/// A single block is evaluated once.
template <class Use>
void FeatureSystem::each_block(Use use) {
  const Index n = batch().size(), p = Z_.cols();
  for (Index first = 0; first < n; first += block_rows) {
    poll_stop();
    const MatrixView<double> Z = part(Z_.view(), 0, std::min(block_rows, n - first), 0, p);
    if (n > block_rows || !filled_) features_(rows_of(batch().points(), first, Z.rows()), Z);
    filled_ = true;
    use(first, Z);
  }
}

}  // namespace gramian::embedding
