// SPDX-License-Identifier: BSD-3-Clause
#include "gram/grouped_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gram/sweep.hpp"
#include "kernels/node.hpp"

namespace gramian {
namespace {

constexpr Index least_group = 5 * isa::tile_size;  // of smaller ones, packing takes as long as the kernel
constexpr Index most_in_group = 12 * isa::tile_size;
constexpr Index wanted_groups = 32;
constexpr Index fewest_groups = 16;  // to be shared by threads
constexpr Index sampled_rows = 1024;
constexpr std::size_t few_values = 16;
constexpr Index fewest_columns = 8;
constexpr double cost_of_value = 18.0;  // of a kernel value, beside a feature of its distance: 0.30 and 0.0165 ns in float32
constexpr double largest_cost = 0.8;
constexpr Index judged_pairs = 32;  // of groups in each direction

bool depends_on_distance(const Kernel::Node& node) {
  if (node.kind == NodeKind::images) return false;
  if (node.kind == NodeKind::leaf) return leaf_traits(node).form == LeafForm::distance && node.length_scales.empty();
  return std::all_of(node.children.begin(), node.children.end(),
                     [](const Kernel& child) { return depends_on_distance(child.node()); });
}

/// Features with few values among some of the rows.
template <class T>
std::vector<Index> columns_of_few_values(MatrixView<const T> X) {
  const Index step = std::max<Index>(1, X.rows() / sampled_rows);
  std::vector<Index> found;
  for (Index k = 0; k < X.cols(); ++k) {
    std::set<T> values;
    for (Index i = 0; i < X.rows() && values.size() <= few_values; i += step) values.insert(X(i, k));
    if (values.size() <= few_values) found.push_back(k);
  }
  return found;
}

/// Whether squares of all numbers, and sums of a few of them, are finite.
template <class T>
bool all_moderate(MatrixView<const T> X) {
  const T largest = std::sqrt(std::numeric_limits<T>::max()) / T(1024);
  for (Index i = 0; i < X.rows(); ++i) {
    for (Index k = 0; k < X.cols(); ++k) {
      if (!(std::fabs(X(i, k)) < largest)) return false;
    }
  }
  return true;
}

template <class T>
std::vector<Index> sorted_rows(MatrixView<const T> X, const std::vector<Index>& columns) {
  std::vector<Index> order(at(X.rows()));
  std::iota(order.begin(), order.end(), Index(0));
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    for (const Index k : columns) {
      if (X(a, k) != X(b, k)) return X(a, k) < X(b, k);
    }
    return a < b;
  });
  return order;
}

}  // namespace

template <class T>
std::unique_ptr<GroupedRows<T>> GroupedRows<T>::make(const Kernel& kernel, MatrixView<const T> X, Index group) {
  const Index n = X.rows();
  const Index size = group > 0 ? group : std::clamp(round_up(n / wanted_groups, isa::tile_size), least_group, most_in_group);
  if (count_pieces(n, size) < (group > 0 ? 2 : fewest_groups) || !depends_on_distance(kernel.node())) return nullptr;
  if (bytes_of(n, X.cols()) > memory_report().limit / 4 || !all_moderate(X)) return nullptr;
  const std::vector<Index> columns = columns_of_few_values(X);
  if (static_cast<Index>(columns.size()) < fewest_columns) return nullptr;
  std::unique_ptr<GroupedRows> made(new GroupedRows(kernel, X, sorted_rows(X, columns), size));
  if (made->relative_cost() > largest_cost) return nullptr;
  return made;
}

template <class T>
GroupedRows<T>::GroupedRows(const Kernel& kernel, MatrixView<const T> X, std::vector<Index> order, Index group)
    : kernel_(kernel),
      order_(std::move(order)),
      group_(group),
      features_(X.cols()),
      numbers_(checked_product(X.rows(), X.cols())) {
  for_rows(rows(), features_, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      for (Index k = 0; k < features_; ++k) numbers_[i * features_ + k] = X(order_[at(i)], k);
    }
  });
  find_constant_features();
}

template <class T>
Index GroupedRows<T>::groups() const {
  return count_pieces(rows(), group_);
}

template <class T>
Index GroupedRows<T>::height(Index group) const {
  return std::min(group_, rows() - group * group_);
}

template <class T>
MatrixView<const T> GroupedRows<T>::rows_of_group(Index group) const {
  return {numbers_.data() + group * group_ * features_, height(group), features_};
}

template <class T>
void GroupedRows<T>::find_constant_features() {
  varies_.assign(at(groups() * features_), 0);
  for (Index g = 0; g < groups(); ++g) {
    const MatrixView<const T> X = rows_of_group(g);
    unsigned char* flags = varies_.data() + g * features_;
    for (Index i = 1; i < X.rows(); ++i) {
      for (Index k = 0; k < features_; ++k) flags[k] |= static_cast<unsigned char>(X(i, k) != X(0, k));
    }
  }
}

