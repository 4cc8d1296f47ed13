// Looks names up, and remembers which have occurred.
#include <lightcone/check/growing/growing_event.h>

#include <lightcone/causal/interned_value.h>
#include <lightcone/trace/jsonl/near_members.h>

#include <cmath>

namespace lightcone {
namespace {

[[nodiscard]] std::shared_ptr<const GrowingEvent::Words> words_of(const MonitoredEvent& event) {
  auto words = std::make_shared<GrowingEvent::Words>();
  if (event.text.data() != nullptr) words->text = event.text;
  if (event.source.data() != nullptr) words->source = event.source;
  words->messages.assign(event.takes.begin(), event.takes.end());
  if (event.sends.data() != nullptr) words->messages.emplace_back(event.sends);
  return words;
}

}  // namespace

GrowingEvent EventNames::looked_up(const MonitoredEvent& event) {
  GrowingEvent known;
  known.kind = event.kind;
  known.line = event.line;
  if (event.time) known.time = *event.time;
  std::vector<NameIndex> labels;
  for (const std::string_view label : event.labels) labels.push_back(names_.intern(label));
  known.label_set = label_sets_.intern(labels);
  for (const auto& [variable, value] : event.variables) {
    const NameIndex name = names_.intern(variable);
    if (!variables_.contains(name)) known.new_variables.push_back(name);
    if (static_cast<std::size_t>(name) >= named_) continue;  // no property reads it
    if (std::holds_alternative<std::string_view>(value)) known.assigns_text = true;
    known.assignments.push_back(
        {name, interned(value, [&](std::string_view text) { return names_.intern(text); })});
  }
  if (reads_words_) known.words = words_of(event);
  if (!event.extra.empty()) find_near_members(event.extra, members_);
  return known;
}

StateContent EventNames::content_of(const GrowingEvent& event) {
  StateContent content;
  content.kind = event.kind;
  content.sends = event.sends != GrowingEvent::no_message;
  content.label_set = event.label_set;
  content.labels = label_sets_[event.label_set];
  content.assignments = event.assignments;
  content.time = event.time;
  if (!event.words) return content;
  if (event.words->text) content.text = *event.words->text;
  if (event.words->source) content.source = *event.words->source;
  message_views_.assign(event.words->messages.begin(), event.words->messages.end());
  content.messages = message_views_;
  return content;
}

void EventNames::note(const GrowingEvent& event) {
  has_times_ = has_times_ || !std::isnan(event.time);
  variables_.insert(event.new_variables.begin(), event.new_variables.end());
  if (event.assigns_text) {
    for (const Assignment& assignment : event.assignments) {
      if (std::holds_alternative<NameIndex>(assignment.value)) texts_.insert(assignment.variable);
    }
  }
  if (!happened_sets_.insert(event.label_set).second) return;
  for (const NameIndex label : label_sets_[event.label_set]) labels_.insert(label);
}

TraceNames EventNames::happened() const {
  TraceNames all;
  for (const NameIndex label : labels_) all.labels.emplace_back(names_[label]);
  for (const NameIndex variable : variables_) all.variables.emplace_back(names_[variable]);
  for (const NameIndex variable : texts_) all.texts.emplace_back(names_[variable]);
  all.has_times = has_times_;
  return all;
}

std::vector<std::string_view> EventNames::labels(NameSetIndex set) const {
  std::vector<std::string_view> labels;
  for (const NameIndex label : label_sets_[set]) labels.push_back(names_[label]);
  return labels;
}

}  // namespace lightcone
