// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/base/snapshot.hpp"

#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/check.hpp"

using gramian::Index;
using gramian::Snapshot;
using gramian::SnapshotFields;

namespace {

struct Members {
  double real = 0.0;
  Index count = 0;
  bool flag = false;
  std::vector<double> fixed = {0.0, 0.0}, any;
  std::vector<std::vector<double>> rows;

  void fields(SnapshotFields& state) {
    state("real", real);
    state("count", count);
    state("flag", flag);
    state("fixed", fixed);
    state.list("any", any);
    state.rows("rows", rows, 3);
  }
};

Snapshot kept() {
  Members members{std::numeric_limits<double>::denorm_min(), -5, true, {1.0, 2.0}, {3.0}, {{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}}};
  Snapshot state;
  SnapshotFields fields(state);
  CHECK(!fields.reads());
  members.fields(fields);
  return state;
}

void read(const Snapshot& state) {
  Members members;
  SnapshotFields fields(state);
  members.fields(fields);
}

}  // namespace

TEST(what_was_written_is_read) {
  const Snapshot state = kept();
  SnapshotFields fields(state);
  CHECK(fields.reads());
  Members members;
  members.any = {9.0, 9.0};
  members.rows = {{9.0, 9.0, 9.0}};
  members.fields(fields);
  CHECK_EQ(members.real, std::numeric_limits<double>::denorm_min());
  CHECK_EQ(members.count, -5);
  CHECK(members.flag);
  CHECK(members.fixed == std::vector<double>({1.0, 2.0}));
  CHECK(members.any == std::vector<double>({3.0}));
  CHECK_EQ(members.rows.size(), 2u);
  CHECK(members.rows[1] == std::vector<double>({4.0, 5.0, 6.0}));
}

TEST(other_states_are_refused) {
  read(kept());
  for (const char* name : {"real", "fixed", "any", "rows"}) {
    Snapshot state = kept();
    state.reals.erase(name);
    CHECK_THROWS(std::invalid_argument, read(state));
  }
  for (const char* name : {"count", "flag", "number of rows"}) {
    Snapshot state = kept();
    state.integers.erase(name);
    CHECK_THROWS(std::invalid_argument, read(state));
  }
  for (const char* name : {"real", "fixed", "rows"}) {
    Snapshot state = kept();
    state.reals[name].push_back(1.0);
    CHECK_THROWS(std::invalid_argument, read(state));
  }
  for (const Index number : {-1, 1, 3}) {
    Snapshot state = kept();
    state.integers["number of rows"] = {number};
    CHECK_THROWS(std::invalid_argument, read(state));
  }
  Snapshot state = kept();
  state.integers["flag"] = {2};
  CHECK_THROWS(std::invalid_argument, read(state));
  state.integers["flag"] = {};
  CHECK_THROWS(std::invalid_argument, read(state));
}

TEST(places_stay_in_their_range) {
  Snapshot state;
  SnapshotFields writer(state);
  Index place = 3;
  writer("place", place);
  const Snapshot& written = state;
  SnapshotFields reader(written);
  reader.within("place", place, 0, 3);
  CHECK_THROWS(std::invalid_argument, reader.within("place", place, 0, 2));
  CHECK_THROWS(std::invalid_argument, reader.within("place", place, 4, 5));
}

TEST_MAIN
