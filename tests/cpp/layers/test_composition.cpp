// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/layers/composition.hpp"

#include <string>

#include "support/check.hpp"
#include "support/composition_problem.hpp"

using namespace gramian;
using naive::leaf;
using naive::Real;
using problem::engine_gradient;
using problem::Gradient;
using problem::Input;
using problem::input_rows;
using problem::some_coefficients;
using problem::wide;

namespace {

const naive::Rows diagonal = {{0.7L, 0.2L, 1.3L}}, with_zeros = {{0.7L, 0, 1.3L}};
const naive::Rows matrix = {{1.1L, 0.3L, -0.2L}, {0.3L, 0.8L, 0.1L}, {-0.2L, 0.1L, 0.6L}};
const naive::Rows singular = {{1, 0.5L, 0}, {0.5L, 0.25L, 0}, {0, 0, 0}};

naive::Layer layer(const naive::Expression& kernel, Index outputs, double penalty) { return {{{kernel}}, outputs, penalty}; }

/// L layers of different kernels and sizes.
std::vector<naive::Layer> deep(std::size_t L) {
  std::vector<naive::Layer> all = {layer(leaf("gaussian", {0.4}), 2, 0.3), layer(leaf("polynomial", {2, 0.3, 1.0}), 3, 0.1),
                                   layer(leaf("gaussian", {0.2}), 2, 0.0), layer(leaf("matern52", {2.0}), 4, 0.05)};
  all.resize(L, all[0]);
  return all;
}

}  // namespace

TEST(any_number_of_layers_has_the_images_and_the_gradient_of_the_definition) {
  for (const std::size_t L : {1u, 2u, 3u, 4u}) problem::check({input_rows(8, 3), deep(L)}, "L = " + std::to_string(L));
}

TEST(every_form_of_A_and_sums_of_terms) {
  const naive::Expression gaussian = leaf("gaussian", {0.4}), quadratic = leaf("rational_quadratic", {0.7, 1.1});
  for (const naive::Rows& A : {naive::Rows(), diagonal, with_zeros, matrix, singular}) {
    const naive::Layer one{{{gaussian, A}}, 3, 0.2},
        sum{{{gaussian, A}, {quadratic, matrix}, {leaf("linear"), with_zeros}}, 3, 0.1};
    problem::check({input_rows(6, 3), {one, sum}}, "A then sum", 2);
    problem::check({input_rows(6, 3), {sum, one, layer(gaussian, 2, 0.1)}}, "sum then A", 2);
  }
}

TEST(a_diagonal_mixture_is_a_sum_of_terms) {
  const naive::Layer mixture{{{leaf("gaussian", {0.4}), {{1, 0, 0}}},
                              {leaf("matern32", {1.3}), {{0, 1, 0}}},
                              {leaf("polynomial", {3, 0.3, 0.8}), {{0, 0, 1}}}},
                             3,
                             0.2};
  problem::check({input_rows(7, 3), {mixture, mixture}}, "mixture");
}

TEST(terms_without_any_output_do_nothing) {
  const naive::Layer nothing{{{leaf("gaussian", {0.4}), {{0, 0, 0}}}}, 3, 0.2};
  const naive::Layer half{{{leaf("gaussian", {0.4}), {{0, 0, 0}}}, {leaf("linear"), diagonal}}, 3, 0.2};
  problem::check({input_rows(5, 3), {layer(leaf("gaussian", {0.3}), 2, 0.1), half}}, "a term");
  for (const std::vector<Index>& landmarks : {std::vector<Index>(), std::vector<Index>{0, 1, 2, 3, 4}}) {
    const naive::Layer some = layer(leaf("polynomial", {2, 0.3, 1.0}), 3, 0.1);
    const naive::Composition given{input_rows(5, 3), {some, nothing, some, some}, landmarks};
    const Input input(given.input);
    Composition composition(input.forms()[0], naive::layers_of(given.layers), {landmarks});
    const std::vector<double> flat = some_coefficients(given);
    for (int sweep = 0; sweep < 2; ++sweep) {  // the second one finds other numbers in the workspace
      const Gradient got = engine_gradient(composition, given, flat);
      CHECK_EQ(composition.squared_norm(2), 0.0);
      for (std::size_t i = 0; i < 30; ++i) {  // Phi_1 has its own norm alone, Phi_2 has nothing
        const double wanted = i < 15 ? 2 * 0.1 * composition.support(1).data()[i] : 0.0;
        CHECK_NEAR(got.coefficients[i], wanted, 1e-15);
      }
    }
  }
}

