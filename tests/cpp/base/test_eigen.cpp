// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/eigen.hpp"

#include <Eigen/Core>
#include <type_traits>
#include <utility>
#include <vector>

#include "gramian/base/view.hpp"
#include "support/check.hpp"

namespace {

using gramian::as_eigen;
using gramian::MatrixView;
using gramian::view;
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using AnyStride = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;

/// Entry (i, j) is 100 i + j, so that a swapped stride cannot go unseen.
template <class M>
M numbered(Eigen::Index rows, Eigen::Index cols) {
  M A(rows, cols);
  for (Eigen::Index i = 0; i < rows; ++i) {
    for (Eigen::Index j = 0; j < cols; ++j) A(i, j) = static_cast<typename M::Scalar>(100 * i + j);
  }
  return A;
}

template <class T, class E>
bool same(MatrixView<T> seen, const Eigen::DenseBase<E>& wanted) {
  if (seen.rows() != wanted.rows() || seen.cols() != wanted.cols()) return false;
  for (Eigen::Index i = 0; i < wanted.rows(); ++i) {
    for (Eigen::Index j = 0; j < wanted.cols(); ++j) {
      if (seen(i, j) != wanted.derived().coeff(i, j)) return false;
    }
  }
  return true;
}

template <class E, class = void>
struct Accepted : std::false_type {};
template <class E>
struct Accepted<E, std::void_t<decltype(view(std::declval<E>()))>> : std::true_type {};

template <class E>
using Viewed = decltype(view(std::declval<E>()));

void fill(MatrixView<double> out, double value) {
  for (gramian::Index i = 0; i < out.rows(); ++i) {
    for (gramian::Index j = 0; j < out.cols(); ++j) out(i, j) = value;
  }
}

}  // namespace

TEST(both_storage_orders_and_scalars) {
  auto column_major = numbered<Eigen::MatrixXd>(4, 3);
  auto row_major = numbered<RowMatrix>(4, 3);
  auto single = numbered<Eigen::MatrixXf>(4, 3);
  auto array = numbered<Eigen::ArrayXXd>(4, 3);
  auto fixed = numbered<Eigen::Matrix<double, 4, 3, Eigen::RowMajor>>(4, 3);
  CHECK(same(view(column_major), column_major));
  CHECK(same(view(row_major), row_major));
  CHECK(same(view(single), single));
  CHECK(same(view(array), array));
  CHECK(same(view(fixed), fixed));
  CHECK_EQ(view(row_major).col_stride(), 1);
  CHECK_EQ(view(column_major).row_stride(), 1);
}

TEST(blocks_rows_columns_and_transposes) {
  auto A = numbered<Eigen::MatrixXd>(6, 5);
  auto B = numbered<RowMatrix>(6, 5);
  CHECK(same(view(A.block(1, 2, 3, 2)), A.block(1, 2, 3, 2)));
  CHECK(same(view(B.block(1, 2, 3, 2)), B.block(1, 2, 3, 2)));
  CHECK(same(view(B.rightCols(2)), B.rightCols(2)));
  CHECK(same(view(A.row(2)), A.row(2)));
  CHECK(same(view(A.col(2)), A.col(2)));
  CHECK(same(view(B.col(2)), B.col(2)));
  CHECK(same(view(A.transpose()), A.transpose()));
  CHECK(same(view(B.transpose()), B.transpose()));
  CHECK(same(view(B.transpose().block(1, 1, 3, 4)), B.transpose().block(1, 1, 3, 4)));
  CHECK(same(view(A.array()), A.array()));
}

TEST(maps_and_refs_of_any_stride) {
  std::vector<double> memory(60);
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<double>(i);
  Eigen::Map<Eigen::MatrixXd, Eigen::Unaligned, AnyStride> gaps(memory.data(), 4, 3, AnyStride(15, 2));
  CHECK(same(view(gaps), gaps));
  Eigen::Map<RowMatrix, Eigen::Unaligned, AnyStride> backwards(memory.data() + 59, 4, 3, AnyStride(-15, -2));
  CHECK(same(view(backwards), backwards));
  auto A = numbered<Eigen::MatrixXd>(6, 5);
  Eigen::Ref<Eigen::MatrixXd> part(A.topRows(3));
  CHECK(same(view(part), A.topRows(3)));
  const Eigen::Ref<const Eigen::MatrixXd> copied(A + A);
  CHECK(same(view(copied), (2 * A).eval()));
}

