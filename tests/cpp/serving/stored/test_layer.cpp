// SPDX-License-Identifier: BSD-3-Clause
#include "serving/stored/layer.hpp"

#include <string>
#include <vector>

#include "serving/stored/samples.hpp"
#include "support/check.hpp"
#include "support/naive.hpp"
#include "support/stored_parts.hpp"

using namespace gramian;
using support::parsed;
using support::Reader;
using support::reader_of;
using support::replaced;
using support::reread;
using support::says;
using support::with_model;
using support::Writer;

namespace {

/// B^T B for random B.
OutputOperator full_operator(Index size) {
  const auto B = naive::normal<double>(size, size, 9);
  Matrix A = Matrix::filled(size, size, 0.0);
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j < size; ++j) {
      for (Index k = 0; k < size; ++k) A(i, j) += B.view(k, i) * B.view(k, j);
    }
  }
  return OutputOperator::full(A.view());
}

void check_same(const OutputOperator& A, const OutputOperator& B) {
  CHECK(A.form() == B.form());
  CHECK(A.eigenvalues() == B.eigenvalues());
  const auto V = naive::normal<double>(4, A.size(), 2);
  Matrix a(4, A.size()), b(4, A.size());
  A.apply(V.view, a.view());
  B.apply(V.view, b.view());
  for (Index i = 0; i < a.size(); ++i) CHECK_EQ(a.data()[i], b.data()[i]);
}

KernelLayer sample_layer() {
  KernelLayer layer;
  layer.penalty = 0.1;
  layer.terms = {{Kernel("gaussian", {0.4}), full_operator(3)}, {2.0 * Kernel("linear", {}), OutputOperator::identity(3)}};
  return layer;
}

OutputOperator take_operator(const std::string& text, Index size) {
  Reader reader = reader_of("{\"A\":" + text + "}");
  return stored::take_operator(reader, "A", size);
}

}  // namespace

TEST(operators_come_back) {
  for (const OutputOperator& A :
       {OutputOperator::identity(3), OutputOperator::diagonal({0.1, 0.0, 7.0}), full_operator(3), full_operator(40)}) {
    Writer writer("test");
    stored::put_operator(writer, "A", A);
    Reader reader = reread(writer);
    check_same(A, stored::take_operator(reader, "A", A.size()));
    reader.finish();
  }
}

TEST(operators_of_another_size_or_form_are_refused) {
  CHECK(says("'A': the size must be 3", [] { take_operator(R"({"identity":4})", 3); }));
  CHECK(says("'A': the size must be 3", [] { take_operator(R"({"identity":1e15})", 3); }));
  CHECK(says("'A': the size must be 3", [] { take_operator(R"({"full":4})", 3); }));
  CHECK(says("'A.numbers': is missing", [] { take_operator(R"({"full":3})", 3); }));
  CHECK(says("'A': the diagonal must have 3 numbers", [] { take_operator(R"({"diagonal":[1,2]})", 3); }));
  CHECK(says("'A': the diagonal must have 3 numbers", [] { take_operator(R"({"diagonal":"1"})", 3); }));
  CHECK(says("'A': A: entry 1 of the diagonal is negative", [] { take_operator(R"({"diagonal":[1,-2]})", 2); }));
  for (const char* text : {"{}", "[]", "3", R"({"low_rank":3})", R"({"identity":3,"full":3})"})
    CHECK(says("'A': an operator has one member", [&] { take_operator(text, 3); }));
}

TEST(a_full_operator_must_be_symmetric_and_semidefinite) {
  const Index size = 2;
  for (const std::vector<double>& numbers : {std::vector<double>{1, 2, 3, 4}, std::vector<double>{1, 0, 0, -1}}) {
    Writer writer("test");
    writer.put("A", io::JsonObject{{"full", size}});
    writer.matrix("A.numbers", MatrixView<const double>(numbers.data(), size, size));
    Reader reader = reread(writer);
    CHECK(says("'A': A ", [&] { stored::take_operator(reader, "A", size); }));
  }
}

TEST(layers_come_back) {
  const KernelLayer layer = sample_layer();
  Writer writer("test"), part = writer.child("layers", 0);
  stored::put_layer(part, layer);
  Reader reader = reread(writer), stored_part = reader.child("layers", 0);
  const KernelLayer again = stored::take_layer(stored_part, 3);
  reader.finish();
  CHECK_EQ(again.penalty, 0.1);
  CHECK_EQ(again.terms.size(), 2u);
  for (std::size_t m = 0; m < 2; ++m) {
    CHECK(again.terms[m].kernel.parameters() == layer.terms[m].kernel.parameters());
    check_same(again.terms[m].A, layer.terms[m].A);
  }
}

TEST(layers_that_contradict_are_refused) {
  Writer writer("test");
  stored::put_layer(writer, sample_layer());
  const io::Document document = writer.document();
  const std::string model = *document.find_text("model");
  const auto refuses = [&](const std::string& from, const std::string& to, const std::string& message) {
    return says(message, [&] {
      Reader reader(with_model(document, replaced(model, from, to)));
      stored::take_layer(reader, 3);
    });
  };
  CHECK(refuses("\"penalty\":0.1", "\"penalty\":-0.1", "'penalty': must be at least 0"));
  CHECK(refuses("\"terms\":2", "\"terms\":0", "'terms': must be a whole number in [1, 1000]"));
  CHECK(refuses("\"terms\":2", "\"terms\":3", "'terms.2.kernel': is missing"));
  CHECK(refuses("\"terms\":2", "\"terms\":1e9", "'terms': must be"));
  CHECK(refuses("{\"identity\":3}", "{\"identity\":2}", "'terms.1.operator': the size must be 3"));
}

TEST(maps_whose_shapes_contradict_are_refused) {
  const auto Phi = naive::normal<double>(4, 2, 5), S = naive::normal<double>(5, 3, 3);
  Writer writer("test");
  writer.put("layers", 1);
  Writer layer = writer.child("layers", 0);
  stored::put_layer(layer, KernelLayer::scalar(Kernel("linear", {}), 2, 0.0));
  layer.matrix("coefficients", MatrixView<const double>(Phi.view));
  stored::put_samples(layer, "supports", Samples::copy_of(Points(S.view)));
  writer.vector("shift", {0.0});
  writer.vector("scale", {});
  Reader reader = reread(writer);
  CHECK(says("'layers': ", [&] { stored::take_map(reader); }));
}

TEST(a_map_needs_finite_shifts_and_scales_other_than_0) {
  for (const std::vector<double>& scale : {std::vector<double>{0.0}, std::vector<double>{1.0, 1.0}, std::vector<double>{}}) {
    Writer writer("test");
    writer.put("layers", 0);
    writer.vector("shift", scale.empty() ? std::vector<double>{} : std::vector<double>{1.0});
    writer.vector("scale", scale);
    Reader reader = reread(writer);
    CHECK(says("'layers': ", [&] { stored::take_map(reader); }));
  }
}

TEST_MAIN
