// Puts differences between two runs into sentences and tables.
#include "compare/difference_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "check/moment_words.h"
#include "print/table.h"
#include "print/terminal.h"
#include "print/wording.h"

namespace lightcone::cli {
namespace {

constexpr std::size_t places_told = 5, processes_told = 20, messages_told = 3;
constexpr Rank events_before = 3;
constexpr std::size_t longest_words = 60;

[[nodiscard]] std::string process_text(const std::string& name) { return printable(name); }

/// `message 3 from rank2`: the receivers of a message that one process receives need not be told.
[[nodiscard]] std::string taken_text(const Computation& computation, MessageIndex m) {
  const CommonMessage identity = common_message(computation, m);
  std::string to;
  if (identity.to.size() > 1) to = fmt::format(" to {} receivers", identity.to.size());
  return fmt::format("message {}{} from {}", grouped(identity.number), to,
                     printable(identity.from));
}

[[nodiscard]] std::string taken_texts(const Computation& computation, EventIndex e) {
  const auto takes = computation.takes(e);
  std::string text;
  for (std::size_t i = 0; i < takes.size() && i < messages_told; ++i) {
    text += (i == 0 ? "" : " and ") + taken_text(computation, takes[i]);
  }
  if (takes.size() > messages_told) {
    text += fmt::format(" and {} more", grouped(takes.size() - messages_told));
  }
  return text;
}

[[nodiscard]] std::string sent_text(const Computation& computation, EventIndex e) {
  const CommonMessage identity = common_message(computation, computation.sends(e));
  std::string text = fmt::format("message {}", grouped(identity.number));
  if (identity.to.size() == 1) text += " to " + printable(identity.to.front());
  if (identity.to.size() > 1) text += fmt::format(" to {} receivers", identity.to.size());
  return text;
}

/// Labels, variables, text and source of an event.
[[nodiscard]] std::string details_of(const Computation& computation, Row row,
                                     const SourceLines& lines) {
  std::string details;
  const auto add = [&](const std::string& text) {
    if (!text.empty()) details += (details.empty() ? "" : "; ") + text;
  };
  add(printable(label_words(computation, row), longest_words));
  std::string variables;
  for (const Assignment& assignment : computation.assignments(row)) {
    variables += fmt::format("{}{} = {}", variables.empty() ? "" : ", ",
                             computation.names()[assignment.variable],
                             value_words(computation, assignment.value));
  }
  add(printable(variables, longest_words));
  if (const auto text = computation.text(row)) {
    // Beside a digest it describes the contents.
    const std::string shown = printable(*text, longest_words);
    add(computation.digest(row) ? shown : fmt::format("\"{}\"", shown));
  }
  if (const auto source = computation.source(row)) {
    add(printable(lines(*source), longest_words));
  }
  return details;
}

/// Tells one first difference.
class Told {
 public:
  Told(const Comparison& comparison, const NamedRuns& runs, const Difference& difference,
       const Paint& paint)
      : runs_(runs),
        difference_(difference),
        process_(comparison.processes[difference.process]),
        paint_(paint) {}

  void print() const {
    fmt::print("\n{}: {}\n",
               paint_.bold(difference_.rank == 0
                               ? fmt::format("{}, initial state", process_text(process_.name))
                               : fmt::format("{}, event {}", process_text(process_.name),
                                             grouped(difference_.rank))),
               paint_.yellow(summary()));
    side("A", a(), process_.in_a, difference_.is_in_a, runs_.lines_a);
    side("B", b(), process_.in_b, difference_.is_in_b, runs_.lines_b);
    if (difference_.kind == DifferenceKind::message) {
      elsewhere(a(), *process_.in_a, *runs_.run_b, *process_.in_b, 'A', 'B');
      elsewhere(b(), *process_.in_b, *runs_.run_a, *process_.in_a, 'B', 'A');
    }
    if (difference_.unlike.contents && !difference_.unlike.message) contents();
    if (!difference_.is_past_known) {
      sentence(
          "One run lacks something that led to this event in the other: it may not be the "
          "first difference.");
    }
    before();
  }

 private:
  [[nodiscard]] const Computation& a() const { return *runs_.run_a->computation; }
  [[nodiscard]] const Computation& b() const { return *runs_.run_b->computation; }

  static void sentence(const std::string& text) {
    fmt::print("  {}\n", wrapped(text, text_columns(), 2));
  }

  [[nodiscard]] std::string summary() const {
    switch (difference_.kind) {
      case DifferenceKind::message: return "the receive took another message";
      case DifferenceKind::contents:
        return sends()      ? "the same message with other contents"
               : receives() ? "the same receive, other contents"
                            : "the same call, other contents";
      case DifferenceKind::missing:
        return !process_.in_a   ? "only B has this process"
               : !process_.in_b ? "only A has this process"
                                : fmt::format("{} ends before it", difference_.is_in_a ? "B" : "A");
      case DifferenceKind::event: break;
    }
    if (difference_.unlike.kind) return "another kind of event";
    std::string names;
    for (const std::string_view name : difference_.unlike.names()) {
      names += (names.empty() ? "other " : ", ") + word_of(name);
    }
    return names;
  }

