// SPDX-License-Identifier: BSD-3-Clause
// The last layer of an autoencoder by its definition, in long double: the objective, and its minimum by elimination.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "support/naive_kernels.hpp"

namespace naive {

using Rows = std::vector<Numbers>;

inline Rows rows_of(std::size_t rows, std::size_t cols) { return Rows(rows, Numbers(cols, 0)); }

inline Rows times(const Rows& A, const Rows& B) {
  Rows out = rows_of(A.size(), B[0].size());
  for (std::size_t i = 0; i < A.size(); ++i) {
    for (std::size_t k = 0; k < B.size(); ++k) {
      for (std::size_t j = 0; j < B[0].size(); ++j) out[i][j] += A[i][k] * B[k][j];
    }
  }
  return out;
}

inline Rows flipped(const Rows& A) {
  Rows out = rows_of(A[0].size(), A.size());
  for (std::size_t i = 0; i < A.size(); ++i) {
    for (std::size_t j = 0; j < A[0].size(); ++j) out[j][i] = A[i][j];
  }
  return out;
}

inline Real dot(const Rows& A, const Rows& B) {
  Real sum = 0;
  for (std::size_t i = 0; i < A.size(); ++i) {
    for (std::size_t j = 0; j < A[i].size(); ++j) sum += A[i][j] * B[i][j];
  }
  return sum;
}

/// M^-1 B by Gaussian elimination with pivots.
inline Rows solved(Rows M, Rows B) {
  const std::size_t n = M.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t i = k + 1; i < n; ++i) best = std::fabs(M[i][k]) > std::fabs(M[best][k]) ? i : best;
    std::swap(M[k], M[best]);
    std::swap(B[k], B[best]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const Real factor = M[i][k] / M[k][k];
      for (std::size_t j = k; j < n; ++j) M[i][j] -= factor * M[k][j];
      for (std::size_t j = 0; j < B[i].size(); ++j) B[i][j] -= factor * B[k][j];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (Real& b : B[i]) b /= M[i][i];
  }
  return B;
}

inline Rows gram_of(const Expression& kernel, const Rows& X, const Rows& Y) {
  const Numbers parameters = parameters_of(kernel);
  Rows K = rows_of(X.size(), Y.size());
  for (std::size_t i = 0; i < X.size(); ++i) {
    for (std::size_t j = 0; j < Y.size(); ++j) K[i][j] = evaluate(kernel, parameters, X[i], Y[j]);
  }
  return K;
}

struct RidgeProblem {
  Expression kernel;
  Rows C;  // n x r
  Rows A;  // r x r
  Real lambda;

  Real n() const { return static_cast<Real>(C.size()); }

  /// (1/n) |C - across Phi A|^2 + lambda tr(Phi^T K Phi A): across = K without landmarks.
  Real objective(const Rows& across, const Rows& K, const Rows& Phi) const {
    const Rows applied = times(Phi, A);
    return distortion(across, Phi) + lambda * dot(times(K, Phi), applied);
  }
  Real distortion(const Rows& across, const Rows& Phi) const {
    Rows left = times(across, times(Phi, A));
    for (std::size_t i = 0; i < C.size(); ++i) {
      for (std::size_t j = 0; j < C[i].size(); ++j) left[i][j] -= C[i][j];
    }
    return dot(left, left) / n();
  }

  /// K Phi A + n lambda Phi = C, as one system of n r equations: A is not decomposed.
  Rows coefficients(const Rows& K) const {
    const std::size_t size = C.size(), r = A.size();
    Rows M = rows_of(size * r, size * r), b = rows_of(size * r, 1), Phi = rows_of(size, r);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < r; ++j) {
        b[i * r + j][0] = C[i][j];
        M[i * r + j][i * r + j] = n() * lambda;
        for (std::size_t k = 0; k < size; ++k) {
          for (std::size_t l = 0; l < r; ++l) M[i * r + j][k * r + l] += K[i][k] * A[l][j];
        }
      }
    }
    const Rows x = solved(M, b);
    for (std::size_t i = 0; i < size * r; ++i) Phi[i / r][i % r] = x[i][0];
    return Phi;
  }

  Real minimum(const Rows& Z) const {
    const Rows K = gram_of(kernel, Z, Z);
    return objective(K, K, coefficients(K));
  }
  Real held(const Rows& Z, const Rows& Phi) const {
    const Rows K = gram_of(kernel, Z, Z);
    return objective(K, K, Phi);
  }

  /// A = I: (C_s^T C_s + n lambda K_ss) Phi = C_s^T C.
  Rows landmark_coefficients(const Rows& Z, const Rows& S) const {
    const Rows across = gram_of(kernel, Z, S), K = gram_of(kernel, S, S);
    Rows M = times(flipped(across), across);
    for (std::size_t i = 0; i < S.size(); ++i) {
      for (std::size_t j = 0; j < S.size(); ++j) M[i][j] += n() * lambda * K[i][j];
    }
    return solved(M, times(flipped(across), C));
  }
  Real landmark_minimum(const Rows& Z, const Rows& S) const {
    return objective(gram_of(kernel, Z, S), gram_of(kernel, S, S), landmark_coefficients(Z, S));
  }
};

/// How much a relative error can grow on its way through the system: its largest eigenvalue over n lambda, at most.
inline Real amplification(const RidgeProblem& problem, const Rows& K) {
  Real trace = 0, a = 0;
  for (std::size_t i = 0; i < K.size(); ++i) trace += K[i][i];
  for (std::size_t i = 0; i < problem.A.size(); ++i) a += problem.A[i][i];
  return 1 + trace * a / (problem.n() * problem.lambda);
}

}  // namespace naive
