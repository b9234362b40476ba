// SPDX-License-Identifier: BSD-3-Clause
#include "serving/stored/reader.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <utility>

#include "gramian/base/finite.hpp"
#include "io/utf8.hpp"
#include "serving/stored/format.hpp"

namespace gramian::stored {
namespace {

constexpr const char* known_texts[] = {"family", "format", "format_version", "library_version", "model", "python", "readable_by"};

void check_texts(const io::Document& document) {
  for (const auto& [name, text] : document.texts()) {
    const bool known = std::any_of(std::begin(known_texts), std::end(known_texts), [&n = name](const char* k) { return n == k; });
    if (!known) throw ModelFileError("unknown name in the file: the text " + io::quoted(name));
  }
}

std::string shape_text(const std::vector<Index>& shape) {
  std::string text;
  for (const Index size : shape) text += (text.empty() ? "" : " x ") + (size == any_size ? "any" : std::to_string(size));
  return text.empty() ? "one number" : text;
}

bool fits(const std::vector<Index>& shape, const std::vector<Index>& wanted) {
  return std::equal(shape.begin(), shape.end(), wanted.begin(), wanted.end(),
                    [](Index size, Index want) { return want == any_size || size == want; });
}

}  // namespace

struct Reader::State {
  io::Document document;
  Age age = Age::known;
  io::Json values;
  std::set<std::string> read{};
};

Reader::Reader(io::Document document) : Reader(std::make_shared<State>(), "", 0) {
  state_->age = check_format(document);
  if (state_->age == Age::known) check_texts(document);
  required_text(document, "library_version");
  required_text(document, "family");
  state_->values = io::parse_json(required_text(document, "model"), "the text 'model'");
  if (!state_->values.is(io::Json::Kind::object)) throw ModelFileError("the text 'model' must be an object");
  state_->document = std::move(document);
  for (const io::JsonMember& member : state_->values.object()) {
    if (state_->document.find_tensor(member.name) != nullptr) {
      throw ModelFileError("the entry " + io::quoted(member.name) + " stands twice");
    }
  }
}

Reader::Reader(std::shared_ptr<State> state, std::string prefix, int depth)
    : state_(std::move(state)), prefix_(std::move(prefix)), depth_(depth) {}

const std::string& Reader::family() const { return *state_->document.find_text("family"); }
const std::string* Reader::python() const { return state_->document.find_text("python"); }

void Reader::refuse(const std::string& name, const std::string& why) const {
  throw ModelFileError(io::quoted(prefix_ + name) + ": " + why);
}

Reader Reader::child(const std::string& name) const {
  if (depth_ >= most_nested) refuse(name, "parts are nested deeper than " + std::to_string(most_nested));
  return {state_, prefix_ + name + ".", depth_ + 1};
}

bool Reader::has(const std::string& name) const {
  return state_->values.find(prefix_ + name) != nullptr || state_->document.find_tensor(prefix_ + name) != nullptr;
}

const io::Json& Reader::value(const std::string& name) {
  const io::Json* found = state_->values.find(prefix_ + name);
  if (found == nullptr) refuse(name, "is missing");
  state_->read.insert(prefix_ + name);
  return *found;
}

double Reader::number(const std::string& name) {
  const io::Json& found = value(name);
  if (!found.is(io::Json::Kind::number)) refuse(name, "must be a number");
  return found.number();
}

Index Reader::integer(const std::string& name, Index lower, Index upper) {
  const auto found = integer_in(value(name), lower, upper);
  if (!found) refuse(name, "must be a whole number in [" + std::to_string(lower) + ", " + std::to_string(upper) + "]");
  return *found;
}

bool Reader::flag(const std::string& name) {
  const io::Json& found = value(name);
  if (!found.is(io::Json::Kind::boolean)) refuse(name, "must be true or false");
  return found.boolean();
}

const std::string& Reader::text(const std::string& name) {
  const io::Json& found = value(name);
  if (!found.is(io::Json::Kind::string)) refuse(name, "must be a text");
  return found.string();
}

const io::Tensor& Reader::tensor(const std::string& name, io::Element type, const std::vector<Index>& shape) {
  const io::Tensor* found = state_->document.find_tensor(prefix_ + name);
  if (found == nullptr) refuse(name, "is missing");
  if (found->type != type)
    refuse(name, std::string("must have dtype ") + element_name(type) + ", got " + element_name(found->type));
  if (!fits(found->shape, shape)) refuse(name, "must be " + shape_text(shape) + ", got " + shape_text(found->shape));
  state_->read.insert(prefix_ + name);
  return *found;
}

SharedMatrix Reader::matrix(const std::string& name, Index rows, Index cols) {
  const io::Tensor& found = tensor(name, io::Element::f64, {rows, cols});
  const MatrixView<const double> view(static_cast<const double*>(found.data), found.shape[0], found.shape[1]);
  if (!all_finite(view)) refuse(name, "has an entry that is not finite");
  return SharedMatrix(view, found.owner);
}

std::vector<double> Reader::vector(const std::string& name, Index size) {
  const io::Tensor& found = tensor(name, io::Element::f64, {size});
  const auto* first = static_cast<const double*>(found.data);
  if (!all_finite({first, 1, found.shape[0]})) refuse(name, "has an entry that is not finite");
  return {first, first + found.shape[0]};
}

std::vector<Index> Reader::indices(const std::string& name, Index bound, Index size) {
  const io::Tensor& found = tensor(name, io::Element::i64, {size});
  const auto* first = static_cast<const Index*>(found.data);
  for (Index k = 0; k < found.shape[0]; ++k) {
    if (first[k] < 0 || first[k] >= bound) {
      refuse(name,
             "entry " + std::to_string(k) + " is " + std::to_string(first[k]) + ", not in [0, " + std::to_string(bound) + ")");
    }
  }
  return {first, first + found.shape[0]};
}

void Reader::finish() const {
  if (state_->age == Age::newer) return;
  const auto check = [&](const std::string& name) {
    if (state_->read.count(name) == 0) throw ModelFileError("unknown name in the file: " + io::quoted(name));
  };
  for (const io::JsonMember& member : state_->values.object()) check(member.name);
  for (const io::Tensor& tensor : state_->document.tensors()) {
    if (python() == nullptr || tensor.name.rfind(python_prefix, 0) != 0) check(tensor.name);
  }
}

std::optional<std::vector<double>> numbers_in(const io::Json& value) {
  if (!value.is(io::Json::Kind::array)) return std::nullopt;
  std::vector<double> numbers;
  for (const io::Json& item : value.array()) {
    if (!item.is(io::Json::Kind::number)) return std::nullopt;
    numbers.push_back(item.number());
  }
  return numbers;
}

std::optional<Index> integer_in(const io::Json& value, Index lower, Index upper) {
  if (!value.is(io::Json::Kind::number)) return std::nullopt;
  const double number = value.number();
  if (!(std::abs(number) <= 9007199254740992.0) || std::trunc(number) != number) return std::nullopt;
  const auto whole = static_cast<Index>(number);
  if (whole < lower || whole > upper) return std::nullopt;
  return whole;
}

}  // namespace gramian::stored
