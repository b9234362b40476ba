// SPDX-License-Identifier: BSD-3-Clause
#include "serving/stored/writer.hpp"

#include <set>
#include <utility>

#include "base/check.hpp"
#include "gramian/version.hpp"
#include "io/utf8.hpp"
#include "serving/stored/format.hpp"

namespace gramian::stored {

struct Writer::State {
  std::string family;
  io::Document tensors;
  io::JsonObject values;
  std::set<std::string> names;
};

Writer::Writer(const std::string& family) : Writer(std::make_shared<State>(), "", 0) { state_->family = family; }

Writer::Writer(std::shared_ptr<State> state, std::string prefix, int depth)
    : state_(std::move(state)), prefix_(std::move(prefix)), depth_(depth) {}

Writer Writer::child(const std::string& name) const {
  require(depth_ < most_nested, "the model is nested deeper than " + std::to_string(most_nested) + ": it can't be saved");
  return {state_, prefix_ + name + ".", depth_ + 1};
}

std::string Writer::taken(const std::string& name) {
  std::string whole = prefix_ + name;
  require(state_->names.insert(whole).second, "the entry " + io::quoted(whole) + " stands twice");
  return whole;
}

void Writer::put(const std::string& name, io::Json value) {
  std::string whole = taken(name);
  io::format_json(value);  // throws for what has no text, as long as the name is known
  state_->values.push_back({std::move(whole), std::move(value)});
}

void Writer::add(const std::string& name, io::Element type, std::vector<Index> shape, const void* data,
                 std::shared_ptr<const void> owner) {
  state_->tensors.add({taken(name), type, std::move(shape), data, std::move(owner)});
}

void Writer::matrix(const std::string& name, const SharedMatrix& A) {
  require_finite(A.view(), (prefix_ + name).c_str());
  add(name, io::Element::f64, {A.rows(), A.cols()}, A.data(), A.owner());
}

void Writer::matrix(const std::string& name, MatrixView<const double> A) { matrix(name, SharedMatrix::copy_of(A)); }

void Writer::vector(const std::string& name, const std::vector<double>& numbers) {
  const auto size = static_cast<Index>(numbers.size());
  require_finite({numbers.data(), 1, size}, (prefix_ + name).c_str());
  const auto kept = std::make_shared<const std::vector<double>>(numbers);
  add(name, io::Element::f64, {size}, kept->data(), kept);
}

void Writer::indices(const std::string& name, const std::vector<Index>& numbers) {
  const auto kept = std::make_shared<const std::vector<Index>>(numbers);
  add(name, io::Element::i64, {static_cast<Index>(numbers.size())}, kept->data(), kept);
}

io::Document Writer::document(const std::optional<std::string>& python) const {
  io::Document document = state_->tensors;
  document.set_text("format", format_text);
  document.set_text("format_version", format_version());
  document.set_text("library_version", GRAMIAN_VERSION);
  document.set_text("family", state_->family);
  document.set_text("model", io::format_json(state_->values));
  if (python) document.set_text("python", *python);
  return document;
}

}  // namespace gramian::stored
