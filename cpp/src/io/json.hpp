// SPDX-License-Identifier: BSD-3-Clause
// JSON as a value, for the descriptions in model files: strict, small, and the same text for the same value.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gramian/base/index.hpp"

namespace gramian::io {

class Json;

/// An object's entry.
struct JsonMember;

using JsonArray = std::vector<Json>;
using JsonObject = std::vector<JsonMember>;  ///< in the order of the text; names are unique

class Json {
 public:
  enum class Kind { null, boolean, number, string, array, object };

  Json() = default;  ///< null
  Json(bool value) : value_(value) {}
  Json(double value) : value_(value) {}
  Json(int value) : value_(static_cast<double>(value)) {}
  Json(Index value);  ///< throws std::invalid_argument beyond +-2^53, where doubles are not exact
  Json(const char* value) : value_(std::string(value)) {}
  Json(std::string value) : value_(std::move(value)) {}
  Json(JsonArray items);
  Json(JsonObject members);

  static Json numbers(const std::vector<double>& values);

  Kind kind() const { return static_cast<Kind>(value_.index()); }
  bool is(Kind kind) const { return this->kind() == kind; }

  // The value of its kind: std::bad_variant_access for another one.
  bool boolean() const { return std::get<bool>(value_); }
  double number() const { return std::get<double>(value_); }
  const std::string& string() const { return std::get<std::string>(value_); }
  const JsonArray& array() const;
  const JsonObject& object() const;

  /// The member of an object with this name, null if there is none.
  const Json* find(std::string_view name) const;
  /// Appends a member. Throws std::invalid_argument if the name is taken.
  void set(std::string name, Json value);

 private:
  std::variant<std::nullptr_t, bool, double, std::string, JsonArray, JsonObject> value_ = nullptr;
};

struct JsonMember {
  std::string name;
  Json value;
};

/// What a text may have at most. A value takes 20 times the memory of its text, so that their number has a bound: arrays of data
/// are tensors.
constexpr int json_depth = 64;
constexpr Index json_values = 100000;

/// The value of a text. Throws ModelFileError, which begins with `what` and names the byte, for text that is not JSON by RFC
/// 8259, not UTF-8, nested deeper than json_depth, of more than json_values values, or has two members of one name.
Json parse_json(std::string_view text, const std::string& what);

/// The text of a value, without white space; doubles come back to the bit. Throws std::invalid_argument for a number that is not
/// finite, text that is not UTF-8, two members of one name, and what parse_json() would refuse for its size.
std::string format_json(const Json& value);

/// Appends a string in quotes.
void append_json_string(std::string& text, std::string_view value);

/// Two of the names that are equal; null if all differ. O(n log n).
const std::string* duplicate_of(std::vector<const std::string*> names);

}  // namespace gramian::io