  [[nodiscard]] static std::string word_of(std::string_view name) {
    if (name == "to") return "receivers";
    return name == "vars" ? "variables" : std::string(name);
  }

  [[nodiscard]] bool sends() const {
    return difference_.rank > 0 && a().kind(event_in_a()) == Kind::send;
  }
  [[nodiscard]] bool receives() const {
    return difference_.rank > 0 && a().kind(event_in_a()) == Kind::receive;
  }
  [[nodiscard]] EventIndex event_in_a() const {
    return a().event(*process_.in_a, difference_.rank);
  }
  [[nodiscard]] EventIndex event_in_b() const {
    return b().event(*process_.in_b, difference_.rank);
  }

  void side(std::string_view run, const Computation& computation,
            const std::optional<ProcessIndex>& p, bool is_there, const SourceLines& lines) const {
    const std::string text =
        is_there ? event_line(computation, *p, difference_.rank, lines) : std::string("nothing");
    fmt::print("  {}  {}\n", paint_.bold(run), wrapped(text, text_columns(), 5));
  }

  /// Where the message that one run took here is in the other.
  void elsewhere(const Computation& here, ProcessIndex p, const ComparedRun& other, ProcessIndex q,
                 char name_here, char name_there) const {
    const Computation& there = *other.computation;
    const auto takes = here.takes(here.event(p, difference_.rank));
    if (takes.size() != 1) return;
    const auto say = [&](std::string_view what) {
      sentence(fmt::format("The message of {} is {} {}{}.", name_here, what, name_there,
                           other.is_whole() ? "" : ", as far as it is known"));
    };
    const MessageIndex m = find_message(there, common_message(here, takes.front()));
    if (m == none) return say("not sent in");
    for (EventIndex e = there.first_event(q); e < there.end_event(q); ++e) {
      if (std::ranges::count(there.takes(e), m) == 0) continue;
      return sentence(fmt::format("The message of {} is taken at event {} in {}.", name_here,
                                  grouped(there.rank_of(e)), name_there));
    }
    say("sent, but not received by this process, in");
  }

  void contents() const {
    fmt::print("  digests of the contents: A {:016x}, B {:016x}\n", *a().digest(event_in_a()),
               *b().digest(event_in_b()));
    const std::string name = process_text(process_.name);
    if (difference_.kind != DifferenceKind::contents) return;
    const Rank rank = difference_.rank;
    if (sends() && rank == 1) {
      sentence(
          fmt::format("All that led to it is the same: {} computed something else before its "
                      "first event.",
                      name));
    } else if (sends()) {
      sentence(
          fmt::format("All that led to it is the same: {} computed something else between its "
                      "events {} and {}.",
                      name, grouped(rank - 1), grouped(rank)));
    } else if (!receives()) {
      sentence(
          fmt::format("All messages that led to it are the same. Windows of memory are not "
                      "messages: another process may have put other values there, or {} computed "
                      "something else.",
                      name));
    } else if (const auto sender = unknown_sender()) {
      sentence(fmt::format(
          "{} sent other contents at its event {}. All that led to that event is "
          "the same.",
          printable(a().process_name(a().process_of(*sender))), grouped(a().rank_of(*sender))));
    } else {
      sentence(
          fmt::format("All that was sent to it is the same: what {} got of it is not. The "
                      "operation combined it in another order, or what {} itself gave is "
                      "another.",
                      name, name));
    }
  }

  /// The send of the message that was received, if it is not known what was sent.
  [[nodiscard]] std::optional<EventIndex> unknown_sender() const {
    const auto takes = a().takes(event_in_a());
    if (takes.size() != 1) return std::nullopt;
    const EventIndex send = a().sent_by(takes.front());
    return a().digest(send) ? std::nullopt : std::optional(send);
  }

  /// The last events that both runs have.
  void before() const {
    const Rank last = std::min(process_.alike, std::max<Rank>(difference_.rank, 1) - 1);
    if (last == 0) return;
    fmt::print("  before it, in both runs:\n");
    for (Rank rank = last > events_before ? last - events_before + 1 : 1; rank <= last; ++rank) {
      const std::string number = grouped(rank);
      fmt::print("    event {}  {}\n", number,
                 wrapped(event_line(a(), *process_.in_a, rank, runs_.lines_a), text_columns(),
                         12 + number.size()));
    }
  }

