// Puts what an event says into lines.
#include "check/moment_words.h"

#include <fmt/format.h>

#include <span>

#include "print/wording.h"

namespace lightcone::cli {
namespace {

constexpr std::size_t most_named = 12;  // messages, variables

[[nodiscard]] std::string message_words(const Computation& computation, EventIndex e) {
  std::string words;
  const std::span<const MessageIndex> takes = computation.takes(e);
  for (std::size_t i = 0; i < takes.size() && i < most_named; ++i) {
    const ProcessIndex from = computation.process_of(computation.sent_by(takes[i]));
    words += fmt::format("{}receives {} from {}\n", computation.is_duplicate(e) ? "again " : "",
                         computation.message_name(takes[i]), computation.process_name(from));
  }
  if (takes.size() > most_named) {
    words += fmt::format("and {} more\n", grouped(takes.size() - most_named));
  }
  if (computation.sends(e) != none) {
    words += fmt::format("sends {}\n", computation.message_name(computation.sends(e)));
  }
  return words;
}

}  // namespace

std::string value_words(const Computation& computation, const Value& value) {
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *integer);
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{}", *real);
  return fmt::format("\"{}\"", computation.names()[std::get<NameIndex>(value)]);
}

std::string label_words(const Computation& computation, Row row) {
  std::string words;
  for (const NameIndex label : computation.labels(row)) {
    if (!words.empty()) words += ", ";
    words += computation.names()[label];
  }
  return words;
}

std::string all_words(const Computation& computation, Row row) {
  std::string words;
  if (row < computation.event_count()) {
    words = fmt::format("{}, event {}\n", computation.process_name(computation.process_of(row)),
                        grouped(computation.rank_of(row)));
    words += message_words(computation, row);
  } else {
    const ProcessIndex p = row - computation.event_count();
    words = fmt::format("{}, initial state\n", computation.process_name(p));
  }
  if (const std::string labels = label_words(computation, row); !labels.empty()) {
    words += labels + '\n';
  }
  const auto assignments = computation.assignments(row);
  for (std::size_t i = 0; i < assignments.size() && i < most_named; ++i) {
    words += fmt::format("{} = {}\n", computation.names()[assignments[i].variable],
                         value_words(computation, assignments[i].value));
  }
  if (assignments.size() > most_named) {
    words += fmt::format("and {} more\n", counted(assignments.size() - most_named, "variable"));
  }
  if (const auto text = computation.text(row)) words += fmt::format("{}\n", *text);
  if (const auto source = computation.source(row)) words += fmt::format("{}\n", *source);
  words.pop_back();
  return words;
}

}  // namespace lightcone::cli
