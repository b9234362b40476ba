// SPDX-License-Identifier: BSD-3-Clause
// A checkpoint in a file: the numbers come back to the bit, and other files are refused.
#include "gramian/io/checkpoint_file.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "gramian/base/error.hpp"
#include "gramian/io/document.hpp"
#include "gramian/optim/lbfgs.hpp"
#include "support/check.hpp"
#include "support/optimisers.hpp"

using namespace gramian;
using io::CheckpointFile;

namespace {

/// A path of its own for each test, without a file.
struct Place {
  explicit Place(const std::string& name)
      : path((std::filesystem::temp_directory_path() / ("gramian_checkpoint_" + name)).string()) {
    std::filesystem::remove(path);
  }
  ~Place() { std::filesystem::remove(path); }
  bool exists() const { return std::filesystem::exists(path); }
  std::string bytes() const {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void put(const std::string& bytes) const { std::ofstream(path, std::ios::binary) << bytes; }
  std::string path;
};

const std::vector<double> special = {-0.0, std::numeric_limits<double>::denorm_min(), 1.0 / 3.0,
                                     std::numeric_limits<double>::infinity(), 1e308};

Snapshot snapshot() {
  Snapshot out;
  out.reals["x"] = special;
  out.reals["empty"] = {};
  out.integers["counts"] = {std::numeric_limits<std::int64_t>::min(), -1, std::numeric_limits<std::int64_t>::max()};
  return out;
}

/// A file with a part that runs, one that has ended, and a seed.
void fill(const std::string& path) {
  CheckpointFile file(path, "a \"problem\" \u00e9", {1});
  CHECK(!file.resumed());
  file.settled(~std::uint64_t(0));
  file.whole().part("ended").end(snapshot());
  file.whole().part("runs").keep(snapshot());
}

}  // namespace

TEST(numbers_come_back_to_the_bit) {
  const Place place("round");
  fill(place.path);
  CheckpointFile file(place.path, "a \"problem\" \u00e9", {1});
  CHECK(file.resumed());
  CHECK_EQ(file.settled(0), ~std::uint64_t(0));
  const std::optional<Snapshot> ended = file.whole().part("ended").result(), runs = file.whole().part("runs").progress();
  CHECK(ended && runs);
  for (const Snapshot& found : {*ended, *runs}) {
    CHECK(found.integers == snapshot().integers);
    CHECK(found.reals == snapshot().reals);
    CHECK(std::signbit(found.reals.at("x")[0]));
  }
  CHECK(*io::problem_of_checkpoint(place.path) == "a \"problem\" \u00e9");
  file.remove();
  CHECK(!place.exists());
  file.remove();  // of what is not there
  CHECK(!io::problem_of_checkpoint(place.path));
}

TEST(another_problem_is_refused) {
  const Place place("other");
  fill(place.path);
  const std::string before = place.bytes();
  CHECK_THROWS(std::invalid_argument, CheckpointFile(place.path, "another problem"));
  CHECK(place.bytes() == before);
}

TEST(a_file_that_is_cut_anywhere_is_refused) {
  const Place place("cut");
  fill(place.path);
  const std::string whole = place.bytes();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    place.put(whole.substr(0, size));
    CHECK_THROWS(ModelFileError, io::problem_of_checkpoint(place.path));
  }
}

TEST(documents_that_are_no_checkpoints_are_refused) {
  const Place place("foreign");
  fill(place.path);
  const io::Document right = io::read_document(place.path);
  const auto refused = [&](const std::string& name, const std::string& text) {
    io::Document wrong;
    for (const auto& [key, value] : right.texts()) {
      if (key != name) wrong.set_text(key, value);
    }
    if (!text.empty()) wrong.set_text(name, text);
    for (const io::Tensor& tensor : right.tensors()) {
      if (tensor.name != name) wrong.add(tensor);
    }
    io::write_document(wrong, place.path);
    CHECK_THROWS(std::invalid_argument, CheckpointFile(place.path, "a \"problem\" \u00e9"));
  };
  for (const char* name : {"format", "format_version", "library_version", "problem", "parts", "reals", "integers"})
    refused(name, "");
  refused("format", "gramian");
  refused("format_version", "2");
  refused("library_version", "0.0.1");
  for (const char* table :
       {"{}", "[1]", "[[]]", "[[\"a\",true,[],[]]]", "[[\"a\",true,[[\"x\",1e9]],[]]]", "[[\"a\",true,[[\"x\",-1]],[]]]",
        "[[\"a\",true,[[\"x\",0.5]],[]]]", "[[\"a\",1,[],[]]]", "[[\"a\",true,[[\"x\"]],[]]]", "[[\"a\",true,1,[]]]",
        "[[\"a\",true,[[\"x\",10]],[[\"i\",7]]],[\"a\",true,[],[]]]"}) {
    refused("parts", table);
  }
}

TEST(a_folder_that_is_not_there_is_an_error_of_the_system) {
  const Place place("folder");
  CheckpointFile file(place.path + "/none/file", "p", {1});
  CHECK_THROWS(FileError, file.whole().part("runs").keep(snapshot()));
}

TEST(an_optimiser_goes_on_from_a_file) {
  const Place place("optimiser");
  const problems::Problem problem = problems::rosenbrock(10);
  problems::Function function(problem);
  const OptimResult whole = lbfgs(function, problem.start.data());
  problems::Watcher watcher(problem.size(), 7);
  {
    CheckpointFile file(place.path, "rosenbrock");
    Checkpointed observer(&watcher, file.whole());
    CHECK(lbfgs(function, problem.start.data(), {}, &observer).stop_reason == StopReason::observer);
  }
  CheckpointFile file(place.path, "rosenbrock");
  Checkpointed observer(nullptr, file.whole());
  const OptimResult rest = lbfgs(function, problem.start.data(), {}, &observer);
  CHECK(rest.x == whole.x);
  CHECK_EQ(rest.history.size(), whole.history.size());
}

TEST_MAIN