  const NamedRuns& runs_;
  const Difference& difference_;
  const AlignedProcess& process_;
  const Paint& paint_;
};

[[nodiscard]] std::string events_text(const std::optional<ProcessIndex>& p, Rank events) {
  return p ? grouped(events) : "-";
}

void print_processes(const Comparison& comparison, bool all, const Paint& paint) {
  using Align = Table::Align;
  Table table({{"Process"},
               {"Events of A", Align::right},
               {"Events of B", Align::right},
               {"The same", Align::right},
               {"First difference"}});
  std::vector<bool> is_first(comparison.processes.size(), false);
  for (const Difference& difference : comparison.first) is_first[difference.process] = true;
  std::size_t shown = 0;
  for (std::size_t i = 0; i < comparison.processes.size(); ++i) {
    if (!all && shown == processes_told) break;
    const AlignedProcess& process = comparison.processes[i];
    std::string place;
    if (process.differs_at) {
      place = fmt::format("event {}{}", grouped(*process.differs_at),
                          is_first[i] ? "" : ", after another");
    }
    table.add({printable(process.name, 20), events_text(process.in_a, process.events_a),
               events_text(process.in_b, process.events_b), grouped(process.alike), place});
    ++shown;
  }
  fmt::print("\n{}", table.text(paint));
  if (shown < comparison.processes.size()) {
    fmt::print("  ... and {} more; --all shows them\n",
               counted(comparison.processes.size() - shown, "process", "processes"));
  }
}

/// What the answer does not say.
void print_limits(const Comparison& comparison, const NamedRuns& runs) {
  const auto note = [](const std::string& text) {
    fmt::print("{}\n", wrapped(text, text_columns()));
  };
  for (const bool is_a : {true, false}) {
    if ((is_a ? runs.run_a : runs.run_b)->is_whole()) continue;
    note(fmt::format("{} is not complete: events after its end are not compared.",
                     is_a ? "A" : "B"));
  }
  if (comparison.digests_in_a && comparison.digests_in_b) {
    note(fmt::format("Contents were compared at {}.",
                     counted(comparison.compared_contents, "event")));
  } else if (comparison.digests_in_a || comparison.digests_in_b) {
    note(fmt::format("Contents were not compared: only {} has digests.",
                     comparison.digests_in_a ? "A" : "B"));
  } else {
    note("Contents of messages were not compared: neither run has digests.");
  }
}

[[nodiscard]] std::string answer_text(const Comparison& comparison) {
  switch (comparison.answer()) {
    case Comparison::Sameness::same: return "The runs are the same.";
    case Comparison::Sameness::unknown: return "The runs are the same as far as both go.";
    case Comparison::Sameness::different: break;
  }
  if (comparison.first.size() == 1) return "The runs part at one place.";
  return fmt::format("The runs part at {} places, independently of each other.",
                     grouped(comparison.first.size()));
}

}  // namespace

std::string event_line(const Computation& computation, ProcessIndex p, Rank rank,
                       const SourceLines& lines) {
  if (rank == 0) {
    const std::string details = details_of(computation, computation.initial_row(p), lines);
    return details.empty() ? "initial state" : "initial state: " + details;
  }
  const EventIndex e = computation.event(p, rank);
  std::string line = "internal";
  if (computation.kind(e) == Kind::receive) line = "receive of " + taken_texts(computation, e);
  if (computation.kind(e) == Kind::send) line = "send of " + sent_text(computation, e);
  if (computation.kind(e) != Kind::send && computation.sends(e) != none) {
    line += ", which sends " + sent_text(computation, e);
  }
  const std::string details = details_of(computation, e, lines);
  return details.empty() ? line : line + ": " + details;
}

void print_comparison(const Comparison& comparison, const NamedRuns& runs, bool all,
                      const Paint& paint) {
  const auto run = [&](std::string_view name, const std::string& path, const Computation& c) {
    fmt::print("{}  {}  {} of {}\n", paint.bold(name), printable(path, 50),
               counted(c.event_count(), "event"),
               counted(c.process_count(), "process", "processes"));
  };
  run("A", runs.a, *runs.run_a->computation);
  run("B", runs.b, *runs.run_b->computation);
  const bool is_different = comparison.answer() == Comparison::Sameness::different;
  fmt::print("\n{}\n", is_different ? paint.red(answer_text(comparison))
                                    : paint.green(answer_text(comparison)));
  const std::size_t told =
      all ? comparison.first.size() : std::min(comparison.first.size(), places_told);
  for (std::size_t i = 0; i < told; ++i) {
    Told(comparison, runs, comparison.first[i], paint).print();
  }
  if (told < comparison.first.size()) {
    fmt::print("\n... and {} more; --all shows them\n",
               counted(comparison.first.size() - told, "place"));
  }
  if (is_different || all) print_processes(comparison, all, paint);
  const std::uint64_t events =
      std::max(runs.run_a->computation->event_count(), runs.run_b->computation->event_count());
  fmt::print("\n{} the same in both ({}).\n",
             comparison.alike == 1 ? "1 event is" : counted(comparison.alike, "event") + " are",
             percent(comparison.alike, events));
  print_limits(comparison, runs);
}

}  // namespace lightcone::cli
