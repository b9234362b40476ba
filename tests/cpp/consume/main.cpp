// SPDX-License-Identifier: BSD-3-Clause
// What somebody who embeds gramian does, checked against loops: exit code 0 if every answer is right.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "gramian/gramian.hpp"

#if defined(CONSUMER_HAS_EIGEN)
#include <Eigen/Dense>

#include "gramian/eigen.hpp"
#endif

namespace {

using gramian::Index;
using gramian::MatrixView;

constexpr Index n = 37, m = 23, d = 3, r = 2;
constexpr double gamma_value = 0.3;

int failures = 0;

void check(bool condition, const std::string& what) {
  std::printf("%s  %s\n", condition ? "ok    " : "FAILED", what.c_str());
  if (!condition) ++failures;
}

/// Runs the body and checks that it ends in an Error and in nothing else.
template <class Error, class Body>
void check_throws(const std::string& what, Body body) {
  std::string got = "nothing";
  try {
    body();
  } catch (const Error& error) {
    check(error.what()[0] != '\0', what + ": " + error.what());
    return;
  } catch (const std::exception& error) {
    got = error.what();
  }
  check(false, what + ", but came " + got);
}

std::vector<double> numbers(Index size, std::uint64_t stream) {
  std::vector<double> out(static_cast<std::size_t>(size));
  gramian::RandomStream(7, stream).fill_normal(MatrixView<double>(out.data(), size, 1));
  return out;
}

double gaussian(MatrixView<const double> X, Index i, MatrixView<const double> Y, Index j) {
  double squares = 0;
  for (Index k = 0; k < X.cols(); ++k) squares += (X(i, k) - Y(j, k)) * (X(i, k) - Y(j, k));
  return std::exp(-gamma_value * squares);
}

double largest_error_of_gram(MatrixView<const double> X, MatrixView<const double> Y, MatrixView<const double> K) {
  double worst = 0;
  for (Index i = 0; i < X.rows(); ++i) {
    for (Index j = 0; j < Y.rows(); ++j) worst = std::fmax(worst, std::fabs(K(i, j) - gaussian(X, i, Y, j)));
  }
  return worst;
}

double largest_error_of_product(MatrixView<const double> X, MatrixView<const double> Y, MatrixView<const double> V,
                                MatrixView<const double> out) {
  double worst = 0;
  for (Index i = 0; i < X.rows(); ++i) {
    for (Index c = 0; c < V.cols(); ++c) {
      double sum = 0;
      for (Index j = 0; j < Y.rows(); ++j) sum += gaussian(X, i, Y, j) * V(j, c);
      worst = std::fmax(worst, std::fabs(out(i, c) - sum));
    }
  }
  return worst;
}

void use_plain_views() {
  const gramian::Kernel kernel("gaussian", {gamma_value});
  const std::vector<double> x = numbers(n * d, 0), y = numbers(m * d, 1), v = numbers(m * r, 2), w = numbers(n * r, 3);
  const MatrixView<const double> X(x.data(), n, d), Y(y.data(), m, d), V(v.data(), m, r), W(w.data(), n, r);

  std::vector<double> gram(n * n), cross(n * m), out(n * r);
  gramian::full(kernel, X, MatrixView<double>(gram.data(), n, n));
  check(largest_error_of_gram(X, X, MatrixView<const double>(gram.data(), n, n)) < 1e-14, "full(X)");
  gramian::full(kernel, X, Y, MatrixView<double>(cross.data(), n, m));
  check(largest_error_of_gram(X, Y, MatrixView<const double>(cross.data(), n, m)) < 1e-14, "full(X, Y)");
  gramian::product(kernel, X, W, MatrixView<double>(out.data(), n, r));
  check(largest_error_of_product(X, X, W, MatrixView<const double>(out.data(), n, r)) < 1e-12, "product(X, V)");
  gramian::product(kernel, X, Y, V, MatrixView<double>(out.data(), n, r));
  check(largest_error_of_product(X, Y, V, MatrixView<const double>(out.data(), n, r)) < 1e-12, "product(X, Y, V)");
}

/// Exceptions of the library's own types, out of it, and from the embedder's code through it and back.
void errors_cross_the_boundary() {
  check_throws<std::invalid_argument>("an unknown kernel is an invalid_argument", [] { gramian::Kernel("no such kernel", {}); });
  check_throws<std::invalid_argument>("a negative gamma is an invalid_argument", [] { gramian::Kernel("gaussian", {-1.0}); });
  check_throws<gramian::MemoryLimitError>("an exabyte is a MemoryLimitError",
                                          [] { gramian::require_memory(std::uint64_t{1} << 60, "an exabyte", "ask for less"); });
  check_throws<gramian::NumericalError>("a task's NumericalError comes back", [] {
    gramian::parallel_for(8, 1e-3, [](Index task, int) {
      if (task == 5) throw gramian::NumericalError("raised by task 5");
    });
  });
}

#if defined(CONSUMER_HAS_EIGEN)
void use_eigen() {
  const gramian::Kernel kernel("gaussian", {gamma_value});
  const std::vector<double> x = numbers(n * d, 0), v = numbers(n * r, 3);
  const Eigen::MatrixXd X = gramian::as_eigen(MatrixView<const double>(x.data(), n, d));
  const Eigen::MatrixXd V = gramian::as_eigen(MatrixView<const double>(v.data(), n, r));

  Eigen::MatrixXd K(n, n), wide = Eigen::MatrixXd::Zero(n, r + 2);
  gramian::full(kernel, gramian::view(X), gramian::view(K));
  check(largest_error_of_gram(gramian::view(X), gramian::view(X), gramian::view(K)) < 1e-14, "full into an Eigen matrix");
  gramian::product(kernel, gramian::view(X), gramian::view(V), gramian::view(wide.middleCols(1, r)));
  check((wide.middleCols(1, r) - K * V).cwiseAbs().maxCoeff() < 1e-12, "product into a block equals Eigen's K * V");
  check(wide.col(0).isZero(0) && wide.col(r + 1).isZero(0), "columns beside the block are untouched");
}
#endif

}  // namespace

int main() {
  try {
    const gramian::BuildReport build = gramian::build_report();
    std::printf("gramian %s (%s, %s), %s\n", build.version.c_str(), build.isa.c_str(), build.compiler.c_str(),
                gramian::thread_report().backend.c_str());
    check(build.version == GRAMIAN_VERSION, "the library is the version of its headers");
    use_plain_views();
    errors_cross_the_boundary();
#if defined(CONSUMER_HAS_EIGEN)
    use_eigen();
#else
    std::printf("        without Eigen: gramian/eigen.hpp is not tried\n");
#endif
  } catch (const std::exception& error) {
    check(false, std::string("unexpected: ") + error.what());
  }
  std::printf("%s\n", failures == 0 ? "consumer: all right" : "consumer: FAILED");
  return failures == 0 ? 0 : 1;
}
