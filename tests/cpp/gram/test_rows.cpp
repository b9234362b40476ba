// SPDX-License-Identifier: BSD-3-Clause
#include "gram/rows.hpp"

#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "gramian/gram/full.hpp"
#include "support/check.hpp"
#include "support/naive.hpp"

using namespace gramian;

namespace {

/// One sample in the three forms that a source has.
struct Forms {
  explicit Forms(Index n, Index d) : dense(naive::normal<double>(n, d, 11)), inner(n, n) {
    row_start.push_back(0);
    for (Index i = 0; i < n; ++i) {
      for (Index k = 0; k < d; ++k) columns.push_back(k), values.push_back(dense(i, k));
      row_start.push_back((i + 1) * d);
      for (Index j = 0; j < n; ++j) {
        for (Index k = 0; k < d; ++k) inner(i, j) += dense(i, k) * dense(j, k);
      }
    }
  }
  std::vector<PointSource> sources() const {
    const SparseRows<double> rows{dense.view.rows(), dense.view.cols(), row_start.data(), columns.data(), values.data()};
    return {Points(dense.view), Points(rows), InnerProducts<double>(inner.view)};
  }
  naive::Matrix<double> dense, inner;
  std::vector<Index> row_start, columns;
  std::vector<double> values;
};

Matrix gram(const Kernel& kernel, const PointSource& X) {
  Matrix K(X.size(), X.size());
  X.inner() ? full(kernel, X.products(), K.view()) : full(kernel, X.points(), K.view());
  return K;
}

const Kernel kernel("gaussian", {0.3});
const std::vector<Index> some = {5, 0, 3, 3};

}  // namespace

TEST(picked_rows_are_the_rows_that_were_asked_for) {
  const Forms forms(7, 3);
  for (const PointSource& source : forms.sources()) {
    const Matrix all = gram(kernel, source);
    PickedRows picked(source, {1});
    picked.take(source, some);
    const PickedRows moved = std::move(picked);
    CHECK_EQ(moved.size(), 4);
    const Matrix K = gram(kernel, moved.source());
    for (Index i = 0; i < 4; ++i) {
      for (Index j = 0; j < 4; ++j) {
        CHECK_NEAR(K(i, j), all(some[static_cast<std::size_t>(i)], some[static_cast<std::size_t>(j)]), 1e-14);
      }
    }
  }
}

TEST(picked_pairs_are_a_block_of_the_gram_matrix) {
  const Forms forms(7, 3);
  const std::vector<Index> supports = {6, 2};
  for (const PointSource& source : forms.sources()) {
    const Matrix all = gram(kernel, source);
    const PickedPairs pairs(source, some, supports), every(source, {}, supports);
    Matrix K(4, 2), V(2, 1), KV(4, 1), U(4, 1), KtU(2, 1), whole(7, 2);
    pairs.full(kernel, K.view());
    every.full(kernel, whole.view());
    for (Index i = 0; i < 4; ++i) U(i, 0) = static_cast<double>(i) - 1.5;
    V(0, 0) = 0.5, V(1, 0) = -2.0;
    pairs.product(kernel, V.view(), KV.view());
    pairs.transposed(kernel, U.view(), KtU.view());
    double forward = 0.0, back = 0.0;
    for (Index i = 0; i < 4; ++i) {
      for (Index j = 0; j < 2; ++j) {
        CHECK_NEAR(K(i, j), all(some[static_cast<std::size_t>(i)], supports[static_cast<std::size_t>(j)]), 1e-14);
        CHECK_NEAR(whole(i, j), all(i, supports[static_cast<std::size_t>(j)]), 1e-14);
      }
      CHECK_NEAR(KV(i, 0), 0.5 * K(i, 0) - 2.0 * K(i, 1), 1e-14);
      forward += U(i, 0) * KV(i, 0);
    }
    for (Index j = 0; j < 2; ++j) back += V(j, 0) * KtU(j, 0);
    CHECK_NEAR(forward, back, 1e-13);
  }
}

TEST(neighbouring_points_are_seen_and_not_copied) {
  const Forms forms(7, 3);
  const std::vector<PointSource> sources = forms.sources();
  CHECK_EQ(rows_of(sources[0].points(), 2, 3).float64().data(), &forms.dense.view(2, 0));
  for (std::size_t form = 0; form < 2; ++form) {
    const Matrix rows = dense_copy(rows_of(sources[form].points(), 2, 3));
    for (Index i = 0; i < 3; ++i) {
      for (Index k = 0; k < 3; ++k) CHECK_EQ(rows(i, k), forms.dense.view(i + 2, k));
    }
  }
  CHECK_THROWS(std::invalid_argument, rows_of(sources[0].points(), 5, 3));
}

TEST(a_subsample_is_ascending_and_without_repetition) {
  CHECK_EQ(some_rows(3).size(), std::size_t(3));
  const std::vector<Index> rows = some_rows(5000, 100);
  const std::set<Index> different(rows.begin(), rows.end());
  CHECK_EQ(different.size(), std::size_t(100));
  CHECK(std::vector<Index>(different.begin(), different.end()) == rows);
  CHECK(*different.begin() >= 0 && *different.rbegin() < 5000);
  CHECK(rows == some_rows(5000, 100));
}

TEST(points_are_the_same_where_they_share_their_memory) {
  const Forms forms(6, 2), others(6, 2);
  const auto all = forms.sources(), copies = others.sources();
  const Points dense = all[0].points(), sparse = all[1].points();
  CHECK(same_points(dense, dense) && same_points(sparse, sparse));
  CHECK(!same_points(dense, sparse) && !same_points(dense, copies[0].points()) && !same_points(sparse, copies[1].points()));
  CHECK(!same_points(dense, rows_of(dense, 0, 5)));
  const std::vector<float> single(12);
  const Points narrow(MatrixView<const float>(single.data(), 6, 2));
  CHECK(!same_points(narrow, narrow));
}

TEST_MAIN