/// The time of a product beside that of all features, judged by some pairs of groups.
template <class T>
double GroupedRows<T>::relative_cost() const {
  const Index step = std::max<Index>(1, groups() / judged_pairs);
  double cost = 0.0, all = 0.0;
  for (Index a = 0; a < groups(); a += step) {
    for (Index b = 0; b <= a; b += step) {
      Index left = 1;
      for (Index k = 0; k < features_; ++k) left += varies(a, k) || varies(b, k) ? 1 : 0;
      cost += cost_of_value + static_cast<double>(left);
      all += cost_of_value + static_cast<double>(features_);
    }
  }
  return cost / all;
}

/// Some features of the rows of a group, and behind them one that is the same for all of its rows.
template <class T>
MatrixView<const T> GroupedRows<T>::taken(Index group, const std::vector<Index>& features, T last, Buffer<T>& numbers) const {
  const MatrixView<const T> X = rows_of_group(group);
  const Index width = static_cast<Index>(features.size()) + 1;
  numbers = Buffer<T>(checked_product(X.rows(), width));
  T* to = numbers.data();
  for (Index i = 0; i < X.rows(); ++i) {
    for (const Index k : features) *to++ = X(i, k);
    *to++ = last;
  }
  return {numbers.data(), X.rows(), width};
}

template <class T>
void GroupedRows<T>::add_within(Index group, MatrixView<const T> V, double* sums) const {
  std::vector<Index> features;
  for (Index k = 0; k < features_; ++k) {
    if (varies(group, k)) features.push_back(k);
  }
  Buffer<T> numbers;
  const KernelTiles<T> tiles(kernel_, PairSource<T>(Points(taken(group, features, T(0), numbers))));
  Sweep<T> sweep(tiles);
  sweep.set_step(isa::tile_size);
  const MatrixView<const T> own = gramian::rows_of(V, group * group_, height(group));
  Buffer<T> found(own.rows() * own.cols());
  sweep.product(own, {found.data(), own.rows(), own.cols()});
  for (Index i = 0; i < found.size(); ++i) sums[i] += static_cast<double>(found[i]);
}

template <class T>
void GroupedRows<T>::add_between(Index one, Index other, MatrixView<const T> V, double* one_sums, double* other_sums) const {
  const MatrixView<const T> a = rows_of_group(one), b = rows_of_group(other);
  std::vector<Index> features;
  double square = 0.0;
  for (Index k = 0; k < features_; ++k) {
    if (varies(one, k) || varies(other, k)) {
      features.push_back(k);
    } else {
      const double difference = static_cast<double>(a(0, k)) - static_cast<double>(b(0, k));
      square += difference * difference;
    }
  }
  Buffer<T> left, right;
  const Points left_points(taken(one, features, T(0), left));
  const Points right_points(taken(other, features, static_cast<T>(std::sqrt(square)), right));
  const KernelTiles<T> tiles(kernel_, PairSource<T>(left_points, right_points));
  Sweep<T> sweep(tiles);
  sweep.set_step(isa::tile_size);
  const Index vectors = V.cols(), of_one = a.rows() * vectors, of_other = b.rows() * vectors;
  Buffer<double> found(of_one + of_other);
  sweep.product_both(gramian::rows_of(V, one * group_, a.rows()), gramian::rows_of(V, other * group_, b.rows()),
                     {found.data(), a.rows(), vectors}, {found.data() + of_one, b.rows(), vectors});
  for (Index i = 0; i < of_one; ++i) one_sums[i] += found[i];
  for (Index i = 0; i < of_other; ++i) other_sums[i] += found[of_one + i];
}

template <class T>
void GroupedRows<T>::product(MatrixView<const T> V, MatrixView<double> out) const {
  const Index vectors = V.cols(), size = group_ * vectors;
  Buffer<T> sorted(checked_product(rows(), vectors));
  Buffer<double> numbers(checked_product(groups(), size));
  const MatrixView<T> v(sorted.data(), rows(), vectors);
  for_rows(rows(), vectors, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      for (Index c = 0; c < vectors; ++c) v(i, c) = V(order_[at(i)], c);
    }
  });
  BlockSums sums;
  sums.clear(groups(), size, numbers.data());
  const double seconds = 0.5e-9 * static_cast<double>(group_ * group_);
  sum_by_tournament(seconds, sums, [&](Index one, Index other, int, BlockSums& total) {
    one == other ? add_within(one, v, total.tile(one)) : add_between(one, other, v, total.tile(one), total.tile(other));
  });
  for_rows(rows(), vectors, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      for (Index c = 0; c < vectors; ++c) out(order_[at(i)], c) = numbers[i * vectors + c];
    }
  });
}

template class GroupedRows<double>;
template class GroupedRows<float>;

}  // namespace gramian
