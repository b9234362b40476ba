// SPDX-License-Identifier: BSD-3-Clause
#include <limits>
#include <set>
#include <stdexcept>
#include <string>

#include "gramian/kernels/kernel.hpp"
#include "support/check.hpp"

using gramian::Kernel;
using gramian::kernel_registry;
using gramian::KernelInfo;

TEST(every_entry_is_complete_and_unique) {
  std::set<std::string> names;
  for (const KernelInfo& info : kernel_registry()) {
    CHECK(names.insert(info.name).second);
    CHECK(!info.formula.empty());
    for (const auto& p : info.parameters) CHECK(!p.name.empty() && !p.meaning.empty());
  }
  CHECK(!names.empty());
}

TEST(every_entry_makes_a_kernel_that_remembers_its_parameters) {
  for (const KernelInfo& info : kernel_registry()) {
    std::vector<double> parameters;
    for (const auto& p : info.parameters) parameters.push_back(p.lower + (p.whole ? 2.0 : 0.75));
    const Kernel kernel(info.name, parameters);
    CHECK_EQ(kernel.info().name, info.name);
    CHECK(kernel.parameters() == parameters);
  }
}

TEST(unknown_name_lists_the_known_ones) {
  CHECK_THROWS(std::invalid_argument, Kernel("gausian", {1.0}));
  try {
    Kernel("gausian", {1.0});
  } catch (const std::invalid_argument& error) {
    CHECK(std::string(error.what()).find("gaussian") != std::string::npos);
  }
}

TEST(parameters_out_of_their_domain_are_refused) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const double bad : {0.0, -1.0, inf, -inf, std::numeric_limits<double>::quiet_NaN()}) {
    CHECK_THROWS(std::invalid_argument, Kernel("gaussian", {bad}));
  }
  CHECK_THROWS(std::invalid_argument, Kernel("gaussian", {}));
  CHECK_THROWS(std::invalid_argument, Kernel("gaussian", {1.0, 2.0}));
}

TEST_MAIN
