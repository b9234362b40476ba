// SPDX-License-Identifier: BSD-3-Clause
// One composition in several ways: parts of the samples, landmarks that are all samples, siblings, threads, stored or evaluated.
#include <algorithm>
#include <cmath>
#include <string>
#include <thread>

#include "gramian/base/parallel.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/linalg/cholesky.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/layers/composition.hpp"
#include "support/check.hpp"
#include "support/composition_problem.hpp"

using namespace gramian;
using naive::leaf;
using naive::Real;
using problem::Input;

namespace {

using Numbers = std::vector<double>;

const naive::Rows matrix = {{1.1L, 0.3L}, {0.3L, 0.8L}};

/// 3 -> 2 -> 3 -> 2, with a sum of terms in the middle.
std::vector<naive::Layer> some_layers() {
  const naive::Layer sum{{{leaf("gaussian", {0.3}), {{0.7L, 0, 1.3L}}}, {leaf("polynomial", {2, 0.3, 1.0})}}, 3, 0.1};
  return {{{{leaf("gaussian", {0.4}), matrix}}, 2, 0.3}, sum, {{{leaf("matern52", {2.0})}}, 2, 0.2}};
}

naive::Composition given(Index n, std::vector<Index> landmarks = {}) {
  return {problem::input_rows(n, 3), some_layers(), std::move(landmarks)};
}

std::vector<Index> counted(Index count, Index by = 1) {
  std::vector<Index> rows;
  for (Index i = 0; i < count; i += by) rows.push_back(i);
  return rows;
}

/// All that a forward and a reverse sweep give.
struct Sweeps {
  double penalty;
  Numbers output, gradient;
};

Sweeps sweep(Composition& composition, const Numbers& flat, const MatrixView<double>& bar) {
  Sweeps out{composition.forward(flat.data()), {}, Numbers(flat.size())};
  const MatrixView<const double> X = composition.output(composition.depth());
  out.output.assign(X.data(), X.data() + X.rows() * X.cols());
  composition.reverse(bar, {}, out.gradient.data());
  return out;
}

bool same_bits(const Sweeps& a, const Sweeps& b) {
  return a.penalty == b.penalty && a.output == b.output && a.gradient == b.gradient;
}

double distance(const Numbers& a, const Numbers& b) {
  double largest = a.size() == b.size() ? 0.0 : std::nan("");
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::fabs(a[i] - b[i]));
  return largest;
}

double largest(const Numbers& a) { return distance(a, Numbers(a.size(), 0.0)); }

}  // namespace

TEST(landmarks_that_are_all_samples_make_the_exact_model) {
  const Index n = 150;
  const naive::Composition exact = given(n);
  const Input input(exact.input);
  const Numbers flat = problem::some_coefficients(exact);
  const auto bar = naive::normal<double>(n, 2, 71);
  for (const PointSource& in : input.forms()) {
    Composition whole(in, naive::layers_of(exact.layers));
    const Sweeps wanted = sweep(whole, flat, bar.view);
    for (const std::uint64_t budget : {std::uint64_t(0), std::uint64_t(1) << 30}) {
      Composition landmarks(in, naive::layers_of(exact.layers), {counted(n), budget});
      CHECK_EQ(landmarks.supports(), n);
      const Sweeps got = sweep(landmarks, flat, bar.view);
      CHECK_NEAR(got.penalty, wanted.penalty, 1e-12 * wanted.penalty);
      CHECK(distance(got.output, wanted.output) <= 1e-12 * largest(wanted.output));
      CHECK(distance(got.gradient, wanted.gradient) <= 1e-12 * largest(wanted.gradient));
    }
  }
}

