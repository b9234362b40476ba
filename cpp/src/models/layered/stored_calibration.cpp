// SPDX-License-Identifier: BSD-3-Clause
#include "models/layered/stored_calibration.hpp"

namespace gramian::stored {

void put_calibration(Writer& to, const std::optional<Calibration>& calibration) {
  if (!calibration) return;
  to.put("inverse_temperature", calibration->inverse_temperature);
  to.put("uniform_share", calibration->uniform_share);
}

std::optional<Calibration> take_calibration(Reader& from) {
  if (!from.has("inverse_temperature")) return std::nullopt;
  const Calibration found{from.number("inverse_temperature"), from.number("uniform_share")};
  from.checked("inverse_temperature", [&] { check_calibration(found); });
  return found;
}

}  // namespace gramian::stored
