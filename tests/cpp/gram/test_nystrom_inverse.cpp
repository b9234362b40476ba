// SPDX-License-Identifier: BSD-3-Clause
#include "gram/nystrom_inverse.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <numeric>

#include "gramian/base/error.hpp"
#include "gramian/gram/full.hpp"
#include "support/any_threads.hpp"
#include "support/check.hpp"
#include "support/dense.hpp"
#include "support/spectral.hpp"

using namespace gramian;
using gramian::view;
using spectral::normal;
using spectral::Vector;
using Dense = spectral::Matrix;

namespace {

const Kernel gaussian("gaussian", {0.5});

Dense gram(const Dense& X) { return support::gram(gaussian, X, X); }

Dense applied(const Preconditioner& inverse, const Dense& R) {
  Dense out(R.rows(), R.cols());
  inverse.apply(view(R), view(out));
  return out;
}

std::vector<Index> all_of(Index n) {
  std::vector<Index> rows(static_cast<std::size_t>(n));
  std::iota(rows.begin(), rows.end(), Index(0));
  return rows;
}

}  // namespace

TEST(with_all_rows_it_is_the_inverse_up_to_a_part_of_the_shift) {
  for (const Index n : {1, 2, 7, 130}) {
    const Dense X = normal(n, 2, 1), R = normal(n, 3, 2);
    const Dense A = gram(X) + 0.1 * Dense::Identity(n, n);
    const NystromInverse inverse(gaussian, Points(view(X)), all_of(n), {}, 0.1);
    CHECK(inverse.size() == n && inverse.rank() == n);
    const Dense back = A * applied(inverse, R);
    CHECK((back - R).norm() <= 0.02 * R.norm());
  }
}

TEST(it_is_the_inverse_of_the_nystrom_approximation) {
  const Index n = 200, m = 20;
  const Dense X = normal(n, 2, 3), R = normal(n, 2, 4), K = gram(X);
  std::vector<double> roots;
  for (Index i = 0; i < n; ++i) roots.push_back(0.5 + 0.01 * static_cast<double>(i % 50));
  const Dense S = Eigen::Map<const Vector>(roots.data(), n).asDiagonal();
  const Dense C = S * K.leftCols(m), near = C * Dense(K.topLeftCorner(m, m).inverse() * C.transpose());
  const NystromInverse inverse(gaussian, Points(view(X)), all_of(m), roots, 0.3);
  const Dense back = (near + 0.3 * Dense::Identity(n, n)) * applied(inverse, R);
  CHECK((back - R).norm() <= 1e-3 * R.norm());
}

// Repeated rows make k(Z, Z) singular, and the largest eigenvalue is far above the shift.
TEST(it_stays_positive_definite_and_symmetric) {
  const Index n = 120;
  Dense X = 0.1 * normal(n, 2, 5);
  X.row(7) = X.row(8);
  for (const double shift : {NystromInverse::least_shift(n, 1.0), 1e-4, 1.0}) {
    const Dense M = applied(NystromInverse(gaussian, Points(view(X)), all_of(60), {}, shift), Dense::Identity(n, n));
    CHECK((M - M.transpose()).norm() <= 1e-8 * M.norm());
    const Vector values = Eigen::SelfAdjointEigenSolver<Dense>(Dense(0.5 * (M + M.transpose()))).eigenvalues();
    CHECK(values(0) > 0.0);
    CHECK(values(n - 1) <= 1.001 / shift);
  }
}

TEST(any_strides_and_any_number_of_threads) {
  const Dense X = normal(3000, 3, 6), R = normal(3000, 3, 7);
  const auto make = [&] {
    return NystromInverse(gaussian, Points(view(X)), nystrom_pivots(gaussian, Points(view(X)), 0.5), {}, 0.5);
  };
  CHECK(check::same_for_any_threads([&] { return applied(make(), R); }));
  const NystromInverse inverse = make();
  Dense turned = R.transpose(), out(3, 3000);
  inverse.apply(transposed(MatrixView<const double>(view(turned))), transposed(view(out)));
  CHECK(Dense(out.transpose()) == applied(inverse, R));
}

TEST(pivots_are_rows_as_many_as_the_shift_needs) {
  const Dense X = normal(5000, 2, 8);
  const std::vector<Index> few = nystrom_pivots(gaussian, Points(view(X)), 10.0),
                           many = nystrom_pivots(gaussian, Points(view(X)), 1e-3);
  CHECK(few.size() < many.size() && !few.empty());
  for (const std::vector<Index>& rows : {few, many}) {
    CHECK(std::is_sorted(rows.begin(), rows.end()));
    CHECK(std::adjacent_find(rows.begin(), rows.end()) == rows.end());
    CHECK(rows.front() >= 0 && rows.back() < 5000);
  }
}

TEST(shapes_are_checked) {
  const Dense X = normal(5, 2, 9), low = normal(4, 1, 10);
  const NystromInverse inverse(gaussian, Points(view(X)), all_of(3), {}, 1.0);
  CHECK_THROWS(std::invalid_argument, applied(inverse, low));
}

TEST_MAIN
