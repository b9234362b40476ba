// SPDX-License-Identifier: BSD-3-Clause
// Parts that do not fit together are refused, whichever of them it is.
#include "models/dependency/parts.hpp"

#include <limits>

#include "support/check.hpp"
#include "support/dependency_values.hpp"

using namespace dependency_values;
using dependency::Preimage;

namespace {

const double nan_value = std::numeric_limits<double>::quiet_NaN();

template <class Change>
void refused(Parts parts, Change change) {
  change(parts);
  CHECK_THROWS(std::invalid_argument, Model(parts));
}

Dense broken(Index rows, Index cols) {
  Dense A = spectral::normal(rows, cols, 9);
  A(rows - 1, cols - 1) = nan_value;
  return A;
}

}  // namespace

TEST(coefficients_and_factors) {
  const Pairs data(30, 1);
  for (const bool ranks : {false, true}) {
    const dependency::Fit fit = fitted(data, output_kernel, ranks);
    for (const Parts& all : {parts_of(fit, data, output_kernel), by_values(fit, data, output_kernel)}) {
      CHECK_EQ(Model(all).supports(), all.coefficients.rows());
      const Index s2 = all.coefficients.rows(), s1 = all.coefficients.cols();
      refused(all, [&](Parts& parts) { parts.coefficients = SharedMatrix(); });
      refused(all, [&](Parts& parts) { parts.coefficients = shared(Dense::Ones(s2 - 1, s1)); });
      refused(all, [&](Parts& parts) { parts.coefficients = shared(Dense::Ones(s2, s1 + 1)); });
      refused(all, [&](Parts& parts) { parts.coefficients = shared(broken(s2, s1)); });
      refused(all, [&](Parts& parts) { parts.input_factor = shared(Dense::Identity(s1 + 1, s1)); });
      refused(all, [&](Parts& parts) { parts.output_factor = shared(Dense::Identity(s2, s2 + 1)); });
      refused(all, [&](Parts& parts) { parts.input_factor = shared(Dense::Zero(s1, s1)); });
      refused(all, [&](Parts& parts) { parts.output_factor = shared(broken(s2, s2)); });
      refused(all, [&](Parts& parts) { parts.components = shared(Dense::Ones(s2 + 1, 2)); });
      refused(all, [&](Parts& parts) { parts.components = shared(broken(s2, 2)); });
      refused(all, [&](Parts& parts) { parts.mean = {1.0}; });
      refused(all, [&](Parts& parts) {
        parts.centred = true;
        parts.components = shared(Dense::Ones(s2, 2));
        parts.mean = {1.0};
      });
      refused(all, [&](Parts& parts) {
        parts.centred = true;
        parts.components = shared(Dense::Ones(s2, 2));
        parts.mean = {1.0, nan_value};
      });
    }
    Parts half = parts_of(fit, data, output_kernel);
    half.input_factor = ranks ? SharedMatrix() : shared(Dense::Identity(30, 30));
    CHECK_THROWS(std::invalid_argument, Model(half));
  }
}

TEST(supports_are_rows_that_there_are) {
  const Pairs data(30, 2);
  const dependency::Fit fit = fitted(data, output_kernel, true);
  const Parts points = parts_of(fit, data, output_kernel), values = by_values(fit, data, output_kernel);
  for (const Index wrong : {Index(-1), Index(30), std::numeric_limits<Index>::max()}) {
    refused(points, [&](Parts& parts) { parts.output_supports.back() = wrong; });
    refused(values, [&](Parts& parts) { parts.output_supports.back() = wrong; });
    refused(values, [&](Parts& parts) { parts.input_supports.front() = wrong; });
  }
  refused(points, [](Parts& parts) { parts.output_supports.pop_back(); });
  refused(points, [](Parts& parts) { parts.output_supports.clear(); });
  refused(points, [](Parts& parts) { parts.input_supports = {0}; });
  refused(values, [](Parts& parts) { parts.input_supports.pop_back(); });
  refused(values, [](Parts& parts) { parts.input_supports.clear(); });
  refused(values, [](Parts& parts) { parts.inputs = Samples::counted(5); });
}

TEST(samples_and_kernels) {
  const Pairs data(30, 3);
  const dependency::Fit fit = fitted(data, output_kernel, false);
  const Parts points = parts_of(fit, data, output_kernel), values = by_values(fit, data, output_kernel);
  refused(points, [](Parts& parts) { parts.kernel.reset(); });
  refused(points, [](Parts& parts) { parts.kernel = Kernel("gaussian", {1.0}, {1.0, 2.0, 3.0}); });
  refused(points, [](Parts& parts) { parts.output_kernel.reset(); });
  refused(points, [](Parts& parts) { parts.output_kernel = Kernel("gaussian", {1.0}, {1.0, 2.0, 3.0}); });
  refused(points, [](Parts& parts) { parts.inputs = Samples::counted(30); });
  refused(points, [&](Parts& parts) { parts.inputs = copy(data.X.topRows(29)); });
  refused(points, [&](Parts& parts) { parts.outputs.points = copy(data.Y.topRows(29)); });
  refused(points, [](Parts& parts) { parts.outputs = {}; });
  refused(points, [](Parts& parts) { parts.outputs.squares = shared(Dense::Ones(30, 1)); });
  refused(values, [](Parts& parts) { parts.outputs.squares = shared(Dense::Ones(29, 1)); });
  refused(values, [](Parts& parts) { parts.outputs.squares = shared(broken(30, 1)); });
  refused(values, [](Parts& parts) { parts.outputs.values = shared(Dense::Ones(30, 29)); });
  refused(values, [](Parts& parts) { parts.outputs.values = shared(Dense::Ones(29, 30)); });
  refused(values, [](Parts& parts) { parts.outputs.values = shared(broken(30, 30)); });
  refused(values, [](Parts& parts) { parts.kernel = gaussian(); });
}

