// SPDX-License-Identifier: BSD-3-Clause
#include "io/header.hpp"

#include <string>

#include "support/check.hpp"
#include "support/model_files.hpp"

using namespace gramian;
using io::parse_header;
using support::says;

namespace {

std::string entry(const std::string& name, const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return "\"" + name + R"(":{"dtype":")" + dtype + R"(","shape":[)" + shape + R"(],"data_offsets":[)" + offsets + "]}";
}

bool refuses(const std::string& header, Index data_size, const std::string& message) {
  return says(message, [&] { parse_header(header, data_size); });
}

}  // namespace

TEST(a_header_says_where_tensors_are) {
  const io::Header header = parse_header(
      "{" + entry("b", "F32", "1,2", "16,24") + "," + entry("a", "F64", "2", "0,16") + R"(,"__metadata__":{"k":"v"}}   )", 24);
  CHECK_EQ(header.entries.size(), 2u);
  CHECK_EQ(header.entries[0].tensor.name, "a");
  CHECK_EQ(header.entries[1].begin, 16);
  CHECK((header.entries[1].tensor.shape == std::vector<Index>{1, 2}));
  CHECK_EQ(header.texts.find("k")->second, "v");
  CHECK(parse_header("{}", 0).entries.empty());
}

TEST(places_must_cover_the_data_without_gap_or_overlap) {
  const std::string a = entry("a", "U8", "4", "0,4");
  CHECK(refuses("{" + a + "," + entry("b", "U8", "4", "3,7") + "}", 7, "tensor 'b' overlaps another one at byte 4"));
  CHECK(refuses("{" + a + "," + entry("b", "U8", "4", "0,4") + "}", 4, "tensor 'b' overlaps another one at byte 4"));
  CHECK(refuses("{" + a + "," + entry("b", "U8", "4", "5,9") + "}", 9, "tensor 'b' leaves a gap at byte 4"));
  CHECK(refuses("{" + entry("b", "U8", "4", "1,5") + "}", 5, "tensor 'b' leaves a gap at byte 0"));
  CHECK(refuses("{" + a + "}", 5, "1 bytes follow the last tensor"));
  CHECK(refuses("{}", 1, "1 bytes follow the last tensor"));
  CHECK(refuses("{" + a + "}", 3, "tensor 'a' ends at byte 4 of the data, and there are 3: the file is cut off"));
  CHECK(refuses("{" + entry("a", "U8", "4", "4,0") + "}", 0, "tensor 'a' ends before it begins"));
  CHECK(refuses("{" + entry("a", "U8", "5", "0,4") + "}", 4, "tensor 'a' has a shape of 5 bytes, and data_offsets of 4"));
  CHECK(refuses("{" + entry("a", "F64", "1", "0,1") + "}", 1, "has a shape of 8 bytes"));
  CHECK(refuses("{" + entry("a", "U8", "1", "0,1") + "," + entry("b", "F32", "1", "1,5") + "}", 5, "tensor 'b' is not aligned"));
  CHECK(refuses("{" + entry("a", "U8", "", "0,9223372036854775807") + "}", 8, "the file is cut off"));
}

TEST(shapes_whose_product_overflows_are_refused) {
  const std::string large = "9223372036854775807", half = "4294967296";
  for (const std::string& shape : {large + "," + large, half + "," + half, half + "," + half + ",0", large})
    CHECK(refuses("{" + entry("a", "F64", shape, "0,8") + "}", 8, "tensor 'a' has a shape whose product is 2^63 or more"));
  CHECK(refuses("{" + entry("a", "U8", "9223372036854775808", "0,8") + "}", 8, "a number is 2^63 or more"));
  CHECK(refuses("{" + entry("a", "U8", "-1", "0,8") + "}", 8, "not negative"));
  CHECK_EQ(parse_header("{" + entry("a", "F64", "0," + large, "0,0") + "}", 0).entries.size(), 1u);
}