TEST(any_number_of_threads_and_any_budget_gives_the_same_bits) {
  const Index n = 2500;  // enough work for seven threads
  for (const std::vector<Index>& landmarks : {std::vector<Index>(), counted(n, 3)}) {
    const naive::Composition large = given(n, landmarks);
    const Input input(large.input);
    const Numbers flat = problem::some_coefficients(large);
    const auto bar = naive::normal<double>(n, 2, 72);
    set_num_threads(1);
    Composition composition(input.forms()[0], naive::layers_of(large.layers), {landmarks});
    const Sweeps one = sweep(composition, flat, bar.view);
    CHECK(same_bits(one, sweep(composition, flat, bar.view)));
    for (const int threads : {2, 7}) {
      set_num_threads(threads);
      Composition other(input.forms()[0], naive::layers_of(large.layers), {landmarks});
      CHECK(same_bits(one, sweep(other, flat, bar.view)));
      CHECK(same_bits(one, sweep(composition, flat, bar.view)));
    }
    set_num_threads(0);
    // Of 26 MB for each term, or 3 with landmarks and another 17 for the first: nothing is kept, or some of it.
    for (const std::uint64_t budget : {std::uint64_t(0), std::uint64_t(8) << 20, std::uint64_t(64) << 20}) {
      Composition other(input.forms()[0], naive::layers_of(large.layers), {landmarks, budget});
      const Sweeps got = sweep(other, flat, bar.view);
      if (landmarks.empty()) CHECK(same_bits(one, got));
      CHECK(distance(got.gradient, one.gradient) <= 1e-12 * largest(one.gradient));
    }
  }
}

TEST(siblings_work_at_the_same_time) {
  const Index n = 300;
  for (const std::vector<Index>& landmarks : {std::vector<Index>(), counted(n, 4)}) {
    const naive::Composition large = given(n, landmarks);
    const Input input(large.input);
    const auto bar = naive::normal<double>(n, 2, 73);
    for (const PointSource& in : input.forms()) {
      std::vector<Numbers> flat;
      std::vector<Sweeps> wanted, got(3);
      std::vector<Composition> siblings;
      siblings.emplace_back(in, naive::layers_of(large.layers), CompositionOptions{landmarks});
      for (std::uint64_t s = 0; s < 3; ++s) {
        flat.push_back(problem::some_coefficients(large, 74 + s));
        Composition alone(in, naive::layers_of(large.layers), {landmarks});
        wanted.push_back(sweep(alone, flat.back(), bar.view));
        if (s > 0) siblings.push_back(siblings[s - 1].sibling());
      }
      std::vector<std::thread> threads;
      for (std::size_t s = 0; s < 3; ++s) {
        threads.emplace_back([&, s] { got[s] = sweep(siblings[s], flat[s], bar.view); });
      }
      for (std::thread& thread : threads) thread.join();
      for (std::size_t s = 0; s < 3; ++s) CHECK(same_bits(got[s], wanted[s]));
      siblings.erase(siblings.begin());  // the others go on without the one they came from
      CHECK(same_bits(sweep(siblings[1], flat[2], bar.view), wanted[2]));
    }
  }
}

TEST(gradients_of_parts_add_up_to_that_of_the_whole) {
  const Index n = 40;
  for (const std::vector<Index>& landmarks : {std::vector<Index>(), counted(n, 3)}) {
    const naive::Composition whole = given(n, landmarks);
    const Input input(whole.input);
    const Numbers flat = problem::some_coefficients(whole);
    const auto bar = naive::normal<double>(n, 2, 77);
    for (const std::uint64_t budget : {std::uint64_t(0), std::uint64_t(1) << 30}) {
      for (const PointSource& in : input.forms()) {
        Composition composition(in, naive::layers_of(whole.layers), {landmarks, budget});
        const Sweeps wanted = sweep(composition, flat, bar.view);
        Numbers sum(flat.size(), 0.0);
        for (Index part = 0; part < 4; ++part) {
          std::vector<Index> rows;
          for (Index i = part; i < n; i += part < 2 ? 4 : 2) {
            if (part < 2 || i % 4 == part) rows.push_back(i);
          }
          composition.restrict_to(rows);
          naive::Matrix<double> some(static_cast<Index>(rows.size()), 2);
          for (Index i = 0; i < some.view.rows(); ++i) {
            for (Index c = 0; c < 2; ++c) some(i, c) = bar.view(rows[static_cast<std::size_t>(i)], c);
          }
          for (Index l = 1; l <= 3; ++l) {  // penalties count once
            composition.set_penalty(l, part == 0 ? whole.layers[static_cast<std::size_t>(l - 1)].penalty : 0.0);
          }
          const Sweeps got = sweep(composition, flat, some.view);
          CHECK_NEAR(got.penalty, part == 0 ? wanted.penalty : 0.0, 1e-13 * wanted.penalty);
          for (std::size_t i = 0; i < rows.size(); ++i) {
            for (std::size_t c = 0; c < 2; ++c) {
              CHECK_NEAR(got.output[2 * i + c], wanted.output[2 * static_cast<std::size_t>(rows[i]) + c],
                         1e-12 * largest(wanted.output));
            }
          }
          for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += got.gradient[i];
        }
        CHECK(distance(sum, wanted.gradient) <= 1e-12 * largest(wanted.gradient));
        composition.restrict_to({});
        for (Index l = 1; l <= 3; ++l) composition.set_penalty(l, whole.layers[static_cast<std::size_t>(l - 1)].penalty);
        CHECK(same_bits(sweep(composition, flat, bar.view), wanted));
      }
    }
  }
}

