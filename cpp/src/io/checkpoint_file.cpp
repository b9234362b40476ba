// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/io/checkpoint_file.hpp"

#include <cstdint>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "gramian/base/error.hpp"
#include "gramian/io/document.hpp"
#include "gramian/version.hpp"
#include "io/json.hpp"

namespace gramian::io {
namespace {

constexpr const char* format = "gramian checkpoint";
constexpr const char* format_version = "1";

/// All arrays of one type, one after another; a table says where each of them belongs.
template <class T>
class Column {
 public:
  Json add(const std::map<std::string, std::vector<T>>& arrays) {
    JsonArray sizes;
    for (const auto& [name, values] : arrays) {
      sizes.push_back(JsonArray{name, static_cast<Index>(values.size())});
      numbers_.insert(numbers_.end(), values.begin(), values.end());
    }
    return sizes;
  }

  Tensor tensor(const char* name, Element type) {
    const auto owner = std::make_shared<const std::vector<T>>(std::move(numbers_));
    return {name, type, {static_cast<Index>(owner->size())}, owner->data(), owner};
  }

 private:
  std::vector<T> numbers_;
};

/// What is wrong with a file that is a document.
[[noreturn]] void refuse(const std::string& what) { throw ModelFileError("the checkpoint " + what); }

/// The arrays of a column in the order of the table.
template <class T>
class Reader {
 public:
  Reader(const Document& document, const char* name, Element type) : name_(name), tensor_(document.find_tensor(name)) {
    if (tensor_ == nullptr || tensor_->type != type || tensor_->shape.size() != 1) refuse(std::string("has no numbers ") + name);
  }

  std::map<std::string, std::vector<T>> next(const Json& sizes) {
    std::map<std::string, std::vector<T>> arrays;
    if (!sizes.is(Json::Kind::array)) refuse("has a table without arrays");
    for (const Json& entry : sizes.array()) {
      const bool pair = entry.is(Json::Kind::array) && entry.array().size() == 2 && entry.array()[0].is(Json::Kind::string) &&
                        entry.array()[1].is(Json::Kind::number);
      if (!pair) refuse("has a table without names and sizes");
      const double size = entry.array()[1].number();
      const bool whole = size >= 0.0 && std::floor(size) == size;
      if (!whole || size > static_cast<double>(tensor_->size() - taken_)) refuse("has fewer numbers than its table");
      const auto count = static_cast<Index>(size);
      const T* first = static_cast<const T*>(tensor_->data) + taken_;
      if (!arrays.emplace(entry.array()[0].string(), std::vector<T>(first, first + count)).second) refuse("has a name twice");
      taken_ += count;
    }
    return arrays;
  }

  void end() const {
    if (taken_ != tensor_->size()) refuse(std::string("has more numbers ") + name_ + " than its table");
  }

 private:
  const char* name_;
  const Tensor* tensor_;
  Index taken_ = 0;
};

Checkpoint::Parts parts_of(const Document& document, const std::string& table) {
  Reader<double> reals(document, "reals", Element::f64);
  Reader<std::int64_t> integers(document, "integers", Element::i64);
  const Json rows = parse_json(table, "the table of the checkpoint");
  if (!rows.is(Json::Kind::array)) refuse("has no table");
  Checkpoint::Parts parts;
  for (const Json& row : rows.array()) {
    const bool right = row.is(Json::Kind::array) && row.array().size() == 4 && row.array()[0].is(Json::Kind::string) &&
                       row.array()[1].is(Json::Kind::boolean);
    if (!right) refuse("has a table without parts");
    Checkpoint::Kept kept;
    kept.ended = row.array()[1].boolean();
    kept.state.reals = reals.next(row.array()[2]);
    kept.state.integers = integers.next(row.array()[3]);
    if (!parts.emplace(row.array()[0].string(), std::move(kept)).second) refuse("has a part twice");
  }
  reals.end();
  integers.end();
  return parts;
}

const std::string& text_of(const Document& document, const char* name) {
  const std::string* text = document.find_text(name);
  if (text == nullptr) refuse(std::string("has no text ") + name + ": it is another file");
  return *text;
}

/// Of this format and this version of the library; none if there is no file.
std::optional<Document> checkpoint_at(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::exists(std::filesystem::u8path(path), none) && !none) return {};
  Document document = read_document(path);
  if (text_of(document, "format") != format) refuse("is no checkpoint but a file of another kind");
  const std::string& version = text_of(document, "format_version");
  if (version != format_version) refuse("has format version " + version + ", and " + format_version + " is wanted");
  const std::string& library = text_of(document, "library_version");
  require(library == GRAMIAN_VERSION, "the checkpoint was written by gramian " + library + ", and this is gramian " +
                                          GRAMIAN_VERSION + ": go on with that version, or remove the file to begin anew");
  return document;
}

}  // namespace

CheckpointFile::CheckpointFile(std::string path, std::string problem, const CheckpointPace& pace)
    : Checkpoint(pace), path_(std::move(path)), problem_(std::move(problem)) {
  const std::optional<Document> document = checkpoint_at(path_);
  resumed_ = document.has_value();
  if (!resumed_) return;
  require(text_of(*document, "problem") == problem_,
          "the checkpoint is of another problem: remove the file to begin anew, or give another path");
  begin_from(parts_of(*document, text_of(*document, "parts")));
}

void CheckpointFile::remove() {
  std::error_code error;
  std::filesystem::remove(std::filesystem::u8path(path_), error);
  if (error) throw FileError(error, "removing the checkpoint", path_);
}

void CheckpointFile::write(const Parts& parts) {
  Column<double> reals;
  Column<std::int64_t> integers;
  JsonArray table;
  for (const auto& [name, kept] : parts) {
    table.push_back(JsonArray{name, kept.ended, reals.add(kept.state.reals), integers.add(kept.state.integers)});
  }
  Document document;
  document.set_text("format", format);
  document.set_text("format_version", format_version);
  document.set_text("library_version", GRAMIAN_VERSION);
  document.set_text("problem", problem_);
  document.set_text("parts", format_json(std::move(table)));
  document.add(reals.tensor("reals", Element::f64));
  document.add(integers.tensor("integers", Element::i64));
  write_document(document, path_);
}

std::optional<std::string> problem_of_checkpoint(const std::string& path) {
  const std::optional<Document> document = checkpoint_at(path);
  if (!document) return {};
  return text_of(*document, "problem");
}

}  // namespace gramian::io
