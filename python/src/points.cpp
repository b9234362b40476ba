// SPDX-License-Identifier: BSD-3-Clause
#include "points.hpp"

#include <string>

#include "arrays.hpp"
#include "gramian/base/error.hpp"

namespace gramian::python {

namespace {

/// The parts of a tuple that begins with `tag`, or nothing.
std::optional<py::tuple> tagged(const py::object& object, const char* tag, std::size_t size) {
  if (!py::isinstance<py::tuple>(object)) return std::nullopt;
  auto parts = py::reinterpret_borrow<py::tuple>(object);
  if (parts.size() != size || !py::str(tag).equal(parts[0])) return std::nullopt;
  return parts;
}

template <class T>
py::array vector_argument(const py::object& object, const std::string& name) {
  py::array array = contiguous_argument<T>(object, name);
  if (array.ndim() != 1) throw py::type_error(name + " must have 1 dimension, got " + std::to_string(array.ndim()));
  return array;
}

template <class T>
Points sparse_points(const py::tuple& parts, const std::string& name) {
  const py::array row_start = vector_argument<Index>(parts[1], name + ".row_start");
  const py::array columns = vector_argument<Index>(parts[2], name + ".columns");
  const py::array values = vector_argument<T>(parts[3], name + ".values");
  SparseRows<T> rows;
  rows.rows = row_start.size() - 1;
  rows.cols = parts[4].cast<Index>();
  rows.row_start = static_cast<const Index*>(row_start.data());
  rows.columns = static_cast<const Index*>(columns.data());
  rows.values = static_cast<const T*>(values.data());
  // The engine checks the entries of these arrays, but can't know their sizes.
  require(rows.rows >= 0 && rows.cols >= 0, name + " has fewer than 0 rows or columns");
  require(columns.size() == values.size(),
          name + " has " + std::to_string(columns.size()) + " column indices for " + std::to_string(values.size()) + " values");
  require(rows.row_start[rows.rows] <= values.size(), name + " has row_start beyond its values");
  return rows;
}

Points points_argument(const py::object& object, const char* name) {
  if (const auto parts = tagged(object, "sparse", 5)) {
    if (py::isinstance<py::array_t<float>>((*parts)[3])) return sparse_points<float>(*parts, name);
    return sparse_points<double>(*parts, name);
  }
  const py::array array = checked_matrix(object, name);
  if (py::isinstance<py::array_t<double>>(array)) return view_of<double>(array);
  return view_of<float>(array);
}

template <class T>
InnerProducts<T> inner_argument(const py::tuple& parts) {
  const auto K = matrix_argument<T>(parts[1], "K");
  if (parts[2].is_none() && parts[3].is_none()) return InnerProducts<T>(K);
  const auto x = matrix_argument<T>(parts[2], "x_squares"), y = matrix_argument<T>(parts[3], "y_squares");
  require(x.rows() == K.rows() && x.cols() == 1, "x_squares must be a column with an entry for each row of K");
  require(y.rows() == K.cols() && y.cols() == 1, "y_squares must be a column with an entry for each column of K");
  return InnerProducts<T>(K, x, y);
}

}  // namespace

PointsArgument::PointsArgument(const py::object& X, const py::object& Y) {
  if (const auto parts = tagged(X, "inner", 4)) {
    if (!Y.is_none()) throw py::type_error("inner products take no second set of points");
    if (py::isinstance<py::array_t<float>>((*parts)[1])) {
      inner_ = inner_argument<float>(*parts);
    } else {
      inner_ = inner_argument<double>(*parts);
    }
    return;
  }
  X_ = points_argument(X, "X");
  if (!Y.is_none()) Y_ = points_argument(Y, "Y");
}

bool PointsArgument::float64() const {
  return inner() ? std::holds_alternative<InnerProducts<double>>(*inner_) : X_->scalar() == Scalar::float64;
}

bool PointsArgument::one_set() const {
  return inner() ? std::visit([](const auto& products) { return products.one_set(); }, *inner_) : !Y_.has_value();
}

Index PointsArgument::rows() const {
  return inner() ? std::visit([](const auto& products) { return products.inner().rows(); }, *inner_) : X_->size();
}

Index PointsArgument::cols() const {
  if (inner()) return std::visit([](const auto& products) { return products.inner().cols(); }, *inner_);
  return Y_ ? Y_->size() : X_->size();
}

}  // namespace gramian::python
