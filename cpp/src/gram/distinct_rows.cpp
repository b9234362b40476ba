// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/distinct_rows.hpp"

#include <algorithm>
#include <cstring>

#include "gram/row_entries.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/base/stop.hpp"

namespace gramian {
namespace {

constexpr Index rows_between_polls = 256;
constexpr double seconds_per_number = 1e-9;

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

/// The finaliser of splitmix64.
std::uint64_t scrambled(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

struct Multipliers {
  const std::uint64_t* given;
  std::uint64_t operator[](Index column) const {
    return given != nullptr ? given[column] : scrambled(static_cast<std::uint64_t>(column) + 1) | 1u;
  }
};

/// Of one number, 0 for 0. A whole number has its bits at the top, where a product keeps few of them.
std::uint64_t hash_of(double value, std::uint64_t multiplier) {
  const double unsigned_zero = value + 0.0;
  std::uint64_t bits;
  std::memcpy(&bits, &unsigned_zero, sizeof(bits));
  const std::uint64_t mixed = (bits ^ (bits >> 32)) * multiplier;
  return mixed ^ (mixed >> 29);
}

}  // namespace

std::vector<std::uint64_t> row_keys(const Points& X, const Index* labels, const std::uint64_t* multipliers) {
  require_float64(X, "X");
  const Multipliers all{multipliers};
  std::vector<std::uint64_t> keys(static_cast<std::size_t>(X.size()));
  const Index d = X.dimension();
  parallel_for(X.size(), seconds_per_number * static_cast<double>(d), [&](Index row, int) {
    std::uint64_t key = static_cast<std::uint64_t>(labels[row]) * all[d];
    if (X.sparse()) {
      for (const auto& [column, value] : entries_of(X, row)) key += hash_of(value, all[column]);
    } else {
      for (Index column = 0; column < d; ++column) key += hash_of(X.float64()(row, column), all[column]);
    }
    keys[static_cast<std::size_t>(row)] = key;
  });
  return keys;
}

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
