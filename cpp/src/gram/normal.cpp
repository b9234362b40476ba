// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/normal.hpp"

#include <string>
#include <type_traits>
#include <vector>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gram/fused_product.hpp"
#include "gram/gram_block.hpp"
#include "gram/normal_accumulator.hpp"
#include "gram/row_chunks.hpp"
#include "gramian/base/error.hpp"
#include "gramian/linalg/gemm.hpp"

namespace gramian {
namespace {

void require_fit(const Points& X, const Points& C) { require_alike(X, C); }
void require_fit(const RowSource& X, const Points& C) {
  require(!C.sparse(), "C is sparse: rows that are read a block at a time take dense centres");
  require(X.dimension() == C.dimension(), "X has " + std::to_string(X.dimension()) + " features, C has " +
                                              std::to_string(C.dimension()) + ": they must be the same");
}

/// A product from stored blocks of K: of sparse points, and of kernels on images.
class StoredProduct {
 public:
  StoredProduct(const Kernel& kernel, const Points& C, MatrixView<const double> V) : gram_(kernel, C), V_(V) {}

  void add(const Points& X, MatrixView<const double> weights, MatrixView<const double> Y, Index first_row,
           MatrixView<double> out) {
    const MatrixView<const double> K = gram_.take(X, first_row);
    const MatrixView<double> T = room_.take(X.size(), V_.cols());
    gemm(1.0, K, V_, 0.0, T);
    for_entries(T, [&](Index i, Index c) {
      const double difference = Y.empty() ? T(i, c) : T(i, c) - Y(i, c);
      T(i, c) = weights.empty() ? difference : weights(i, 0) * difference;
    });
    gemm(1.0, transposed(K), T, 1.0, out);
  }

 private:
  GramBlock gram_;
  MatrixView<const double> V_;
  Room room_;
};

template <class Rows>
void stored_product(const Kernel& kernel, const Rows& X, const Points& C, MatrixView<const double> V,
                    MatrixView<const double> weights, MatrixView<const double> Y, MatrixView<double> out) {
  constexpr Index chunk = 1536;
  fill_zero(out);
  StoredProduct product(kernel, C, V);
  for_chunks(X, chunk, C.scalar(), [&](const Points& some, Index first) {
    product.add(some, some_weights(weights, first, some.size()), some_targets(Y, first, some.size()), first, out);
  });
}

template <class T>
MatrixView<const T> dense_rows(const Points& points) {
  if constexpr (std::is_same_v<T, double>) return points.float64();
  if constexpr (std::is_same_v<T, float>) return points.float32();
}

template <class T, class Rows>
void fused_product(const Kernel& kernel, const Rows& X, MatrixView<const T> C, MatrixView<const double> V,
                   MatrixView<const double> weights, MatrixView<const double> Y, MatrixView<double> out) {
  FusedProduct<T> product(kernel, C, V, X.size());
  for_chunks(X, product.chunk_rows(), Points(C).scalar(), [&](const Points& some, Index first) {
    product.add(dense_rows<T>(some), some_weights(weights, first, some.size()), some_targets(Y, first, some.size()), first);
  });
  product.write(out);
}

template <class Rows>
void product_of(const Kernel& kernel, const Rows& X, const Points& C, MatrixView<const double> V,
                MatrixView<const double> weights, MatrixView<const double> Y, MatrixView<double> out) {
  require_fit(X, C);
  require_rows(V.rows(), V.cols(), C.size(), "V");
  require_shape(out, C.size(), V.cols(), "out");
  require_weights_and_targets(weights, Y, X.size(), Y.empty() ? 0 : V.cols());
  require_finite(V, "V");
  if (out.empty()) return;
  if (!has_centre_tiles(kernel, C)) return stored_product(kernel, X, C, V, weights, Y, out);
  C.scalar() == Scalar::float64 ? fused_product(kernel, X, C.float64(), V, weights, Y, out)
                                : fused_product(kernel, X, C.float32(), V, weights, Y, out);
}

template <class Rows>
void system_of(const Kernel& kernel, const Rows& X, const Points& C, MatrixView<const double> weights, MatrixView<const double> Y,
               MatrixView<double> square, MatrixView<double> right) {
  require_fit(X, C);
  require_weights_and_targets(weights, Y, X.size(), Y.cols());
  require_shape(square, C.size(), C.size(), "square");
  if (Y.cols() > 0 || !right.empty()) require_shape(right, C.size(), Y.cols(), "right");
  NormalAccumulator sum(kernel, C, Y.cols());
  for_chunks(X, sum.chunk_rows(), C.scalar(), [&](const Points& some, Index first) {
    sum.add(some, some_weights(weights, first, some.size()), some_targets(Y, first, some.size()), first);
  });
  std::vector<double> y_square;
  sum.write(square, right, y_square);
}

}  // namespace

void normal_product(const Kernel& kernel, const Points& X, const Points& C, MatrixView<const double> V,
                    MatrixView<const double> weights, MatrixView<const double> Y, MatrixView<double> out) {
  product_of(kernel, X, C, V, weights, Y, out);
}
void normal_product(const Kernel& kernel, const RowSource& X, const Points& C, MatrixView<const double> V,
                    MatrixView<const double> weights, MatrixView<const double> Y, MatrixView<double> out) {
  product_of(kernel, X, C, V, weights, Y, out);
}

void normal_system(const Kernel& kernel, const Points& X, const Points& C, MatrixView<const double> weights,
                   MatrixView<const double> Y, MatrixView<double> square, MatrixView<double> right) {
  system_of(kernel, X, C, weights, Y, square, right);
}
void normal_system(const Kernel& kernel, const RowSource& X, const Points& C, MatrixView<const double> weights,
                   MatrixView<const double> Y, MatrixView<double> square, MatrixView<double> right) {
  system_of(kernel, X, C, weights, Y, square, right);
}

}  // namespace gramian
