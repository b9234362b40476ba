// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/pivots.hpp"

#include <algorithm>
#include <cmath>

namespace gramian {
namespace {

/// A -= its column `pivot` times `row`; squares: of what is left, summed column by column.
void subtract_pivot(MatrixView<double> A, Index pivot, const double* row, double* squares) {
  const Index cols = A.cols();
  for (Index j = 0; j < cols; ++j) squares[j] = 0.0;
  for (Index i = 0; i < A.rows(); ++i) {
    double* a = &A(i, 0);
    const double entry = a[pivot];
    for (Index j = 0; j < cols; ++j) {
      a[j] -= entry * row[j];
      squares[j] += a[j] * a[j];
    }
  }
}

}  // namespace

ChosenPivots keep_candidates(MatrixView<const double> left, double smallest,
                             const std::function<bool(double left, double entry)>& accepts) {
  const auto count = static_cast<std::size_t>(left.rows());
  const auto entry = [&](std::size_t i, std::size_t j) { return left(static_cast<Index>(i), static_cast<Index>(j)); };
  ChosenPivots chosen;
  chosen.stride = count;
  chosen.factor.assign(count * count, 0.0);
  std::vector<double> row(count);  // the candidate in terms of those that were kept
  for (std::size_t c = 0; c < count; ++c) {
    double rest = entry(c, c);
    for (std::size_t k = 0; k < chosen.kept.size(); ++k) {
      const double* factor = chosen.factor.data() + k * count;
      double sum = entry(c, chosen.kept[k]);
      for (std::size_t j = 0; j < k; ++j) sum -= row[j] * factor[j];
      row[k] = sum / factor[k];
      rest -= row[k] * row[k];
    }
    if (!accepts(rest, entry(c, c)) || !(rest > smallest)) continue;
    double* own = chosen.factor.data() + chosen.kept.size() * count;
    std::copy_n(row.data(), chosen.kept.size(), own);
    own[chosen.kept.size()] = std::sqrt(rest);
    chosen.kept.push_back(c);
  }
  return chosen;
}

std::vector<std::size_t> best_candidates(MatrixView<double> left, MatrixView<double> rows, double weight, std::size_t wanted,
                                         double smallest) {
  const Index count = left.rows();
  std::vector<std::size_t> chosen;
  std::vector<double> row(static_cast<std::size_t>(count), 0.0), own(row), squares(row);
  subtract_pivot(rows, 0, row.data(), squares.data());  // of a row of zeros: the squares alone
  while (chosen.size() < wanted) {
    Index best = -1;
    double most = 0.0;
    for (Index c = 0; c < count; ++c) {
      const double entry = left(c, c);
      const double gain = entry + weight * squares[static_cast<std::size_t>(c)] / entry;
      if (!(entry > smallest) || (best >= 0 && !(gain > most))) continue;
      most = gain;
      best = c;
    }
    if (best < 0) break;
    chosen.push_back(static_cast<std::size_t>(best));
    for (Index c = 0; c < count; ++c) row[static_cast<std::size_t>(c)] = left(best, c) / left(best, best);
    subtract_pivot(left, best, row.data(), own.data());
    left(best, best) = 0.0;
    subtract_pivot(rows, best, row.data(), squares.data());
  }
  return chosen;
}

}  // namespace gramian
