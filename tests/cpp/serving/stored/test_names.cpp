// SPDX-License-Identifier: BSD-3-Clause
#include "serving/stored/names.hpp"

#include <stdexcept>
#include <string>

#include "support/check.hpp"
#include "support/message.hpp"
#include "support/stored_parts.hpp"

using namespace gramian;

namespace {

enum class Fruit { apple, pear, plum };
constexpr stored::Named<Fruit> fruits[] = {{"apple", Fruit::apple}, {"pear", Fruit::pear}};

stored::Reader with_fruit(const char* name) {
  support::Writer writer("test");
  writer.put("fruit", name);
  return support::reread(writer);
}

}  // namespace

TEST(names_come_back) {
  CHECK_EQ(std::string(stored::name_in(fruits, Fruit::pear)), std::string("pear"));
  stored::Reader reader = with_fruit("pear");
  CHECK(stored::take_choice(fruits, reader, "fruit") == Fruit::pear);
}

TEST(other_names_are_refused_with_those_that_there_are) {
  CHECK_THROWS(std::invalid_argument, stored::name_in(fruits, Fruit::plum));
  stored::Reader reader = with_fruit("plum");
  const std::string said = check::message_of<ModelFileError>([&] { stored::take_choice(fruits, reader, "fruit"); });
  CHECK(said.find("'fruit': 'plum' is none of apple, pear") != std::string::npos);
  const std::string part =
      check::message_of<ModelFileError>([&] { stored::choice_named(fruits, "fig", reader, "fruit", "the sweet one"); });
  CHECK(part.find("'fruit': the sweet one 'fig' is none of apple, pear") != std::string::npos);
}

TEST_MAIN
