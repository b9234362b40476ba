// SPDX-License-Identifier: BSD-3-Clause
// Some of the points of a sample, copied.
#pragma once

#include <vector>

#include "ovk/point_rows.hpp"

namespace gramian {

class SomeRows {
 public:
  SomeRows(const Points& from, const std::vector<Index>& rows);
  SomeRows(const SomeRows&) = delete;
  SomeRows& operator=(const SomeRows&) = delete;

  Points points() const;

 private:
  void copy_sparse(const SparseRows<double>& from, const std::vector<Index>& rows);

  bool sparse_;
  Index cols_;
  Matrix dense_;
  std::vector<Index> row_start_, columns_;
  std::vector<double> values_;
};

}  // namespace gramian
