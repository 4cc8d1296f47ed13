// No bytes make the ShiViz reader do anything but return a computation or an error.
#include "fuzz/round_trip.h"

#include <algorithm>
#include <string>

namespace {

using namespace lightcone;

/// What was read can be written as a log and read again, with the same events and edges.
void check_log(std::string_view bytes, const ReadOptions& options) {
  const auto reading = read_trace_text(bytes, "fuzz", Format::shiviz, options);
  if (!reading) return;
  const std::string log = write_trace_text(reading->computation, Format::shiviz);
  const auto again = read_trace_text(log, "again", Format::shiviz);
  const bool same = again && again->notes.empty() &&
                    again->computation.event_count() == reading->computation.event_count() &&
                    again->computation.edge_count() == reading->computation.edge_count();
  if (!same) __builtin_trap();
}

void check(const std::uint8_t* data, std::size_t size, const ReadOptions& options = {}) {
  fuzz::read_and_return(data, size, Format::shiviz, options);
  check_log({reinterpret_cast<const char*>(data), size}, options);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  check(data, size);
  ReadOptions lenient;
  lenient.lenient = true;
  check(data, size, lenient);

  // The same bytes as a user's expressions and a log: the first two lines are what was asked for.
  const auto* const end = data + size;
  const auto* const first = std::find(data, end, '\n');
  const auto* const second = first == end ? end : std::find(first + 1, end, '\n');
  if (second == end) return 0;
  ReadOptions options;
  options.regex = std::string(data, first);
  options.delimiter = std::string(first + 1, second);
  options.execution = "1";
  check(second + 1, static_cast<std::size_t>(end - second - 1), options);
  return 0;
}
