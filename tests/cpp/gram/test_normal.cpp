// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/normal.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/kernels/point_map.hpp"
#include "support/any_threads.hpp"
#include "support/check.hpp"
#include "support/kernel_samples.hpp"
#include "support/naive.hpp"
#include "support/sparse_copy.hpp"

using namespace gramian;

namespace {

using Numbers = std::vector<double>;

/// Points, centres, vectors, weights and targets, all standard normal; weights are squares, and one of them is 0.
template <class T>
struct Problem {
  Problem(Index n, Index m, Index d, Index r)
      : X(naive::normal<T>(n, d, 1)),
        C(naive::normal<T>(m, d, 2)),
        V(naive::normal<double>(m, r, 3)),
        Y(naive::normal<double>(n, r, 4)),
        weights(naive::normal<double>(n, 1, 5)) {
    for (double& w : weights.numbers) w *= w;
    if (n > 1) weights(1, 0) = 0.0;
  }
  naive::Matrix<T> X, C;
  naive::Matrix<double> V, Y, weights;
};

/// Kᵀ W (K V - Y) and the sums of the absolute values of its terms, which errors are measured by.
struct NaiveProduct {
  NaiveProduct(MatrixView<const double> K, MatrixView<const double> V, MatrixView<const double> w, MatrixView<const double> Y)
      : value(Matrix::filled(K.cols(), V.cols(), 0.0)), size(Matrix::filled(K.cols(), V.cols(), 1e-300)) {
    for (Index i = 0; i < K.rows(); ++i) {
      for (Index c = 0; c < V.cols(); ++c) {
        double t = Y.empty() ? 0.0 : -Y(i, c), s = std::fabs(t);
        for (Index j = 0; j < K.cols(); ++j) t += K(i, j) * V(j, c), s += std::fabs(K(i, j) * V(j, c));
        const double weight = w.empty() ? 1.0 : w(i, 0);
        for (Index j = 0; j < K.cols(); ++j) {
          value(j, c) += weight * K(i, j) * t;
          size(j, c) += weight * std::fabs(K(i, j)) * s;
        }
      }
    }
  }
  double error_of(MatrixView<const double> out) const {
    double worst = 0.0;
    for (Index j = 0; j < out.rows(); ++j) {
      for (Index c = 0; c < out.cols(); ++c) worst = std::fmax(worst, std::fabs(out(j, c) - value(j, c)) / size(j, c));
    }
    return worst;
  }
  Matrix value, size;
};

Matrix gram_of(const Kernel& kernel, const Points& X, const Points& C) {
  Matrix K(X.size(), C.size());
  full(kernel, X, C, K.view());
  return K;
}

void compare_products(const Kernel& kernel, const Points& X, const Points& C, const Problem<double>& p) {
  const Matrix K = gram_of(kernel, X, C);
  Matrix out(C.size(), p.V.view.cols());
  const MatrixView<const double> none;
  const MatrixView<const double> weights[] = {none, p.weights.view}, targets[] = {none, p.Y.view};
  for (const auto& w : weights) {
    for (const auto& Y : targets) {
      normal_product(kernel, X, C, p.V.view, w, Y, out.view());
      CHECK(NaiveProduct(K.view(), p.V.view, w, Y).error_of(out.view()) <= 1e-13);
    }
  }
}

void compare_systems(const Kernel& kernel, const Points& X, const Points& C, const Problem<double>& p) {
  const Matrix K = gram_of(kernel, X, C);
  const Index m = C.size(), r = p.Y.view.cols();
  Matrix square(m, m), right(m, r);
  for (const auto& w : {MatrixView<const double>(), MatrixView<const double>(p.weights.view)}) {
    normal_system(kernel, X, C, w, p.Y.view, square.view(), right.view());
    const NaiveProduct rights(K.view(), Matrix::filled(m, r, 0.0).view(), w, p.Y.view);
    Matrix negative(m, r);
    for (Index j = 0; j < m; ++j) {
      for (Index c = 0; c < r; ++c) negative(j, c) = -right(j, c);
    }
    CHECK(rights.error_of(negative.view()) <= 1e-13);
    bool near = true, symmetric = true;
    for (Index a = 0; a < m; ++a) {
      for (Index b = 0; b < m; ++b) {
        double sum = 0.0, size = 1e-300;
        for (Index i = 0; i < K.rows(); ++i) {
          const double term = (w.empty() ? 1.0 : w(i, 0)) * K(i, a) * K(i, b);
          sum += term, size += std::fabs(term);
        }
        near = near && std::fabs(square(a, b) - sum) <= 1e-13 * size;
        symmetric = symmetric && square(a, b) == square(b, a);
      }
    }
    CHECK(near);
    CHECK(symmetric);
  }
}

}  // namespace

