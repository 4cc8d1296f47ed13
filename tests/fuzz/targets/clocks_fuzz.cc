// No bytes make the reader of vector clocks do anything but return a computation or an error.
#include "fuzz/round_trip.h"

#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lightcone;
  fuzz::read_and_return(data, size, Format::clocks);

  for (const bool lenient : {false, true}) {
    ReadOptions options;
    options.lenient = lenient;
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const auto reading = read_trace_text(bytes, "fuzz", Format::clocks, options);
    if (!reading) continue;
    const std::string written = write_trace_text(reading->computation, Format::clocks);
    const auto again = read_trace_text(written, "again", Format::clocks);
    const bool same = again &&
                      again->computation.event_count() == reading->computation.event_count() &&
                      again->computation.edge_count() == reading->computation.edge_count();
    if (!same) __builtin_trap();
  }
  return 0;
}
