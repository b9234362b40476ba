// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/linalg/low_rank_inverse.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <limits>

#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "support/check.hpp"
#include "support/spectral.hpp"

using namespace gramian;
using gramian::view;
using spectral::normal;
using spectral::Vector;
using Dense = spectral::Matrix;

namespace {

Dense applied(const Preconditioner& inverse, const Dense& R) {
  Dense out(R.rows(), R.cols());
  inverse.apply(view(R), view(out));
  return out;
}

}  // namespace

TEST(it_is_the_inverse) {
  for (const Index n : {1, 2, 7, 90}) {
    for (const Index m : {Index(0), Index(1), n / 3, n, n + 4}) {
      for (const double shift : {1e-6, 1e-2, 1.0, 1e3}) {
        const Dense F = normal(n, m, 1), R = normal(n, 5, 2), A = F * F.transpose() + shift * Dense::Identity(n, n);
        const LowRankInverse inverse(view(F), shift);
        CHECK(inverse.size() == n && inverse.rank() == m);
        const Dense expected = Eigen::LLT<Dense>(A).solve(R);
        CHECK((applied(inverse, R) - expected).norm() <= 1e-13 * (A.norm() / shift) * expected.norm());
      }
    }
  }
}

TEST(shifts_may_differ_by_rows) {
  const Index n = 60;
  const Dense F = normal(n, 8, 3), R = normal(n, 2, 4);
  const Dense d = spectral::spread(n, [](double t) { return std::pow(1e-5, t); });
  Dense A = F * F.transpose();
  A.diagonal() += d.col(0);
  const Dense expected = Eigen::LLT<Dense>(A).solve(R);
  CHECK((applied(LowRankInverse(view(F), view(d)), R) - expected).norm() <= 1e-8 * expected.norm());
}

// The smallest eigenvalues are those of the largest of F Fᵀ + D, and rounding must not take them below zero.
TEST(it_stays_positive_definite_and_symmetric_at_any_shift) {
  const Index n = 50;
  Dense F = normal(n, 20, 5);
  for (Index k = 0; k < 20; ++k) F.col(k) *= std::pow(10.0, -0.5 * static_cast<double>(k));
  F.col(19) = F.col(0);
  F.row(7) = F.row(8);
  for (const double shift : {1e-300, 1e-20, 1e-14, 1e-12, 1e-8, 1e-4, 1.0}) {
    const Dense M = applied(LowRankInverse(view(F), shift), Dense::Identity(n, n));
    CHECK((M - M.transpose()).norm() <= 1e-13 * M.norm());
    const Vector values = Eigen::SelfAdjointEigenSolver<Dense>(Dense(0.5 * (M + M.transpose()))).eigenvalues();
    CHECK(values(0) > -1e-15 * values(n - 1));
    CHECK(values(n - 1) > 0.0);
  }
}

TEST(any_strides_are_read_and_written) {
  const Dense F = normal(30, 4, 6), R = normal(30, 3, 7);
  const LowRankInverse inverse(view(F), 0.1);
  const Dense expected = applied(inverse, R);
  Dense turned = R.transpose(), out(3, 30);
  inverse.apply(transposed(MatrixView<const double>(view(turned))), transposed(view(out)));
  CHECK((out.transpose() - expected).norm() <= 1e-14 * expected.norm());
}

TEST(diagonals_divide) {
  const Dense R = normal(3, 2, 8);
  Dense d(3, 1);
  d << 1.0, 4.0, 0.5;
  const JacobiInverse inverse(view(d));
  CHECK_EQ(inverse.size(), 3);
  CHECK((applied(inverse, R) - Dense(d.col(0).cwiseInverse().asDiagonal() * R)).norm() == 0.0);
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::infinity()}) {
    Dense wrong = d;
    wrong(1, 0) = bad;
    CHECK_THROWS(std::invalid_argument, JacobiInverse(view(wrong)));
  }
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const Dense F = normal(20000, 30, 9), R = normal(20000, 3, 10);
  set_num_threads(1);
  const Dense one = applied(LowRankInverse(view(F), 1e-7), R);
  for (const int threads : {2, 7}) {
    set_num_threads(threads);
    CHECK(applied(LowRankInverse(view(F), 1e-7), R) == one);
  }
  set_num_threads(0);
}

TEST(bad_input_is_refused) {
  Dense F = normal(5, 2, 11), low = normal(4, 1, 12), d = Dense::Ones(5, 1);
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    CHECK_THROWS(std::invalid_argument, LowRankInverse(view(F), bad));
  }
  CHECK_THROWS(std::invalid_argument, LowRankInverse(view(F), view(low)));
  CHECK_THROWS(std::invalid_argument, applied(LowRankInverse(view(F), view(d)), low));
  F(1, 1) = 1e200;
  CHECK_THROWS(NumericalError, LowRankInverse(view(F), 1.0));
  F(1, 1) = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS(std::invalid_argument, LowRankInverse(view(F), 1.0));
}

TEST_MAIN
