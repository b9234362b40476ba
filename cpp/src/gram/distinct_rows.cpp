// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/distinct_rows.hpp"

#include <algorithm>

#include "gram/row_entries.hpp"
#include "gramian/base/stop.hpp"

namespace gramian {
namespace {

constexpr Index rows_between_polls = 256;

class Rows {
 public:
  Rows(const Points& X, const Index* labels, const std::uint64_t* keys) : X_(X), labels_(labels), keys_(keys) {}

  std::uint64_t key(Index row) const { return keys_[row]; }
  bool equal(Index a, Index b) const {
    return key(a) == key(b) && labels_[a] == labels_[b] && entries_of(X_, a) == entries_of(X_, b);
  }

  /// By label, then by columns from the last one on: for rows whose keys are of no help.
  bool less(Index a, Index b) const {
    if (labels_[a] != labels_[b]) return labels_[a] < labels_[b];
    RowEntries left = entries_of(X_, a), right = entries_of(X_, b);
    while (!left.empty() || !right.empty()) {
      const Index column = std::max(left.empty() ? -1 : left.back().first, right.empty() ? -1 : right.back().first);
      const double x = taken(left, column), y = taken(right, column);
      if (x != y) return x < y;
    }
    return false;
  }

 private:
  static double taken(RowEntries& entries, Index column) {
    if (entries.empty() || entries.back().first != column) return 0.0;
    const double value = entries.back().second;
    entries.pop_back();
    return value;
  }

  const Points& X_;
  const Index* labels_;
  const std::uint64_t* keys_;
};

/// Marks the rows that differ from the one before; false if some of these have one key, once in 2^64 pairs.
bool mark(const Rows& all, DistinctRows& found) {
  bool told_apart = true;
  for (std::size_t i = 0; i < found.order.size(); ++i) {
    if (i % rows_between_polls == 0) poll_stop();
    found.first[i] = i == 0 || !all.equal(found.order[i - 1], found.order[i]);
    if (i > 0 && found.first[i]) told_apart = told_apart && all.key(found.order[i - 1]) != all.key(found.order[i]);
  }
  return told_apart;
}

}  // namespace

DistinctRows distinct_rows(const Points& X, const Index* labels, const std::vector<Index>& rows, const std::uint64_t* keys) {
  require_float64(X, "X");
  const Rows all(X, labels, keys);
  DistinctRows found{rows, std::vector<char>(rows.size())};
  std::stable_sort(found.order.begin(), found.order.end(), [&](Index a, Index b) { return all.key(a) < all.key(b); });
  if (!mark(all, found)) {
    found.order = rows;
    std::stable_sort(found.order.begin(), found.order.end(), [&](Index a, Index b) { return all.less(a, b); });
    mark(all, found);
  }
  return found;
}

}  // namespace gramian
