// Lists inevitable states, and the events of an observation.
#include <fmt/format.h>
#include <lightcone/causal/process_words.h>
#include <lightcone/lattice/visit/observation.h>
#include <lightcone/lattice/visit/physically_inevitable.h>

#include <algorithm>

#include "check/moment_words.h"
#include "commands/states_answers.h"
#include "print/json_output.h"
#include "print/terminal.h"
#include "print/wording.h"

namespace lightcone::cli {
namespace {

constexpr std::size_t most_named = 3;
constexpr std::size_t state_columns = 40, place_columns = 24;

/// `p1:3 (enter)`
[[nodiscard]] std::string event_words(const Computation& computation, EventIndex e) {
  const std::string labels = label_words(computation, e);
  return fmt::format("{}:{}{}", process_words(computation, computation.process_of(e), 40),
                     computation.rank_of(e),
                     labels.empty() ? "" : fmt::format(" ({})", printable(labels)));
}

/// The events inside a cut that nothing else inside follows. All of them came after the inevitable
/// cut `before`, since whatever is beyond that one follows all that is inside.
[[nodiscard]] std::vector<EventIndex> last_events(const Level& level, const Cut& before,
                                                  std::span<const Rank> cut) {
  std::vector<std::uint32_t> moved;
  for (std::uint32_t c = 0; c < level.chains(); ++c) {
    if (cut[c] > before[c]) moved.push_back(c);
  }
  std::vector<EventIndex> last;
  for (const std::uint32_t c : moved) {
    const bool followed = std::ranges::any_of(moved, [&](std::uint32_t other) {
      return other != c && level.past(other, cut[other])[c] >= cut[c];
    });
    if (!followed) last.push_back(level.event(c, cut[c]));
  }
  return last;
}

[[nodiscard]] std::string last_words(const Level& level, const Cut& before,
                                     std::span<const Rank> cut) {
  const std::vector<EventIndex> last = last_events(level, before, cut);
  std::string text;
  for (std::size_t i = 0; i < last.size() && i < most_named; ++i) {
    text += (i > 0 ? ", " : "") + event_words(level.computation(), last[i]);
  }
  if (last.size() > most_named) text += fmt::format(" and {} more", last.size() - most_named);
  return text;
}

[[nodiscard]] std::string inevitable_sentence(const StatesView& view, std::size_t count,
                                              bool physical) {
  const std::string extent =
      fmt::format("{} with {}", counted(view.processes().size(), "process", "processes"),
                  counted(view.level().events(), "relevant event"));
  if (count == 0) {
    return fmt::format(
        "Of no inevitable state of {} it is known that its local states ever coexisted.", extent);
  }
  std::string text =
      fmt::format("{} of {}: every observation passes through {}",
                  counted(count, "inevitable state"), extent, count == 1 ? "it" : "them");
  if (physical)
    text += fmt::format(", and {} local states coexisted", count == 1 ? "its" : "their");
  return text + '.';
}

void print_inevitable_words(const StatesView& view, const InevitableStates& states, bool physical) {
  fmt::print("{}\n", wrapped(inevitable_sentence(view, states.count(), physical), text_columns()));
  if (states.count() == 0) return;
  const Level& level = view.level();
  const std::uint32_t all = level.events();
  const std::size_t width = std::max<std::size_t>(
      std::min(view.ranks(level.top()).size(), state_columns), std::string_view("State").size());
  fmt::print("\n{}\n", paint_for(stdout).bold(fmt::format(
                           "  {:>6}  {:<{}}  Once these have happened", "Events", "State", width)));
  Cut before = level.bottom();
  states.for_each([&](std::span<const Rank> cut) {
    const std::uint64_t size = size_of(cut);
    const std::string words = size == 0     ? "nothing: the initial state"
                              : size == all ? last_words(level, before, cut) + ": the final state"
                                            : last_words(level, before, cut);
    fmt::print("  {:>6}  {:<{}}  {}\n", grouped(size), printable(view.ranks(cut), state_columns),
               width, words);
    before.assign(cut.begin(), cut.end());
    return true;
  });
}

/// What an event did.
[[nodiscard]] std::string deed(const Computation& computation, EventIndex e) {
  std::string text;
  for (const MessageIndex m : computation.takes(e)) {
    text += (text.empty() ? "receives " : ", ") + printable(computation.message_name(m));
  }
  if (const MessageIndex m = computation.sends(e); m != none) {
    text += (text.empty() ? "sends " : "; sends ") + printable(computation.message_name(m));
  }
  const std::string labels = printable(label_words(computation, e));
  return text + (text.empty() || labels.empty() ? "" : "  ") + labels;
}

}  // namespace

Status print_inevitable(StatesView& view, bool physical, bool json) {
  InevitableStates states = inevitable_states(view.level());
  if (physical) states = physically_inevitable(states, view.processes());
  if (!json) {
    print_inevitable_words(view, states, physical);
    return Status::ok;
  }
  JsonStream document(view.wholeness());
  document.begin_list("inevitable");
  states.for_each([&](std::span<const Rank> cut) {
    document.add(view.json(cut));
    return true;
  });
  document.end_list();
  return Status::ok;
}

Status print_observation(const StatesView& view, std::uint64_t seed, bool json) {
  const Computation& computation = view.level().computation();
  const std::vector<EventIndex> events = random_observation(view.level(), seed);
  const auto name = [&](EventIndex e) {
    return computation.process_name(computation.process_of(e));
  };
  if (json) {
    JsonStream document(view.wholeness());
    document.begin_list("observation");
    for (const EventIndex e : events) {
      document.add(fmt::format(R"({{"process":{},"event":{}}})", json_text(name(e)),
                               computation.rank_of(e)));
    }
    document.end_list();
    return Status::ok;
  }
  for (std::size_t i = 0; i < events.size(); ++i) {
    const std::string place = fmt::format("{}:{}", printable(name(events[i]), place_columns),
                                          computation.rank_of(events[i]));
    fmt::print("  {:>{}}  {:<12}  {}\n", i + 1, std::to_string(events.size()).size(), place,
               deed(computation, events[i]));
  }
  return Status::ok;
}

}  // namespace lightcone::cli