TEST(many_kernels_in_every_place) {
  const std::vector<double> two = {0.8, 1.4}, three = {0.8, 1.4, 1.1};
  const naive::Expression gaussian = leaf("gaussian", {0.3});
  const std::vector<naive::Expression> kernels = {leaf("linear"),
                                                  leaf("polynomial", {3, 0.4, 1.2}),
                                                  leaf("laplacian", {0.4}),
                                                  leaf("laplacian_l1", {0.3}),
                                                  leaf("matern32", {1.3}),
                                                  leaf("tensor_matern2", {0.8}),
                                                  leaf("rational_quadratic", {0.7, 1.1}),
                                                  leaf("arc_cosine1"),
                                                  leaf("arc_cosine2"),
                                                  leaf("tanimoto"),
                                                  leaf("cosine"),
                                                  gaussian + 0.5 * leaf("linear"),
                                                  gaussian * leaf("polynomial", {2, 0.5, 1.0})};
  for (const naive::Expression& kernel : kernels) {
    problem::check({input_rows(6, 3), {layer(kernel, 2, 0.2), layer(gaussian, 2, 0.1)}}, kernel.name + " first", 3);
    problem::check({input_rows(6, 3), {layer(gaussian, 2, 0.2), layer(kernel, 2, 0.1), layer(gaussian, 1, 0)}}, kernel.name, 3);
  }
  const naive::Expression scaled_three = leaf("gaussian", {0.4}, three), scaled_two = leaf("matern52", {1.2}, two);
  problem::check({input_rows(6, 3), {layer(scaled_three, 2, 0.2), layer(scaled_two, 2, 0.1)}}, "length scales", 3);
}

TEST(landmarks_have_the_images_and_the_gradient_of_the_definition) {
  const std::vector<Index> landmarks = {0, 3, 4, 7};
  for (const std::size_t L : {1u, 2u, 3u, 4u}) {
    problem::check({input_rows(9, 3), deep(L), landmarks}, "landmarks, L = " + std::to_string(L));
  }
  const naive::Layer sum{{{leaf("gaussian", {0.4}), matrix}, {leaf("polynomial", {2, 0.3, 1.0}), with_zeros}}, 3, 0.1};
  problem::check({input_rows(7, 3), {sum, sum, sum}, {1, 2, 6}}, "landmarks, sums");
}

TEST(supports_that_would_stay_are_noticed) {
  for (const std::vector<Index>& landmarks : {std::vector<Index>(), std::vector<Index>{1, 2, 5}}) {
    const naive::Composition given{input_rows(7, 3), deep(3), landmarks};
    const Input input(given.input);
    Composition composition(input.forms()[0], naive::layers_of(given.layers), {landmarks});
    const std::vector<double> flat = some_coefficients(given);
    const Gradient got = engine_gradient(composition, given, flat);
    const naive::Images there = given.evaluate(wide(flat));
    std::size_t noticed = 0;
    for (std::size_t i = 0; i < 2 * given.support_count(); ++i) {  // Phi_1
      const difference::Slope wrong = problem::slope_in(given, wide(flat), i, got.W.view, &there, 10);
      const Real scale = std::fabs(wrong.value) + std::fabs(static_cast<Real>(got.coefficients[i]));
      if (!difference::agrees(got.coefficients[i], wrong, 1e-3L * scale, 1e3L * scale)) ++noticed;
    }
    CHECK(noticed >= given.support_count());
  }
}

TEST(reverse_is_the_adjoint_of_what_forward_does_along_a_direction) {
  for (const std::vector<Index>& landmarks : {std::vector<Index>(), std::vector<Index>{0, 2, 6}}) {
    naive::Composition given{input_rows(7, 3), deep(4), landmarks};
    for (naive::Layer& each : given.layers) each.penalty = 0;
    const Input input(given.input);
    Composition composition(input.forms()[0], naive::layers_of(given.layers), {landmarks});
    const std::vector<double> flat = some_coefficients(given), v = some_coefficients(given, 54);
    const auto along = difference::slopes(
        [&](Real t) {
          naive::Numbers moved = wide(flat), images;
          for (std::size_t i = 0; i < v.size(); ++i) moved[i] += t * static_cast<Real>(v[i]);
          const naive::Images at = given.evaluate(moved);
          for (const naive::Numbers& row : at.X.back()) images.insert(images.end(), row.begin(), row.end());
          return images;
        },
        problem::step, 10);
    const auto w = naive::normal<double>(7, given.layers.back().outputs, 55);
    std::vector<double> back(flat.size());
    composition.forward(flat.data());
    composition.reverse(w.view, {}, back.data());
    const Real allowed = problem::allowed_for(given, difference::dot(wide(v), wide(v)));
    CHECK(difference::adjoint_pair(along, w.numbers, v, back, allowed));
    back[0] += 1e-6 / v[0];
    CHECK(!difference::adjoint_pair(along, w.numbers, v, back, allowed));
  }
}

TEST_MAIN
