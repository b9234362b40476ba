// SPDX-License-Identifier: BSD-3-Clause
#include "serving/stored/kernel.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gramian/gram/full.hpp"
#include "gramian/layers/composition_map.hpp"
#include "support/check.hpp"
#include "support/naive.hpp"
#include "support/stored_parts.hpp"

using namespace gramian;
using support::Reader;
using support::reader_of;
using support::replaced;
using support::reread;
using support::says;
using support::Writer;

namespace {

constexpr Index features = 3;

Kernel round_trip(const Kernel& kernel) {
  Writer writer("test");
  stored::put_kernel(writer, "kernel", kernel);
  Reader reader = reread(writer);
  Kernel result = stored::take_kernel(reader, "kernel");
  reader.finish();
  return result;
}

/// The values on some points, and the parameters, have the same bits.
void check_same(const Kernel& kernel) {
  const Kernel again = round_trip(kernel);
  CHECK(again.parameters() == kernel.parameters());
  const auto X = naive::normal<double>(5, features, 1);
  Matrix K(5, 5), L(5, 5);
  full(kernel, Points(MatrixView<const double>(X.view)), K.view());
  full(again, Points(MatrixView<const double>(X.view)), L.view());
  for (Index i = 0; i < 25; ++i) CHECK_EQ(K.data()[i], L.data()[i]);
}

Kernel on_two_layers(const Kernel& last) {
  KernelLayer second;
  second.terms = {{Kernel("gaussian", {0.4}), OutputOperator::diagonal({0.5, 0.0})}, {last, OutputOperator::identity(2)}};
  const auto layer = [](KernelLayer kernels, Index supports, Index inputs, std::uint64_t seed) {
    const auto S = naive::normal<double>(supports, inputs, seed), Phi = naive::normal<double>(supports, 2, seed + 10);
    return SupportedLayer{std::move(kernels), SharedMatrix::copy_of(Phi.view), Samples(SharedMatrix::copy_of(S.view))};
  };
  std::vector<SupportedLayer> layers = {layer(KernelLayer::scalar(Kernel("linear", {}), 2, 0.1), 4, features, 3),
                                        layer(second, 6, 2, 4)};
  const ColumnScaling scaling{{0.1, -0.2, 0.3}, {2.0, 0.5, 1.5}};
  return on_images(std::make_shared<CompositionMap>(std::move(layers), scaling), Kernel("matern32", {0.7}));
}

Kernel take(const std::string& text) {
  Reader reader = reader_of("{\"kernel\":" + text + "}");
  return stored::take_kernel(reader, "kernel");
}

bool refuses(const std::string& text, const std::string& message) {
  return says("'kernel': ", [&] { take(text); }) && says(message, [&] { take(text); });
}

const std::string leaf = R"({"kernel":"gaussian","parameters":[0.5],"length_scales":[]})";

}  // namespace

TEST(every_kernel_of_the_registry_comes_back) {
  for (const KernelInfo& info : kernel_registry()) {
    for (const std::vector<double>& parameters : info.samples) {
      check_same(Kernel(info.name, parameters));
      check_same(Kernel(info.name, parameters, {0.1, 1.0 / 3.0, 7.0}));
    }
  }
}

TEST(expressions_come_back_with_their_brackets) {
  const Kernel a("gaussian", {1.0 / 3.0}), b("linear", {}), c("matern52", {0.1});
  for (const Kernel& kernel :
       {a + b, a * b, 0.1 * a, (a + b) + c, a + (b + c), (a * b) * c, a * (b * c), a * (b + 0.7 * (c + a * b))})
    check_same(kernel);
  Kernel sum = a;
  for (int k = 0; k < 300; ++k) sum = sum + 0.01 * b;
  check_same(sum);
}

TEST(kernels_on_images_come_back) {
  const Kernel inner = on_two_layers(Kernel("gaussian", {0.2}));
  check_same(inner);
  check_same(0.5 * inner + on_two_layers(Kernel("linear", {})) * Kernel("gaussian", {0.3}));
  const std::vector<SupportedLayer> none;
  check_same(on_images(std::make_shared<CompositionMap>(none, ColumnScaling{{0.5, 0.0, -1.0}, {}}), Kernel("gaussian", {0.3})));
}

