// Events as texts, pasts as sets, and the closure of what precedes what.
#include "model/definitions/diff_definitions.h"

#include "model/definitions/definitions.h"

#include <fmt/format.h>

#include <optional>
#include <set>
#include <vector>

namespace lightcone::definition {
namespace {

/// What is compared of an event or an initial state.
struct EventTexts {
  std::string kind;
  std::multiset<std::string> messages;
  std::set<std::string> to, labels;
  std::map<std::string, std::string> variables;
  std::string text;
};

[[nodiscard]] std::set<std::string> texts(const Computation& c, std::span<const NameIndex> names) {
  std::set<std::string> all;
  for (const NameIndex name : names) all.emplace(c.names()[name]);
  return all;
}

[[nodiscard]] std::string value_text(const Computation& c, const Value& value) {
  if (const auto* name = std::get_if<NameIndex>(&value)) {
    return fmt::format("string {}", c.names()[*name]);
  }
  if (const auto* real = std::get_if<double>(&value)) {
    return fmt::format("real {:a}", *real);
  }
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    return fmt::format("integer {}", *integer);
  }
  return std::get<bool>(value) ? "true" : "false";
}

/// Its sender, and how many messages this one sent to the same receivers up to this one.
[[nodiscard]] std::string message_text(const Computation& c, MessageIndex m) {
  const EventIndex send = c.sent_by(m);
  const auto to = texts(c, c.to(send));
  int number = 0;
  for (EventIndex e = c.first_event(c.process_of(send)); e <= send; ++e) {
    if (c.sends(e) != none && texts(c, c.to(e)) == to) ++number;
  }
  std::string text(c.process_name(c.process_of(send)));
  for (const std::string& name : to) text += fmt::format(" > {}", name);
  return fmt::format("{} # {}", text, number);
}

[[nodiscard]] EventTexts texts_of(const Computation& c, Row row) {
  EventTexts all;
  all.labels = texts(c, c.labels(row));
  for (const Assignment& assignment : c.assignments(row)) {
    all.variables[std::string(c.names()[assignment.variable])] = value_text(c, assignment.value);
  }
  all.text = c.text(row) ? "text " + std::string(*c.text(row)) : "";
  if (row >= c.event_count()) return all;
  all.kind = fmt::format("{} {}", static_cast<int>(c.kind(row)), c.sends(row) != none);
  for (const MessageIndex m : c.takes(row)) all.messages.insert(message_text(c, m));
  if (c.is_duplicate(row)) all.messages.insert("again");
  all.to = texts(c, c.to(row));
  return all;
}

[[nodiscard]] std::optional<DifferenceKind> difference(const Computation& a, Row in_a,
                                                       const Computation& b, Row in_b) {
  const EventTexts x = texts_of(a, in_a), y = texts_of(b, in_b);
  if (x.kind != y.kind) return DifferenceKind::event;
  if (x.messages != y.messages) return DifferenceKind::message;
  if (x.to != y.to || x.labels != y.labels || x.variables != y.variables || x.text != y.text) {
    return DifferenceKind::event;
  }
  const auto first = a.digest(in_a), second = b.digest(in_b);
  if (first && second && *first != *second) return DifferenceKind::contents;
  return std::nullopt;
}

[[nodiscard]] Row compared_row(const Computation& c, ProcessIndex p, Rank rank) {
  return rank == 0 ? c.initial_row(p) : c.event(p, rank);
}

/// What is known of the process of this name in a run.
struct Known {
  std::optional<ProcessIndex> process;
  Rank events = 0;
  bool ends = false;
};

[[nodiscard]] Known known(const ComparedRun& run, const std::string& name) {
  const auto p = run.computation->find_process(name);
  if (!p) return {p, 0, !run.lost_processes};
  return {p, run.known_events(*p), run.ends(*p)};
}

[[nodiscard]] std::optional<ProcessDifference> difference_of(const ComparedRun& a,
                                                             const ComparedRun& b,
                                                             const std::string& name) {
  const Known in_a = known(a, name), in_b = known(b, name);
  if (!in_a.process || !in_b.process) {
    if (!(in_a.process ? in_b : in_a).ends) return std::nullopt;
    const bool has_events = in_a.events + in_b.events > 0;
    return ProcessDifference{has_events ? 1U : 0U, DifferenceKind::missing};
  }
  const bool lost_start = (a.lost_start && !a.computation->has_initial(*in_a.process)) ||
                          (b.lost_start && !b.computation->has_initial(*in_b.process));
  for (Rank rank = lost_start ? 1 : 0; rank <= in_a.events || rank <= in_b.events; ++rank) {
    if (rank > in_a.events || rank > in_b.events) {
      if (!(rank > in_a.events ? in_a : in_b).ends) return std::nullopt;
      return ProcessDifference{rank, DifferenceKind::missing};
    }
    const auto kind = difference(*a.computation, compared_row(*a.computation, *in_a.process, rank),
                                 *b.computation, compared_row(*b.computation, *in_b.process, rank));
    if (kind) return ProcessDifference{rank, *kind};
  }
  return std::nullopt;
}

/// Returns whether one difference is in the past of another in this run.
[[nodiscard]] bool precedes(const ComparedRun& run, const HappenedBefore& before,
                            const std::string& one, Rank one_rank, const std::string& other,
                            Rank other_rank) {
  const Computation& c = *run.computation;
  const auto p = c.find_process(one), q = c.find_process(other);
  if (!p || !q || other_rank == 0) return false;
  // The end of a process comes after its last event; a process has begun if it made an event.
  const bool is_end = other_rank > run.known_events(*q);
  const Rank at = is_end ? run.known_events(*q) : other_rank;
  const Rank from = std::max<Rank>(one_rank, 1);
  if (at == 0 || from > run.known_events(*p)) return false;
  return before(c.event(*p, from), c.event(*q, at));
}

}  // namespace

std::map<std::string, ProcessDifference> differences(const ComparedRun& a, const ComparedRun& b) {
  std::map<std::string, ProcessDifference> all;
  for (const ComparedRun* run : {&a, &b}) {
    for (ProcessIndex p = 0; p < run->computation->process_count(); ++p) {
      const std::string name(run->computation->process_name(p));
      if (const auto found = difference_of(a, b, name)) all.emplace(name, *found);
    }
  }
  const HappenedBefore in_a(*a.computation), in_b(*b.computation);
  std::set<std::pair<std::string, std::string>> pairs;
  for (const auto& [one, at] : all) {
    for (const auto& [other, there] : all) {
      if (one == other) continue;
      if (precedes(a, in_a, one, at.rank, other, there.rank) ||
          precedes(b, in_b, one, at.rank, other, there.rank)) {
        pairs.emplace(one, other);
      }
    }
  }
  for (const auto& [via, unused] : all) {
    for (const auto& [one, at] : all) {
      for (const auto& [other, there] : all) {
        if (pairs.contains({one, via}) && pairs.contains({via, other})) pairs.emplace(one, other);
      }
    }
  }
  for (auto& [name, found] : all) {
    found.is_first = true;
    for (const auto& [one, other] : pairs) {
      if (other == name && !pairs.contains({name, one})) found.is_first = false;
    }
  }
  return all;
}

}  // namespace lightcone::definition