TEST(names_stand_once) {
  const std::string a = entry("a", "U8", "0", "0,0");
  CHECK(refuses("{" + a + "," + a + "}", 0, "tensor 'a' stands twice"));
  CHECK(refuses(R"({"__metadata__":{},"__metadata__":{}})", 0, "'__metadata__' stands twice"));
  CHECK(refuses(R"({"__metadata__":{"k":"","k":""}})", 0, "the text 'k' stands twice"));
  CHECK(
      refuses(R"({"a":{"dtype":"U8","dtype":"U8","shape":[0],"data_offsets":[0,0]}})", 0, "'dtype' of tensor 'a' stands twice"));
  CHECK(refuses(R"({"a":{"dtype":"U8","shape":[0],"shape":[0],"data_offsets":[0,0]}})", 0, "'shape' of tensor 'a'"));
  CHECK(refuses(R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0],"data_offsets":[0,0]}})", 0, "'data_offsets' of"));
}

TEST(entries_have_three_parts_of_their_kinds) {
  CHECK(refuses(R"({"a":{"dtype":"U8","shape":[0]}})", 0, "tensor 'a' needs dtype, shape and data_offsets"));
  CHECK(refuses(R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[0]}})", 0, "needs two data_offsets"));
  CHECK(refuses(R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0,0]}})", 0, "at most 2 numbers"));
  CHECK(refuses(R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0],"x":1}})", 0, "tensor 'a' has the unknown entry 'x'"));
  CHECK(refuses("{" + entry("a", "F16", "0", "0,0") + "}", 0, "dtype 'F16' is none of F64, F32, I64, I32, U8, BOOL"));
  CHECK(refuses("{" + entry("a", "U8", "1,1,1,1,1,1,1,1,1", "0,1") + "}", 1, "at most 8 numbers"));
  CHECK(refuses(R"({"a":[]})", 0, "'{' is missing"));
  CHECK(refuses(R"({"__metadata__":{"k":1}})", 0, "a string is missing"));
  CHECK(refuses("[]", 0, "header, byte 8: '{' is missing"));
  CHECK(refuses("{}x", 0, "text follows"));
  CHECK(refuses("{\"\xFF\":{}}", 0, "is not UTF-8"));
}

TEST(numbers_of_entries_are_bounded) {
  std::string texts, tensors;
  for (Index k = 0; k <= io::most_texts; ++k) texts += (k > 0 ? ",\"" : "\"") + std::to_string(k) + "\":\"\"";
  for (Index k = 0; k <= io::most_tensors; ++k) tensors += (k > 0 ? "," : "") + entry(std::to_string(k), "U8", "0", "0,0");
  CHECK(refuses("{\"__metadata__\":{" + texts + "}}", 0, "more than 1000 texts"));
  CHECK(refuses("{" + tensors + "}", 0, "more than 10000 tensors"));
}

TEST(lengths_are_checked_before_the_header_is_read) {
  const auto length = [](std::uint64_t value, Index size) {
    unsigned char first[8];
    for (int k = 0; k < 8; ++k) first[k] = static_cast<unsigned char>(value >> (8 * k));
    return io::header_length(first, size);
  };
  CHECK_EQ(length(5, 13), 5);
  CHECK(says("a header of 6 bytes, and 5 follow: the file is cut off", [&] { length(6, 13); }));
  CHECK_EQ(length(100000000, 100000008), 100000000);
  for (const std::uint64_t value : {std::uint64_t(100000001), ~std::uint64_t(0), std::uint64_t(1) << 63})
    CHECK(says("more than 100000000: this is no model file", [&] { length(value, INT64_MAX); }));
}

TEST(what_is_written_is_aligned_and_sorted) {
  const io::Document document = support::small_document();
  const std::vector<const io::Tensor*> order = io::order_of(document);
  const std::string header = io::format_header(document, order);
  CHECK_EQ(header.size() % 64, 0u);
  for (std::size_t k = 1; k < order.size(); ++k) CHECK(io::element_size(order[k - 1]->type) >= io::element_size(order[k]->type));
  Index data = 0;
  for (const io::Tensor* tensor : order) data += tensor->bytes();
  CHECK_EQ(parse_header(header.substr(8), data).entries.size(), order.size());
  CHECK_EQ(io::format_header(io::Document(), {}).substr(8, 2), "{}");
  io::require_little_endian();
}

TEST(a_header_that_no_reader_would_take_is_not_written) {
  io::Document document;
  document.set_text("long", std::string(100000000, 'x'));
  CHECK_THROWS(std::invalid_argument, io::format_header(document, {}));
}

TEST_MAIN
