// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/base/checkpoint.hpp"

#include <utility>

#include "base/check.hpp"

namespace gramian {
namespace {

constexpr const char* drawn = "seeds";  // the name of a part that holds them
constexpr char below = '/';             // between the name of a part and that of a part of it

}  // namespace

Checkpoint::Checkpoint(const CheckpointPace& pace) : pace_(pace) {
  require(pace.iterations >= 0, "the iterations between two checkpoints must not be negative: 0 is by time");
  require_not_negative(pace.seconds, "seconds");
}

Checkpoint::~Checkpoint() = default;

CheckpointPart Checkpoint::whole() { return {this, ""}; }

std::uint64_t Checkpoint::settled(std::uint64_t seed) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<std::int64_t>& seeds = parts_[drawn].state.integers[drawn];
  const auto at = static_cast<std::size_t>(seeds_++);
  if (at == seeds.size()) seeds.push_back(static_cast<std::int64_t>(seed));
  return static_cast<std::uint64_t>(seeds[at]);
}

bool Checkpoint::stopped() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return stopped_;
}

void Checkpoint::begin_from(Parts parts) { parts_ = std::move(parts); }

bool Checkpoint::is_time(Clock::time_point last) const {
  return Clock::now() - last >= std::chrono::duration<double>(pace_.seconds);
}

void Checkpoint::put(const std::string& name, Kept kept, bool now) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (kept.ended && stopped_) return;
  if (kept.ended) {
    const std::string inside = name + below;
    auto at = parts_.lower_bound(inside);
    while (at != parts_.end() && at->first.compare(0, inside.size(), inside) == 0) at = parts_.erase(at);
  }
  parts_[name] = std::move(kept);
  if (!now && pace_.iterations == 0 && !is_time(written_)) return;
  write(parts_);
  written_ = Clock::now();
}

CheckpointPart::CheckpointPart(Checkpoint* whole, std::string name) : whole_(whole), name_(std::move(name)) {
  const std::lock_guard<std::mutex> lock(whole_->mutex_);
  late_ = whole_->stopped_;
  kept_ = whole_->written_;
}

CheckpointPart CheckpointPart::next() const {
  if (whole_ == nullptr) return {};
  Index number = 0;
  {
    const std::lock_guard<std::mutex> lock(whole_->mutex_);
    number = whole_->followers_[name_]++;
  }
  return part(std::to_string(number));
}

CheckpointPart CheckpointPart::part(const std::string& name) const {
  return whole_ == nullptr ? CheckpointPart() : CheckpointPart(whole_, name_ + below + name);
}

std::optional<Snapshot> CheckpointPart::kept(bool ended) const {
  if (whole_ == nullptr || late_) return {};
  const std::lock_guard<std::mutex> lock(whole_->mutex_);
  const auto found = whole_->parts_.find(name_);
  if (found == whole_->parts_.end() || found->second.ended != ended) return {};
  return found->second.state;
}

std::optional<Snapshot> CheckpointPart::result() const { return kept(true); }
std::optional<Snapshot> CheckpointPart::progress() const { return kept(false); }

bool CheckpointPart::due(Index iterations) const {
  if (whole_ == nullptr || late_) return false;
  const Index every = whole_->pace_.iterations;
  return every > 0 ? iterations % every == 0 : whole_->is_time(kept_);
}

void CheckpointPart::keep(Snapshot progress) {
  if (whole_ == nullptr || late_) return;
  whole_->put(name_, {std::move(progress), false}, true);
  kept_ = Checkpoint::Clock::now();
}

void CheckpointPart::end(Snapshot result) {
  if (whole_ != nullptr && !late_) whole_->put(name_, {std::move(result), true}, false);
}

void CheckpointPart::stop() {
  if (whole_ == nullptr) return;
  const std::lock_guard<std::mutex> lock(whole_->mutex_);
  whole_->stopped_ = true;
}

}  // namespace gramian
