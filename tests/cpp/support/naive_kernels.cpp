// SPDX-License-Identifier: BSD-3-Clause
#include "support/naive_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace naive {

Facts facts_of(const Numbers& x, const Numbers& y) {
  Facts f{x, y};
  for (std::size_t k = 0; k < x.size(); ++k) {
    f.inner += x[k] * y[k];
    f.x2 += x[k] * x[k];
    f.y2 += y[k] * y[k];
    f.square += (x[k] - y[k]) * (x[k] - y[k]);
  }
  const Real x_norm = std::sqrt(f.x2), y_norm = std::sqrt(f.y2);
  Real apart = 0, together = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    apart += (y_norm * x[k] - x_norm * y[k]) * (y_norm * x[k] - x_norm * y[k]);
    together += (y_norm * x[k] + x_norm * y[k]) * (y_norm * x[k] + x_norm * y[k]);
  }
  f.angle = 2 * std::atan2(std::sqrt(apart), std::sqrt(together));
  return f;
}

namespace {

bool has_zero(const Facts& f) { return f.x2 == 0 || f.y2 == 0; }

// What is seen of the angle through inner products.
Real angle_of_products(const Facts& f) {
  return has_zero(f) ? 0 : std::acos(std::max(Real(-1), std::min(Real(1), f.inner / (std::sqrt(f.x2) * std::sqrt(f.y2)))));
}

template <class Factor>
Real over_coordinates(const Facts& f, Real gamma, Factor factor) {
  Real product = 1;
  for (std::size_t k = 0; k < f.x.size(); ++k) {
    const Real r = gamma * std::fabs(f.x[k] - f.y[k]);
    product *= factor(r) * std::exp(-r);
  }
  return product;
}

Real matern(const Facts& f, Real nu, Real length_scale) {
  const Real u = std::sqrt(2 * nu * f.square) / length_scale;
  return (nu == Real(1.5) ? 1 + u : 1 + u + u * u / 3) * std::exp(-u);
}
Real arc_cosine(const Facts& f, int order) {
  if (has_zero(f)) return 0;
  const Real t = f.angle, c = std::cos(t), norms = std::sqrt(f.x2) * std::sqrt(f.y2);
  if (order == 0) return (pi - t) / pi;
  if (order == 1) return norms * (std::sin(t) + (pi - t) * c) / pi;
  return norms * norms * (3 * std::sin(t) * c + (pi - t) * (1 + 2 * c * c)) / pi;
}
Real polynomial(const Facts& f, const Real* p) {
  Real power = 1;
  for (long k = std::lround(p[0]); k > 0; --k) power *= p[1] * f.inner + p[2];
  return power;
}

}  // namespace

const std::map<std::string, Formula>& formulas() {
  static const std::map<std::string, Formula> all = {
      {"linear", [](const Facts& f, const Real*) { return f.inner; }},
      {"polynomial", polynomial},
      {"gaussian", [](const Facts& f, const Real* p) { return std::exp(-p[0] * f.square); }},
      {"laplacian", [](const Facts& f, const Real* p) { return std::exp(-p[0] * std::sqrt(f.square)); }},
      {"laplacian_l1", [](const Facts& f, const Real* p) { return over_coordinates(f, p[0], [](Real) { return Real(1); }); }},
      {"matern32", [](const Facts& f, const Real* p) { return matern(f, 1.5L, p[0]); }},
      {"matern52", [](const Facts& f, const Real* p) { return matern(f, 2.5L, p[0]); }},
      {"tensor_matern2", [](const Facts& f, const Real* p) { return over_coordinates(f, p[0], [](Real r) { return 1 + r; }); }},
      {"tensor_matern3",
       [](const Facts& f, const Real* p) { return over_coordinates(f, p[0], [](Real r) { return 1 + r + r * r / 3; }); }},
      {"rational_quadratic",
       [](const Facts& f, const Real* p) { return std::exp(-p[0] * std::log1p(f.square / (2 * p[0] * p[1] * p[1]))); }},
      {"arc_cosine0", [](const Facts& f, const Real*) { return arc_cosine(f, 0); }},
      {"arc_cosine1", [](const Facts& f, const Real*) { return arc_cosine(f, 1); }},
      {"arc_cosine2", [](const Facts& f, const Real*) { return arc_cosine(f, 2); }},
      {"tanimoto", [](const Facts& f, const Real*) { return f.x2 + f.y2 == 0 ? Real(1) : f.inner / (f.x2 + f.y2 - f.inner); }},
      {"cosine",
       [](const Facts& f, const Real*) { return has_zero(f) ? Real(0) : f.inner / (std::sqrt(f.x2) * std::sqrt(f.y2)); }},
      {"cauchy", [](const Facts& f, const Real* p) { return 1 / (1 + p[0] * f.square); }},
      {"delta", [](const Facts& f, const Real*) { return f.x == f.y ? Real(1) : Real(0); }},
  };
  return all;
}

