// Walks through the states of each process and keeps what a global expression reads of them.
#include <lightcone/property/states/global_predicate.h>

#include <lightcone/property/states/recorded_states.h>

#include <algorithm>
#include <map>

namespace lightcone {
namespace {

/// Returns whether an expression reads what every event has, whatever value it belongs to.
[[nodiscard]] bool asks_all_events(const Expression& expression) {
  if (expression.kind == Expression::Kind::attribute && expression.name != "text" &&
      expression.name != "source") {
    return true;
  }
  return std::ranges::any_of(expression.parts,
                             [](const Expression& part) { return asks_all_events(part); });
}

/// Fills the columns of each process, and marks the events that change one.
class ColumnReader {
 public:
  ColumnReader(const Computation& computation, const GlobalReads& reads,
               const std::function<bool()>& may_go_on, ValueSlice slice, bool only_members)
      : computation_(computation),
        reads_(reads),
        may_go_on_(may_go_on),
        slice_(slice),
        only_members_(only_members) {}

  /// False if it had to end early.
  [[nodiscard]] bool read(const std::vector<GlobalReads::Column>& bound,
                          std::vector<ReadColumn>& columns, std::vector<bool>& relevant) {
    std::vector<std::map<std::uint32_t, std::uint32_t>> of_process(computation_.process_count());
    for (std::uint32_t i = 0; i < bound.size(); ++i) {
      const GlobalReads::Read& read = reads_.reads()[bound[i].read];
      columns.push_back({bound[i].process, {}, read.name, read.is_truth});
      of_process[bound[i].process][bound[i].read] = i;
    }
    for (ProcessIndex p = 0; p < computation_.process_count(); ++p) {
      if (of_process[p].empty()) continue;
      StateReader reader(reads_, computation_.process_name(p));
      std::vector<ReadColumn*> into;
      for (const std::uint32_t read : reader.reads()) into.push_back(&columns[of_process[p][read]]);
      if (!read_process(p, reader, into, relevant)) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] bool read_process(ProcessIndex p, StateReader& reader,
                                  const std::vector<ReadColumn*>& into,
                                  std::vector<bool>& relevant) {
    const auto keep = [&] {
      for (std::size_t i = 0; i < into.size(); ++i) into[i]->values.push_back(reader.values()[i]);
    };
    const Row initial = computation_.initial_row(p);
    RecordedStates states(computation_, reads_.local(), slice_);
    (void)reader.observe(states.at(initial));
    keep();
    const auto look = [&](EventIndex e) {
      if (!may_go_on(into.size())) return false;
      if (!reader.observe(states.at(e))) return true;
      relevant[e] = true;
      keep();
      return true;
    };
    if (only_members_) return look_at_members(p, look);
    for (EventIndex e = computation_.first_event(p); e < computation_.end_event(p); ++e) {
      if (!look(e)) return false;
    }
    return true;
  }

  /// Of a slice: the events of its value, and those right after them and after the initial state,
  /// which end what labels and texts say. All others leave what is read as it is.
  template <class Look>
  [[nodiscard]] bool look_at_members(ProcessIndex p, const Look& look) const {
    const auto members =
        slice_.value == none ? std::span<const EventIndex>() : slice_.values->events(slice_.value);
    const EventIndex end = computation_.end_event(p);
    EventIndex next = computation_.first_event(p);  // the first that has not been looked at
    if (next < end && !slice_.keeps(next) && !look(next++)) return false;
    for (auto e = std::lower_bound(members.begin(), members.end(), next);
         e != members.end() && *e < end; ++e) {
      if (*e >= next && !look(*e)) return false;
      next = *e + 1;
      const bool is_followed = next < end && !slice_.keeps(next);
      if (is_followed && !look(next++)) return false;
    }
    return true;
  }

  /// Asks once for about a million values that are looked at.
  [[nodiscard]] bool may_go_on(std::size_t values) {
    constexpr std::uint32_t often = 1 << 20;
    looks_ += static_cast<std::uint32_t>(std::min<std::size_t>(values, often));
    if (looks_ < often) return true;
    looks_ = 0;
    return !may_go_on_ || may_go_on_();
  }

  const Computation& computation_;
  const GlobalReads& reads_;
  const std::function<bool()>& may_go_on_;
  ValueSlice slice_;
  bool only_members_;
  std::uint32_t looks_ = 0;
};

}  // namespace

bool asks_all_events(const Properties& properties, const Expression& expression) {
  return asks_all_events(expression) ||
         std::ranges::any_of(properties.labels, [](const DeclaredLabel& label) {
           return asks_all_events(label.predicate);
         });
}

GlobalPredicate::GlobalPredicate(const Computation& computation, const Properties& properties,
                                 const Expression& expression,
                                 const std::function<bool()>& may_go_on, ValueSlice slice)
    : relevant_(computation, [](EventIndex) { return false; }) {
  const GlobalReads reads(properties, expression, computation.names());
  std::vector<std::string> processes;
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    processes.emplace_back(computation.process_name(p));
  }
  std::vector<GlobalReads::Column> bound;
  term_ = reads.bind(processes, bound);
  std::vector<bool> relevant(computation.event_count(), false);
  const bool only_members = slice.values != nullptr && !asks_all_events(properties, expression);
  is_whole_ = ColumnReader(computation, reads, may_go_on, slice, only_members)
                  .read(bound, columns_, relevant);
  given_up_ = reads.local().given_up();
  if (!is_whole_) {
    columns_.clear();
    term_ = {};
    return;
  }
  relevant_ = Selection(computation, [&](EventIndex e) { return relevant[e]; });
}

}  // namespace lightcone
