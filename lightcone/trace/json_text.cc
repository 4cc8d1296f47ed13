// JSON text by nlohmann-json.
#include <lightcone/trace/json_text.h>

#include <nlohmann/json.hpp>

namespace lightcone {

std::string json_string(std::string_view text) {
  using nlohmann::json;
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string json_real(double value) { return nlohmann::json(value).dump(); }

}  // namespace lightcone
