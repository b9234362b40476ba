// SPDX-License-Identifier: BSD-3-Clause
#include "serving/stored/writer.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "gramian/version.hpp"
#include "support/check.hpp"
#include "support/model_files.hpp"

using namespace gramian;
using stored::Writer;
using support::says;

TEST(a_document_has_the_frame_and_the_entries) {
  Writer writer("test");
  writer.put("alpha", 0.1);
  Writer layer = writer.child("layers", 1);
  layer.put("name", "first");
  const double numbers[] = {1.0, 2.0, 3.0, 4.0};
  const SharedMatrix A = SharedMatrix::copy_of({numbers, 2, 2});
  layer.matrix("weights", A);
  writer.indices("rows", {3, 1});
  const io::Document document = writer.document("{\"a\":1}");
  CHECK_EQ(*document.find_text("format"), "gramian");
  CHECK_EQ(*document.find_text("format_version"), "1.1");
  CHECK_EQ(*document.find_text("library_version"), GRAMIAN_VERSION);
  CHECK_EQ(*document.find_text("family"), "test");
  CHECK_EQ(*document.find_text("python"), "{\"a\":1}");
  CHECK_EQ(*document.find_text("model"), R"({"alpha":0.1,"layers.1.name":"first"})");
  CHECK(document.find_tensor("layers.1.weights")->data == A.data());  // shared, not copied
  CHECK_EQ(document.find_tensor("rows")->shape[0], 2);
  CHECK(writer.document().find_text("python") == nullptr);
}

TEST(a_name_is_taken_once) {
  Writer writer("test");
  writer.put("a.b", 1.0);
  Writer child = writer.child("a");
  CHECK(says<std::invalid_argument>("the entry 'a.b' stands twice", [&] { child.put("b", 2.0); }));
  CHECK(says<std::invalid_argument>("the entry 'a.b' stands twice", [&] { writer.vector("a.b", {1.0}); }));
}

TEST(what_is_not_finite_is_refused_before_anything_is_written) {
  Writer writer("test");
  const double bad[] = {1.0, std::nan("")};
  CHECK(says<std::invalid_argument>("part.A has an entry that is not finite",
                                    [&] { writer.child("part").matrix("A", {bad, 1, 2}); }));
  CHECK(says<std::invalid_argument>("b has an entry that is not finite",
                                    [&] { writer.vector("b", {std::numeric_limits<double>::infinity()}); }));
  CHECK_THROWS(std::invalid_argument, writer.put("c", std::nan("")));
}

TEST(nesting_is_bounded) {
  Writer writer("test");
  for (int depth = 0; depth < stored::most_nested; ++depth) writer = writer.child("a");
  CHECK_THROWS(std::invalid_argument, writer.child("a"));
}

TEST_MAIN
