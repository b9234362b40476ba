// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/linalg/eigen_top.hpp"

#include <algorithm>
#include <limits>

#include "gramian/base/error.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/linalg/eigen_symmetric.hpp"
#include "support/check.hpp"
#include "support/spectral.hpp"

using gramian::eigen_top;
using gramian::EigenTopOptions;
using gramian::EigenTopResult;
using gramian::EigenTopStop;
using gramian::MatrixView;
using gramian::set_num_threads;
using gramian::view;
using namespace spectral;

namespace {

Vector descending_eigenvalues(const Matrix& A) {
  Vector values(A.rows());
  Matrix V(A.rows(), A.rows());
  eigen_symmetric(view(A), view(values), view(V), gramian::EigenOrder::descending);
  return values;
}

struct Top {
  Vector values;
  Matrix V;
  EigenTopResult result;
};

Top top_of(const Matrix& A, Index k, const EigenTopOptions& options = {}) {
  Top top{Vector(k), Matrix(A.rows(), k), {}};
  top.result = eigen_top(view(A), view(top.values), view(top.V), options);
  return top;
}

/// The k largest eigenvalues of A, each as often as it occurs, within the tolerance; vectors orthonormal and signs fixed.
void check_top(const char* name, const Matrix& A, const Vector& expected, Index k, double tolerance = 1e-10) {
  EigenTopOptions options;
  options.tolerance = tolerance;
  const Top top = top_of(A, k, options);
  // In units of the norm, whose square may overflow.
  const double most = expected.size() == 0 ? 0.0 : expected.cwiseAbs().maxCoeff(), norm = most == 0.0 ? 1.0 : most;
  const double error = k == 0 ? 0.0 : (top.values / norm - expected.head(k) / norm).cwiseAbs().maxCoeff();
  constexpr double rounding = 1e-12;
  if (!(error <= tolerance + rounding)) check::fail(name, static_cast<int>(k), "eigenvalues err by " + check::show(error));
  CHECK(top.result.reason == EigenTopStop::converged);
  CHECK_EQ(static_cast<Index>(top.result.residuals.size()), k);
  CHECK(signs_are_fixed(top.V));
  if (k == 0) return;
  CHECK((top.V.transpose() * top.V - Matrix::Identity(k, k)).cwiseAbs().maxCoeff() <= 1e-11);
  const Matrix residual = (A / norm) * top.V - top.V * (top.values / norm).asDiagonal();
  for (Index j = 0; j < k; ++j) {
    CHECK(residual.col(j).norm() <= tolerance + rounding);
    CHECK_NEAR(residual.col(j).norm(), top.result.residuals[static_cast<std::size_t>(j)] / norm, rounding);
  }
}

}  // namespace

TEST(every_family_at_small_sizes) {
  for (const Family& family : families()) {
    for (const Index n : {0, 1, 2, 3, 5, 10, 50}) {
      const Matrix A = family.make(n);
      const Vector expected = descending_eigenvalues(A);
      for (const Index k : {Index(0), Index(1), n / 2, n}) {
        if (k <= n) check_top(family.name.c_str(), A, expected, k);
      }
    }
  }
}

TEST(every_family_by_iteration) {
  for (const Family& family : families()) {
    const Matrix A = family.make(400);
    const Vector expected = descending_eigenvalues(A);
    for (const Index k : {1, 5, 20}) check_top(family.name.c_str(), A, expected, k);
  }
}

TEST(all_eigenpairs) {
  const Matrix A = families()[3].make(300);
  check_top("all", A, descending_eigenvalues(A), 300);
}

TEST(multiple_eigenvalues_are_found_as_often_as_they_occur) {
  const Index n = 600;
  for (const Index copies : {2, 5, 8, 13, 100}) {
    Vector values = spread(n, [](double t) { return 0.9 - 0.8 * t; });
    values.head(copies).setOnes();
    values(0) = 1.5;
    for (const Index k : {1, 4, 10, 15}) check_top("copies", with_eigenvalues(values), values, k);
  }
}

TEST(clusters_and_gaps_of_rounding_size) {
  const Index n = 500;
  Vector values = spread(n, [](double t) { return 0.5 * (1.0 - t); });
  for (Index i = 0; i < 12; ++i) values(i) = 1.0 + 1e-9 * static_cast<double>(12 - i);
  for (const Index k : {1, 3, 12, 14}) check_top("cluster", with_eigenvalues(values), values, k);
}

TEST(a_flat_spectrum_takes_restarts) {
  // Nothing stands apart: the relative gap at the tenth value is 0.2 / 1000.
  const Vector values = spread(1000, [](double t) { return 1.0 - 0.2 * t; });
  check_top("flat", with_eigenvalues(values), values, 10, 1e-8);
}

TEST(negative_matrices_and_wide_scales) {
  const Matrix A = with_eigenvalues(spread(400, [](double t) { return 1.0 - 0.5 * std::sqrt(t); }));
  for (const double scale : {-1.0, 1e200, -1e-200, 1e-300}) {
    const Matrix B = scale * A;
    check_top("scaled", B, descending_eigenvalues(B), 6);
  }
}

