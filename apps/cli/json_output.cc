// Prints JSON documents.
#include "json_output.h"

#include <cstdio>
#include <string>

namespace lightcone::cli {

void print_json(const nlohmann::ordered_json& document) {
  std::string text =
      document.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  text += '\n';
  std::fwrite(text.data(), 1, text.size(), stdout);
}

}  // namespace lightcone::cli
