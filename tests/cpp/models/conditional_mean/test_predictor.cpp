// SPDX-License-Identifier: BSD-3-Clause
// An embedding as a value says what its formulas say, and refuses parts that do not fit together.
#include "gramian/models/conditional_mean/predictor.hpp"

#include <Eigen/LU>
#include <limits>
#include <thread>
#include <vector>

#include "gramian/gram/herding.hpp"
#include "support/any_threads.hpp"
#include "support/check.hpp"
#include "support/dense.hpp"
#include "support/dependency_samples.hpp"

using namespace gramian;
using conditional_mean::Parts;
using Mean = conditional_mean::Predictor;
using dependency_data::gaussian;
using dependency_data::gram;
using dependency_data::Sparse;
using gramian::view;
using support::relative;
using support::shared;
using Dense = spectral::Matrix;

namespace {

constexpr double lambda = 0.01;
const Kernel output_kernel("laplacian", {0.7});

struct Pairs {
  explicit Pairs(Index n, std::uint64_t seed) {
    const dependency_data::Samples all = dependency_data::samples(n, seed);
    X = all.X;
    Y = all.Y;
  }
  Points points() const { return Points(view(X)); }
  Points outputs() const { return Points(view(Y)); }
  Dense X, Y;
};

Parts parts_of(const Pairs& data) {
  const conditional_mean::Model model(GramSource(gaussian(), data.points()), {lambda});
  return conditional_mean::parts_of(model, gaussian(), Samples::copy_of(data.points()), output_kernel,
                                    Samples::copy_of(data.outputs()));
}

/// The same without kernels: rows of X, and of Y, are kernel values.
Parts by_values(const Pairs& data) {
  Parts parts = parts_of(data);
  parts.kernel.reset();
  parts.output_kernel.reset();
  parts.inputs = Samples::counted(data.X.rows());
  parts.outputs = Samples();
  parts.coefficients = SharedMatrix();
  parts.output_gram = shared(gram(output_kernel, data.Y, data.Y));
  return parts;
}

/// [MCE] (1): with weights of the samples whose mean is 1.
Dense naive_weights(const Pairs& data, const Dense& fresh, const Dense& roots) {
  const Index n = data.X.rows();
  const Dense S = roots.col(0).asDiagonal();
  const Dense system = S * gram(gaussian(), data.X, data.X) * S + static_cast<double>(n) * lambda * Dense::Identity(n, n);
  return (S * system.partialPivLu().solve(S * gram(gaussian(), data.X, fresh))).transpose();
}

Dense weights_of(const Mean& mean, const Points& X) {
  Dense out(X.size(), mean.size());
  mean.weights(X, view(out));
  return out;
}

Dense predicted(const Mean& mean, const Points& X) {
  Dense out(X.size(), mean.outputs(Verb::predict));
  mean.apply(Verb::predict, X, view(out));
  return out;
}

Dense evaluated(const Mean& mean, const Points& X, const Points& Y) {
  Dense out(X.size(), Y.size());
  mean.evaluate(X, Y, view(out));
  return out;
}

void check_formulas(const Mean& mean, const Points& X, const Points& Y, const Dense& beta, const Dense& at_Y) {
  CHECK(relative(weights_of(mean, X), beta) <= 1e-11);
  CHECK(relative(evaluated(mean, X, Y), beta * at_Y) <= 1e-11);
  const Dense G = spectral::normal(mean.size(), 3, 50);
  Dense expected(X.size(), 3);
  mean.expectation(X, view(G), view(expected));
  CHECK(relative(expected, beta * G) <= 1e-11);
}

}  // namespace

// More rows than a block holds.
TEST(formulas_of_points) {
  const Pairs data(60, 1), fresh(1100, 2), other(1100, 3);
  const Mean mean(parts_of(data));
  const Dense beta = naive_weights(data, fresh.X, Dense::Ones(60, 1));
  check_formulas(mean, fresh.points(), other.outputs(), beta, gram(output_kernel, data.Y, other.Y));
  CHECK(relative(predicted(mean, fresh.points()), beta * data.Y) <= 1e-11);
  CHECK_EQ(mean.inputs(Verb::predict), 2);
  CHECK_EQ(mean.outputs(Verb::predict), 4);
  CHECK(!mean.has(Verb::scores));
}

