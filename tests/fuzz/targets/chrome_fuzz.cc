// No bytes make the reader of Chrome traces do anything but return a computation or an error.
#include "fuzz/round_trip.h"

#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lightcone;
  fuzz::read_and_return(data, size, Format::chrome);
  fuzz::read_and_return(data, size, Format::chrome, {.lenient = true, .cut_off = true});

  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto reading = read_trace_text(bytes, "fuzz", Format::chrome);
  if (!reading) return 0;
  const std::string written = write_trace_text(reading->computation, Format::chrome);
  const auto again = read_trace_text(written, "again", Format::chrome);
  const bool same = again && write_trace_text(again->computation, Format::jsonl) ==
                                 write_trace_text(reading->computation, Format::jsonl);
  if (!same) __builtin_trap();
  return 0;
}
