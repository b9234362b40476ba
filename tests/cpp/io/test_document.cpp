// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/io/document.hpp"

#include <cstring>
#include <string>

#include "support/check.hpp"
#include "support/model_files.hpp"

using namespace gramian;
using io::Document;
using io::Element;
using support::bytes_of;
using support::parsed;
using support::small_document;
using support::tensor_of;

namespace {

void check_equal(const Document& a, const Document& b) {
  CHECK(a.texts() == b.texts());
  CHECK_EQ(a.tensors().size(), b.tensors().size());
  for (const io::Tensor& tensor : a.tensors()) {
    const io::Tensor* other = b.find_tensor(tensor.name);
    CHECK(other != nullptr);
    if (other == nullptr) return;
    CHECK(tensor.type == other->type && tensor.shape == other->shape);
    CHECK(tensor.bytes() == 0 || std::memcmp(tensor.data, other->data, static_cast<std::size_t>(tensor.bytes())) == 0);
  }
}

}  // namespace

TEST(a_document_comes_back_from_memory_and_from_a_file) {
  const support::Folder folder;
  const Document document = small_document();
  check_equal(document, parsed(bytes_of(document)));
  io::write_document(document, folder / "model.gramian");
  check_equal(document, io::read_document(folder / "model.gramian"));
  CHECK_EQ(support::content_of(folder / "model.gramian"), bytes_of(document));
  check_equal(Document(), parsed(bytes_of(Document())));
}

TEST(the_same_document_has_the_same_bytes) {
  Document reversed;
  const Document document = small_document();
  for (auto at = document.tensors().rbegin(); at != document.tensors().rend(); ++at) reversed.add(*at);
  for (auto at = document.texts().rbegin(); at != document.texts().rend(); ++at) reversed.set_text(at->first, at->second);
  CHECK_EQ(bytes_of(reversed), bytes_of(document));
}

TEST(the_layout_is_that_of_safetensors) {
  const std::string bytes = bytes_of(small_document());
  std::uint64_t length = 0;
  for (int k = 8; k-- > 0;) length = length * 256 + static_cast<unsigned char>(bytes[static_cast<std::size_t>(k)]);
  CHECK_EQ((8 + length) % 64, 0u);
  CHECK_EQ(bytes.substr(8, 17), "{\"__metadata__\":{");
  CHECK_EQ(bytes.find_last_not_of(' ', 7 + length), bytes.find("}   ", 8 + length - 64));
  const double* weights = static_cast<const double*>(small_document().find_tensor("weights")->data);
  CHECK(weights != nullptr);
  const double first = 1.0;
  // The largest entries come first, of these by name: the labels, nothing, and then the weights.
  CHECK_EQ(std::memcmp(bytes.data() + 8 + length + 16, &first, 8), 0);
}

TEST(arrays_of_a_read_document_share_one_aligned_buffer) {
  const std::string bytes = bytes_of(small_document());
  Document copy;
  {
    const Document document = parsed(bytes);
    copy = document;
    CHECK(copy.find_tensor("weights")->data == document.find_tensor("weights")->data);
  }
  const io::Tensor& labels = *copy.find_tensor("labels");
  CHECK_EQ(static_cast<const std::int64_t*>(labels.data)[1], INT64_MAX);
  CHECK_EQ(reinterpret_cast<std::uintptr_t>(labels.data) % 64, 0u);
  CHECK_EQ(static_cast<const char*>(copy.find_tensor("weights")->data) - static_cast<const char*>(labels.data), 16);
}

TEST(tensors_know_their_size) {
  const Document document = small_document();
  CHECK_EQ(document.find_tensor("weights")->bytes(), 48);
  CHECK_EQ(document.find_tensor("rows")->size(), 1);
  CHECK_EQ(document.find_tensor("none")->size(), 0);
  CHECK(document.find_tensor("nobody") == nullptr && document.find_text("nobody") == nullptr);
  CHECK_EQ(document.find_text("format")->size(), 4u);
}

TEST(names_are_taken_once) {
  Document document = small_document();
  CHECK_THROWS(std::invalid_argument, document.add(tensor_of<double>("weights", Element::f64, {1}, {1.0})));
  CHECK_THROWS(std::invalid_argument, document.add(tensor_of<double>("__metadata__", Element::f64, {1}, {1.0})));
  CHECK_THROWS(std::invalid_argument, document.add(tensor_of<double>("\xFF", Element::f64, {1}, {1.0})));
  CHECK_THROWS(std::invalid_argument, document.set_text("text", "again"));
  CHECK_THROWS(std::invalid_argument, document.set_text("\xFF", ""));
  CHECK_THROWS(std::invalid_argument, document.set_text("new", "\xFF"));
  CHECK_EQ(*document.find_text("format"), "test");
}

TEST(tensors_are_checked_where_they_are_added) {
  Document document;
  CHECK_THROWS(std::invalid_argument, document.add(tensor_of<double>("a", Element::f64, {-1}, {})));
  CHECK_THROWS(std::length_error, document.add({"a", Element::f64, {INT64_MAX, 2}, nullptr, nullptr}));
  CHECK_THROWS(std::invalid_argument, document.add({"a", Element::f64, {1}, nullptr, nullptr}));
  CHECK_THROWS(std::invalid_argument, document.add(tensor_of<double>("a", Element::f64, std::vector<Index>(9, 1), {1.0})));
  alignas(8) const char bytes[16] = {};
  CHECK_THROWS(std::invalid_argument, document.add({"a", Element::f64, {1}, bytes + 1, nullptr}));
  document.add({"a", Element::u8, {1}, bytes + 1, nullptr});
  CHECK_EQ(document.tensors().size(), 1u);
}

TEST(an_error_names_the_file) {
  const support::Folder folder;
  support::put(folder / "short", "1234567");
  CHECK(support::says(folder / "short" + ": byte 0: 7 bytes are too few", [&] { io::read_document(folder / "short"); }));
  CHECK(support::says<FileError>("open " + (folder / "none"), [&] { io::read_document(folder / "none"); }));
}

TEST_MAIN
