// SPDX-License-Identifier: BSD-3-Clause
#include "base/stage.hpp"

namespace gramian {
namespace {

constexpr Index columns = 6;

/// Counts are below 2^53, so that a double holds them.
std::vector<double> row_of(const Iteration& it) {
  return {static_cast<double>(it.number),    it.value, it.gradient_norm, it.step, static_cast<double>(it.evaluations),
          static_cast<double>(it.evaluation)};
}

Iteration iteration_of(const std::vector<double>& row) {
  return {static_cast<Index>(row[0]), row[1], row[2], row[3], static_cast<Index>(row[4]), static_cast<Index>(row[5])};
}

}  // namespace

void history_fields(SnapshotFields& state, std::vector<Iteration>& history) {
  std::vector<std::vector<double>> rows;
  for (const Iteration& iteration : history) rows.push_back(row_of(iteration));
  state.rows("history", rows, columns);
  if (!state.reads()) return;
  history.clear();
  for (const std::vector<double>& row : rows) history.push_back(iteration_of(row));
}

bool Stage::has_ended() {
  const std::optional<Snapshot> kept = part_.result();
  if (!kept) return false;
  SnapshotFields fields(*kept);
  result_(fields);
  return true;
}

bool Stage::resumes() {
  const std::optional<Snapshot> kept = part_.progress();
  if (!kept) return false;
  SnapshotFields fields(*kept);
  result_(fields);
  progress_(fields);
  return true;
}

Snapshot Stage::state(bool with_progress) {
  Snapshot kept;
  SnapshotFields fields(kept);
  result_(fields);
  if (with_progress) progress_(fields);
  return kept;
}

void Stage::keep(Index iterations) {
  if (part_.due(iterations)) part_.keep(state(true));
}

void Stage::stop() {
  if (!part_) return;
  part_.stop();
  part_.keep(state(true));
}

void Stage::end() {
  if (part_) part_.end(state(false));
}

}  // namespace gramian
