// A program as a user of the library writes it: reads a trace, prints its counts.
#include <lightcone/causality.h>
#include <lightcone/trace.h>

#include <iostream>
#include <string_view>

int main() {
  constexpr std::string_view trace = R"({"process": "client", "kind": "internal"}
{"process": "client", "kind": "send", "message": "ping1"}
{"process": "server", "kind": "receive", "message": "ping1"}
)";
  const auto reading = lightcone::read_trace_text(trace, "ping", lightcone::Format::jsonl);
  if (!reading) {
    std::cerr << reading.error().text() << '\n';
    return 1;
  }
  const lightcone::Computation& computation = reading->computation;
  std::cout << computation.process_count() << " processes, " << computation.event_count()
            << " events, " << computation.message_count() << " message\n";
  const auto known = lightcone::timestamps(computation);
  return lightcone::Precedence(computation, known).happened_before(0, 2) ? 0 : 1;
}