TEST(inner_outputs_of_a_part_are_those_of_the_whole) {
  const Index n = 30;
  for (const std::vector<Index>& landmarks : {std::vector<Index>(), counted(n, 3)}) {
    const naive::Composition whole = given(n, landmarks);
    const Input input(whole.input);
    const Numbers flat = problem::some_coefficients(whole);
    Composition all(input.forms()[0], naive::layers_of(whole.layers), {landmarks}), part = all.sibling();
    const std::vector<Index> rows = {3, 4, 17, 29};
    part.restrict_to(rows);
    all.forward(flat.data());
    part.forward(flat.data());
    for (Index l = 1; l <= 3; ++l) {
      CHECK_EQ(part.output(l).rows(), 4);
      CHECK_EQ(part.support(l).rows(), all.supports());
      CHECK_EQ(part.squared_norm(l), all.squared_norm(l));
      for (Index i = 0; i < 4; ++i) {
        for (Index c = 0; c < part.output(l).cols(); ++c) {
          CHECK_NEAR(part.output(l)(i, c), all.output(l)(rows[static_cast<std::size_t>(i)], c), 1e-12);
        }
      }
    }
  }
}

// A loss of the supports' images as well, as a last layer has that is solved for.
TEST(a_loss_may_depend_on_the_supports) {
  const Index n = 8;
  for (const std::vector<Index>& landmarks : {std::vector<Index>(), std::vector<Index>{1, 4, 5}}) {
    const naive::Composition whole = given(n, landmarks);
    const Input input(whole.input);
    const Numbers flat = problem::some_coefficients(whole), v = problem::some_coefficients(whole, 78);
    Composition composition(input.forms()[0], naive::layers_of(whole.layers), {landmarks});
    const auto bar = naive::normal<double>(n, 2, 79), support_bar = naive::normal<double>(composition.supports(), 2, 80);
    Numbers gradient(flat.size());
    composition.forward(flat.data());
    composition.reverse(bar.view, support_bar.view, gradient.data());
    const auto value = [&](Real t) {
      naive::Numbers moved = problem::wide(flat);
      for (std::size_t i = 0; i < v.size(); ++i) moved[i] += t * static_cast<Real>(v[i]);
      const naive::Images at = whole.evaluate(moved);
      const naive::Rows S = whole.supports(at.X.back());
      Real sum = 0;
      for (Index i = 0; i < n; ++i) sum += difference::dot(at.X.back()[static_cast<std::size_t>(i)], &bar.view(i, 0));
      for (std::size_t j = 0; j < S.size(); ++j) sum += difference::dot(S[j], &support_bar.view(static_cast<Index>(j), 0));
      for (std::size_t l = 0; l < 3; ++l) sum += static_cast<Real>(whole.layers[l].penalty) * at.squared_norms[l];
      return sum;
    };
    const difference::Slope wanted = difference::slope(value, problem::step, 100);
    const Real got = difference::dot(v, gradient), scale = largest(gradient), allowed = problem::allowed_for(whole, scale);
    CHECK(difference::agrees(got, wanted, allowed, scale));
    CHECK(!difference::agrees(got + 1e-6L * scale, wanted, allowed, scale));
  }
}

