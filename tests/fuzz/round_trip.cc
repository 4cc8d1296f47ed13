// Reads, writes and reads again, and ends the program where something got lost on the way.
#include "fuzz/round_trip.h"

#include <lightcone/executions.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace lightcone::fuzz {
namespace {

/// A small file may hold many equal rows. To write and read these again takes seconds, and finds
/// nothing that fewer rows do not show.
constexpr std::uint32_t most_events = 10'000;

/// Writes as `format`, reads that, and writes it as JSON Lines, which must be `expected`.
void check_way(const Computation& computation, Format format, const std::string& expected) {
  const std::string bytes = write_trace_text(computation, format);
  const auto again = read_trace_text(bytes, "again", format);
  if (!again) {
    std::fprintf(stderr, "%s\n%s\n", again.error().text().c_str(), expected.c_str());
    std::abort();
  }
  const std::string returned = write_trace_text(again->computation, Format::jsonl);
  if (returned == expected) return;
  std::fprintf(stderr, "--- was\n%s\n--- became\n%s\n", expected.c_str(), returned.c_str());
  std::abort();
}

}  // namespace

void read_and_return(const std::uint8_t* data, std::size_t size, Format format,
                     const ReadOptions& options) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto reading = read_trace_text(bytes, "fuzz", format, options);
  if (reading) return_unharmed(reading->computation);
}

void return_unharmed(const Computation& computation) {
  if (computation.event_count() > most_events) return;
  const std::string text = write_trace_text(computation, Format::jsonl);
  check_way(computation, Format::jsonl, text);
  check_way(computation, Format::lct, text);
}

void read_spans(const std::uint8_t* data, std::size_t size, Format format) {
  constexpr std::size_t most_executions = 3;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const ProcessBy by :
       {ProcessBy::instance, ProcessBy::service, ProcessBy::thread, ProcessBy::span}) {
    ReadOptions options;
    options.process_by = by;
    const auto executions = read_executions_text(bytes, "fuzz", format, options);
    if (!executions) return;
    for (std::size_t i = 0; i < std::min(executions->size(), most_executions); ++i) {
      const auto reading = executions->read(i);
      if (!reading) std::abort();
      const Computation& computation = reading->computation;
      return_unharmed(computation);
      const std::string spans = write_trace_text(computation, Format::otlp);
      const auto again = read_trace_text(spans, "again", Format::otlp);
      const bool same = again && again->computation.event_count() == 2 * computation.event_count();
      if (!same) std::abort();
    }
  }
}

}  // namespace lightcone::fuzz
