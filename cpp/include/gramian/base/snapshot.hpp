// SPDX-License-Identifier: BSD-3-Clause
// The numbers that a computation goes on from: written and read by one list of its members.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gramian/base/export.hpp"
#include "gramian/base/index.hpp"

namespace gramian {

/// Arrays by their names.
struct Snapshot {
  std::map<std::string, std::vector<double>> reals;
  std::map<std::string, std::vector<std::int64_t>> integers;
};

/// Writes members to a Snapshot, or reads them from it: who has state lists it once, for both. What a state does not have, or has
/// in another size, throws std::invalid_argument when it is read: the state is then another method's.
class GRAMIAN_API SnapshotFields {
 public:
  explicit SnapshotFields(Snapshot& to) : to_(&to) {}
  explicit SnapshotFields(const Snapshot& from) : from_(&from) {}

  bool reads() const { return from_ != nullptr; }
  void operator()(const std::string& name, double& value);
  void operator()(const std::string& name, Index& value);
  void operator()(const std::string& name, bool& value);
  /// A vector that keeps its size.
  void operator()(const std::string& name, std::vector<double>& values);
  /// A vector that gets the size that it had.
  void list(const std::string& name, std::vector<double>& values);
  /// Rows of `size` numbers each, one after another.
  void rows(const std::string& name, std::vector<std::vector<double>>& rows, Index size);
  /// A count or a place: `least` .. `most`.
  void within(const std::string& name, Index& value, Index least, Index most);

 private:
  Snapshot* to_ = nullptr;
  const Snapshot* from_ = nullptr;
};

}  // namespace gramian