TEST(a_layer_alone_gives_what_it_gives_within) {
  const Index n = 25;
  for (const std::vector<Index>& landmarks : {std::vector<Index>(), counted(n, 2)}) {
    const naive::Composition whole = given(n, landmarks);
    const Input input(whole.input);
    const Numbers flat = problem::some_coefficients(whole);
    Composition composition(input.forms()[0], naive::layers_of(whole.layers), {landmarks});
    composition.forward(flat.data());
    for (Index l = 2; l <= 3; ++l) {
      const MatrixView<const double> X = composition.output(l - 1), S = composition.support(l - 1),
                                     wanted = composition.output(l);
      const MatrixView<const double> Phi = static_cast<const Composition&>(composition).coefficients(flat.data(), l);
      Matrix out(n, wanted.cols()), one(1, wanted.cols()), again(n, wanted.cols()), K(n, S.rows()), squares(n, 1);
      Composition::apply_layer(composition.layer(l), Points(X), Points(S), Phi, out.view());
      Composition::apply_layer(composition.layer(l), Points(MatrixView<const double>(&X(7, 0), 1, X.cols())), Points(S), Phi,
                               one.view());
      full(Kernel("linear", {}), Points(X), Points(S), K.view());
      diagonal(Kernel("linear", {}), Points(X), squares.view());
      Matrix support_squares(S.rows(), 1);
      diagonal(Kernel("linear", {}), Points(S), support_squares.view());
      Composition::apply_layer(composition.layer(l), InnerProducts<double>(K.view(), squares.view(), support_squares.view()), Phi,
                               again.view());
      for (Index i = 0; i < n; ++i) {
        for (Index c = 0; c < wanted.cols(); ++c) {
          CHECK_NEAR(out(i, c), wanted(i, c), 1e-12);
          CHECK_NEAR(again(i, c), wanted(i, c), 1e-12);
          if (i == 7) CHECK_EQ(one(0, c), out(i, c));
        }
      }
    }
  }
}

// Xbar + 2 lambda Phi times K and A is the gradient in coefficients.
TEST(the_gradient_in_the_function_is_that_in_coefficients_before_K) {
  const Index n = 12;
  const naive::Composition whole{problem::input_rows(n, 3), {some_layers()[0], {{{leaf("gaussian", {0.3}), matrix}}, 2, 0.1}}};
  const Input input(whole.input);
  const Numbers flat = problem::some_coefficients(whole);
  Composition composition(input.forms()[0], naive::layers_of(whole.layers));
  const Sweeps got = sweep(composition, flat, naive::normal<double>(n, 2, 81).view);
  Numbers direction(flat.size());
  composition.function_gradient(direction.data());
  for (Index l = 1; l <= 2; ++l) {
    const LayerTerm& term = composition.layer(l).terms[0];
    Matrix K(n, n), KV(n, 2);
    full(term.kernel, l == 1 ? input.forms()[0].points() : Points(composition.output(1)), K.view());
    gemm(1.0, K.view(), composition.coefficients(direction.data(), l), 0.0, KV.view());
    term.A.apply(KV.view(), KV.view());
    const double* wanted = got.gradient.data() + (l - 1) * 2 * n;
    for (Index i = 0; i < 2 * n; ++i) CHECK_NEAR(KV.data()[i], wanted[i], 1e-13 * largest(got.gradient));
  }
}

// One layer, squared error: (K + n lambda I) Phi = Y is where the gradient in the function is zero.
TEST(kernel_ridge_regression_is_stationary) {
  const Index n = 30;
  const double lambda = 1e-4;
  const auto X = naive::normal<double>(n, 2, 82), Y = naive::normal<double>(n, 3, 83);
  const Kernel kernel("gaussian", {0.5});
  Matrix W(n, n), Phi = Matrix::copy_of(Y.view), bar(n, 3);
  full(kernel, Points(X.view), W.view());
  for (Index i = 0; i < n; ++i) W(i, i) += static_cast<double>(n) * lambda;
  Cholesky(W.view()).solve(Phi.view());
  Composition composition(Points(X.view), {KernelLayer::scalar(kernel, 3, lambda)});
  composition.forward(Phi.data());
  const double scale = 2.0 * lambda * largest(Numbers(Phi.data(), Phi.data() + Phi.size()));
  for (Index i = 0; i < n; ++i) {
    for (Index c = 0; c < 3; ++c) bar(i, c) = 2.0 / static_cast<double>(n) * (composition.output(1)(i, c) - Y.view(i, c));
  }
  Matrix gradient(n, 3);
  composition.reverse(bar.view(), {}, gradient.data());
  composition.function_gradient(gradient.data());
  CHECK(largest(Numbers(gradient.data(), gradient.data() + gradient.size())) <= 1e-10 * scale);
  bar(0, 0) += 1e-6 * scale;
  composition.reverse(bar.view(), {}, gradient.data());
  composition.function_gradient(gradient.data());
  CHECK(largest(Numbers(gradient.data(), gradient.data() + gradient.size())) > 1e-7 * scale);
}

TEST_MAIN
