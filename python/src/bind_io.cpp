// SPDX-License-Identifier: BSD-3-Clause
// The container of model files.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "call.hpp"
#include "gramian/io/document.hpp"

namespace gramian::python {

namespace py = pybind11;
using namespace py::literals;

namespace {

using io::Document;
using io::Element;

py::dtype dtype_of(Element type) {
  switch (type) {
    case Element::f64: return py::dtype::of<double>();
    case Element::f32: return py::dtype::of<float>();
    case Element::i64: return py::dtype::of<std::int64_t>();
    case Element::i32: return py::dtype::of<std::int32_t>();
    case Element::u8: return py::dtype::of<std::uint8_t>();
    case Element::boolean: return py::dtype::of<bool>();
  }
  throw py::value_error("a tensor has no such type");
}

template <class T>
bool is_of(const py::array& array) {
  return py::isinstance<py::array_t<T, py::array::c_style>>(array);
}

Element element_of(const std::string& name, const py::array& array) {
  if (is_of<double>(array)) return Element::f64;
  if (is_of<float>(array)) return Element::f32;
  if (is_of<std::int64_t>(array)) return Element::i64;
  if (is_of<std::int32_t>(array)) return Element::i32;
  if (is_of<std::uint8_t>(array)) return Element::u8;
  if (is_of<bool>(array)) return Element::boolean;
  throw py::type_error(name + " must be contiguous, with dtype float64, float32, int64, int32, uint8 or bool, got " +
                       py::repr(array.dtype()).cast<std::string>());
}

using Arrays = std::map<std::string, py::array>;

/// Arrays on the memory of the document, which nobody may change.
Arrays arrays_of(const py::object& self) {
  Arrays arrays;
  for (const io::Tensor& tensor : self.cast<const Document&>().tensors()) {
    const std::vector<py::ssize_t> shape(tensor.shape.begin(), tensor.shape.end());
    py::array array(dtype_of(tensor.type), shape, tensor.data, self);
    array.attr("flags").attr("writeable") = false;
    arrays.emplace(tensor.name, std::move(array));
  }
  return arrays;
}

/// The document that views these arrays, for as long as they live.
Document document_of(const std::map<std::string, std::string>& texts, const Arrays& arrays) {
  Document document;
  for (const auto& [name, text] : texts) document.set_text(name, text);
  for (const auto& [name, array] : arrays) {
    std::vector<Index> shape(array.shape(), array.shape() + array.ndim());
    document.add({name, element_of(name, array), std::move(shape), array.data(), nullptr});
  }
  return document;
}

}  // namespace

void bind_io(py::module_& module) {
  py::class_<Document>(module, "Document", "Named texts and arrays of a model file.")
      .def_property_readonly(
          "texts",
          [](const Document& self) { return std::map<std::string, std::string>(self.texts().begin(), self.texts().end()); })
      .def_property_readonly("arrays", &arrays_of);
  module.def(
      "read_document",
      [](const std::filesystem::path& path) {
        Document document;
        call([&] { document = io::read_document(path.u8string()); });
        return document;
      },
      "path"_a, "The document of a file. ModelFileError, OSError.");
  module.def(
      "parse_document",
      [](const py::bytes& bytes) {
        const auto text = static_cast<std::string_view>(bytes);
        return io::parse_document(text.data(), text.size());
      },
      "bytes"_a, "The document of bytes. ModelFileError.");
  module.def(
      "write_document",
      [](const std::filesystem::path& path, const std::map<std::string, std::string>& texts, const Arrays& arrays) {
        const Document document = document_of(texts, arrays);
        call([&] { io::write_document(document, path.u8string()); });
      },
      "path"_a, "texts"_a, "arrays"_a, "Replace a file as a whole. OSError, and then the old one is untouched.");
}

}  // namespace gramian::python
