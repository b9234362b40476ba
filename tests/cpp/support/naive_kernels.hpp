// SPDX-License-Identifier: BSD-3-Clause
// Every kernel by its textbook formula, pair by pair and in long double, and what rounding may do to the engine's value.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "gramian/kernels/kernel.hpp"
#include "support/naive.hpp"

namespace naive {

using Real = long double;
using Numbers = std::vector<Real>;

constexpr Real pi = 3.141592653589793238462643383279502884L;

/// What formulas are written in.
struct Facts {
  Numbers x, y;
  Real inner = 0, x2 = 0, y2 = 0;  // <x, y>, |x|^2, |y|^2
  Real square = 0;                 // |x - y|^2, from differences
  Real angle = 0;                  // between x and y, from |x / |x| - y / |y|| and its sum: accurate at both ends
};

Facts facts_of(const Numbers& x, const Numbers& y);

using Formula = Real (*)(const Facts& f, const Real* p);

const std::map<std::string, Formula>& formulas();

const gramian::KernelInfo& info_of(const std::string& name);

/// A kernel as an expression of its own, so that its value does not come from the code it is compared with.
struct Expression {
  enum Kind { leaf, sum, product, multiple };
  Kind kind = leaf;
  std::string name{};
  std::vector<double> parameters{};
  std::vector<double> scales{};
  double factor = 1.0;
  std::vector<Expression> children{};
};

Expression leaf(const std::string& name, std::vector<double> parameters = {}, std::vector<double> scales = {});
Expression operator+(const Expression& a, const Expression& b);
Expression operator*(const Expression& a, const Expression& b);
Expression operator*(double factor, const Expression& a);

gramian::Kernel kernel_of(const Expression& e);

/// The parameters in the order that Kernel::parameters() promises.
Numbers parameters_of(const Expression& e);

/// Which of the parameters are whole numbers, and so have no derivative.
void collect_whole(const Expression& e, std::vector<bool>& out);

bool any_leaf(const Expression& e, const std::function<bool(const Expression&)>& has);
bool needs_coordinates(const Expression& e);
bool has_scales(const Expression& e);

Real evaluate(const Expression& e, const Numbers& parameters, const Numbers& x, const Numbers& y);
Real evaluate(const Expression& e, const Numbers& x, const Numbers& y);

struct Bounded {
  Real value;
  Real error;
};

/// k(x, y), and by how much a value computed with unit roundoff u may differ from it; distances are taken around the centre.
Bounded with_error(const Expression& e, const Numbers& x, const Numbers& y, const Numbers& centre, Real u);

template <class T>
Numbers point(const MatrixView<T>& X, Index i) {
  Numbers out;
  for (Index k = 0; k < X.cols(); ++k) out.push_back(static_cast<Real>(X(i, k)));
  return out;
}
template <class T>
std::vector<Numbers> points(const MatrixView<T>& X) {
  std::vector<Numbers> out;
  for (Index i = 0; i < X.rows(); ++i) out.push_back(point(X, i));
  return out;
}
Numbers mean(const std::vector<Numbers>& points, Index d);

template <class T>
constexpr Real unit_roundoff = static_cast<Real>(std::numeric_limits<T>::epsilon()) / 2;

}  // namespace naive
