// SPDX-License-Identifier: BSD-3-Clause
#include "io/json.hpp"

#include <algorithm>
#include <cmath>

#include "gramian/base/error.hpp"
#include "io/json_cursor.hpp"
#include "io/number_text.hpp"
#include "io/utf8.hpp"

namespace gramian::io {
namespace {

constexpr Index exact_integers = Index(1) << 53;

const std::string* duplicate_member(const JsonObject& members) {
  std::vector<const std::string*> names;
  for (const JsonMember& member : members) names.push_back(&member.name);
  return duplicate_of(std::move(names));
}

class Parser {
 public:
  Parser(std::string_view text, const std::string& what) : cursor_(text, what) {}

  Json document() {
    Json result = value(0);
    cursor_.end();
    return result;
  }

 private:
  Json value(int depth) {
    if (depth > json_depth) cursor_.fail("values are nested deeper than " + std::to_string(json_depth));
    if (++values_ > json_values) cursor_.fail("there are more than " + std::to_string(json_values) + " values");
    switch (cursor_.next()) {
      case '{': return object(depth);
      case '[': return array(depth);
      case '"': return cursor_.string();
      case 't':
      case 'f': return cursor_.boolean();
      case 'n': return cursor_.null(), Json();
      default: return cursor_.number();
    }
  }

  Json object(int depth) {
    JsonObject members;
    cursor_.members([&](std::string name) { members.push_back({std::move(name), value(depth + 1)}); });
    if (const std::string* name = duplicate_member(members)) cursor_.fail("the name " + quoted(*name) + " stands twice");
    return members;
  }

  Json array(int depth) {
    JsonArray items;
    cursor_.items([&] { items.push_back(value(depth + 1)); });
    return items;
  }

  JsonCursor cursor_;
  Index values_ = 0;
};

class Writer {
 public:
  void append(const Json& value, int depth) {
    require(depth <= json_depth, "JSON: values are nested deeper than " + std::to_string(json_depth));
    require(++values_ <= json_values, "JSON: there are more than " + std::to_string(json_values) + " values");
    switch (value.kind()) {
      case Json::Kind::null: text += "null"; return;
      case Json::Kind::boolean: text += value.boolean() ? "true" : "false"; return;
      case Json::Kind::number: return append_number(value.number());
      case Json::Kind::string: return append_json_string(text, value.string());
      case Json::Kind::array: return append_array(value.array(), depth);
      case Json::Kind::object: return append_object(value.object(), depth);
    }
  }

  std::string text;

 private:
  void append_number(double value) {
    require(std::isfinite(value), "JSON: a number is not finite");
    text += number_text(value);
  }

  void append_array(const JsonArray& items, int depth) {
    text += '[';
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) text += ',';
      append(items[i], depth + 1);
    }
    text += ']';
  }

  void append_object(const JsonObject& members, int depth) {
    if (const std::string* name = duplicate_member(members)) {
      throw std::invalid_argument("JSON: the name " + quoted(*name) + " stands twice");
    }
    text += '{';
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (i > 0) text += ',';
      append_json_string(text, members[i].name);
      text += ':';
      append(members[i].value, depth + 1);
    }
    text += '}';
  }

  Index values_ = 0;
};

}  // namespace

Json::Json(Index value) : value_(static_cast<double>(value)) {
  require(value >= -exact_integers && value <= exact_integers, "JSON: " + std::to_string(value) + " is beyond 2^53");
}
Json::Json(JsonArray items) : value_(std::move(items)) {}
Json::Json(JsonObject members) : value_(std::move(members)) {}

Json Json::numbers(const std::vector<double>& values) { return JsonArray(values.begin(), values.end()); }

const JsonArray& Json::array() const { return std::get<JsonArray>(value_); }
const JsonObject& Json::object() const { return std::get<JsonObject>(value_); }

const Json* Json::find(std::string_view name) const {
  const JsonObject& members = object();
  const auto at = std::find_if(members.begin(), members.end(), [&](const JsonMember& member) { return member.name == name; });
  return at == members.end() ? nullptr : &at->value;
}

void Json::set(std::string name, Json value) {
  require(find(name) == nullptr, "JSON: the name " + quoted(name) + " stands twice");
  std::get<JsonObject>(value_).push_back({std::move(name), std::move(value)});
}

const std::string* duplicate_of(std::vector<const std::string*> names) {
  std::sort(names.begin(), names.end(), [](const std::string* a, const std::string* b) { return *a < *b; });
  const auto at =
      std::adjacent_find(names.begin(), names.end(), [](const std::string* a, const std::string* b) { return *a == *b; });
  return at == names.end() ? nullptr : *at;
}

Json parse_json(std::string_view text, const std::string& what) { return Parser(text, what).document(); }

std::string format_json(const Json& value) {
  Writer writer;
  writer.append(value, 0);
  return std::move(writer.text);
}

void append_json_string(std::string& text, std::string_view value) {
  require(is_utf8(value), "JSON: the text " + quoted(value) + " is not UTF-8");
  static constexpr char digits[] = "0123456789abcdef";
  text += '"';
  for (const char c : value) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') text += '\\';
    if (code < 0x20) {
      text += "\\u00";
      text += digits[code >> 4];
      text += digits[code & 15u];
    } else {
      text += c;
    }
  }
  text += '"';
}

}  // namespace gramian::io
