// The end of a growing check: what still waits, and the report.
#include <lightcone/check/growing/monitor_core.h>

#include <fmt/format.h>
#include <lightcone/check/value_check.h>
#include <lightcone/check/verdicts.h>
#include <lightcone/check/warnings.h>
#include <lightcone/property/language/check_names.h>
#include <lightcone/property/language/property_reads.h>
#include <lightcone/trace/reader_result.h>

#include <algorithm>

namespace lightcone {
namespace {

[[nodiscard]] std::string late_note(std::size_t count) {
  return fmt::format(
      "{} received once more, long after all receivers that {} had received {}: what depends on "
      "that is not known; check the trace as a file",
      count == 1 ? "a message was" : "some messages were",
      count == 1 ? "its send names" : "their sends name", count == 1 ? "it" : "them");
}

[[nodiscard]] std::string rider_method(const Property& property) {
  const auto* flow = std::get_if<Flow>(&property.question);
  if (flow != nullptr && has_times(flow->pattern)) return "times along paths, on the fly";
  return flow != nullptr && flow->longest ? "LO/SLO vectors, on the fly"
                                          : "bits of LRDAG equations, on the fly";
}

}  // namespace

/// What becomes of events that still wait at the end.
Expected<void> Monitor::Core::end_waiting(const MonitorEnd& end) {
  if (end.lenient) order_.forget_unsent();
  if (end.cut_off && !end.lenient) report_.wholeness.left_out = order_.waiting();
  if (end.cut_off && end.lenient) report_.wholeness.left_out = 0;
  if (order_.waiting() == 0) return {};
  const bool may_be_lost = end.cut_off && !end.lenient;
  if (auto possible = order_.check_waiting(may_be_lost ? Unsent::make_internal : Unsent::error);
      !possible) {
    return possible;
  }
  LIGHTCONE_ASSERT(may_be_lost);
  return {};
}

/// The property whose `within` compares clocks of which nothing is known; those without `for each`
/// first.
std::uint32_t Monitor::Core::uncomparable() const {
  if (flows_.uncomparable() != none) return flows_.uncomparable();
  for (std::uint32_t i = 0; i < values_.size(); ++i) {
    if (values_[i] && values_[i]->compares_processes()) return i;
  }
  return none;
}

Expected<Report> Monitor::Core::finish(const MonitorEnd& end) {
  const auto& processes = order_.processes();
  const bool has_silent = std::ranges::any_of(
      processes, [](const GrowingOrder::Process& process) { return !process.has_spoken; });
  for (ProcessIndex p = 0; p < processes.size(); ++p) {
    if (!processes[p].has_started) start(p, {});
  }
  if (auto ended = end_waiting(end); !ended) return failure(ended.error());
  tell_of_globals();
  TraceNames names = names_.happened();
  for (const auto& process : processes) names.processes.emplace_back(process.name);
  auto warnings = check_names(properties_.source(), std::move(names));
  if (!warnings) return failure(warnings.error());
  if (const std::uint32_t index = uncomparable(); index != none) {
    return failure(no_bound_on_clocks(properties_.source(), index));
  }
  report_.warnings = std::move(*warnings);
  describe(end, has_silent);
  for (std::uint32_t i = 0; i < found_.size(); ++i) {
    report_.properties.push_back(report_of(i));
  }
  add_warnings(properties_.source(), flows_.observer(), names_.members(), report_);
  return std::move(report_);
}

/// Whether the trace is whole, and how much it was.
void Monitor::Core::describe(const MonitorEnd& end, bool has_silent) {
  const bool repaired = !order_.without_send().places.empty();
  Wholeness& wholeness = report_.wholeness;
  wholeness.incomplete = repaired || order_.received_too_late() > 0;
  wholeness.lost_processes = (end.cut_off && has_silent) || repaired;
  if (repaired) {
    report_.notes = repair_notes(order_.without_send());
  } else if (wholeness.left_out && (*wholeness.left_out > 0 || !end.is_told)) {
    report_.notes.push_back(prefix_note(*wholeness.left_out));
  }
  if (order_.received_too_late() > 0) {
    report_.notes.push_back(late_note(order_.received_too_late()));
  }
  for (const auto& process : order_.processes()) report_.processes.emplace_back(process.name);
  report_.events = order_.events();
}

PropertyReport Monitor::Core::report_of(std::uint32_t index) {
  const Property& asked = property(index);
  if (auto global = globals_.report(index, order_.processes().size(), report_.wholeness)) {
    return std::move(*global);
  }
  if (is_given_up(index)) return report_on_given_up(asked);
  if (values_[index]) return values_[index]->report(report_.wholeness);
  if (!Monitor::can_check(properties_.source(), asked)) {
    return report_on_unanswered(asked, "not decided: this needs the whole trace");
  }
  const auto undecided = std::ranges::find(properties_.undecided(), index, &Undecided::property);
  if (undecided != properties_.undecided().end()) {
    return report_on_unanswered(asked, undecided->why);
  }
  FoundPlaces& places = found_[index];
  PlaceFinding finding{places.asked,          places.found,     places.at.take(),
                       places.missing.take(), places.undecided, places.undecided_at.take()};
  return report_on(asked, std::move(finding), rider_method(asked), report_.wholeness);
}

}  // namespace lightcone
