// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/optim/result.hpp"

#include <string>
#include <utility>

#include "support/check.hpp"

using gramian::StopReason;

TEST(each_reason_has_its_name) {
  const std::pair<StopReason, const char*> names[] = {
      {StopReason::gradient, "gradient"},
      {StopReason::value, "value"},
      {StopReason::max_iterations, "max_iterations"},
      {StopReason::max_evaluations, "max_evaluations"},
      {StopReason::line_search, "line_search"},
      {StopReason::not_finite, "not_finite"},
      {StopReason::observer, "observer"},
  };
  for (const auto& [reason, name] : names) {
    CHECK_EQ(std::string(gramian::name_of(reason)), name);
    CHECK_EQ(gramian::converged(reason), reason == StopReason::gradient || reason == StopReason::value);
  }
}

TEST_MAIN
