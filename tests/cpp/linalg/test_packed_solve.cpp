// SPDX-License-Identifier: BSD-3-Clause
// Systems in their packed form: one vector and several, and a matrix that comes in tiles.
#include "linalg/packed_solve.hpp"

#include <cmath>
#include <vector>

#include "linalg/factorize.hpp"
#include "support/check.hpp"
#include "support/naive.hpp"

using namespace gramian;
using Numbers = naive::Matrix<double>;

namespace {

Numbers copy_of(const Numbers& A) {
  Numbers out(A.view.rows(), A.view.cols());
  out.numbers = A.numbers;
  return out;
}

/// Well conditioned, with a triangle that is not smooth.
Numbers positive_definite(Index n) {
  Numbers A = naive::normal<double>(n, n, 31);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < i; ++j) A(i, j) = A(j, i) = 0.1 * A(i, j);
    A(i, i) = 4.0 + 0.2 * static_cast<double>(n) + std::fabs(A(i, i));
  }
  return A;
}

/// L as it is packed, from its definition.
Numbers lower_factor(const Numbers& A) {
  const Index n = A.view.rows();
  Numbers L(n, n);
  for (Index j = 0; j < n; ++j) {
    for (Index i = j; i < n; ++i) {
      double left = A.view(i, j);
      for (Index k = 0; k < j; ++k) left -= L(i, k) * L(j, k);
      L(i, j) = i == j ? std::sqrt(left) : left / L(j, j);
    }
  }
  return L;
}

/// The largest entry of L X - B, or of L^T X - B.
double residual(const Numbers& L, bool turned, const Numbers& X, const Numbers& B) {
  double worst = 0.0;
  for (Index i = 0; i < L.view.rows(); ++i) {
    for (Index c = 0; c < B.view.cols(); ++c) {
      double left = B.view(i, c);
      for (Index k = 0; k < L.view.rows(); ++k) left -= (turned ? L.view(k, i) : L.view(i, k)) * X.view(k, c);
      if (!(std::fabs(left) <= worst)) worst = std::fabs(left);  // NaN stays
    }
  }
  return worst;
}

}  // namespace

TEST(either_half_is_substitution) {
  for (const Index n : {1, 2, 3, 4, 5, 7, 8, 9, 16, 23, 24, 25, 31, 48, 95, 100, 104, 191, 192, 193, 250}) {
    const Numbers A = positive_definite(n), L = lower_factor(A);
    PackedLower packed(n, factor_tile(n));
    CHECK(factorize(A.view, packed, {}).status == FactorStatus::ok);
    for (const Index columns : {1, 2, 25}) {
      const Numbers B = naive::normal<double>(n, columns, 32);
      Buffer<double> room;
      Numbers lower = copy_of(B), upper = copy_of(B), both = copy_of(B);
      solve_packed_lower(packed, lower.view, room);
      solve_packed_transposed(packed, upper.view, room);
      solve_packed(packed, both.view, room);
      CHECK(residual(L, false, lower, B) <= 1e-13 * static_cast<double>(n + 10));
      CHECK(residual(L, true, upper, B) <= 1e-13 * static_cast<double>(n + 10));
      CHECK(residual(L, true, both, lower) <= 1e-13 * static_cast<double>(n + 10));
    }
  }
}

TEST(columns_of_a_matrix_are_vectors) {
  const Index n = 60;
  PackedLower packed(n, factor_tile(n));
  factorize(positive_definite(n).view, packed, {});
  Numbers wide = naive::normal<double>(n, 3, 33), alone(n, 1);
  for (Index i = 0; i < n; ++i) alone(i, 0) = wide(i, 1);
  Buffer<double> room;
  solve_packed(packed, part(wide.view, 0, n, 1, 1), room);
  solve_packed(packed, alone.view, room);
  for (Index i = 0; i < n; ++i) CHECK_EQ(wide(i, 1), alone(i, 0));
}

TEST(tiles_are_as_good_as_a_matrix) {
  constexpr Index step = 48, stride = 192;
  for (const Index n : {1, 24, 47, 100, 200}) {
    const Numbers A = positive_definite(n);
    const Index tiles = (n + step - 1) / step;
    std::vector<double> numbers(static_cast<std::size_t>(tiles * tiles * step * stride), 7.0);
    const auto at = [&](Index row_tile, Index col_tile) {
      return numbers.data() + (row_tile * tiles + col_tile) * step * stride;
    };
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < std::min(n, (i / step + 1) * step); ++j) {
        at(i / step, j / step)[i % step * stride + j % step] = A.view(i, j) - (i == j ? 0.5 : 0.0);
      }
    }
    const auto tile = [&](Index row_tile, Index col_tile) -> const double* { return at(row_tile, col_tile); };
    PackedLower whole(n, factor_tile(n)), tiled(n, factor_tile(n));
    const FactorReport one = factorize(A.view, whole, {});
    const FactorReport other = factorize(TiledMatrix{n, step, stride, tile, nullptr, 0.5}, tiled, {});
    CHECK(one.status == FactorStatus::ok && other.status == FactorStatus::ok);
    Numbers x = naive::normal<double>(n, 1, 34), y = copy_of(x);
    Buffer<double> room;
    solve_packed(whole, x.view, room);
    solve_packed(tiled, y.view, room);
    for (Index i = 0; i < n; ++i) CHECK(std::fabs(x(i, 0) - y(i, 0)) <= 1e-13);
  }
}

TEST(tiles_get_jitter_and_refusals_as_a_matrix_does) {
  constexpr Index n = 30, step = 48, stride = 192;
  std::vector<double> numbers(step * stride, 1.0);  // of rank one
  const auto tile = [&](Index, Index) -> const double* { return numbers.data(); };
  PackedLower packed(n, factor_tile(n));
  const TiledMatrix singular{n, step, stride, tile, nullptr, 0.0};
  const FactorReport jittered = factorize(singular, packed, {});
  CHECK(jittered.status == FactorStatus::jittered && jittered.jitter > 0.0 && jittered.jitter <= 1e-8);
  CholeskyOptions none;
  none.max_jitter = 0.0;
  CHECK(factorize(singular, packed, none).status == FactorStatus::not_positive);
  const double nan = std::nan("");
  numbers[5 * stride + 3] = nan;
  numbers[3 * stride + 5] = nan;
  const FactorReport refused = factorize(singular, packed, {});
  CHECK(refused.status == FactorStatus::not_finite);
  CHECK_EQ(refused.row, 5);
  CHECK_EQ(refused.col, 3);
}

TEST_MAIN
