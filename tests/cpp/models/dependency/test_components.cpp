// SPDX-License-Identifier: BSD-3-Clause
// Projections of outputs on kernel principal components, against those of vectors.
#include "models/dependency/components.hpp"

#include <Eigen/SVD>

#include "support/check.hpp"
#include "support/dependency_samples.hpp"

using namespace dependency_data;
namespace dependency = gramian::dependency;

namespace {

Matrix matrix_of(gramian::MatrixView<const double> A) {
  return Matrix::NullaryExpr(A.rows(), A.cols(), [&](Index i, Index j) { return A(i, j); });
}

/// Rows of Y, less their mean if centred, projected on their first directions.
Matrix projected(Matrix Y, Index count, bool centred) {
  if (centred) Y.rowwise() -= Y.colwise().mean().eval();
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(Eigen::MatrixXd(Y), Eigen::ComputeThinV);
  const Eigen::MatrixXd V = svd.matrixV().leftCols(count);
  return Y * V * V.transpose();
}

}  // namespace

TEST(without_components_nothing_changes) {
  const Matrix L = gram(linear(), normal(6, 3, 1), normal(6, 3, 1));
  const dependency::OutputComponents none(view(L), 0, false);
  CHECK(none.gram(view(L)).data() == L.data());
  gramian::Matrix weights = gramian::Matrix::filled(2, 6, 0.5);
  none.project_weights(weights);
  for (Index i = 0; i < weights.size(); ++i) CHECK_EQ(weights.data()[i], 0.5);
}

TEST(with_a_linear_kernel_components_are_principal_directions) {
  for (const bool centred : {false, true}) {
    const Matrix Y = normal(20, 5, 2), L = Y * Y.transpose(), P = projected(Y, 2, centred);
    const dependency::OutputComponents two(view(L), 2, centred);
    CHECK(relative(matrix_of(two.gram(view(L))), P * P.transpose()) <= 1e-12);
    // A weighted sum of outputs becomes that of projections, and of the mean if centred.
    const Matrix W = normal(3, 20, 3);
    gramian::Matrix weights = gramian::Matrix::copy_of(view(W));
    two.project_weights(weights);
    Matrix expected = W * P;
    if (centred) expected.rowwise() += Y.colwise().mean().eval();
    CHECK(relative(matrix_of(weights.view()) * Y, expected) <= 1e-11);
  }
}

TEST(directions_by_rounding_alone_are_left_out) {
  const Matrix Y = normal(20, 2, 4), L = Y * Y.transpose();
  const dependency::OutputComponents more(view(L), 10, false);
  CHECK(relative(matrix_of(more.gram(view(L))), L) <= 1e-12);
  gramian::dependency::Model model;
  model.coefficients = gramian::Matrix::filled(20, 20, 1.0);
  dependency::OutputComponents(view(L), 10, false).finish(model);
  CHECK_EQ(model.components.cols(), 2);
}

TEST_MAIN
