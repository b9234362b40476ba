// SPDX-License-Identifier: BSD-3-Clause
#include "gram/sparse_columns.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/view_ops.hpp"
#include "gram/few_rows.hpp"

namespace gramian {

SparseColumns::SparseColumns(const SparseRows<double>& supports, const char* name) {
  check_sparse(supports, name);
  const Index entries = supports.row_start[supports.rows] - supports.row_start[0];
  while ((supports.cols >> shift_) > entries + 1) ++shift_;
  std::vector<SparseEntry> row;
  std::vector<std::size_t> place(bucket_of(supports.cols) + 2, 0);
  for (Index i = 0; i < supports.rows; ++i) {
    sort_row(supports, i, row);
    for (const SparseEntry& entry : row) ++place[bucket_of(entry.column) + 1];
    squares_.push_back(square_of(row));
    if (!std::isfinite(squares_.back())) refuse_square(name, i);
  }
  for (std::size_t b = 1; b < place.size(); ++b) place[b] += place[b - 1];
  shift_ == 0 ? take_columns(supports, std::move(place)) : take_buckets(supports, std::move(place));
  const std::size_t buckets = columns_.empty() ? 0 : bucket_of(columns_.back()) + 1;
  bucket_start_.assign(buckets + 1, 0);
  for (const Index column : columns_) ++bucket_start_[bucket_of(column) + 1];
  for (std::size_t b = 0; b < buckets; ++b) bucket_start_[b + 1] += bucket_start_[b];
}

/// place: where the entries of each column begin.
void SparseColumns::take_columns(const SparseRows<double>& supports, std::vector<std::size_t> place) {
  places_.resize(place.back());
  values_.resize(place.back());
  for (std::size_t c = 0; c + 1 < place.size(); ++c) {
    if (place[c] == place[c + 1]) continue;
    columns_.push_back(static_cast<Index>(c));
    start_.push_back(static_cast<Index>(place[c]));
  }
  start_.push_back(static_cast<Index>(place.back()));
  std::vector<SparseEntry> row;
  for (Index i = 0; i < supports.rows; ++i) {
    sort_row(supports, i, row);
    for (const SparseEntry& entry : row) {
      const std::size_t to = place[bucket_of(entry.column)]++;
      places_[to] = place_of(0, i);
      values_[to] = entry.value;
    }
  }
}

/// place: where the entries of each bucket begin. They come into their buckets in the order of the rows, and are sorted there.
void SparseColumns::take_buckets(const SparseRows<double>& supports, std::vector<std::size_t> place) {
  struct Entry {
    Index column, row;
    double value;
  };
  std::vector<Entry> entries(place.back());
  std::vector<SparseEntry> row;
  for (Index i = 0; i < supports.rows; ++i) {
    sort_row(supports, i, row);
    for (const SparseEntry& entry : row) entries[place[bucket_of(entry.column)]++] = {entry.column, i, entry.value};
  }
  std::size_t first = 0;
  for (const std::size_t last : place) {  // where buckets end by now
    std::sort(entries.begin() + static_cast<std::ptrdiff_t>(first), entries.begin() + static_cast<std::ptrdiff_t>(last),
              [](const Entry& a, const Entry& b) { return std::pair(a.column, a.row) < std::pair(b.column, b.row); });
    first = last;
  }
  for (const Entry& entry : entries) {
    if (columns_.empty() || columns_.back() != entry.column) {
      columns_.push_back(entry.column);
      start_.push_back(static_cast<Index>(places_.size()));
    }
    places_.push_back(place_of(0, entry.row));
    values_.push_back(entry.value);
  }
  start_.push_back(static_cast<Index>(places_.size()));
}

Index SparseColumns::find(Index column) const {
  const std::size_t bucket = bucket_of(column);
  if (bucket + 1 >= bucket_start_.size()) return -1;
  const auto end = columns_.begin() + bucket_start_[bucket + 1];
  const auto found = std::lower_bound(columns_.begin() + bucket_start_[bucket], end, column);
  return found != end && *found == column ? found - columns_.begin() : -1;
}

void SparseColumns::add(Index first, Index end, SparseQuery& query, double* out) const {
  const Index *const places = places_.data(), origin = place_of(0, first), limit = place_of(0, end);
  std::size_t entry = 0;
  for (const std::size_t row_end : query.row_end) {
    for (; entry < row_end; ++entry) {
      SparseQuery::Cursor& cursor = query.cursors[entry];
      const Index last = end >= size() ? cursor.end : std::lower_bound(places + cursor.at, places + cursor.end, limit) - places;
      const double value = cursor.value, *const values = values_.data();
      for (Index at = cursor.at; at < last; ++at) out[places[at] - origin] += value * values[at];
      cursor.at = last;
    }
    out += isa::tile_size;
  }
}

void SparseColumns::start(const SparseRows<double>& X, Index first, Index rows, Index first_row, SparseQuery& query) const {
  query.cursors.clear();
  query.row_end.clear();
  query.squares.clear();
  for (Index i = first; i < first + rows; ++i) {
    sort_row(X, i, query.row);
    query.squares.push_back(square_of(query.row));
    if (!std::isfinite(query.squares.back())) refuse_square("X", first_row + i);
    for (const SparseEntry& entry : query.row) {
      const Index column = find(entry.column);
      if (column >= 0) query.cursors.push_back({start_[at(column)], start_[at(column + 1)], entry.value});
    }
    query.row_end.push_back(query.cursors.size());
  }
}

}  // namespace gramian
