// `lightcone races`: which messages could have arrived earlier.
#include <fmt/format.h>
#include <lightcone/causal/order/measures.h>
#include <lightcone/causal/process_words.h>
#include <lightcone/causal/races/admission.h>
#include <lightcone/causal/races/listed_pairs.h>
#include <lightcone/causal/races/races.h>
#include <lightcone/check/json_documents.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "options/help.h"
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
  return process_words(computation, computation.process_of(event));
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
  ListedPairs listed(computation);
  std::uint64_t shown = 0;
  const auto visit = [&](Reception first, Reception second) {
    const ProcessIndex receiver = computation.process_of(second.event);
    if (!listed.add(first.message, second.message, receiver)) return true;
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

/// Messages that were never received, and what was taken in their place.
void print_unreceived(const Computation& computation, std::uint64_t limit, const Paint& paint) {
  ProgressBar bar;
  Table table({{"Process"}, {"Never received"}, {"Could have come in place of"}});
  ListedPairs listed(computation);
  std::uint64_t shown = 0;
  const auto visit = [&](Reception first, Unreceived second) {
    if (!listed.add(first.message, second.message, second.addressee)) return true;
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
  if (received == 0) return "No message was received: there is nothing to record.";
  const std::string none_raced =
      fmt::format("None of {} could have arrived earlier", counted(received, "received message"));
  if (reading.incomplete) return none_raced + ", as far as the trace shows.";
  if (const std::size_t count = unaddressed_messages(reading.computation); count > 0) {
    return fmt::format(
        "{}, as far as is known: {} {} never received, and the trace names no receiver.",
        none_raced, counted(count, "message"), count == 1 ? "was" : "were");
  }
  return fmt::format("{}: to replay {}, nothing has to be recorded.", none_raced,
                     reading.left_out ? "the part that was kept" : "this execution");
}

/// What the races mean, in a few sentences.
[[nodiscard]] std::string race_words(const Races& races, const Paint& paint) {
  std::string text;
  if (!races.traced.empty()) {
    text = fmt::format(
        "{} of {} ({}) could have arrived earlier: the network decided the order, not the "
        "program. ",
        paint.bold(grouped(races.traced.size())), counted(races.received, "received message"),
        percent(races.traced.size(), races.received));
  }
  if (const std::size_t count = races.unreceived.size(); count > 0) {
    text += fmt::format("{} {} never received, but an earlier receive could have taken {}. ",
                        paint.bold(counted(count, "message")), count == 1 ? "was" : "were",
                        count == 1 ? "it" : "them");
  }
  return text + "To replay this execution, only these have to be recorded.";
}

void print_races(const Reading& reading, const RacesOptions& options) {
  const Computation& computation = reading.computation;
  const Paint paint = paint_for(stdout);
  const Races races = find_races(computation);
  if (races.traced.empty() && races.unreceived.empty()) {
    fmt::print("{}\n", wrapped(no_race_words(reading, races.received), text_columns()));
  } else {
    fmt::print("{}\n", wrapped(race_words(races, paint), text_columns()));
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
    ProgressBar bar;
    const Json document = races_json(*reading, options.pairs, bar.progress());
    bar.clear();
    print_json(document);
  } else {
    print_races(*reading, options);
  }
  return Status::ok;
}

void define_races(CLI::App& app, Status& status) {
  auto options = std::make_shared<RacesOptions>();
  options->trace.define(app);
  app.add_flag("--pairs", options->pairs, "also list the pairs of messages that race");
  app.add_flag("--json", options->json, "print one complete JSON document");
  app.add_option("--limit", options->limit, "print at most this many lines per table; 0 for all")
      ->type_name("N")
      ->check(whole_number(0))
      ->capture_default_str();
  app.callback([options, &status] { status = races(*options); });
}

}  // namespace

Command races_command() {
  return {
      "races",
      "list receives that could have taken another message",
      "Finds the messages that raced. A message raced if its sender did not know about the "
      "message that its receiver took just before. Then it could have arrived first. These "
      "messages must be recorded to replay the execution. The order of all others follows from "
      "the program.\n\n"
      "A message that was sent and never received also races, if an earlier receive of a process "
      "that it was sent to (`to`) could have taken it.\n\n"
      "In traces of MPI programs, receives have a label comm:NAME. Such a receive can take only "
      "messages of this communicator with its tag:N and from its source. With the label any_tag "
      "or any_source it can take any tag or source. Messages of one sender do not overtake each "
      "other.",
      {{"lightcone races run.jsonl", "list the receives that race"},
       {"lightcone races --pairs --limit 50 run.jsonl", "also list which messages race"},
       {"lightcone races --json run.lct | jq -r '.traced[]'", "print only the names of messages"},
       {"lightcone races --json --pairs run.lct", "print everything as JSON"}},
      define_races};
}

}  // namespace lightcone::cli
