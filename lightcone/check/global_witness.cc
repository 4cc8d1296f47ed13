// Looks up what a property reads at the states and events of its witness.
#include <lightcone/check/global_witness.h>

#include <fmt/format.h>
#include <lightcone/property/language/expression_text.h>

#include <map>

namespace lightcone {
namespace {

constexpr std::size_t most_looked_at = 50'000'000;  // values, to tell of the recorded order

[[nodiscard]] std::string value_text(const ReadColumn& column, const Datum& value) {
  return column.is_truth ? (is_true(value) ? "true" : "false") : text_of(value);
}

using ColumnsByProcess = std::map<ProcessIndex, std::vector<const ReadColumn*>>;

/// What is read twice is told once.
[[nodiscard]] ColumnsByProcess columns_by_process(const GlobalPredicate& predicate) {
  ColumnsByProcess columns;
  for (const ReadColumn& column : predicate.columns()) {
    auto& known = columns[column.process];
    const bool is_new = std::none_of(known.begin(), known.end(), [&](const ReadColumn* other) {
      return other->name == column.name && other->is_truth == column.is_truth;
    });
    if (is_new) known.push_back(&column);
  }
  return columns;
}

/// Returns how many relevant events of the process there are up to this rank.
[[nodiscard]] Rank state_at(const GlobalPredicate& predicate, const Computation& computation,
                            ProcessIndex process, Rank rank) {
  return rank == 0 ? 0 : predicate.relevant().rank(computation.event(process, rank));
}

}  // namespace

std::vector<StatePart> state_parts(const GlobalAnswer& answer, const Computation& computation) {
  return state_parts(answer, computation, answer.decision.cut);
}

std::vector<StatePart> state_parts(const GlobalAnswer& answer, const Computation& computation,
                                   const std::vector<Rank>& cut) {
  std::vector<StatePart> parts;
  if (cut.empty()) return parts;
  for (const auto& [process, columns] : columns_by_process(answer.predicate)) {
    StatePart part{process, cut[process], {}};
    const Rank state = state_at(answer.predicate, computation, process, part.rank);
    for (const ReadColumn* column : columns) {
      part.reads.push_back(
          fmt::format("{} = {}", column->name, value_text(*column, column->values[state])));
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

std::vector<Change> changes(const GlobalAnswer& answer, const Computation& computation) {
  std::vector<Change> all;
  const ColumnsByProcess columns = columns_by_process(answer.predicate);
  for (const EventIndex e : answer.decision.observation) {
    if (!answer.predicate.relevant().contains(e)) continue;
    Change change{e, {}, {}};
    const Rank state = answer.predicate.relevant().rank(e);
    for (const ReadColumn* column : columns.at(computation.process_of(e))) {
      const std::string before = value_text(*column, column->values[state - 1]);
      const std::string after = value_text(*column, column->values[state]);
      if (before != after) {
        change.reads.push_back(fmt::format("{}: {} -> {}", column->name, before, after));
        change.after.push_back(fmt::format("{} = {}", column->name, after));
      }
    }
    all.push_back(std::move(change));
  }
  return all;
}

std::optional<bool> holds_as_recorded(const GlobalAnswer& answer, const Computation& computation) {
  const GlobalPredicate& predicate = answer.predicate;
  const std::vector<ReadColumn>& columns = predicate.columns();
  if (columns.size() * predicate.relevant().count() > most_looked_at) return std::nullopt;
  std::vector<Datum> values;
  for (const ReadColumn& column : columns) values.push_back(column.values[0]);
  if (is_true(value_of(predicate.term(), values))) return true;
  for (const EventIndex e : computation.order()) {
    if (!predicate.relevant().contains(e)) continue;
    const Rank state = predicate.relevant().rank(e);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (columns[c].process == computation.process_of(e)) values[c] = columns[c].values[state];
    }
    if (is_true(value_of(predicate.term(), values))) return true;
  }
  return false;
}

}  // namespace lightcone
