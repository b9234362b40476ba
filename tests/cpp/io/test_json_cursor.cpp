// SPDX-License-Identifier: BSD-3-Clause
#include "io/json_cursor.hpp"

#include <string>
#include <vector>

#include "support/check.hpp"
#include "support/model_files.hpp"

using namespace gramian;
using io::JsonCursor;
using support::says;

namespace {

std::string string_in(const std::string& text) {
  JsonCursor cursor(text);
  std::string result = cursor.string();
  cursor.end();
  return result;
}

double number_in(const std::string& text) {
  JsonCursor cursor(text);
  const double result = cursor.number();
  cursor.end();
  return result;
}

Index integer_in(const std::string& text) {
  JsonCursor cursor(text);
  const Index result = cursor.integer();
  cursor.end();
  return result;
}

}  // namespace

TEST(strings_are_unescaped) {
  CHECK_EQ(string_in(R"( "a\"\\\/\b\f\n\r\t" )"), "a\"\\/\b\f\n\r\t");
  CHECK_EQ(string_in(R"("\u0041\u00e9\u20AC\ud83d\uDE00")"), "A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
  CHECK_EQ(string_in("\"\xC3\xA9\""), "\xC3\xA9");
  CHECK_EQ(string_in(R"("\u0000")"), std::string(1, '\0'));
}

TEST(strings_that_are_wrong_are_refused) {
  CHECK(says("is not UTF-8", [] { string_in("\"\xC0\xAF\""); }));
  CHECK(says("is not UTF-8", [] { string_in("\"\xE2\x82\""); }));
  CHECK(says("control character", [] { string_in("\"a\nb\""); }));
  CHECK(says("escape in a string is unknown", [] { string_in(R"("\x41")"); }));
  CHECK(says("four hexadecimal digits", [] { string_in(R"("\u00g0")"); }));
  CHECK(says("four hexadecimal digits", [] { string_in(R"("\u00")"); }));
  CHECK(says("surrogate", [] { string_in(R"("\ud83d")"); }));
  CHECK(says("surrogate", [] { string_in(R"("\ud83d\u0041")"); }));
  CHECK(says("surrogate", [] { string_in(R"("\ude00")"); }));
  for (const char* text : {"\"", "\"a", "\"\\", "\"\\\"", "\"\\u", "\"\\u00e"})
    CHECK(says("a string does not end", [&] { string_in(text); }));
  CHECK(says("a string is missing", [] { string_in("a"); }));
}

TEST(numbers_are_those_of_json) {
  CHECK_EQ(number_in(" -12.5e-1 "), -1.25);
  CHECK_EQ(number_in("0"), 0.0);
  CHECK_EQ(number_in("1E+2"), 100.0);
  for (const char* text : {"", "-", "+1", ".5", "1.", "1e", "1e+", "01", "-01", "0x10", "NaN", "Infinity", "-Infinity", "1_0"})
    CHECK_THROWS(ModelFileError, number_in(text));
  CHECK(says("beyond the range", [] { number_in("1e400"); }));
}

TEST(integers_are_whole_and_below_two_to_the_63) {
  CHECK_EQ(integer_in("9223372036854775807"), INT64_MAX);
  CHECK_EQ(integer_in("0"), 0);
  CHECK(says("2^63 or more", [] { integer_in("9223372036854775808"); }));
  CHECK(says("2^63 or more", [] { integer_in("99999999999999999999999999"); }));
  CHECK(says("must be whole", [] { integer_in("1.0"); }));
  CHECK(says("must be whole", [] { integer_in("1e3"); }));
  CHECK(says("begins with 0", [] { integer_in("00"); }));
  for (const char* text : {"", "-1", "+1", "\"1\""}) CHECK(says("not negative", [&] { integer_in(text); }));
}

TEST(objects_and_arrays_are_walked_in_order) {
  JsonCursor cursor(R"({ "a" : [ 1 , 2 ] , "b" : [ ] , "c" : { } })");
  std::string names;
  std::vector<Index> values;
  cursor.members([&](const std::string& name) {
    names += name;
    if (name == "c") return cursor.members([](const std::string&) {});
    cursor.items([&] { values.push_back(cursor.integer()); });
  });
  cursor.end();
  CHECK_EQ(names, "abc");
  CHECK((values == std::vector<Index>{1, 2}));
}

TEST(marks_that_are_missing_are_named_with_their_byte) {
  const auto walk = [](const std::string& text) {
    JsonCursor cursor(text, "header", 8);
    cursor.members([&](const std::string&) { cursor.items([&] { cursor.integer(); }); });
    cursor.end();
  };
  CHECK(says("header, byte 8: '{' is missing", [&] { walk(""); }));
  CHECK(says("header, byte 14: '}' is missing", [&] { walk("{\"\":[]"); }));
  CHECK(says("a name in quotes is missing", [&] { walk("{\"a\":[],}"); }));
  CHECK(says("not negative is missing", [&] { walk("{\"a\":[1,]}"); }));
  CHECK(says("':' is missing", [&] { walk("{\"a\"}"); }));
  CHECK(says("']' is missing", [&] { walk("{\"a\":[1 2]}"); }));
  CHECK(says("text follows", [&] { walk("{} {}"); }));
  CHECK(says("text follows", [&] { walk(std::string("{}\0", 3)); }));
}

TEST(words_are_whole) {
  JsonCursor cursor("[true,false,null]");
  cursor.expect('[');
  CHECK(cursor.boolean());
  cursor.expect(',');
  CHECK(!cursor.boolean());
  cursor.expect(',');
  cursor.null();
  cursor.expect(']');
  CHECK_THROWS(ModelFileError, JsonCursor("tru").boolean());
  CHECK_THROWS(ModelFileError, JsonCursor("nul").null());
}

TEST_MAIN
