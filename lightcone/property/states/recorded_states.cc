// Looks up what a state says, and the names of its messages only where they are read.
#include <lightcone/property/states/recorded_states.h>

namespace lightcone {

StateContent RecordedStates::at(Row row) {
  StateContent state;
  const bool is_event = row < computation_.event_count();
  const bool is_kept = !is_event || slice_.keeps(row);
  if (is_kept) {
    const auto& label_sets = computation_.attributes().labels;
    if (!label_sets.empty()) state.label_set = label_sets[row];
    state.labels = computation_.labels(row);
    state.assignments = computation_.assignments(row);
  }
  state.kind = is_event ? computation_.kind(row) : Kind::initial;
  state.sends = is_event && computation_.sends(row) != none;
  if (readers_.reads_content()) add_content(row, is_kept, state);
  return state;
}

void RecordedStates::add_content(Row row, bool is_kept, StateContent& state) {
  if (is_kept) {
    state.text = computation_.text(row);
    state.source = computation_.source(row);
  }
  if (const auto time = computation_.time(row)) state.time = *time;
  if (!readers_.reads_messages() || row >= computation_.event_count()) return;
  add_messages(row);
  state.messages = messages_;
}

void RecordedStates::add_messages(EventIndex e) {
  names_.clear();
  for (const MessageIndex m : computation_.takes(e)) names_.push_back(computation_.message_name(m));
  if (const MessageIndex m = computation_.sends(e); m != none) {
    names_.push_back(computation_.message_name(m));
  }
  messages_.assign(names_.begin(), names_.end());
}

}  // namespace lightcone
