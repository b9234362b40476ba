// SPDX-License-Identifier: BSD-3-Clause
// Fits of deep kernel PCA that begin where an earlier one has ended.
#include <stdexcept>
#include <vector>

#include "gramian/models/deep_pca/train.hpp"
#include "support/deep_pca_data.hpp"

using namespace gramian;
using pca::two_classes;
using pca::two_gaussians;

TEST(a_warm_start_goes_on_where_the_last_fit_ended) {
  const naive::Matrix<double> X = two_classes(60, 6);
  for (const deep_pca::Eigenvalues eigenvalues : {deep_pca::Eigenvalues::eliminated, deep_pca::Eigenvalues::joint}) {
    deep_pca::Options options;
    options.eigenvalues = eigenvalues;
    options.solver = pca::iterative_solvers(20).front();
    const deep_pca::Fit first = deep_pca::fit(Points(X.view), two_gaussians(0.5), options);
    std::vector<double> x;
    for (const Matrix& H : first.model.features) x.insert(x.end(), H.data(), H.data() + H.size());
    const deep_pca::Fit second = deep_pca::fit(Points(X.view), two_gaussians(0.5), options, x);
    const double start = second.result.history.front().value;
    CHECK(start <= (1.0 + 1e-9) * first.objective);  // variables Lambda begin with what is best for the features
    if (eigenvalues == deep_pca::Eigenvalues::eliminated) CHECK_NEAR(start, first.objective, 1e-9 * first.objective);
    CHECK(second.objective < first.objective);
    x.pop_back();
    CHECK_THROWS(std::invalid_argument, deep_pca::fit(Points(X.view), two_gaussians(0.5), options, x));
  }
}

TEST_MAIN
