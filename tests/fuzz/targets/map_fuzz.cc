// No map and no log make the reader of JSON logs do anything but return a computation or an error.
// An empty line separates the map from the log.
#include <lightcone/trace/jsonl/jsonl.h>
#include <lightcone/trace/map/mapped_lines.h>

#include <string>

#include "fuzz/round_trip.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lightcone;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t end = bytes.find("\n\n");
  if (end == std::string_view::npos) return 0;
  auto map = LineMap::parse(bytes.substr(0, end + 1), "fuzz.map");
  if (!map) {
    if (map.error().what.empty()) __builtin_trap();
    return 0;
  }
  MappedLines lines(std::move(*map), "fuzz.log");
  const auto reading = read_lines(bytes.substr(end + 2), lines, "fuzz.log", {.lenient = true});
  if (reading) fuzz::return_unharmed(reading->computation);
  return 0;
}
