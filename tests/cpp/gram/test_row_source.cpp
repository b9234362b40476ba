// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/row_source.hpp"

#include <stdexcept>

#include "gramian/base/matrix.hpp"
#include "gramian/gram/normal.hpp"
#include "support/check.hpp"
#include "support/naive.hpp"
#include "support/sparse_copy.hpp"

using namespace gramian;

namespace {

void compare_with(const RowSource& source, const naive::Matrix<double>& X) {
  CHECK_EQ(source.size(), X.view.rows());
  CHECK_EQ(source.dimension(), X.view.cols());
  Matrix out(3, X.view.cols());
  source.read(4, out.view());
  for (Index i = 0; i < 3; ++i) {
    for (Index k = 0; k < out.cols(); ++k) CHECK_EQ(out(i, k), X.view(4 + i, k));
  }
  CHECK_THROWS(std::invalid_argument, source.read(source.size() - 2, out.view()));
  CHECK_THROWS(std::invalid_argument, source.read(-1, out.view()));
  Matrix narrow(3, X.view.cols() - 1);
  CHECK_THROWS(std::invalid_argument, source.read(0, narrow.view()));
}

/// Reads in ascending order, and throws at one row.
class Counted final : public RowSource {
 public:
  Counted(MatrixView<const double> X, Index fails_at) : rows_(X), fails_at_(fails_at) {}
  Index size() const override { return rows_.size(); }
  Index dimension() const override { return rows_.dimension(); }
  void read(Index first, MatrixView<double> out) const override {
    CHECK_EQ(first, read_);
    read_ = first + out.rows();
    if (read_ > fails_at_) throw std::runtime_error("the file has ended");
    rows_.read(first, out);
  }
  Index rows_read() const { return read_; }

 private:
  StoredRows rows_;
  Index fails_at_;
  mutable Index read_ = 0;
};

}  // namespace

TEST(stored_rows_are_those_of_the_points) {
  const auto X = naive::normal<double>(9, 3, 1);
  const auto sparse = naive::sparse_of(X);
  naive::Matrix<float> narrow(9, 3);
  naive::Matrix<double> widened(9, 3);
  for (Index i = 0; i < 9; ++i) {
    for (Index k = 0; k < 3; ++k) narrow(i, k) = static_cast<float>(X.view(i, k)), widened(i, k) = narrow(i, k);
  }
  const auto sparse32 = naive::sparse_of(narrow);
  compare_with(StoredRows(X.view), X);
  compare_with(StoredRows(sparse.rows()), X);
  compare_with(StoredRows(narrow.view), widened);
  compare_with(StoredRows(sparse32.rows()), widened);
}

TEST(a_column_out_of_range_is_refused) {
  const Index start[] = {0, 1}, columns[] = {2};
  const double values[] = {1.0};
  Matrix out(1, 2);
  CHECK_THROWS(std::invalid_argument, StoredRows(SparseRows<double>{1, 2, start, columns, values}).read(0, out.view()));
}

TEST(each_row_is_read_once_and_in_order) {
  const auto X = naive::normal<double>(40000, 2, 1), C = naive::normal<double>(5, 2, 2), V = naive::normal<double>(5, 1, 3);
  const Kernel kernel("gaussian", {1.0});
  Matrix out(5, 1), square(5, 5);
  const Counted product(X.view, 40000), system(X.view, 40000);
  normal_product(kernel, product, C.view, V.view, {}, {}, out.view());
  normal_system(kernel, system, C.view, {}, {}, square.view(), {});
  CHECK_EQ(product.rows_read(), 40000);
  CHECK_EQ(system.rows_read(), 40000);
}

TEST(what_a_source_throws_reaches_the_caller) {
  const auto X = naive::normal<double>(40000, 2, 1), C = naive::normal<double>(5, 2, 2), V = naive::normal<double>(5, 1, 3);
  const Kernel kernel("gaussian", {1.0});
  Matrix out(5, 1), square(5, 5);
  const Counted product(X.view, 30000), system(X.view, 30000);
  CHECK_THROWS(std::runtime_error, normal_product(kernel, product, C.view, V.view, {}, {}, out.view()));
  CHECK_THROWS(std::runtime_error, normal_system(kernel, system, C.view, {}, {}, square.view(), {}));
}

TEST(a_source_takes_dense_centres_of_its_dimension) {
  const auto X = naive::normal<double>(10, 2, 1), C = naive::normal<double>(5, 2, 2), V = naive::normal<double>(5, 1, 3),
             wide = naive::normal<double>(5, 3, 4);
  const auto sparse = naive::sparse_of(C);
  const Kernel kernel("gaussian", {1.0});
  Matrix out(5, 1);
  const StoredRows source(X.view);
  CHECK_THROWS(std::invalid_argument, normal_product(kernel, source, sparse.rows(), V.view, {}, {}, out.view()));
  CHECK_THROWS(std::invalid_argument, normal_product(kernel, source, wide.view, V.view, {}, {}, out.view()));
}

TEST_MAIN
