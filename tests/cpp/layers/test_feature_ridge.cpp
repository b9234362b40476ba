// SPDX-License-Identifier: BSD-3-Clause
// Ridge regression in blocks of rows is that of all rows at once, by its formula.
#include "layers/feature_ridge.hpp"

#include <Eigen/LU>
#include <cmath>
#include <vector>

#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "base/view_ops.hpp"
#include "support/check.hpp"
#include "support/spectral.hpp"

using namespace gramian;
using gramian::view;
using Dense = spectral::Matrix;

namespace {

constexpr double shift = 0.3;

Dense of(const Matrix& A) { return Eigen::Map<const Dense>(A.data(), A.rows(), A.cols()); }

std::vector<double> some_roots(Index n) {
  std::vector<double> roots;
  for (Index i = 0; i < n; ++i) roots.push_back(0.5 + 0.25 * static_cast<double>(i % 4));
  return roots;
}

/// (ZᵀD^2 Z + shift I)^-1 ZᵀD^2 T.
Dense naive(const Dense& Z, const Dense& T, const std::vector<double>& roots) {
  const Eigen::VectorXd w = Eigen::Map<const Eigen::VectorXd>(roots.data(), Z.rows()).array().square();
  const Dense A = Z.transpose() * w.asDiagonal() * Z + shift * Dense::Identity(Z.cols(), Z.cols());
  return A.partialPivLu().solve(Z.transpose() * w.asDiagonal() * T);
}

double error(const Dense& a, const Dense& b) { return (a - b).cwiseAbs().maxCoeff(); }

}  // namespace

TEST(it_is_its_formula_with_and_without_weights) {
  const Dense Z = spectral::normal(50, 6, 1), T = spectral::normal(50, 3, 2);
  for (const bool weighted : {false, true}) {
    const std::vector<double> roots = weighted ? some_roots(50) : std::vector<double>(50, 1.0);
    FeatureRidge ridge;
    ridge.begin(6, 3);
    ridge.add(view(Z), weighted ? roots.data() : nullptr, view(T));
    CHECK_EQ(ridge.solve(shift), 0.0);
    const Dense expected = naive(Z, T, roots);
    CHECK(error(of(ridge.W()), expected) < 1e-12);
    CHECK(error(of(ridge.W()), expected * 1.01) > 1e-6);
    CHECK_EQ(ridge.factor().rows(), 6);
  }
}

TEST(sums_from_elsewhere_are_solved_as_rows_are) {
  const Dense Z = spectral::normal(50, 6, 1), T = spectral::normal(50, 3, 2);
  Dense square = Z.transpose() * Z;
  const Dense right = Z.transpose() * T;
  square.triangularView<Eigen::StrictlyUpper>().setConstant(7.0);  // is not read
  FeatureRidge ridge;
  ridge.begin(Matrix::copy_of(view(square)), Matrix::copy_of(view(right)));
  CHECK_EQ(ridge.features(), 6);
  CHECK_EQ(ridge.solve(shift), 0.0);
  CHECK(error(of(ridge.W()), naive(Z, T, std::vector<double>(50, 1.0))) < 1e-12);
}

TEST(labels_are_rows_of_unit_vectors) {
  const Index n = 1300;  // more than one piece
  const Dense Z = spectral::normal(n, 5, 3);
  const std::vector<double> roots = some_roots(n);
  Dense T = Dense::Zero(n, 3);
  std::vector<Index> labels;
  for (Index i = 0; i < n; ++i) {
    labels.push_back((i * i) % 3);
    T(i, labels.back()) = 1.0;
  }
  for (const double* by : {static_cast<const double*>(nullptr), roots.data()}) {
    FeatureRidge one, other;
    one.begin(5, 3), other.begin(5, 3);
    one.add_labels(view(Z), by, labels.data());
    other.add(view(Z), by, view(T));
    one.solve(shift), other.solve(shift);
    CHECK(error(of(one.W()), of(other.W())) < 1e-13);
  }
}

TEST(blocks_copies_and_used_memory_do_not_show) {
  const Dense Z = spectral::normal(40, 4, 5), T = spectral::normal(40, 2, 6);
  FeatureRidge ridge;
  ridge.begin(7, 1);  // another system before
  ridge.begin(4, 2);
  for (Index first = 0; first < 40; first += 10) {
    ridge.add(part(view(Z), first, 10, 0, 4), nullptr, part(view(T), first, 10, 0, 2));
  }
  FeatureRidge copy = ridge.copy();
  ridge.solve(5.0);
  copy.solve(shift);
  CHECK(error(of(copy.W()), naive(Z, T, std::vector<double>(40, 1.0))) < 1e-12);
  CHECK(error(of(ridge.W()), of(copy.W())) > 1e-6);
}

TEST(a_singular_system_gets_jitter_or_is_refused) {
  Dense Z = spectral::normal(20, 3, 7);
  Z.col(2) = Z.col(1);
  const Dense T = spectral::normal(20, 1, 8);
  FeatureRidge ridge;
  ridge.begin(3, 1);
  ridge.add(view(Z), nullptr, view(T));
  FeatureRidge strict = ridge.copy();
  CHECK(ridge.solve(0.0) >= 0.0);
  CHECK_THROWS(NumericalError, strict.solve(-1.0, {0.0}));
}

TEST(the_same_bits_for_any_number_of_threads) {
  const Dense Z = spectral::normal(9000, 20, 9);
  std::vector<Index> labels;
  for (Index i = 0; i < 9000; ++i) labels.push_back(i % 4);
  Dense first;
  for (const int threads : {1, 2, 7}) {
    set_num_threads(threads);
    FeatureRidge ridge;
    ridge.begin(20, 4);
    ridge.add_labels(view(Z), nullptr, labels.data());
    ridge.solve(shift);
    if (threads == 1) first = of(ridge.W());
    CHECK((of(ridge.W()).array() == first.array()).all());
  }
  set_num_threads(0);
}

TEST_MAIN
