// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/base/snapshot.hpp"

#include "gramian/base/error.hpp"

namespace gramian {
namespace {

template <class T>
const std::vector<T>& found(const std::map<std::string, std::vector<T>>& all, const std::string& name) {
  const auto at = all.find(name);
  require(at != all.end(), "the state has no " + name + ": it is that of another method");
  return at->second;
}

template <class T>
const std::vector<T>& of_size(const std::vector<T>& values, std::size_t size, const std::string& name) {
  require(values.size() == size, name + " of the state has " + std::to_string(values.size()) + " numbers instead of " +
                                     std::to_string(size) + ": it is that of another problem");
  return values;
}

template <class T>
const T& only(const std::map<std::string, std::vector<T>>& all, const std::string& name) {
  return of_size(found(all, name), 1, name).front();
}

}  // namespace

void SnapshotFields::operator()(const std::string& name, double& value) {
  if (reads()) {
    value = only(from_->reals, name);
  } else {
    to_->reals[name] = {value};
  }
}

void SnapshotFields::operator()(const std::string& name, Index& value) {
  if (reads()) {
    value = only(from_->integers, name);
  } else {
    to_->integers[name] = {value};
  }
}

void SnapshotFields::operator()(const std::string& name, bool& value) {
  Index number = value ? 1 : 0;
  within(name, number, 0, 1);
  value = number == 1;
}

void SnapshotFields::operator()(const std::string& name, std::vector<double>& values) {
  if (reads()) {
    values = of_size(found(from_->reals, name), values.size(), name);
  } else {
    to_->reals[name] = values;
  }
}

void SnapshotFields::list(const std::string& name, std::vector<double>& values) {
  if (reads()) {
    values = found(from_->reals, name);
  } else {
    to_->reals[name] = values;
  }
}

void SnapshotFields::rows(const std::string& name, std::vector<std::vector<double>>& rows, Index size) {
  Index count = static_cast<Index>(rows.size());
  (*this)("number of " + name, count);
  std::vector<double> flat;
  if (!reads()) {
    for (const std::vector<double>& row : rows) flat.insert(flat.end(), row.begin(), row.end());
  }
  list(name, flat);
  if (!reads()) return;
  require(count >= 0, "the number of " + name + " is negative");
  of_size(flat, static_cast<std::size_t>(checked_product(count, size)), name);
  rows.clear();
  for (Index i = 0; i < count; ++i) rows.emplace_back(flat.begin() + i * size, flat.begin() + (i + 1) * size);
}

void SnapshotFields::within(const std::string& name, Index& value, Index least, Index most) {
  (*this)(name, value);
  require(least <= value && value <= most, name + " of the state is out of its range: it is that of another method");
}

}  // namespace gramian