TEST(formulas_of_kernel_values) {
  const Pairs data(60, 4), fresh(30, 5), other(9, 6);
  const Mean mean(by_values(data));
  const Dense cross = gram(gaussian(), fresh.X, data.X), at_Y = gram(output_kernel, other.Y, data.Y);
  const Dense beta = naive_weights(data, fresh.X, Dense::Ones(60, 1));
  check_formulas(mean, Points(view(cross)), Points(view(at_Y)), beta, at_Y.transpose());
  CHECK(!mean.has(Verb::predict));
}

TEST(formulas_of_weighted_samples) {
  const Pairs data(50, 7), fresh(30, 8), other(9, 9);
  Dense roots = spectral::normal(50, 1, 10).array().abs() + 0.5;
  roots *= std::sqrt(50.0) / roots.norm();
  const Dense S = roots.col(0).asDiagonal(), K = S * gram(gaussian(), data.X, data.X) * S;
  const conditional_mean::Model model(GramSource(view(K)), {lambda});
  Parts parts = parts_of(data), values = by_values(data);
  parts.roots = values.roots = shared(roots);
  parts.factor = values.factor = SharedMatrix::copy_of(model.factor());
  const Dense beta = naive_weights(data, fresh.X, roots), at_Y = gram(output_kernel, data.Y, other.Y);
  check_formulas(Mean(parts), fresh.points(), other.outputs(), beta, at_Y);
  const Dense cross = gram(gaussian(), fresh.X, data.X), turned = at_Y.transpose();
  check_formulas(Mean(values), Points(view(cross)), Points(view(turned)), beta, at_Y);
}

TEST(sparse_samples) {
  Pairs data(40, 11), fresh(12, 12);
  for (Dense* A : {&data.X, &data.Y, &fresh.X}) *A = (A->array().abs() < 0.4).select(0.0, *A);
  const Sparse X(data.X), Y(data.Y), later(fresh.X);
  const conditional_mean::Model model(GramSource(gaussian(), X.points()), {lambda});
  const Mean mean(conditional_mean::parts_of(model, gaussian(), Samples::copy_of(X.points()), Kernel("linear", {}),
                                             Samples::copy_of(Y.points())));
  const Dense beta = naive_weights(data, fresh.X, Dense::Ones(40, 1));
  CHECK(relative(predicted(mean, later.points()), beta * data.Y) <= 1e-11);
  CHECK(mean.parts().coefficients.empty());
  CHECK(predicted(mean, fresh.points()) == predicted(mean, later.points()));
}

TEST(distances_and_losses) {
  const Pairs data(40, 13), a(1030, 14), b(1030, 15), more(30, 16);
  const Mean mean(parts_of(data)), other(parts_of(more));
  const Dense L = gram(output_kernel, data.Y, data.Y), beta = weights_of(mean, a.points());
  const Dense difference = beta - weights_of(mean, b.points());
  Dense out(1030, 1);
  mean.distances(a.points(), b.points(), view(out));
  CHECK(relative(out, (difference * L).cwiseProduct(difference).rowwise().sum()) <= 1e-11);
  const Dense one = b.X.topRows(1);
  const Dense from_one = beta.rowwise() - weights_of(mean, b.points()).row(0);
  mean.distances(Points(view(one)), a.points(), view(out));
  CHECK(relative(out, (from_one * L).cwiseProduct(from_one).rowwise().sum()) <= 1e-11);
  Dense both(70, 4), joint(1030, 70);
  both << data.Y, more.Y;
  joint << beta, -weights_of(other, b.points());
  mean.distances(a.points(), other, b.points(), GramSource(output_kernel, Points(view(both))), view(out));
  CHECK(relative(out, (joint * gram(output_kernel, both, both)).cwiseProduct(joint).rowwise().sum()) <= 1e-11);
  Dense losses(1030, 1);
  mean.losses(a.points(), a.outputs(), {}, view(losses));
  Dense expected = Dense::Ones(1030, 1) + (beta * L).cwiseProduct(beta).rowwise().sum();
  expected -= 2.0 * beta.cwiseProduct(gram(output_kernel, a.Y, data.Y)).rowwise().sum();
  CHECK(relative(losses, expected) <= 1e-11);
  const Mean values(by_values(data));
  const Dense cross = gram(gaussian(), a.X, data.X), at_a = gram(output_kernel, a.Y, data.Y), squares = Dense::Ones(1030, 1);
  values.losses(Points(view(cross)), Points(view(at_a)), view(squares), view(losses));
  CHECK(relative(losses, expected) <= 1e-11);
}

