// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/inner_product.hpp"

#include <algorithm>
#include <vector>

#include "gramian/base/parallel.hpp"

namespace gramian {
namespace {

constexpr Index numbers_in_block = Index(1) << 15;
constexpr double seconds_per_number = 0.3e-9;

double block_product(MatrixView<const double> A, MatrixView<const double> B, Index first, Index last) {
  const auto contiguous = [](MatrixView<const double> V) { return V.col_stride() == 1 && V.row_stride() == V.cols(); };
  if (contiguous(A) && contiguous(B)) return inner_product(&A(first, 0), &B(first, 0), (last - first) * A.cols());
  double sum = 0.0;
  for (Index i = first; i < last; ++i) {
    if (A.col_stride() == 1 && B.col_stride() == 1) {
      sum += inner_product(&A(i, 0), &B(i, 0), A.cols());
    } else {
      for (Index k = 0; k < A.cols(); ++k) sum += A(i, k) * B(i, k);
    }
  }
  return sum;
}

}  // namespace

double inner_product(MatrixView<const double> A, MatrixView<const double> B) {
  if (A.empty()) return 0.0;
  const Index rows = std::max<Index>(1, numbers_in_block / A.cols()), blocks = (A.rows() + rows - 1) / rows;
  if (blocks == 1) return block_product(A, B, 0, A.rows());
  std::vector<double> sums(static_cast<std::size_t>(blocks));
  parallel_for(blocks, static_cast<double>(numbers_in_block) * seconds_per_number, [&](Index block, int) {
    sums[static_cast<std::size_t>(block)] = block_product(A, B, block * rows, std::min(A.rows(), (block + 1) * rows));
  });
  double sum = 0.0;
  for (const double part : sums) sum += part;
  return sum;
}

}  // namespace gramian
