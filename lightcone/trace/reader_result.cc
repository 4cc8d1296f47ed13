// Builds, and notes what was repaired or left out.
#include <lightcone/trace/reader_result.h>

#include <fmt/format.h>

#include <lightcone/base/wording.h>
#include <lightcone/causal/consistent_prefix.h>

#include <algorithm>
#include <iterator>

namespace lightcone {
namespace {

/// Leaves out what depends on a message whose send is lost.
void keep_prefix(const ReceivesWithoutSend& receives, Reading& reading) {
  reading.left_out = 0;
  if (receives.places.empty()) {
    if (reading.notes.empty()) reading.notes.push_back(prefix_note(0));
    return;
  }
  const std::vector<Rank> kept = ranks_without(reading.computation, receives.places);
  Computation prefix = prefix_of(reading.computation, kept);
  const std::uint32_t left_out = reading.computation.event_count() - prefix.event_count();
  reading.computation = std::move(prefix);
  reading.left_out = left_out;
  reading.notes.push_back(prefix_note(left_out));
}

/// Returns whether the trace of a process has fewer events than it is known to have had.
[[nodiscard]] bool lacks_events(Builder& builder, ReaderResult& fed, const ReadOptions& options) {
  for (const auto& [name, events] : options.recorded_events) {
    if (events > 0 || options.cut_off) builder.process(name);
  }
  if (options.recorded_events.empty()) return false;
  const std::vector<Builder::Added> added = builder.added();
  bool lacks = false;
  for (const auto& [name, events] : options.recorded_events) {
    const std::uint64_t there = events > 0 ? added[builder.process(name)].events : 0;
    if (there >= events) continue;
    lacks = true;
    if (options.cut_off) continue;  // of a program that was killed this is no news
    fed.notes.push_back(
        fmt::format("the trace of {} has {} of its {} events", name, there, events));
  }
  return lacks;
}

/// Returns whether a process is known by its name alone.
[[nodiscard]] bool has_silent_process(const Builder& builder) {
  return std::ranges::any_of(builder.added(), [](const auto& added) { return added.rows == 0; });
}

}  // namespace

Expected<Reading> finish_reading(Builder& builder, ReaderResult fed, const ReadOptions& options) {
  builder.set_header_extra(std::move(fed.header_extra));
  const bool is_short = lacks_events(builder, fed, options);
  const bool cut_off = options.cut_off || fed.cut_off || is_short;
  const bool repairs = options.lenient || fed.damaged;
  const bool lost_processes =
      cut_off && (options.lost_processes || fed.lost_processes || has_silent_process(builder));
  if (options.numbers) builder.read_numbers();
  auto built = builder.build(repairs || cut_off ? Unsent::make_internal : Unsent::error);
  if (!built) return failure(std::move(built.error()));
  Reading reading{std::move(*built), std::move(fed.notes)};
  const ReceivesWithoutSend& receives = builder.without_send();
  if (cut_off && !repairs) keep_prefix(receives, reading);
  if (cut_off && repairs) reading.left_out = 0;
  reading.lost_processes = lost_processes;
  if (!repairs) return reading;
  std::ranges::move(repair_notes(receives), std::back_inserter(reading.notes));
  reading.doubts = {receives.places, std::move(fed.gaps), fed.lost_start};
  reading.incomplete = fed.damaged || reading.doubts.any();
  // A message without a send may come from a process that the trace does not have.
  reading.lost_processes = lost_processes || (options.lenient && reading.doubts.any());
  return reading;
}

std::string_view without_cut_line(std::string_view text, const ReadOptions& options) {
  return options.cut_off ? text.substr(0, text.rfind('\n') + 1) : text;
}

Expected<Reading> note_cut_line(Expected<Reading> reading, bool is_left_out) {
  if (reading && is_left_out) {
    reading->notes.emplace_back("the last line is cut off and left out");
  }
  return reading;
}

std::vector<std::string> repair_notes(const ReceivesWithoutSend& receives) {
  std::vector<std::string> notes;
  if (const std::size_t count = receives.made_internal; count > 0) {
    notes.push_back(fmt::format("{} without a send taken as internal event{}",
                                counted(count, "receive"), count == 1 ? "" : "s"));
  }
  if (const std::size_t count = receives.places.size() - receives.made_internal; count > 0) {
    notes.push_back(fmt::format("{} of several messages lost some of them, whose sends are missing",
                                counted(count, "receive")));
  }
  return notes;
}

std::string prefix_note(std::uint64_t left_out) {
  if (left_out == 0) return "the trace was cut off: nothing in it depends on what was lost";
  return fmt::format("the trace was cut off: {} left out, since {} on what was lost",
                     left_out == 1 ? "1 event is" : fmt::format("{} events are", left_out),
                     left_out == 1 ? "it depends" : "they depend");
}

}  // namespace lightcone
