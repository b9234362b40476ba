// SPDX-License-Identifier: BSD-3-Clause
// Kernels with other parameters, and which of these can be learned.
#include "gramian/kernels/kernel.hpp"

#include <limits>
#include <stdexcept>
#include <vector>

#include "gramian/gram/full.hpp"
#include "support/check.hpp"
#include "support/kernel_samples.hpp"
#include "support/naive.hpp"

using gramian::Kernel;
using naive::Expression;
using naive::Matrix;

namespace {

std::vector<double> values_of(const Kernel& kernel) {
  const auto X = naive::normal<double>(6, 3, 81);
  Matrix<double> K(6, 6);
  gramian::full(kernel, X.view, K.view);
  return K.numbers;
}

/// Other values that are in range: of whole numbers the next one.
Expression moved(Expression e) {
  const double by = 1.25;
  e.factor *= by;
  for (double& s : e.scales) s *= by;
  for (std::size_t p = 0; p < e.parameters.size(); ++p)
    e.parameters[p] = naive::info_of(e.name).parameters[p].whole ? e.parameters[p] + 1 : by * e.parameters[p];
  for (Expression& child : e.children) child = moved(child);
  return e;
}

}  // namespace

TEST(other_parameters_make_the_same_expression) {
  for (const Expression& e : naive::all_samples(3)) {
    const Kernel before = naive::kernel_of(e), wanted = naive::kernel_of(moved(e));
    const Kernel after = before.with_parameters(wanted.parameters());
    CHECK(after.parameters() == wanted.parameters());
    CHECK(values_of(after) == values_of(wanted));
    CHECK(values_of(before.with_parameters(before.parameters())) == values_of(before));
    CHECK_EQ(after.supremum(), wanted.supremum());
  }
}

TEST(wrong_parameters_are_refused) {
  const Kernel kernel = 2.0 * (Kernel("gaussian", {0.5}, {1.0, 2.0}) + Kernel("polynomial", {2, 0.7, 0.0}));
  const std::vector<double> good = kernel.parameters();
  CHECK_EQ(good.size(), std::size_t(7));
  for (const double bad : {-1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    for (std::size_t p = 0; p < good.size(); ++p) {
      std::vector<double> values = good;
      values[p] = bad;
      CHECK_THROWS(std::invalid_argument, kernel.with_parameters(values));
    }
  }
  std::vector<double> half = good;
  half[4] = 2.5;  // the degree
  CHECK_THROWS(std::invalid_argument, kernel.with_parameters(half));
  CHECK_THROWS(std::invalid_argument, kernel.with_parameters({}));
  CHECK_THROWS(std::invalid_argument, kernel.with_parameters(std::vector<double>(8, 1.0)));
}

TEST(what_is_positive_and_not_whole_can_be_learned) {
  const auto learned = [](const Kernel& kernel) { return kernel.learnable_parameters(); };
  const Kernel polynomial("polynomial", {2, 0.7, 0.0}), offset("polynomial", {2, 0.7, 0.3});
  CHECK(learned(polynomial) == std::vector<bool>({false, true, false}));
  CHECK(learned(offset) == std::vector<bool>({false, true, true}));
  CHECK(learned(Kernel("linear", {})).empty());
  CHECK(learned(3.0 * (Kernel("gaussian", {0.5}, {1.0, 2.0}) * polynomial)) ==
        std::vector<bool>({true, true, true, true, false, true, false}));
  for (const Expression& e : naive::all_samples(3)) {
    const Kernel kernel = naive::kernel_of(e);
    CHECK_EQ(learned(kernel).size(), kernel.parameters().size());
  }
}

TEST(suprema_of_combinations) {
  const Kernel gaussian("gaussian", {0.5}), linear("linear", {});
  CHECK_EQ((2.0 * (gaussian + 3.0 * gaussian) * (0.5 * gaussian)).supremum(), 4.0);
  CHECK_EQ((gaussian + linear).supremum(), std::numeric_limits<double>::infinity());
}

TEST_MAIN