TEST(all_kernels_give_the_double_loop) {
  const Problem<double> p(70, 25, 3, 2);
  for (const naive::Expression& sample : naive::all_samples(3)) {
    compare_products(naive::kernel_of(sample), p.X.view, p.C.view, p);
    compare_systems(naive::kernel_of(sample), p.X.view, p.C.view, p);
  }
}

TEST(sparse_points_give_the_double_loop) {
  const Problem<double> p(60, 21, 4, 3);
  const auto X = naive::sparse_of(p.X), C = naive::sparse_of(p.C);
  for (const naive::Expression& sample : naive::inner_product_samples()) {
    compare_products(naive::kernel_of(sample), X.rows(), C.rows(), p);
    compare_systems(naive::kernel_of(sample), X.rows(), C.rows(), p);
  }
}

TEST(all_sizes_give_the_double_loop) {
  const Kernel kernel("gaussian", {0.3});
  for (const Index n : {1, 47, 48, 49, 500, 1700}) {
    for (const Index m : {1, 191, 192, 193, 600}) {
      for (const Index r : {1, 7}) {
        const Problem<double> p(n, m, 3, r);
        compare_products(kernel, p.X.view, p.C.view, p);
      }
    }
  }
  const Problem<double> many(20000, 30, 2, 2), wide(300, 20, 700, 23);
  compare_products(kernel, many.X.view, many.C.view, many);
  compare_systems(kernel, many.X.view, many.C.view, many);
  compare_products(kernel, wide.X.view, wide.C.view, wide);
}

TEST(float32_errs_by_less_than_1e_6) {
  const Index n = 3000, m = 400, r = 2;
  const Problem<float> p(n, m, 5, r);
  const Kernel kernel("gaussian", {0.1});
  Matrix K(n, m), out(m, r), square(m, m), right(m, r);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < m; ++j) K(i, j) = naive::gaussian(p.X.view, i, p.C.view, j, 0.1);
  }
  const NaiveProduct exact(K.view(), p.V.view, p.weights.view, p.Y.view);
  normal_product(kernel, p.X.view, p.C.view, p.V.view, p.weights.view, p.Y.view, out.view());
  CHECK(exact.error_of(out.view()) <= 1e-6);
  normal_system(kernel, p.X.view, p.C.view, {}, p.Y.view, square.view(), right.view());
  for (const Index a : {0, 5, 399}) {
    double sum = 0.0;
    for (Index i = 0; i < n; ++i) sum += K(i, a) * K(i, 7);
    CHECK_NEAR(square(a, 7), sum, 1e-6 * sum);
  }
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const Kernel kernel("matern32", {0.7});
  const Problem<double> p(5000, 450, 3, 3);
  const Problem<float> q(5000, 450, 3, 3);
  const auto both = [&](const auto& problem) {
    Matrix out(450, 3), square(450, 450), right(450, 3);
    normal_product(kernel, problem.X.view, problem.C.view, problem.V.view, problem.weights.view, problem.Y.view, out.view());
    normal_system(kernel, problem.X.view, problem.C.view, problem.weights.view, problem.Y.view, square.view(), right.view());
    Numbers all(out.data(), out.data() + out.size());
    all.insert(all.end(), square.data(), square.data() + square.size());
    all.insert(all.end(), right.data(), right.data() + right.size());
    return all;
  };
  CHECK(check::same_for_any_threads([&] { return both(p); }));
  CHECK(check::same_for_any_threads([&] { return both(q); }));
}

TEST(rows_that_are_read_give_the_bits_of_rows_in_memory) {
  const Kernel kernel("gaussian", {0.2});
  const Index n = 20000, m = 40, r = 2;
  const Problem<double> p(n, m, 3, r);
  const Problem<float> q(n, m, 3, r);
  const auto compare = [&](const auto& problem) {
    Matrix memory(m, r), read(m, r), square(m, m), square_read(m, m), right(m, r), right_read(m, r);
    const StoredRows source(problem.X.view);
    const MatrixView<const double> V = problem.V.view, w = problem.weights.view, Y = problem.Y.view;
    normal_product(kernel, Points(problem.X.view), problem.C.view, V, w, Y, memory.view());
    normal_product(kernel, source, problem.C.view, V, w, Y, read.view());
    normal_system(kernel, Points(problem.X.view), problem.C.view, w, Y, square.view(), right.view());
    normal_system(kernel, source, problem.C.view, w, Y, square_read.view(), right_read.view());
    for (Index i = 0; i < memory.size(); ++i) CHECK_EQ(memory.data()[i], read.data()[i]);
    for (Index i = 0; i < square.size(); ++i) CHECK_EQ(square.data()[i], square_read.data()[i]);
    for (Index i = 0; i < right.size(); ++i) CHECK_EQ(right.data()[i], right_read.data()[i]);
  };
  compare(p);
  compare(q);
}

