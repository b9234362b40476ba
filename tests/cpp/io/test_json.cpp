// SPDX-License-Identifier: BSD-3-Clause
#include "io/json.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "support/check.hpp"
#include "support/model_files.hpp"

using namespace gramian;
using io::format_json;
using io::Json;
using io::JsonArray;
using io::JsonObject;
using support::says;

namespace {

Json parse(const std::string& text) { return io::parse_json(text, "text 'model'"); }

std::string nested(int depth) {
  return std::string(static_cast<std::size_t>(depth), '[') + std::string(static_cast<std::size_t>(depth), ']');
}

}  // namespace

TEST(values_have_their_kind_and_come_back) {
  const std::string text = R"({"a":[1,-0.0,0.1,true,false,null,"x\"\\\u0001"],"b":{},"c":[],"é":1e+300})";
  const Json value = parse(text);
  CHECK_EQ(format_json(value), text);
  CHECK_EQ(format_json(parse(" { \"a\" : [ 1 ] } ")), R"({"a":[1]})");
  CHECK(value.find("d") == nullptr);
  const JsonArray& items = value.find("a")->array();
  CHECK_EQ(items[0].number(), 1.0);
  CHECK(std::signbit(items[1].number()));
  CHECK(items[3].boolean() && !items[4].boolean());
  CHECK(items[5].is(Json::Kind::null));
  CHECK_EQ(items[6].string(), "x\"\\\x01");
  CHECK(value.is(Json::Kind::object) && value.find("c")->is(Json::Kind::array));
  CHECK_THROWS(std::bad_variant_access, value.number());
}

TEST(values_are_built) {
  Json value = JsonObject{};
  value.set("n", Index(7));
  value.set("list", Json::numbers({0.5, 2.0}));
  value.set("name", "x");
  value.set("yes", true);
  CHECK_EQ(format_json(value), R"({"n":7,"list":[0.5,2],"name":"x","yes":true})");
  CHECK_THROWS(std::invalid_argument, value.set("n", 1.0));
}

TEST(integers_are_exact_or_refused) {
  const Index most = Index(1) << 53;
  CHECK_EQ(format_json(Json(most)), "9007199254740992");
  CHECK_EQ(format_json(Json(-most)), "-9007199254740992");
  CHECK_THROWS(std::invalid_argument, Json(most + 1));
  CHECK_THROWS(std::invalid_argument, Json(-most - 1));
}

TEST(what_has_no_text_is_refused) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()})
    CHECK_THROWS(std::invalid_argument, format_json(Json(bad)));
  CHECK_THROWS(std::invalid_argument, format_json(Json("\xFF")));
  CHECK_THROWS(std::invalid_argument, format_json(Json(JsonObject{{"\xFF", 1}})));
  CHECK_THROWS(std::invalid_argument, format_json(Json(JsonObject{{"a", 1}, {"a", 2}})));
}

TEST(names_stand_once) {
  CHECK(says("text 'model', byte 13: the name 'a' stands twice", [] { parse(R"({"a":1,"a":2})"); }));
  CHECK(says("the name 'a' stands twice", [] { parse(R"([{"b":{"a":1,"c":2,"\u0061":3}}])"); }));
  CHECK_EQ(parse(R"({"a":{"a":1}})").object().size(), 1u);
}

TEST(depth_is_bounded_on_both_ways) {
  CHECK_EQ(format_json(parse(nested(io::json_depth + 1))), nested(io::json_depth + 1));
  CHECK(says("nested deeper than 64", [] { parse(nested(io::json_depth + 2)); }));
  CHECK(says("nested deeper than 64", [] { parse(std::string(1000000, '[')); }));
  Json value = JsonArray{};
  for (int depth = 0; depth < io::json_depth; ++depth) value = JsonArray{value};
  CHECK_EQ(format_json(value), nested(io::json_depth + 1));
  CHECK_THROWS(std::invalid_argument, format_json(JsonArray{value}));
}

TEST(the_number_of_values_is_bounded_on_both_ways) {
  const auto list = [](Index values) {
    std::string text = "[0";
    for (Index k = 2; k < values; ++k) text += ",0";
    return text + "]";
  };
  CHECK_EQ(format_json(parse(list(io::json_values))), list(io::json_values));
  CHECK(says("more than 100000 values", [&] { parse(list(io::json_values + 1)); }));
  CHECK_THROWS(std::invalid_argument, format_json(JsonArray(static_cast<std::size_t>(io::json_values), Json(0))));
}

TEST(text_that_is_not_json_is_refused) {
  for (const char* text : {"",
                           " ",
                           "{",
                           "[",
                           "}",
                           "{]",
                           "[1,]",
                           "{\"a\":1,}",
                           "{a:1}",
                           "{'a':1}",
                           "[1 2]",
                           "tru",
                           "nulll",
                           "NaN",
                           "-",
                           "1 1",
                           "[]]",
                           "// c\n1",
                           "\"a",
                           "\xEF\xBB\xBF"
                           "1",
                           "{\"a\"}",
                           "{1:2}",
                           "[,1]"})
    CHECK_THROWS(ModelFileError, parse(text));
}

TEST_MAIN