TEST(samples_are_herded) {
  const Pairs data(40, 17), fresh(6, 18), other(15, 19);
  const Mean mean(parts_of(data)), values(by_values(data));
  Dense beta = weights_of(mean, fresh.points());
  beta.array().colwise() /= beta.rowwise().sum().array();
  Dense at_training = beta * gram(output_kernel, data.Y, data.Y), at_other = beta * gram(output_kernel, data.Y, other.Y);
  CHECK(mean.sample(fresh.points(), 5) == herd(GramSource(output_kernel, data.outputs()), view(at_training), 5));
  const std::vector<Index> wanted = herd(GramSource(output_kernel, other.outputs()), view(at_other), 5);
  CHECK(mean.sample(fresh.points(), 5, other.outputs()) == wanted);
  const Dense cross = gram(gaussian(), fresh.X, data.X), at_Y = gram(output_kernel, other.Y, data.Y),
              own = gram(output_kernel, other.Y, other.Y);
  CHECK(values.sample(Points(view(cross)), 5, Points(view(at_Y)), view(own)) == wanted);
  CHECK(values.sample(Points(view(cross)), 5) == mean.sample(fresh.points(), 5));
}

TEST(any_number_of_threads_and_of_rows_gives_the_same_bits) {
  const Pairs data(300, 20), fresh(200, 21);
  const Mean mean(parts_of(data));
  CHECK(check::same_for_any_threads([&] { return predicted(mean, fresh.points()); }));
  CHECK(check::same_for_any_threads([&] { return weights_of(mean, fresh.points()); }));
  const Dense all = predicted(mean, fresh.points());
  for (Index i = 0; i < 200; i += 7) {
    const Dense row = fresh.X.row(i);
    CHECK(predicted(mean, Points(view(row))) == Dense(all.row(i)));
  }
}