TEST(the_text_is_a_tree_of_names) {
  Writer writer("test");
  stored::put_kernel(writer, "k", 2.0 * Kernel("gaussian", {0.5}) + Kernel("linear", {}, {1.0, 0.25}));
  CHECK_EQ(*writer.document().find_text("model"),
           R"({"k":{"sum":[{"multiple":[2,{"kernel":"gaussian","parameters":[0.5],"length_scales":[]}]},)"
           R"({"kernel":"linear","parameters":[],"length_scales":[1,0.25]}]}})");
}

TEST(a_name_that_is_not_in_the_registry_is_refused_with_the_list) {
  const std::string wrong = replaced(leaf, "gaussian", "gausian");
  for (const KernelInfo& info : kernel_registry()) CHECK(refuses(wrong, info.name));
  CHECK(refuses(wrong, "gausian"));
}

TEST(wrong_parameters_are_refused) {
  CHECK(take(leaf).parameters() == std::vector<double>{0.5});
  for (const char* parameters : {"[]", "[0]", "[-1]", "[1,2]", "[\"1\"]", "1", "null", "[[1]]"})
    CHECK_THROWS(ModelFileError, take(replaced(leaf, "[0.5]", parameters)));
  for (const char* scales : {"[0]", "[-1]", "[null]", "{}"})
    CHECK_THROWS(ModelFileError, take(replaced(leaf, "\"length_scales\":[]", "\"length_scales\":" + std::string(scales))));
}

TEST(expressions_of_another_form_are_refused) {
  CHECK(refuses("[]", "a kernel must be an object"));
  CHECK(refuses("{}", "a kernel must be an object"));
  CHECK(refuses(R"({"difference":[]})", "'difference' is none of 'kernel', 'sum'"));
  CHECK(refuses(R"({"kernel":"gaussian"})", "a kernel has 'kernel', 'parameters', 'length_scales'"));
  CHECK(refuses(replaced(leaf, "length_scales", "widths"), "length_scales must be a list"));
  CHECK(refuses(replaced(leaf, "\"gaussian\"", "7"), "a kernel has"));
  CHECK(refuses("{\"sum\":[" + leaf + "]}", "at least two kernels"));
  CHECK(refuses("{\"sum\":" + leaf + "}", "at least two kernels"));
  CHECK(refuses("{\"sum\":[" + leaf + "," + leaf + "],\"product\":[]}", "has one member"));
  CHECK(refuses("{\"multiple\":[" + leaf + ",2]}", "a factor and a kernel"));
  CHECK(refuses("{\"multiple\":[2]}", "a factor and a kernel"));
  CHECK(refuses("{\"multiple\":[0," + leaf + "]}", "greater than 0"));
  CHECK(refuses("{\"multiple\":[-1," + leaf + "]}", "greater than 0"));
  CHECK(says("'kernel.map0.layers': is missing", [] { take("{\"images\":" + leaf + "}"); }));
}

TEST(a_tree_that_is_too_large_is_refused_on_both_ways) {
  std::string items = leaf;
  Kernel sum("gaussian", {0.5});
  for (int k = 1; k < 1000; ++k) {
    items += "," + leaf;
    sum = sum + Kernel("gaussian", {0.5});
  }
  CHECK(refuses("{\"sum\":[" + items + "]}", "more than 1000 parts"));
  Writer writer("test");
  CHECK_THROWS(std::invalid_argument, stored::put_kernel(writer, "k", sum));
  Kernel deep("gaussian", {0.5});
  for (int k = 0; k < 100; ++k) deep = 2.0 * deep;
  CHECK_THROWS(std::invalid_argument, stored::put_kernel(writer, "deep", deep));
}

TEST(a_map_of_the_program_s_own_is_refused_where_it_is_saved) {
  class Own final : public PointMap {
   public:
    Index inputs() const override { return 1; }
    Index outputs() const override { return 1; }
    void apply(MatrixView<const double>, MatrixView<double>) const override {}
    void pull_back(MatrixView<const double>, MatrixView<const double>, MatrixView<double>) const override {}
  };
  Writer writer("test");
  const Kernel kernel = on_images(std::make_shared<Own>(), Kernel("linear", {}));
  CHECK(says<std::invalid_argument>("kernel is on images of a map of the program's own",
                                    [&] { stored::put_kernel(writer, "kernel", kernel); }));
}

TEST_MAIN
