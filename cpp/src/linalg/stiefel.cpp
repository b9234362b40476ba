// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/linalg/stiefel.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/check.hpp"
#include "gramian/base/error.hpp"
#include "gramian/eigen.hpp"
#include "linalg/small.hpp"
#include "linalg/tall.hpp"

namespace gramian {
namespace {

using Eigen::MatrixXd;

/// HᵀH has the square of this: the polar factor through it is off by about u times that, as a test shows.
constexpr double most_condition_of_gram = 1e4;
constexpr double condition_of_one_pass = 4.0;
/// Where the first of two passes comes near enough for the second one to end at rounding.
constexpr double most_condition_for_cholesky = 1e10;
constexpr double unit = std::numeric_limits<double>::epsilon();

void require_tall(MatrixView<const double> H, const char* name) {
  require(H.rows() >= H.cols(),
          std::string(name) + " is " + shape_text(H.rows(), H.cols()) + ", it must not have more columns than rows");
}

SmallMatrix symmetric_part(const SmallMatrix& A) { return 0.5 * (A + A.transpose()); }

/// Of a Gram matrix; infinite if it is not positive definite.
double condition_of(const Eigen::VectorXd& ascending) {
  return ascending(0) > 0.0 ? ascending(ascending.size() - 1) / ascending(0) : std::numeric_limits<double>::infinity();
}

bool usable(const SmallMatrix& gram) { return gram.allFinite() && gram.diagonal().minCoeff() > 1e-280; }

[[noreturn]] void throw_dependent(const char* name, Index rank, Index cols) {
  throw NumericalError("the columns of " + std::string(name) + " are linearly dependent: numerical rank " + std::to_string(rank) +
                       " of " + std::to_string(cols) + ", so no nearest matrix with orthonormal columns is singled out");
}

/// The slow ways, for matrices that are nearly dependent or badly scaled.
class HouseholderFactors {
 public:
  HouseholderFactors(MatrixView<const double> X, const char* name) {
    require_finite(X, name);
    MatrixXd scaled = as_eigen(X);
    const double most = scaled.cwiseAbs().maxCoeff();
    if (most == 0.0) throw_dependent(name, 0, X.cols());
    scaled *= std::ldexp(1.0, -std::clamp(std::ilogb(most), -1000, 1000));
    const Eigen::HouseholderQR<MatrixXd> qr(scaled);
    Q_ = qr.householderQ() * MatrixXd::Identity(X.rows(), X.cols());
    R_ = qr.matrixQR().topRows(X.cols()).triangularView<Eigen::Upper>();
    svd_.compute(R_, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const double least = svd_.singularValues()(0) * unit * static_cast<double>(X.rows());
    const Index rank = (svd_.singularValues().array() > least).count();
    if (rank < X.cols()) throw_dependent(name, rank, X.cols());
  }
  MatrixXd polar() const { return Q_ * (svd_.matrixU() * svd_.matrixV().transpose()); }
  MatrixXd qr() const {
    return Q_ * R_.diagonal().unaryExpr([](double r) { return r < 0.0 ? -1.0 : 1.0; }).asDiagonal();
  }

 private:
  MatrixXd Q_;
  MatrixXd R_;
  Eigen::JacobiSVD<MatrixXd> svd_;
};

/// out = X (XᵀX)^(-1/2), unless that would be inaccurate; out may be X.
bool polar_by_gram(MatrixView<const double> X, MatrixView<double> out) {
  for (int pass = 0; pass < 2; ++pass) {
    const SmallMatrix gram = tall_cross(X, X);
    if (!usable(gram)) return false;
    const SmallEigen eigen = small_eigen(gram);
    const double condition = condition_of(eigen.values);
    if (!(condition <= most_condition_of_gram)) return false;
    tall_product(X, eigen.vectors * eigen.values.cwiseSqrt().cwiseInverse().asDiagonal() * eigen.vectors.transpose(), out);
    if (condition <= condition_of_one_pass) break;
    X = out;
  }
  return true;
}

/// out = the factor Q of X with a positive diagonal of R, by two Cholesky factorizations of XᵀX; unless that would be inaccurate.
bool qr_by_gram(MatrixView<const double> X, MatrixView<double> out) {
  for (int pass = 0; pass < 2; ++pass) {
    const SmallMatrix gram = tall_cross(X, X);
    if (!usable(gram) || !(condition_of(small_eigenvalues(gram)) <= most_condition_for_cholesky)) return false;
    const Eigen::LLT<MatrixXd> factor(gram);
    tall_product(X, factor.matrixU().solve(MatrixXd::Identity(X.cols(), X.cols())), out);
    X = out;
  }
  return true;
}

void require_pair(MatrixView<const double> H, MatrixView<const double> Z, MatrixView<double> out) {
  require_tall(H, "H");
  require_shape(Z, H.rows(), H.cols(), "Z");
  require_shape(out, H.rows(), H.cols(), "out");
}

}  // namespace

void stiefel_project(MatrixView<const double> H, MatrixView<double> out) {
  require_tall(H, "H");
  require_shape(out, H.rows(), H.cols(), "out");
  if (H.empty()) return;
  if (!polar_by_gram(H, out)) as_eigen(out) = HouseholderFactors(H, "H").polar();
}

void stiefel_tangent(MatrixView<const double> H, MatrixView<const double> Z, MatrixView<double> out) {
  require_pair(H, Z, out);
  if (H.empty()) return;
  tall_product(H, -symmetric_part(tall_cross(H, Z)), Z, out);
}

void stiefel_retract(MatrixView<const double> H, MatrixView<const double> Z, StiefelRetraction retraction,
                     MatrixView<double> out) {
  require_pair(H, Z, out);
  if (H.empty()) return;
  as_eigen(out) = as_eigen(H) + as_eigen(Z);
  const bool polar = retraction == StiefelRetraction::polar;
  if (polar ? polar_by_gram(out, out) : qr_by_gram(out, out)) return;
  const HouseholderFactors factors(out, "H + Z");
  as_eigen(out) = polar ? factors.polar() : factors.qr();
}

double stiefel_infeasibility(MatrixView<const double> H) {
  if (H.cols() == 0) return 0.0;
  return (tall_cross(H, H) - SmallMatrix::Identity(H.cols(), H.cols())).cwiseAbs().maxCoeff();
}

}  // namespace gramian
