// SPDX-License-Identifier: BSD-3-Clause
// Views of the caller's Eigen objects, and Eigen maps of views. Header-only, compiled with the caller's Eigen and flags: no
// Eigen type reaches the library. No other public header includes this one.
#pragma once

#include <Eigen/Core>
#include <type_traits>
#include <utility>

#include "gramian/base/index.hpp"
#include "gramian/base/view.hpp"

namespace gramian {
namespace eigen_detail {

template <class E, bool = std::is_base_of_v<Eigen::DenseBase<E>, E>>
struct Traits {
  static constexpr bool is_eigen = false;
  static constexpr bool has_memory = false;
};

template <class E>
struct Traits<E, true> {
  using Scalar = typename E::Scalar;
  static constexpr bool is_eigen = true;
  static constexpr bool has_number = std::is_same_v<Scalar, double> || std::is_same_v<Scalar, float>;
  static constexpr bool has_memory = has_number && (int(E::Flags) & int(Eigen::DirectAccessBit)) != 0;
};

/// A Ref to const keeps a copy of what it could not refer to, so that it may own its numbers just as a Matrix does.
template <class E>
struct MayOwn : std::is_base_of<Eigen::PlainObjectBase<E>, E> {};
template <class E, int Options, class Stride>
struct MayOwn<Eigen::Ref<const E, Options, Stride>> : std::true_type {};

template <class Argument>
using Plain = std::remove_cv_t<std::remove_reference_t<Argument>>;

template <class Argument>
constexpr bool is_eigen_v = Traits<Plain<Argument>>::is_eigen;

template <class Argument>
constexpr bool can_view_v =
    Traits<Plain<Argument>>::has_memory && (std::is_lvalue_reference_v<Argument> || !MayOwn<Plain<Argument>>::value);

}  // namespace eigen_detail

/// The numbers of an Eigen object with memory: Matrix, Array, Map, Ref, blocks, rows, columns and transposes of them, in double
/// or float, of any storage order and strides. Nothing is copied; rows and columns stay what they are, so a column vector is
/// n x 1. The view may write where the object may: MatrixView<T>, or MatrixView<const T>. It lives as long as the object's
/// memory.
template <class E, std::enable_if_t<eigen_detail::can_view_v<E>, int> = 0>
auto view(E&& object) {
  using Element = std::remove_pointer_t<decltype(object.data())>;
  const auto stride = [](Eigen::Index value) { return static_cast<Index>(value); };
  // One column has no next column: stride 1 makes a vector the row-major case that the engine is fastest on.
  return MatrixView<Element>(object.data(), stride(object.rows()), stride(object.cols()), stride(object.rowStride()),
                             object.cols() == 1 ? Index{1} : stride(object.colStride()));
}

/// Refused: a temporary Matrix or Array, whose memory is gone when the view is used; an expression without memory (A + B); a
/// scalar type other than double and float. Name the object first: `const Eigen::MatrixXd S = A + B;`.
template <class E, std::enable_if_t<eigen_detail::is_eigen_v<E> && !eigen_detail::can_view_v<E>, int> = 0>
void view(E&& object) = delete;

namespace eigen_detail {

template <class T>
using RowMajor = Eigen::Matrix<std::remove_const_t<T>, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace eigen_detail

/// What as_eigen returns: row-major, both strides known at run time only, for reading if T is const.
template <class T>
using EigenMap = Eigen::Map<std::conditional_t<std::is_const_v<T>, const eigen_detail::RowMajor<T>, eigen_detail::RowMajor<T>>,
                            Eigen::Unaligned, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>;

/// The numbers of a view as an Eigen object. Nothing is copied. For a vector take `as_eigen(v).col(0)`.
template <class T>
EigenMap<T> as_eigen(MatrixView<T> numbers) {
  const auto size = [](Index value) { return static_cast<Eigen::Index>(value); };
  return EigenMap<T>(numbers.data(), size(numbers.rows()), size(numbers.cols()),
                     Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>(size(numbers.row_stride()), size(numbers.col_stride())));
}

}  // namespace gramian
