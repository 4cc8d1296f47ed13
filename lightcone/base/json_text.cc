// JSON text by nlohmann-json.
#include <lightcone/base/json_text.h>

#include <lightcone/base/utf8.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace lightcone {

std::string json_string(std::string_view text) {
  using nlohmann::json;
  return is_utf8(text) ? json(text).dump() : json(as_utf8(text)).dump();
}

std::string json_real(double value) {
  if (std::isnan(value)) return R"({"real": "NaN"})";
  if (std::isinf(value)) return value < 0 ? R"({"real": "-Infinity"})" : R"({"real": "Infinity"})";
  return nlohmann::json(value).dump();
}

}  // namespace lightcone