TEST(an_operator_is_as_good_as_a_matrix) {
  const Index n = 500;
  const Matrix A = gaussian(normal(n, 3, 10));
  const auto apply = [&](MatrixView<const double> V, MatrixView<double> out) { as_eigen(out).noalias() = A * as_eigen(V); };
  const Vector expected = descending_eigenvalues(A);
  for (const Index size : {100, 500}) {
    const Matrix part = A.topLeftCorner(size, size);
    const auto part_apply = [&](MatrixView<const double> V, MatrixView<double> out) {
      as_eigen(out).noalias() = part * as_eigen(V);
    };
    Vector values(7);
    Matrix V(size, 7);
    const EigenTopResult result =
        size == n ? eigen_top(n, apply, view(values), view(V)) : eigen_top(size, part_apply, view(values), view(V));
    CHECK(result.reason == EigenTopStop::converged);
    CHECK(result.products >= 1);
    CHECK(norm1(values - descending_eigenvalues(part).head(7)) <= 1e-10 * expected(0));
  }
}

TEST(centring_is_that_of_the_matrix) {
  for (const Index n : {1, 2, 50, 500}) {
    const Matrix A = gaussian(normal(n, 3, 15)),
                 C = Matrix::Identity(n, n) - Matrix::Constant(n, n, 1.0 / static_cast<double>(n));
    const Matrix centred = C * A * C;
    EigenTopOptions options;
    options.centred = true;
    const Index k = std::min<Index>(n, 6);
    const Top top = top_of(A, k, options);
    CHECK(top.result.reason == EigenTopStop::converged);
    CHECK(norm1(top.values - descending_eigenvalues(centred).head(k)) <= 1e-10 * norm1(A));
    CHECK(norm1(centred * top.V - top.V * top.values.asDiagonal()) <= 1e-8 * norm1(A));
  }
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const Matrix A = gaussian(normal(1500, 4, 11));
  set_num_threads(1);
  const Top one = top_of(A, 10);
  for (const int threads : {2, 7}) {
    set_num_threads(threads);
    const Top other = top_of(A, 10);
    CHECK(one.values == other.values);
    CHECK(one.V == other.V);
    CHECK(one.result.residuals == other.result.residuals);
  }
  set_num_threads(0);
}

TEST(the_seed_decides_the_start_alone) {
  const Matrix A = gaussian(normal(500, 4, 12));
  EigenTopOptions options;
  options.seed = 5;
  const Top one = top_of(A, 4), other = top_of(A, 4, options), again = top_of(A, 4, options);
  CHECK(other.V == again.V);
  CHECK(other.V != one.V);
  CHECK((other.V - one.V).cwiseAbs().maxCoeff() <= 1e-7);
}

TEST(too_few_products_is_a_reason_to_stop_and_no_error) {
  const Vector values = spread(1000, [](double t) { return 1.0 - 0.2 * t; });
  const Matrix A = with_eigenvalues(values);
  EigenTopOptions options;
  options.max_products = 6;
  const Top top = top_of(A, 5, options);
  CHECK(top.result.reason == EigenTopStop::max_products);
  CHECK_EQ(top.result.products, 6);
  const double worst = *std::max_element(top.result.residuals.begin(), top.result.residuals.end());
  CHECK(worst > 1e-10);
  CHECK_NEAR((A * top.V - top.V * top.values.asDiagonal()).colwise().norm().maxCoeff(), worst, 1e-12);
}

TEST(an_unreachable_tolerance_ends_at_rounding) {
  EigenTopOptions options;
  options.tolerance = 0.0;
  const Top top = top_of(gaussian(normal(500, 3, 13)), 5, options);
  CHECK(top.result.reason == EigenTopStop::converged);
}

TEST(work_ends_when_it_is_asked_to) {
  struct Stop final : gramian::StopCheck {
    bool should_stop() override { return true; }
  } stop;
  const Matrix A = gaussian(normal(600, 3, 14));
  const gramian::StopScope scope(stop);
  Vector values(5);
  Matrix V(600, 5);
  CHECK_THROWS(gramian::Interrupted, eigen_top(view(A), view(values), view(V)));
}

TEST(bad_input_is_refused) {
  for (const Index n : {20, 400}) {
    Matrix A = Matrix::Identity(n, n), V(n, 3), wide(n, n + 1), low(n - 1, 3);
    Vector values(3), more(n + 1);
    CHECK_THROWS(std::invalid_argument, eigen_top(view(wide), view(values), view(V)));
    CHECK_THROWS(std::invalid_argument, eigen_top(view(A), view(values), view(low)));
    CHECK_THROWS(std::invalid_argument, eigen_top(view(A), view(more), view(V)));
    CHECK_THROWS(std::invalid_argument, eigen_top(view(A), view(more), view(wide)));
    EigenTopOptions options;
    options.tolerance = -1.0;
    CHECK_THROWS(std::invalid_argument, eigen_top(view(A), view(values), view(V), options));
    options.tolerance = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS(std::invalid_argument, eigen_top(view(A), view(values), view(V), options));
    options = {};
    options.max_products = 1;
    CHECK_THROWS(std::invalid_argument, eigen_top(view(A), view(values), view(V), options));
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      A(n - 1, 2) = bad;
      CHECK_THROWS(std::invalid_argument, eigen_top(view(A), view(values), view(V)));
    }
    const auto broken = [&](MatrixView<const double>, MatrixView<double> out) {
      for (Index i = 0; i < out.rows(); ++i) {
        for (Index j = 0; j < out.cols(); ++j) out(i, j) = std::numeric_limits<double>::quiet_NaN();
      }
    };
    CHECK_THROWS(gramian::NumericalError, eigen_top(n, broken, view(values), view(V)));
  }
}

TEST_MAIN