const gramian::KernelInfo& info_of(const std::string& name) {
  const std::vector<gramian::KernelInfo>& all = gramian::kernel_registry();
  return *std::find_if(all.begin(), all.end(), [&](const gramian::KernelInfo& info) { return info.name == name; });
}

Expression leaf(const std::string& name, std::vector<double> parameters, std::vector<double> scales) {
  return {Expression::leaf, name, std::move(parameters), std::move(scales)};
}
Expression operator+(const Expression& a, const Expression& b) {
  return {Expression::sum, "(" + a.name + " + " + b.name + ")", {}, {}, 1.0, {a, b}};
}
Expression operator*(const Expression& a, const Expression& b) {
  return {Expression::product, a.name + " * " + b.name, {}, {}, 1.0, {a, b}};
}
Expression operator*(double factor, const Expression& a) {
  return {Expression::multiple, std::to_string(factor) + " * " + a.name, {}, {}, factor, {a}};
}

gramian::Kernel kernel_of(const Expression& e) {
  if (e.kind == Expression::leaf) return gramian::Kernel(e.name, e.parameters, e.scales);
  if (e.kind == Expression::multiple) return e.factor * kernel_of(e.children[0]);
  const gramian::Kernel a = kernel_of(e.children[0]), b = kernel_of(e.children[1]);
  return e.kind == Expression::sum ? a + b : a * b;
}

namespace {

void collect_parameters(const Expression& e, Numbers& out) {
  if (e.kind == Expression::multiple) out.push_back(e.factor);
  out.insert(out.end(), e.parameters.begin(), e.parameters.end());
  out.insert(out.end(), e.scales.begin(), e.scales.end());
  for (const Expression& child : e.children) collect_parameters(child, out);
}

}  // namespace

Numbers parameters_of(const Expression& e) {
  Numbers out;
  collect_parameters(e, out);
  return out;
}

void collect_whole(const Expression& e, std::vector<bool>& out) {
  if (e.kind == Expression::multiple) out.push_back(false);
  if (e.kind == Expression::leaf) {
    for (const gramian::ParameterInfo& p : info_of(e.name).parameters) out.push_back(p.whole);
  }
  out.resize(out.size() + e.scales.size(), false);
  for (const Expression& child : e.children) collect_whole(child, out);
}

bool any_leaf(const Expression& e, const std::function<bool(const Expression&)>& has) {
  if (e.kind == Expression::leaf) return has(e);
  return std::any_of(e.children.begin(), e.children.end(), [&](const Expression& child) { return any_leaf(child, has); });
}
bool needs_coordinates(const Expression& e) {
  return any_leaf(e, [](const Expression& l) { return !l.scales.empty() || info_of(l.name).needs_coordinates; });
}
bool has_scales(const Expression& e) {
  return any_leaf(e, [](const Expression& l) { return !l.scales.empty(); });
}

namespace {

Numbers divided(Numbers x, const Real* scales, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) x[k] /= scales[k];
  return x;
}

// k(x, y) with these parameters; `at` moves behind the ones that belong to the expression.
Real evaluate(const Expression& e, const Real*& at, const Numbers& x, const Numbers& y) {
  if (e.kind == Expression::leaf) {
    const Real *parameters = at, *scales = at + e.parameters.size();
    at = scales + e.scales.size();
    const Facts facts = facts_of(divided(x, scales, e.scales.size()), divided(y, scales, e.scales.size()));
    return formulas().at(e.name)(facts, parameters);
  }
  const Real factor = e.kind == Expression::multiple ? *at++ : Real(1);
  const Real first = evaluate(e.children[0], at, x, y);
  if (e.kind == Expression::multiple) return factor * first;
  const Real second = evaluate(e.children[1], at, x, y);
  return e.kind == Expression::sum ? first + second : first * second;
}

}  // namespace

Real evaluate(const Expression& e, const Numbers& parameters, const Numbers& x, const Numbers& y) {
  const Real* at = parameters.data();
  return evaluate(e, at, x, y);
}
Real evaluate(const Expression& e, const Numbers& x, const Numbers& y) { return evaluate(e, parameters_of(e), x, y); }