TEST(threads_share_a_value) {
  const Pairs data(100, 22), fresh(20, 23);
  const Mean mean(parts_of(data));
  const Dense wanted = weights_of(mean, fresh.points());
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      const Mean copy = mean;
      for (int turn = 0; turn < 20; ++turn) CHECK(weights_of(copy, fresh.points()) == wanted);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(parts_that_do_not_fit_together) {
  const Pairs data(20, 24);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [](Parts parts, auto change) {
    change(parts);
    CHECK_THROWS(std::invalid_argument, Mean(parts));
  };
  const Dense A = spectral::normal(20, 20, 25), short_one = A.topRows(19), column = A.col(0).cwiseAbs();
  const Parts points = parts_of(data), values = by_values(data);
  Dense broken = A;
  broken(3, 4) = nan;
  for (const Parts& all : {points, values}) {
    refused(all, [&](Parts& parts) { parts.inputs = Samples::counted(0); });
    refused(all, [&](Parts& parts) { parts.inputs = Samples::counted(19); });
    refused(all, [&](Parts& parts) { parts.factor = SharedMatrix(); });
    refused(all, [&](Parts& parts) { parts.factor = shared(short_one); });
    refused(all, [&](Parts& parts) { parts.factor = shared(Dense(-A.cwiseAbs())); });
    refused(all, [&](Parts& parts) { parts.factor = shared(broken); });
    refused(all, [&](Parts& parts) { parts.roots = shared(short_one); });
    refused(all, [&](Parts& parts) { parts.roots = shared(Dense(-column)); });
    refused(all, [&](Parts& parts) { parts.output_gram = shared(short_one); });
    refused(all, [&](Parts& parts) { parts.outputs = Samples(shared(short_one)); });
    refused(all, [&](Parts& parts) { parts.coefficients = shared(short_one); });
    refused(all, [&](Parts& parts) { parts.coefficients = shared(broken); });
    refused(all, [&](Parts& parts) { parts.labels = {0.0, 1.0}; });
  }
  refused(points, [&](Parts& parts) { parts.kernel.reset(); });
  refused(points, [&](Parts& parts) { parts.kernel = Kernel("gaussian", {1.0}, {1.0, 2.0, 3.0}); });
  refused(points, [&](Parts& parts) { parts.output_kernel.reset(); });
  refused(values, [&](Parts& parts) { parts.output_gram = shared(A); });  // not symmetric
  refused(values, [&](Parts& parts) { parts.kernel = gaussian(); });
  CHECK_THROWS(std::invalid_argument, Samples(shared(broken)));
}

TEST(labels_are_numbers_of_classes) {
  const Pairs data(20, 26);
  Parts parts = parts_of(data);
  Dense numbers(20, 1);
  for (Index i = 0; i < 20; ++i) numbers(i, 0) = static_cast<double>(i % 3);
  parts.coefficients = SharedMatrix();
  parts.output_kernel = Kernel("delta", {});
  parts.outputs = Samples(shared(numbers));
  parts.labels = {std::string("a"), std::string("b"), std::string("c")};
  const Mean mean(parts);
  CHECK(!mean.has(Verb::predict));
  CHECK_EQ(static_cast<Index>(mean.classes().size()), 3);
  for (const double wrong : {-1.0, 3.0, 0.5}) {
    numbers(7, 0) = wrong;
    parts.outputs = Samples(shared(numbers));
    CHECK_THROWS(std::invalid_argument, Mean(parts));
  }
}

TEST(arguments_that_do_not_fit) {
  const Pairs data(20, 27);
  const Mean mean(parts_of(data)), values(by_values(data));
  const Dense narrow(3, 1), X = data.X.topRows(3), Y = data.Y.topRows(3), G = spectral::normal(19, 2, 28);
  Dense out(3, 20), column(3, 1), two(2, 1);
  CHECK_THROWS(std::invalid_argument, mean.weights(Points(view(narrow)), view(out)));
  CHECK_THROWS(std::invalid_argument, mean.weights(Points(view(X)), view(column)));
  CHECK_THROWS(std::invalid_argument, values.weights(Points(view(X)), view(out)));
  CHECK_THROWS(std::invalid_argument, mean.expectation(Points(view(X)), view(G), view(out)));
  CHECK_THROWS(std::invalid_argument, mean.evaluate(Points(view(X)), Points(view(X)), view(out)));
  CHECK_THROWS(std::invalid_argument, mean.losses(Points(view(X)), Points(view(Y)), view(column), view(column)));
  CHECK_THROWS(std::invalid_argument, mean.losses(Points(view(X)), data.outputs(), {}, view(column)));
  CHECK_THROWS(std::invalid_argument, mean.distances(Points(view(X)), data.points(), view(column)));
  CHECK_THROWS(std::invalid_argument, mean.distances(Points(view(X)), Points(view(X)), view(two)));
  CHECK_THROWS(std::invalid_argument, static_cast<void>(mean.sample(Points(view(X)), 0)));
  CHECK_THROWS(std::invalid_argument, static_cast<void>(mean.sample(Points(view(X)), 2, Points(view(X)))));
  Dense wrong = X;
  wrong(1, 1) = std::numeric_limits<double>::infinity();
  CHECK_THROWS(std::invalid_argument, mean.weights(Points(view(wrong)), view(out)));
}

TEST_MAIN