TEST(ways_back) {
  const Pairs data(30, 4);
  const dependency::Fit fit = fitted(data, output_kernel, false);
  const Parts points = parts_of(fit, data, output_kernel), values = by_values(fit, data, output_kernel);
  refused(points, [](Parts& parts) { parts.preimage = Preimage::linear; });
  refused(points, [](Parts& parts) { parts.preimage = Preimage::sequence; });
  refused(points, [](Parts& parts) { parts.preimage = Preimage::candidates; });
  refused(points, [&](Parts& parts) { parts.candidates.points = copy(data.Y); });
  refused(points, [&](Parts& parts) {
    parts.preimage = Preimage::candidates;
    parts.candidates.points = copy(data.Y.leftCols(3));
  });
  refused(points, [&](Parts& parts) {
    parts.preimage = Preimage::candidates;
    parts.candidates.points = Samples::copy_of(dependency_data::Sparse(data.Y).points());
  });
  refused(values, [](Parts& parts) { parts.preimage = Preimage::gaussian; });
  refused(values, [](Parts& parts) { parts.symbols = {std::string("a")}; });
  refused(points, [](Parts& parts) {
    parts.output_kernel = linear();
    parts.preimage = Preimage::sequence;
    parts.symbols = {std::string("a"), std::string("b"), std::string("c")};
  });
  Parts none = points;
  none.preimage = Preimage::none;
  const Model silent(none);
  CHECK(!silent.has(Verb::predict));
  CHECK(silent.has(Verb::scores));
}

TEST(operators) {
  const Pairs data(20, 5);
  const OperatorKernelPointer K = separable_kernel(gaussian(), OutputOperator::identity(4));
  Parts all;
  all.vectors.emplace(dependency::OperatorParts{K, copy(data.X), shared(Dense::Ones(20, 4))});
  all.output_kernel = linear();
  all.outputs.points = copy(data.Y);
  CHECK_EQ(Model(all).supports(), 4);
  refused(all, [](Parts& parts) { parts.kernel = gaussian(); });
  refused(all, [&](Parts& parts) { parts.inputs = copy(data.X); });
  refused(all, [](Parts& parts) { parts.centred = true; });
  refused(all, [](Parts& parts) { parts.output_kernel = output_kernel; });
  refused(all, [](Parts& parts) { parts.output_supports = {1, 2}; });
  refused(all, [&](Parts& parts) { parts.outputs.points = copy(data.Y.leftCols(3)); });
  refused(all, [](Parts& parts) { parts.coefficients = shared(Dense::Ones(20, 3)); });
  refused(all, [](Parts& parts) { parts.coefficients = shared(Dense::Ones(19, 4)); });
}

TEST(arguments_that_do_not_fit) {
  const Pairs data(30, 6);
  const dependency::Fit fit = fitted(data, output_kernel, false);
  const Model model(parts_of(fit, data, output_kernel)), values(by_values(fit, data, output_kernel));
  Dense out(5, 30), narrow(5, 29), X = data.X.topRows(5), wide = spectral::normal(5, 3, 7), short_one = X.topRows(4);
  dependency::Outputs wrong{copy(data.Y.leftCols(2))}, none;
  CHECK_THROWS(std::invalid_argument, model.weights(Points(view(wide)), view(out)));
  CHECK_THROWS(std::invalid_argument, model.weights(Points(view(X)), view(narrow)));
  CHECK_THROWS(std::invalid_argument, model.weights(Points(view(short_one)), view(out)));
  CHECK_THROWS(std::invalid_argument, values.weights(Points(view(X)), view(out)));
  CHECK_THROWS(std::invalid_argument, static_cast<void>(model.nearest(Points(view(X)), nullptr, 31)));
  CHECK_THROWS(std::invalid_argument, static_cast<void>(model.nearest(Points(view(X)), nullptr, 0)));
  for (const dependency::Outputs* candidates : {&wrong, &none}) {
    CHECK_THROWS(std::invalid_argument, static_cast<void>(model.nearest(Points(view(X)), candidates, 1)));
  }
  CHECK_THROWS(std::invalid_argument, static_cast<void>(model.sequences(Points(view(X)), {})));
}

TEST_MAIN
