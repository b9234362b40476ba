// SPDX-License-Identifier: BSD-3-Clause
// A sample of weight 2 is two samples.
#include "models/dependency/weighted.hpp"

#include "support/check.hpp"
#include "support/dependency_samples.hpp"

using namespace dependency_data;
namespace dependency = gramian::dependency;

namespace {

const Matrix X = normal(9, 2, 1), Y = normal(9, 3, 2), fresh = normal(4, 2, 3);
const std::vector<double> weights = {1, 2, 1, 3, 1, 1, 2, 1, 1};

Matrix repeated(const Matrix& A) {
  Matrix out(13, A.cols());
  Index row = 0;
  for (Index i = 0; i < 9; ++i) {
    for (int copy = 0; copy < weights[static_cast<std::size_t>(i)]; ++copy) out.row(row++) = A.row(i);
  }
  return out;
}

dependency::Fit fitted(const Matrix& inputs, const Matrix& outputs, const dependency::Options& options) {
  return dependency::fit(GramSource(gaussian(), Points(view(inputs))), GramSource(gaussian(), Points(view(outputs))), options);
}

/// Scores of all distinct outputs at new inputs: what a model says, whatever its coefficients are.
Matrix scores(const dependency::Fit& fit, const Matrix& inputs, const Matrix& outputs) {
  const auto some = [](const Matrix& A, const std::vector<Index>& rows) {
    return rows.empty() ? A : Matrix(A(rows, Eigen::all));
  };
  const Matrix k = gram(gaussian(), fresh, some(inputs, fit.model.input_supports));
  const Matrix l = gram(gaussian(), Y, some(outputs, fit.model.output_supports)), one = Matrix::Ones(9, 1);
  Matrix out(4, 9);
  dependency::scores(fit.model, CrossSource(view(k)), CrossSource(view(l), view(one)), view(out));
  return out;
}

}  // namespace

TEST(a_weight_of_two_is_two_samples) {
  const Matrix X_again = repeated(X), Y_again = repeated(Y);
  for (const Kind kind : kinds) {
    for (const Index components : {0, 3}) {
      dependency::Options options;
      options.output_operator = operator_of(kind);
      options.lambda = 0.05;
      options.components = components;
      const Matrix expected = scores(fitted(X_again, Y_again, options), X_again, Y_again);
      options.weights = weights;
      const dependency::Fit found = fitted(X, Y, options);
      CHECK_NEAR(found.lambda, 0.05, 1e-16);
      CHECK((scores(found, X, Y) - expected).cwiseAbs().maxCoeff() <= 1e-10);
      options.weights.assign(9, 1.0);
      CHECK((scores(fitted(X, Y, options), X, Y) - expected).cwiseAbs().maxCoeff() > 1e-3);  // the negative control
    }
  }
}

TEST(so_it_is_with_ranks) {
  const Matrix X_again = repeated(X), Y_again = repeated(Y);
  dependency::Options options;
  options.lambda = 0.05;
  options.ranks.emplace();
  const Matrix expected = scores(fitted(X_again, Y_again, options), X_again, Y_again);
  options.weights = weights;
  CHECK((scores(fitted(X, Y, options), X, Y) - expected).cwiseAbs().maxCoeff() <= 1e-8);
}

TEST(weights_that_mean_nothing_are_refused) {
  dependency::Options options;
  for (const std::vector<double>& wrong :
       {std::vector<double>{1, 2}, std::vector<double>(9, 0.0), std::vector<double>(9, -1.0)}) {
    options.weights = wrong;
    CHECK_THROWS(std::invalid_argument, fitted(X, Y, options));
  }
  options.weights = weights;
  options.components = 2;
  options.centred = true;
  CHECK_THROWS(std::invalid_argument, fitted(X, Y, options));
  options.centred = false;
  options.lambdas = {0.1, 1.0};
  options.held_out = {1, 4};
  CHECK_THROWS(std::invalid_argument, fitted(X, Y, options));
}

TEST_MAIN