namespace {

// The engine sees a pair through rounded numbers: <x, y>, |x|^2 and |y|^2 are off by their rounding errors, and so is |x - y|^2
// by what cancels in |x - c|^2 + |y - c|^2 - 2 <x - c, y - c>. Below 64 u of these norms points are taken as one. What that does
// to the formula is its error, beside some roundings of the value itself and of the exponent, log k.
Bounded leaf_with_error(const Expression& e, const Numbers& x, const Numbers& y, const Numbers& centre, Real u) {
  const Formula formula = formulas().at(e.name);
  Numbers p(e.parameters.begin(), e.parameters.end());
  const Numbers scales(e.scales.begin(), e.scales.end());
  const auto scaled = [&](const Numbers& point) { return divided(point, scales.data(), scales.size()); };
  const Facts exact = facts_of(scaled(x), scaled(y));
  const Real d = static_cast<Real>(x.size()), k = formula(exact, p.data()), size = std::fabs(k);
  const Real tiny = u > 1e-10L ? 1e-33L : 1e-300L;  // where 2^t ends, times a power of the distance
  Real error = 16 * u * size * (1 + (size > 0 && size < 1 ? -std::log(size) : 0)) + tiny;
  if (info_of(e.name).needs_coordinates) {
    Real moved = 0;
    for (std::size_t i = 0; i < x.size(); ++i) moved += std::fabs(exact.x[i]) + std::fabs(exact.y[i]);
    const Real gamma = p.empty() ? 0 : p[0];  // Delta compares the coordinates as they are
    // Up to 32 (4) factors of at most 184 before the exponential that ends at 2^-1021 (2^-125) is multiplied on.
    return {k, error + 4 * u * size * (gamma * moved + d) + (u > 1e-10L ? 1e-27L : 1e-230L)};
  }
  const auto moves = [&](Real Facts::* fact, Real by) {
    Real worst = 0;
    for (const Real sign : {Real(-1), Real(1)}) {
      Facts f = exact;
      f.*fact = fact == &Facts::inner ? f.*fact + sign * by : std::max(Real(0), f.*fact + sign * by);
      if (fact != &Facts::square) f.angle = angle_of_products(f);
      worst = std::max(worst, std::fabs(formula(f, p.data()) - k));
    }
    return worst;
  };
  const Real spread = facts_of(scaled(x), scaled(centre)).square + facts_of(scaled(y), scaled(centre)).square;
  error += moves(&Facts::square, (128 + 4 * d) * u * spread);
  error += moves(&Facts::inner, (64 + 2 * d) * u * std::sqrt(exact.x2) * std::sqrt(exact.y2));
  error += moves(&Facts::x2, (4 + d) * u * exact.x2) + moves(&Facts::y2, (4 + d) * u * exact.y2);
  for (Real& parameter : p) {
    const Real whole = parameter;
    parameter *= 1 + 4 * u;
    error += std::fabs(formula(exact, p.data()) - k);
    parameter = whole;
  }
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (info_of(e.name).parameters[i].whole) error += 4 * u * p[i] * size;  // a power, by as many products
  }
  // Towards opposite vectors the terms of J_n cancel: what is left is accurate on the scale of the diagonal.
  if (e.name.rfind("arc_cosine", 0) == 0) {
    error += 4 * u *
             std::sqrt(std::fabs(formula(facts_of(exact.x, exact.x), p.data()) * formula(facts_of(exact.y, exact.y), p.data())));
  }
  return {k, error};
}

}  // namespace

Bounded with_error(const Expression& e, const Numbers& x, const Numbers& y, const Numbers& centre, Real u) {
  if (e.kind == Expression::leaf) return leaf_with_error(e, x, y, centre, u);
  const Bounded a = with_error(e.children[0], x, y, centre, u);
  if (e.kind == Expression::multiple) return {e.factor * a.value, e.factor * (a.error + 2 * u * std::fabs(a.value))};
  const Bounded b = with_error(e.children[1], x, y, centre, u);
  if (e.kind == Expression::sum) {
    return {a.value + b.value, a.error + b.error + u * (std::fabs(a.value) + std::fabs(b.value))};
  }
  const Real cross = std::fabs(a.value) * b.error + std::fabs(b.value) * a.error + a.error * b.error;
  return {a.value * b.value, cross + u * std::fabs(a.value * b.value)};
}

Numbers mean(const std::vector<Numbers>& points, Index d) {
  Numbers out(static_cast<std::size_t>(d), 0);
  for (const Numbers& x : points) {
    for (std::size_t k = 0; k < x.size(); ++k) out[k] += x[k] / static_cast<Real>(points.size());
  }
  return out;
}

}  // namespace naive
