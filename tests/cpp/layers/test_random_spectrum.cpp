// SPDX-License-Identifier: BSD-3-Clause
// Frequencies against the distribution that Bochner's theorem gives each kernel.
#include "layers/random_spectrum.hpp"

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/check.hpp"
#include "support/kernel_samples.hpp"

using namespace gramian;
using naive::Expression;
using naive::leaf;

namespace {

std::vector<Expression> kernels() {
  std::vector<Expression> all = {1.7 * leaf("matern32", {0.9}), 2.0 * (0.4 * leaf("tensor_matern2", {0.9}, {0.7, 1.4, 0.9}))};
  for (const KernelInfo& info : kernel_registry()) {
    if (!info.spectrum.exists()) continue;
    for (const std::vector<double>& sample : info.samples) all.push_back(leaf(info.name, sample));
    all.push_back(leaf(info.name, info.samples.front(), {0.7, 1.4, 0.9}));
  }
  return all;
}

/// height * mean of cos(w . delta): what features of this kernel say of k(x, x + delta).
double estimate(const RandomSpectrum& spectrum, const Matrix& base, const std::vector<double>& delta) {
  double sum = 0.0;
  for (Index j = 0; j < base.rows(); ++j) {
    double angle = 0.0;
    for (Index k = 0; k < base.cols(); ++k) {
      angle += base(j, k) * spectrum.column_factor(spectrum.start().data(), k) * delta[static_cast<std::size_t>(k)];
    }
    sum += std::cos(angle);
  }
  return spectrum.height(spectrum.start().data()) * sum / static_cast<double>(base.rows());
}

/// k between points that are t delta apart.
double exact(const Expression& e, const std::vector<double>& delta, double t) {
  naive::Numbers x(delta.size(), 0), y;
  for (const double v : delta) y.push_back(static_cast<naive::Real>(t * v));
  return static_cast<double>(naive::evaluate(e, naive::parameters_of(e), x, y));
}

/// The deviation of one term: cos^2 a = (1 + cos 2a) / 2.
double deviation(const Expression& e, const std::vector<double>& delta) {
  const double height = exact(e, delta, 0.0), k = exact(e, delta, 1.0), twice = exact(e, delta, 2.0);
  return std::sqrt(height * (height + twice) / 2.0 - k * k);
}

const std::vector<std::vector<double>> apart = {{0.3, -0.2, 0.1}, {0.0, 1.0, 0.0}, {0.9, 0.4, -1.1}, {-2.0, 1.0, 2.0}};

}  // namespace

TEST(the_mean_over_frequencies_is_the_kernel) {
  const Index count = 40000;
  for (const Expression& e : kernels()) {
    const RandomSpectrum spectrum(naive::kernel_of(e), 3);
    const Matrix base = spectrum.base(count, 3, 71);
    bool wider_passes = true;
    for (const std::vector<double>& delta : apart) {
      // Five deviations of a mean; what a quarter more distance makes of it is beyond.
      const double bound = 5.0 * deviation(e, delta) / std::sqrt(static_cast<double>(count)),
                   got = estimate(spectrum, base, delta);
      CHECK_NEAR(got, exact(e, delta, 1.0), bound);
      wider_passes = wider_passes && std::fabs(got - exact(e, delta, 1.25)) <= bound;
    }
    check::that(!wider_passes, e.name + ": a wider kernel passes", __FILE__, __LINE__);
  }
}

// The mean of squared errors over seeds is the variance of a term over the number of frequencies: chi-squared with that many
// degrees of freedom, and so within 5 sqrt(2 / seeds) of 1.
TEST(errors_fall_with_the_root_of_their_number) {
  const int seeds = 400;
  const std::vector<double>& delta = apart[2];
  for (const Expression& e : kernels()) {
    const RandomSpectrum spectrum(naive::kernel_of(e), 3);
    for (const Index count : {25, 100, 400}) {
      double squares = 0.0;
      for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(seeds); ++seed) {
        const double error = estimate(spectrum, spectrum.base(count, 3, seed), delta) - exact(e, delta, 1.0);
        squares += error * error;
      }
      const double expected = deviation(e, delta) * deviation(e, delta) / static_cast<double>(count);
      CHECK_NEAR(squares / seeds / expected, 1.0, 5.0 * std::sqrt(2.0 / seeds));
    }
  }
}

TEST(more_frequencies_begin_with_the_same) {
  for (const Expression& e : kernels()) {
    const RandomSpectrum spectrum(naive::kernel_of(e), 3);
    const Matrix few = spectrum.base(5, 3, 9), many = spectrum.base(50, 3, 9), others = spectrum.base(5, 3, 10);
    bool equal = true, differ = false;
    for (Index i = 0; i < few.size(); ++i) {
      equal = equal && few.data()[i] == many.data()[i];
      differ = differ || few.data()[i] != others.data()[i];
    }
    CHECK(equal);
    CHECK(differ);
  }
}

TEST(start_is_the_logs_of_the_kernels_parameters) {
  const RandomSpectrum spectrum(2.0 * (0.5 * Kernel("gaussian", {0.3}, {0.7, 4.0})), 2);
  const std::vector<double> wanted = {std::log(2.0), std::log(0.5), std::log(0.3), std::log(0.7), std::log(4.0)};
  CHECK(spectrum.start() == wanted);
  CHECK(spectrum.has_length_scales());
  CHECK_NEAR(spectrum.height(wanted.data()), 1.0, 1e-15);
}

TEST(kernels_without_a_known_spectrum_are_refused) {
  const Kernel gaussian("gaussian", {0.3});
  CHECK_THROWS(std::invalid_argument, RandomSpectrum(Kernel("linear", {}), 3));
  CHECK_THROWS(std::invalid_argument, RandomSpectrum(2.0 * Kernel("rational_quadratic", {0.7, 1.1}), 3));
  CHECK_THROWS(std::invalid_argument, RandomSpectrum(gaussian + gaussian, 3));
  CHECK_THROWS(std::invalid_argument, RandomSpectrum(gaussian * gaussian, 3));
  CHECK_THROWS(std::invalid_argument, RandomSpectrum(Kernel("gaussian", {0.3}, {1.0, 1.0}), 3));
  try {
    RandomSpectrum(Kernel("linear", {}), 3);
  } catch (const std::invalid_argument& error) {
    CHECK(std::string(error.what()).find("matern52") != std::string::npos);
  }
}

TEST_MAIN
