// SPDX-License-Identifier: BSD-3-Clause
// The loss of a spectrum is its quadratic form.
#include "models/conditional_mean/spectrum.hpp"

#include <limits>

#include "gramian/base/error.hpp"
#include "support/check.hpp"
#include "support/spectral.hpp"

using namespace gramian;
using gramian::view;
using Dense = spectral::Matrix;

TEST(it_is_the_quadratic_form) {
  const Dense D = spectral::normal(5, 1, 1).cwiseAbs(), linear = spectral::normal(5, 1, 2),
              norms = spectral::normal(5, 1, 3).cwiseAbs(), half = spectral::normal(5, 5, 4), H = half * half.transpose();
  const conditional_mean::Spectrum spectrum{3.0, Matrix::copy_of(view(D)), Matrix::copy_of(view(linear)),
                                            Matrix::copy_of(view(norms)), Matrix::copy_of(view(H))};
  const double lambda = 0.1, training = 8.0, held_out = 4.0;
  const Dense z = (D.array() + training * lambda).inverse();
  const double loss = (3.0 - 2.0 * (linear.transpose() * z)(0, 0) + (z.transpose() * H * z)(0, 0)) / held_out;
  const double penalty = lambda * (norms.array() * z.array().square()).sum();
  CHECK_NEAR(loss_of(spectrum, lambda, {training, held_out}, false), loss, 1e-12);
  CHECK_NEAR(loss_of(spectrum, lambda, {training, held_out}, true), loss + penalty, 1e-12);
}

TEST(what_is_out_of_range_is_refused) {
  conditional_mean::check_lambdas({0.1, 1.0});
  for (const double wrong : {0.0, -1.0, std::numeric_limits<double>::infinity()}) {
    CHECK_THROWS(std::invalid_argument, conditional_mean::check_lambdas({0.1, wrong}));
  }
  CHECK_THROWS(std::invalid_argument, conditional_mean::check_lambdas({}));
  conditional_mean::check_splits({{{0, 1}, {2}}}, 3);
  CHECK_THROWS(std::invalid_argument, conditional_mean::check_splits({{{0, 1}, {3}}}, 3));
  CHECK_THROWS(std::invalid_argument, conditional_mean::check_splits({{{}, {2}}}, 3));
}

TEST_MAIN
