// SPDX-License-Identifier: BSD-3-Clause
#include "serving/stored/samples.hpp"

#include <cmath>
#include <vector>

#include "support/check.hpp"
#include "support/message.hpp"
#include "support/sparse_copy.hpp"
#include "support/stored_parts.hpp"

using namespace gramian;
using support::reader_of;
using support::reread;
using support::Writer;

namespace {

Samples again(const Samples& samples) {
  Writer writer("test");
  stored::put_samples(writer, "X", samples);
  auto reader = reread(writer);
  Samples found = stored::take_samples(reader, "X");
  reader.finish();
  return found;
}

std::string message_of_labels(const std::string& list) {
  auto reader = reader_of("{\"y\":" + list + "}");
  return check::message_of<ModelFileError>([&] { stored::take_labels(reader, "y"); });
}

}  // namespace

TEST(samples_come_back) {
  const auto X = naive::normal<double>(6, 3, 1);
  const Samples dense = again(Samples::copy_of(Points(X.view)));
  CHECK(dense.form() == Samples::Form::dense);
  for (Index i = 0; i < 6; ++i) {
    for (Index j = 0; j < 3; ++j) CHECK_EQ(dense.dense()(i, j), X.view(i, j));
  }
  CHECK_EQ(again(Samples::counted(17)).size(), 17);
  const auto sparse = naive::sparse_of(X);
  const SparseRows<double> before = sparse.rows();
  // The arrays may begin anywhere.
  const SparseRows<double> some{4, 3, before.row_start + 2, before.columns, before.values};
  const Samples found = again(Samples(some, nullptr));
  const SparseRows<double> after = found.sparse();
  CHECK_EQ(after.rows, 4);
  CHECK_EQ(after.cols, 3);
  for (Index i = 0; i <= 4; ++i) CHECK_EQ(after.row_start[i], some.row_start[i] - some.row_start[0]);
  for (Index k = 0; k < after.row_start[4]; ++k) {
    CHECK_EQ(after.columns[k], before.columns[some.row_start[0] + k]);
    CHECK_EQ(after.values[k], before.values[some.row_start[0] + k]);
  }
}

TEST(labels_come_back) {
  const std::vector<ClassLabel> labels = {std::int64_t(INT64_MIN), std::int64_t(3), 0.1, -3.0, std::string("3"), std::string()};
  Writer writer("test");
  stored::put_labels(writer, "y", labels);
  auto reader = reread(writer);
  CHECK(stored::take_labels(reader, "y") == labels);
}

TEST(what_is_wrong_is_refused) {
  for (const char* list : {"3", "[null]", "[{}]", "[{\"whole\":3}]", "[{\"whole\":\"\"}]", "[{\"whole\":\"3x\"}]",
                           "[{\"whole\":\"9223372036854775808\"}]", "[{\"part\":\"3\"}]", "[[3]]"}) {
    CHECK(!message_of_labels(list).empty());
  }
  CHECK(message_of_labels("[\"a\",1.5,{\"whole\":\"-3\"}]").empty());
  for (const char* text : {"{\"X.form\":\"count\",\"X.count\":-1}", "{\"X.form\":\"dense\"}", "{\"X.form\":\"other\"}", "{}",
                           "{\"X.form\":\"sparse\",\"X.cols\":3}"}) {
    auto reader = reader_of(text);
    CHECK(!check::message_of<ModelFileError>([&] { stored::take_samples(reader, "X"); }).empty());
  }
}

TEST_MAIN