TEST(no_rows_give_zeros) {
  Problem<double> p(0, 4, 2, 3);
  Matrix out = Matrix::filled(4, 3, 5.0), square = Matrix::filled(4, 4, 5.0), right = Matrix::filled(4, 3, 5.0);
  const Kernel kernel("gaussian", {1.0});
  normal_product(kernel, p.X.view, p.C.view, p.V.view, {}, {}, out.view());
  normal_system(kernel, p.X.view, p.C.view, {}, p.Y.view, square.view(), right.view());
  for (Index i = 0; i < out.size(); ++i) CHECK(out.data()[i] == 0.0 && right.data()[i] == 0.0);
  for (Index i = 0; i < square.size(); ++i) CHECK_EQ(square.data()[i], 0.0);
}

TEST(strides_do_not_matter) {
  const Index n = 130, m = 30, r = 2;
  const Problem<double> p(n, m, 3, r);
  naive::Matrix<double> columns(3, n), out_columns(r, m), V_columns(r, m);
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < 3; ++k) columns(k, i) = p.X.view(i, k);
  }
  for (Index j = 0; j < m; ++j) {
    for (Index c = 0; c < r; ++c) V_columns(c, j) = p.V.view(j, c);
  }
  Matrix out(m, r);
  const Kernel kernel("gaussian", {0.4});
  normal_product(kernel, p.X.view, p.C.view, p.V.view, {}, p.Y.view, out.view());
  const MatrixView<const double> X(columns.numbers.data(), n, 3, 1, n), V(V_columns.numbers.data(), m, r, 1, m);
  normal_product(kernel, X, p.C.view, V, {}, p.Y.view, {out_columns.numbers.data(), m, r, 1, m});
  for (Index j = 0; j < m; ++j) {
    for (Index c = 0; c < r; ++c) CHECK_EQ(out(j, c), out_columns(c, j));
  }
}

TEST(bad_arguments_are_refused_by_name) {
  const Kernel kernel("gaussian", {1.0});
  Problem<double> p(3000, 5, 2, 2);
  Matrix out(5, 2), square(5, 5), right(5, 2), narrow(5, 1);
  const auto product = [&](const Points& C, MatrixView<const double> V, MatrixView<const double> w, MatrixView<const double> Y,
                           MatrixView<double> result) { normal_product(kernel, p.X.view, C, V, w, Y, result); };
  const auto text_of = [](const auto& f) {
    try {
      f();
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto says = [&](const std::string& word, const auto& f) { return text_of(f).find(word) != std::string::npos; };
  const Problem<float> other(10, 5, 2, 2);
  const Problem<double> wider(10, 5, 3, 2);
  CHECK(says("V is", [&] { product(p.C.view, p.Y.view, {}, {}, out.view()); }));
  CHECK(says("out is", [&] { product(p.C.view, p.V.view, {}, {}, narrow.view()); }));
  CHECK(says("Y is", [&] { product(p.C.view, p.V.view, {}, wider.Y.view, out.view()); }));
  CHECK(says("weights is", [&] { product(p.C.view, p.V.view, wider.weights.view, {}, out.view()); }));
  CHECK(says("type", [&] { product(other.C.view, p.V.view, {}, {}, out.view()); }));
  CHECK(says("3", [&] { product(wider.C.view, p.V.view, {}, {}, out.view()); }));
  CHECK(says("square is", [&] { normal_system(kernel, p.X.view, p.C.view, {}, p.Y.view, out.view(), right.view()); }));
  CHECK(says("right is", [&] { normal_system(kernel, p.X.view, p.C.view, {}, p.Y.view, square.view(), narrow.view()); }));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  p.X(2777, 1) = nan;
  CHECK(says("row 2777", [&] { product(p.C.view, p.V.view, {}, {}, out.view()); }));
  CHECK(says("row 2777", [&] { normal_system(kernel, p.X.view, p.C.view, {}, p.Y.view, square.view(), right.view()); }));
  p.X(2777, 1) = 0.0;
  p.weights(2900, 0) = -1.0;
  CHECK(says("weight of row 2900", [&] { product(p.C.view, p.V.view, p.weights.view, {}, out.view()); }));
  p.Y(5, 1) = nan;
  CHECK(says("Y has", [&] { product(p.C.view, p.V.view, {}, p.Y.view, out.view()); }));
  p.C(1, 1) = nan;
  CHECK(says("C has", [&] { product(p.C.view, p.V.view, {}, {}, out.view()); }));
}

TEST_MAIN