TEST(vectors_are_one_column) {
  auto v = numbered<Eigen::VectorXd>(5, 1);
  CHECK(same(view(v), v));
  CHECK_EQ(view(v).rows(), 5);
  CHECK_EQ(view(v).cols(), 1);
  CHECK_EQ(view(v).row_stride(), 1);
  CHECK_EQ(view(v).col_stride(), 1);
  auto spread = numbered<RowMatrix>(5, 3);
  CHECK_EQ(view(spread.col(1)).row_stride(), 3);
  Eigen::RowVectorXd row = v.transpose();
  CHECK_EQ(view(row).rows(), 1);
  CHECK(same(view(row.transpose()), v));
}

TEST(empty_objects) {
  Eigen::MatrixXd none(0, 3);
  CHECK(view(none).empty());
  CHECK_EQ(view(none).cols(), 3);
  CHECK_EQ(as_eigen(view(none)).rows(), 0);
  CHECK_EQ(as_eigen(MatrixView<double>()).size(), 0);
}

TEST(a_view_may_write_where_the_object_may) {
  using Map = Eigen::Map<Eigen::MatrixXd>;
  using Block = Eigen::Block<Eigen::MatrixXd>;
  CHECK((std::is_same_v<Viewed<Eigen::MatrixXd&>, MatrixView<double>>));
  CHECK((std::is_same_v<Viewed<const Eigen::MatrixXd&>, MatrixView<const double>>));
  CHECK((std::is_same_v<Viewed<const Eigen::ArrayXXf&>, MatrixView<const float>>));
  CHECK((std::is_same_v<Viewed<Map>, MatrixView<double>>));
  CHECK((std::is_same_v<Viewed<Block>, MatrixView<double>>));
  CHECK((std::is_same_v<Viewed<Eigen::Ref<Eigen::MatrixXd>>, MatrixView<double>>));
  CHECK((std::is_same_v<Viewed<Eigen::Transpose<Eigen::MatrixXd>>, MatrixView<double>>));
  CHECK((std::is_same_v<Viewed<Eigen::Map<const Eigen::MatrixXd>>, MatrixView<const double>>));
  CHECK((std::is_same_v<Viewed<Eigen::Block<const Eigen::MatrixXd>>, MatrixView<const double>>));
  CHECK((std::is_same_v<Viewed<const Eigen::Ref<const Eigen::MatrixXd>&>, MatrixView<const double>>));
}

TEST(what_has_no_memory_of_its_own_is_refused) {
  using Matrix = Eigen::MatrixXd;
  CHECK(Accepted<Matrix&>::value);
  CHECK(!Accepted<Matrix>::value);
  CHECK(!Accepted<const Matrix>::value);
  CHECK(!Accepted<Eigen::ArrayXXf>::value);
  CHECK(!Accepted<Eigen::Ref<const Matrix>>::value);
  CHECK(!(Accepted<decltype(std::declval<Matrix&>() + std::declval<Matrix&>())>::value));
  CHECK(!(Accepted<decltype(std::declval<Matrix&>() * std::declval<Matrix&>())>::value));
  CHECK(!Accepted<Eigen::MatrixXi&>::value);
  CHECK(!Accepted<Eigen::MatrixXcd&>::value);
  CHECK(!Accepted<int>::value);
}

TEST(writing_through_a_view_changes_the_object) {
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(4, 4);
  fill(view(A.block(1, 1, 2, 2)), 3.0);
  CHECK_EQ(A.sum(), 12.0);
  CHECK_EQ(A(1, 2), 3.0);
  CHECK_EQ(A(0, 1), 0.0);
  fill(view(A.transpose().row(3)), 5.0);
  CHECK_EQ(A(0, 3), 5.0);
  CHECK_EQ(A(3, 0), 0.0);
}

TEST(and_back) {
  auto A = numbered<Eigen::MatrixXd>(5, 4);
  auto B = numbered<RowMatrix>(5, 4);
  CHECK((as_eigen(view(A)) == A));
  CHECK((as_eigen(view(B)) == B));
  CHECK((as_eigen(view(A.block(1, 1, 3, 2))) == A.block(1, 1, 3, 2)));
  CHECK(same(view(as_eigen(view(A.transpose()))), A.transpose()));
  CHECK((std::is_same_v<decltype(view(as_eigen(view(A)))), MatrixView<double>>));
  as_eigen(view(A)).row(2).setConstant(-1.0);
  CHECK_EQ(A(2, 3), -1.0);
  const Eigen::MatrixXd& fixed = A;
  CHECK((as_eigen(view(fixed)) == A));
  CHECK((std::is_same_v<decltype(view(as_eigen(view(fixed)))), MatrixView<const double>>));
  const MatrixView<const double> reading = view(A);
  CHECK((as_eigen(reading) == A));
}

TEST_MAIN
