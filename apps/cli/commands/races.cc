// `lightcone races`: which receptions the network decided, not the program.
#include <fmt/format.h>
#include <lightcone/causal/order/measures.h>
#include <lightcone/causal/races/admission.h>
#include <lightcone/causal/races/races.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "options/trace_arguments.h"
#include "print/json_output.h"
#include "print/progress_bar.h"
#include "print/table.h"
#include "print/wording.h"
#include "program.h"

namespace lightcone::cli {
namespace {

constexpr std::uint64_t instead_shown = 3;

struct RacesOptions {
  TraceArguments trace;
  bool json = false;
  bool pairs = false;
  std::uint64_t limit = 20;
};

/// What races: messages that were received, and messages that never were.
struct Races {
  std::uint64_t received = 0;  ///< receptions in all
  std::vector<Reception> traced;
  std::vector<Unreceived> unreceived;
};

[[nodiscard]] Races find_races(const Computation& computation) {
  ProgressBar bar;
  return {counts(computation).received, traced_receptions(computation, bar.progress()),
          racing_unreceived(computation, bar.progress())};
}

[[nodiscard]] std::vector<std::string> sorted_names(const Computation& computation,
                                                    const Races& races) {
  std::vector<std::string> names;
  for (const Reception& r : races.traced) names.push_back(computation.message_name(r.message));
  for (const Unreceived& u : races.unreceived) names.push_back(computation.message_name(u.message));
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

[[nodiscard]] nlohmann::ordered_json json_pairs(const Computation& computation) {
  ProgressBar bar;
  auto pairs = nlohmann::ordered_json::array();
  const auto visit = [&](Reception first, const auto& second) {
    pairs.push_back(
        {computation.message_name(first.message), computation.message_name(second.message)});
    return true;
  };
  for_each_racing_pair(computation, visit, bar.progress());
  for_each_unreceived_pair(computation, visit, bar.progress());
  return pairs;
}

void print_races_json(const Reading& reading, const RacesOptions& options) {
  const Computation& computation = reading.computation;
  const Races races = find_races(computation);
  nlohmann::ordered_json document = json_document(wholeness_of(reading));
  document["received"] = races.received;
  document["traced"] = sorted_names(computation, races);
  if (!races.unreceived.empty()) {
    document["never_received"] = sorted_names(computation, {0, {}, races.unreceived});
  }
  if (options.pairs) document["pairs"] = json_pairs(computation);
  print_json(document);
}

/// The messages that the receiver took last before this reception, of those in whose place the
/// traced one could have come.
[[nodiscard]] std::string taken_before(const Computation& computation, const Admission& admission,
                                       Reception traced) {
  std::string out;
  std::size_t shown = 0;
  const auto mention = [&](MessageIndex message) {
    if (message == traced.message) return;
    if (shown++ < instead_shown) {
      out += (out.empty() ? "" : ", ") + printable(computation.message_name(message), 20);
    } else if (shown == instead_shown + 1) {
      out += ", ...";
    }
  };
  const EventIndex first = computation.first_event(computation.process_of(traced.event));
  for (EventIndex e = traced.event; e > first && shown == 0;) {
    if (computation.kind(--e) != Kind::receive) continue;
    for (const MessageIndex message : computation.takes(e)) {
      if (admission.admits(e, message, traced.message)) mention(message);
    }
  }
  return out;
}

[[nodiscard]] std::string at(const Computation& computation, EventIndex event) {
  return printable(computation.process_name(computation.process_of(event)), 24);
}

void print_traced(const Computation& computation, const std::vector<Reception>& traced,
                  std::uint64_t limit, const Paint& paint) {
  Table table(
      {{"Process"}, {"Event", Table::Align::right}, {"Received"}, {"Could have come before"}});
  const Admission admission(computation);
  std::uint64_t shown = 0;
  for (const Reception& r : traced) {
    if (limit != 0 && shown == limit) break;
    ++shown;
    table.add({at(computation, r.event), grouped(computation.rank_of(r.event)),
               paint.yellow(printable(computation.message_name(r.message), 24)),
               taken_before(computation, admission, r)});
  }
  fmt::print("\n{}", table.text(paint));
  if (shown < traced.size()) {
    fmt::print("  ... and {} more; --limit 0 shows all\n", grouped(traced.size() - shown));
  }
}

void print_pairs(const Computation& computation, std::uint64_t limit, const Paint& paint) {
  ProgressBar bar;
  Table table({{"Process"}, {"Received first"}, {"Received second"}});
  std::uint64_t shown = 0;
  const auto visit = [&](Reception first, Reception second) {
    if (limit != 0 && shown == limit) return false;
    ++shown;
    table.add({at(computation, second.event),
               printable(computation.message_name(first.message), 24),
               paint.yellow(printable(computation.message_name(second.message), 24))});
    return true;
  };
  const bool all = for_each_racing_pair(computation, visit, bar.progress());
  bar.clear();
  if (table.empty()) return;
  fmt::print("\nThese pairs could have been received in the other order:\n\n{}", table.text(paint));
  if (!all) fmt::print("  ... and more; --limit 0 shows all\n");
}

/// Messages that no one received, and what was taken in their place.
void print_unreceived(const Computation& computation, std::uint64_t limit, const Paint& paint) {
  ProgressBar bar;
  Table table({{"Process"}, {"Never received"}, {"Could have come in place of"}});
  std::uint64_t shown = 0;
  const auto visit = [&](Reception first, Unreceived second) {
    if (limit != 0 && shown == limit) return false;
    ++shown;
    table.add({at(computation, first.event),
               paint.yellow(printable(computation.message_name(second.message), 24)),
               printable(computation.message_name(first.message), 24)});
    return true;
  };
  const bool all = for_each_unreceived_pair(computation, visit, bar.progress());
  bar.clear();
  fmt::print("\n{}", table.text(paint));
  if (!all) fmt::print("  ... and more; --limit 0 shows all\n");
}

/// What is known where no message races.
[[nodiscard]] std::string no_race_words(const Reading& reading, std::uint64_t received) {
  if (received == 0) return "No message was received: there is nothing to trace.";
  const std::string none_raced = fmt::format("None of {} depended on which message came first",
                                             counted(received, "reception"));
  if (reading.incomplete) return none_raced + ", as far as the trace shows.";
  if (const std::size_t count = unaddressed_messages(reading.computation); count > 0) {
    return fmt::format(
        "{}, as far as is known: the trace does not say for whom {} {} that no one "
        "received.",
        none_raced, counted(count, "message"), count == 1 ? "was" : "were");
  }
  return fmt::format("{}: {} replays without a trace.", none_raced,
                     reading.left_out ? "the part that was kept" : "this execution");
}

/// What the races mean, in a few sentences.
[[nodiscard]] std::string race_words(const Races& races, const Paint& paint) {
  std::string text;
  if (!races.traced.empty()) {
    text = fmt::format(
        "{} of {} ({}) took a message that could have come earlier: the network decided the order, "
        "not the program. ",
        paint.bold(grouped(races.traced.size())), counted(races.received, "reception"),
        percent(races.traced.size(), races.received));
  }
  if (const std::size_t count = races.unreceived.size(); count > 0) {
    text += fmt::format(
        "{} {} never received and could have been taken by an earlier receive: which was taken, "
        "the "
        "network decided. ",
        paint.bold(counted(count, "message")), count == 1 ? "was" : "were");
  }
  return text + "To replay this execution, trace these and no others.";
}

void print_races(const Reading& reading, const RacesOptions& options) {
  const Computation& computation = reading.computation;
  const Paint paint = paint_for(stdout);
  const Races races = find_races(computation);
  if (races.traced.empty() && races.unreceived.empty()) {
    fmt::print("{}\n", wrapped(no_race_words(reading, races.received), 80));
  } else {
    fmt::print("{}\n", wrapped(race_words(races, paint), 80));
    if (!races.traced.empty()) print_traced(computation, races.traced, options.limit, paint);
    if (!races.unreceived.empty()) print_unreceived(computation, options.limit, paint);
    if (options.pairs) print_pairs(computation, options.limit, paint);
  }
  print_extent(wholeness_of(reading));
}

[[nodiscard]] Status races(const RacesOptions& options) {
  const auto reading = read_with_notes(options.trace);
  if (!reading) return report(reading.error());
  if (options.json) {
    print_races_json(*reading, options);
  } else {
    print_races(*reading, options);
  }
  return Status::ok;
}

void define(CLI::App& app, Status& status) {
  auto options = std::make_shared<RacesOptions>();
  options->trace.define(app);
  app.add_flag("--pairs", options->pairs, "list the pairs of messages that race, too");
  app.add_flag("--json", options->json, "print one JSON document, which is never cut short");
  app.add_option("--limit", options->limit, "the most lines of each table; 0 for all")
      ->type_name("N")
      ->capture_default_str();
  app.callback([options, &status] { status = races(*options); });
}

}  // namespace

Command races_command() {
  return {"races",
          "which receptions could have gone another way",
          "Finds the messages that raced: those that were sent without knowing of the message that "
          "their receiver took just before, so that they could have come in its place. They are "
          "what must be traced to replay the execution; the order of all others follows from the "
          "program itself. A message that was sent and never received is one of them if an earlier "
          "receive of a process that it was sent to (`to`) could have taken it. A receive with a "
          "label comm:NAME, as in traces of MPI programs, could "
          "have taken only what was sent there with its tag:N and by its source, unless it is "
          "labelled any_tag or any_source; messages of one sender do not overtake each other.",
          {{"lightcone races run.jsonl", "what to trace, and how much of it that is"},
           {"lightcone races --pairs --limit 50 run.jsonl", "which messages race with which"},
           {"lightcone races --json run.lct | jq -r '.traced[]'", "only the names"},
           {"lightcone races --json --pairs run.lct", "all there is to know, for a program"}},
          define};
}

}  // namespace lightcone::cli
