// JSON text by nlohmann-json.
#include <lightcone/base/json_text.h>

#include <lightcone/base/utf8.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace lightcone {

std::string json_string(std::string_view text) {
  using nlohmann::ordered_json;  // as in json.cc, so that it is compiled once
  return is_utf8(text) ? ordered_json(text).dump() : ordered_json(as_utf8(text)).dump();
}

std::string json_real(double value) {
  if (std::isnan(value)) return R"({"real": "NaN"})";
  if (std::isinf(value)) return value < 0 ? R"({"real": "-Infinity"})" : R"({"real": "Infinity"})";
  return nlohmann::ordered_json(value).dump();
}

bool is_json(std::string_view text) { return nlohmann::ordered_json::accept(text); }

}  // namespace lightcone
