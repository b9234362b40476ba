// SPDX-License-Identifier: BSD-3-Clause
#include <stdexcept>
#include <vector>

#include "gramian/kernels/width.hpp"
#include "gramian/models/autoencoder.hpp"
#include "support/check.hpp"

using namespace gramian;

TEST(the_kernel_of_the_first_layer_takes_the_width_of_the_samples) {
  CHECK(with_width(autoencoder::open_kernel(), 0.25, 4).parameters() == std::vector<double>({0.25, 0.5}));
}

TEST(the_kernel_of_codes_is_for_variances_of_one) {
  CHECK(autoencoder::code_kernel(5).parameters() == std::vector<double>({0.1, 1.0}));
  CHECK_THROWS(std::invalid_argument, autoencoder::code_kernel(0));
}

TEST_MAIN
