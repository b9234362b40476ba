// SPDX-License-Identifier: BSD-3-Clause
#include "serving/stored/reader.hpp"

#include <cmath>
#include <string>

#include "support/check.hpp"
#include "support/stored_parts.hpp"

using namespace gramian;
using io::Element;
using support::Reader;
using support::reader_of;
using support::reread;
using support::says;
using support::tensor_of;
using support::Writer;

namespace {

Writer sample() {
  Writer writer("test");
  writer.put("alpha", 0.1);
  writer.put("count", 3);
  writer.put("center", true);
  writer.put("name", "x");
  Writer part = writer.child("part");
  const double numbers[] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
  part.matrix("A", MatrixView<const double>(numbers, 2, 3));
  part.vector("v", {0.1, -0.0});
  part.indices("rows", {2, 0});
  return writer;
}

/// A document with the right frame and this tensor.
Reader with_tensor(io::Tensor tensor) {
  io::Document document = Writer("test").document();
  document.add(std::move(tensor));
  return Reader(document);
}

}  // namespace

TEST(entries_come_back) {
  Reader reader = reread(sample());
  CHECK_EQ(reader.family(), "test");
  CHECK(reader.python() == nullptr);
  CHECK_EQ(reader.number("alpha"), 0.1);
  CHECK_EQ(reader.integer("count", 0, 3), 3);
  CHECK(reader.flag("center"));
  CHECK_EQ(reader.text("name"), "x");
  Reader part = reader.child("part");
  const SharedMatrix A = part.matrix("A", 2, 3);
  CHECK_EQ(A(1, 2), 6.0);
  CHECK(A.owner() != nullptr);
  const std::vector<double> v = part.vector("v", 2);
  CHECK(v[0] == 0.1 && std::signbit(v[1]));
  CHECK((part.indices("rows", 3) == std::vector<Index>{2, 0}));
  CHECK(part.has("A") && reader.has("alpha") && !reader.has("A"));
  reader.finish();
}

TEST(a_matrix_outlives_its_document) {
  SharedMatrix A;
  {
    Reader reader = reread(sample());
    A = reader.matrix("part.A");
  }
  CHECK_EQ(A(0, 1), 2.0);
}

TEST(entries_that_nobody_read_are_named) {
  Reader reader = reread(sample());
  for (const char* name : {"alpha", "count", "center", "name"}) reader.value(name);
  reader.matrix("part.A");
  reader.vector("part.v");
  CHECK(says("unknown name in the file: 'part.rows'", [&] { reader.finish(); }));
  reader.indices("part.rows", 3);
  reader.finish();
  Reader other = reader_of(R"({"a":1,"b":2})");
  other.number("a");
  CHECK(says("unknown name in the file: 'b'", [&] { other.finish(); }));
}

TEST(a_newer_version_that_allows_it_may_have_more) {
  const io::Document now = sample().document();
  io::Document newer;
  for (const io::Tensor& tensor : now.tensors()) newer.add(tensor);
  for (const auto& [name, text] : now.texts()) newer.set_text(name, name == "format_version" ? "1.9" : text);
  newer.set_text("readable_by", "1.0");
  newer.set_text("signature", "of later days");
  Reader(newer).finish();
  io::Document with_more = now;
  with_more.set_text("signature", "of nobody");
  CHECK(says("unknown name in the file: the text 'signature'", [&] { Reader reader(with_more); }));
}

TEST(entries_of_another_kind_are_named) {
  Reader reader = reader_of(R"({"n":1.5,"t":"x","b":true,"l":[1],"big":1e300,"minus":-1})");
  CHECK(says("'none': is missing", [&] { reader.number("none"); }));
  CHECK(says("'t': must be a number", [&] { reader.number("t"); }));
  CHECK(says("'n': must be a text", [&] { reader.text("n"); }));
  CHECK(says("'n': must be true or false", [&] { reader.flag("n"); }));
  for (const char* name : {"n", "t", "b", "l", "big", "minus"})
    CHECK(says("must be a whole number in [0, 9]", [&] { reader.integer(name, 0, 9); }));
  CHECK_EQ(reader.integer("minus", -1), -1);
  CHECK(says("'c.none': is missing", [&] { reader.child("c").vector("none"); }));
}

TEST(tensors_of_another_type_or_shape_are_named) {
  Reader reader = reread(sample());
  Reader part = reader.child("part");
  CHECK(says("'part.A': must be 3 x any, got 2 x 3", [&] { part.matrix("A", 3); }));
  CHECK(says("'part.A': must be 2 x 2, got 2 x 3", [&] { part.matrix("A", 2, 2); }));
  CHECK(says("'part.A': must be any, got 2 x 3", [&] { part.vector("A"); }));
  CHECK(says("'part.v': must be 3, got 2", [&] { part.vector("v", 3); }));
  CHECK(says("'part.rows': must have dtype F64, got I64", [&] { part.vector("rows"); }));
  CHECK(says("'part.v': must have dtype I64, got F64", [&] { part.indices("v", 1); }));
  CHECK(says("'part.rows': entry 0 is 2, not in [0, 2)", [&] { part.indices("rows", 2); }));
  CHECK(says("is missing", [&] { part.matrix("none"); }));
}

TEST(numbers_that_are_not_finite_are_refused) {
  const double inf = std::numeric_limits<double>::infinity();
  CHECK(says("'a': has an entry that is not finite",
             [&] { with_tensor(tensor_of<double>("a", Element::f64, {1, 2}, {1.0, std::nan("")})).matrix("a"); }));
  CHECK(says("'a': has an entry that is not finite",
             [&] { with_tensor(tensor_of<double>("a", Element::f64, {1}, {inf})).vector("a"); }));
  CHECK(says("entry 0 is -1", [&] { with_tensor(tensor_of<Index>("a", Element::i64, {1}, {-1})).indices("a", 9); }));
}

TEST(the_frame_is_checked) {
  const io::Document right = Writer("test").document();
  for (const char* name : {"format", "format_version", "library_version", "family", "model"}) {
    io::Document document;
    for (const auto& [key, text] : right.texts()) {
      if (key != name) document.set_text(key, text);
    }
    CHECK(says(std::string("the text '") + name + "' is missing", [&] { Reader reader(document); }));
  }
  CHECK(says("the text 'model' must be an object", [] { reader_of("[]"); }));
  CHECK(says("the text 'model', byte 1", [] { reader_of("{"); }));
  io::Document twice = support::with_model(right, R"({"a":1})");
  twice.add(tensor_of<double>("a", Element::f64, {1}, {1.0}));
  CHECK(says("the entry 'a' stands twice", [&] { Reader reader(twice); }));
}

TEST(what_the_engine_refuses_is_an_error_of_the_entry) {
  const Reader reader = reader_of("{}");
  CHECK(says("'a': too small", [&] { reader.checked("a", [] { require(false, "too small"); }); }));
  CHECK(says("'a': ", [&] { reader.checked("a", [] { checked_product(INT64_MAX, 2); }); }));
  CHECK_EQ(reader.checked("a", [] { return 7; }), 7);
  Reader deep = reader;
  for (int depth = 0; depth < stored::most_nested; ++depth) deep = deep.child("a");
  CHECK(says("nested deeper than 32", [&] { deep.child("a"); }));
}

TEST_MAIN
