// Vector clocks on the way through a computation, for writers.
#include <lightcone/trace/clocks/clock_walk.h>

#include <algorithm>
#include <utility>

namespace lightcone {
namespace {

using Clock = std::vector<Rank>;

void merge(Clock& into, const Clock& from) {
  for (std::size_t p = 0; p < into.size(); ++p) into[p] = std::max(into[p], from[p]);
}

/// Returns how often each message is still to be received.
[[nodiscard]] std::vector<std::uint32_t> reception_counts(const Computation& computation) {
  std::vector<std::uint32_t> counts(computation.message_count(), 0);
  for (EventIndex e = 0; e < computation.event_count(); ++e) {
    for (const MessageIndex m : computation.takes(e)) ++counts[m];
  }
  return counts;
}

}  // namespace

void for_each_clock(const Computation& computation,
                    const std::function<void(EventIndex, std::span<const Rank>)>& visit,
                    const Progress& progress) {
  constexpr std::size_t between_reports = 1 << 14;
  std::vector<Clock> clocks(computation.process_count());
  std::vector<Clock> carried(computation.message_count());
  std::vector<std::uint32_t> receptions = reception_counts(computation);
  std::vector<Clock> free;  // clocks of messages that all receivers have
  std::size_t done = 0;
  for (const EventIndex e : computation.order()) {
    if (progress && done % between_reports == 0) {
      progress("writing", done, computation.event_count());
    }
    ++done;
    const ProcessIndex p = computation.process_of(e);
    Clock& clock = clocks[p];
    clock.resize(computation.process_count(), 0);
    clock[p] = computation.rank_of(e);
    for (const MessageIndex m : computation.takes(e)) {
      merge(clock, carried[m]);
      if (--receptions[m] == 0) free.push_back(std::move(carried[m]));
    }
    const MessageIndex sent = computation.sends(e);
    if (sent != none && receptions[sent] > 0) {
      if (!free.empty()) {
        carried[sent] = std::move(free.back());
        free.pop_back();
      }
      carried[sent] = clock;
    }
    visit(e, clock);
  }
}

std::vector<std::string> lost_with_clocks(const Computation& computation) {
  const Attributes& attributes = computation.attributes();
  std::vector<std::string> notes;
  const auto note = [&](bool has, const char* sentence) {
    if (has) notes.emplace_back(sentence);
  };
  note(computation.message_count() > 0,
       "Message names are left out: a reader derives messages from the clocks.");
  note(!attributes.assignments.empty(), "Variables are left out.");
  note(!attributes.time.empty(), "Times are left out.");
  note(!attributes.source.empty(), "Source lines are left out.");
  note(!attributes.to.empty(), "The receivers that sends name are left out.");
  note(!attributes.extra.empty() || !computation.header_extra().empty(),
       "Members that Lightcone does not know are left out.");
  bool has_initial = false;
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    has_initial = has_initial || computation.has_initial(p);
  }
  note(has_initial, "Initial states are left out.");
  return notes;
}

}  // namespace lightcone
