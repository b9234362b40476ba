// SPDX-License-Identifier: BSD-3-Clause
// Symmetric matrices that are hard in different ways, and LAPACK's measure of an answer: a residual over n |A| u, good below 30.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "gramian/base/random.hpp"
#include "gramian/eigen.hpp"

namespace spectral {

using gramian::Index;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

constexpr double unit = 0x1p-52;  // LAPACK's "precision"
constexpr double good = 30.0;

Matrix normal(Index rows, Index cols, std::uint64_t seed);

/// exp(-|x_i - x_j|^2 / 2)
Matrix gaussian(const Matrix& X);

/// A symmetric matrix with these eigenvalues and dense eigenvectors: a diagonal between two reflections.
Matrix with_eigenvalues(const Vector& values, std::uint64_t seed = 1);

Vector spread(Index n, const std::function<double(double)>& f);

struct Family {
  std::string name;
  std::function<Matrix(Index)> make;
};

const std::vector<Family>& families();

double norm1(const Matrix& A);

/// |residual| / (n |A| u); a residual of zero is good for any A.
double ratio(const Matrix& residual, double norm);
double eigen_ratio(const Matrix& A, const Vector& values, const Matrix& V);
double orthogonality_ratio(const Matrix& V);

bool signs_are_fixed(const Matrix& V);

}  // namespace spectral
