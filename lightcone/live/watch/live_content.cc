// Looks names up, and keeps few texts.
#include <lightcone/live/watch/live_content.h>

#include <lightcone/causal/interned_value.h>
#include <lightcone/property/states/observer.h>

#include <algorithm>
#include <utility>

namespace lightcone {
namespace {

constexpr std::string_view other_label = "\x01";

}  // namespace

LiveContent::LiveContent(const Vocabulary& vocabulary, Texts texts)
    : vocabulary_(vocabulary),
      texts_(texts),
      names_(Observer::names_of(vocabulary)),
      other_label_(names_.intern(other_label)),
      named_(names_.size()) {
  static_cast<void>(label_sets_.intern({}));  // which is the set 0
}

/// A name that a property knows of.
NameIndex LiveContent::find_name(std::string_view name) const {
  const NameIndex found = names_.find(name);
  return static_cast<std::size_t>(found) < named_ ? found : NameIndex::none;
}

/// Programs use few labels, so that most are found where they were put the last time.
NameIndex LiveContent::label_of(std::string_view label) {
  const unsigned ends = label.empty() ? 0
                                      : static_cast<unsigned char>(label.front()) +
                                            4U * static_cast<unsigned char>(label.back());
  SeenLabel& seen = seen_labels_[(label.size() + ends) % seen_labels_.size()];
  if (seen.name == NameIndex::none || seen.text != label) {
    const NameIndex name = find_name(label);
    seen = {std::string(label), name == NameIndex::none ? other_label_ : name};
  }
  return seen.name;
}

NameSetIndex LiveContent::set_of(const std::vector<NameIndex>& labels) {
  if (labels.empty()) return 0;
  if (labels.size() > 1) return label_sets_.intern(labels);
  const auto name = static_cast<std::size_t>(labels[0]);
  if (name >= sets_of_one_.size()) sets_of_one_.resize(name + 1, 0);
  if (sets_of_one_[name] == 0) sets_of_one_[name] = label_sets_.intern(labels);
  return sets_of_one_[name];
}

void LiveContent::assign(std::string_view variable, const LiveValue& value) {
  const NameIndex name = find_name(variable);
  if (name == NameIndex::none) return;  // no property reads it
  assignments_.push_back(
      {name, interned(value, [&](std::string_view text) { return names_.intern(text); })});
  const auto key = static_cast<std::uint32_t>(name);
  if (const auto* text = std::get_if<NameIndex>(&assignments_.back().value)) {
    text_values_[key] = *text;
  } else {
    text_values_.erase(key);
  }
}

/// Keeps the texts that are values of variables now, and assigns them anew, since they have moved.
void LiveContent::forget_texts() {
  Names fresh = Observer::names_of(vocabulary_);
  static_cast<void>(fresh.intern(other_label));
  for (auto at = text_values_.begin(); at != text_values_.end(); ++at) {
    at.value() = fresh.intern(names_[at->second]);
    assignments_.push_back({static_cast<NameIndex>(at->first), at->second});
  }
  names_ = std::move(fresh);
  most_bytes_ = std::max(least_text_bytes, 2 * names_.bytes());
}

StateContent LiveContent::of(Kind kind, const LiveState& state) {
  StateContent content;
  content.kind = kind;
  labels_.clear();
  for (const std::string_view label : state.labels) labels_.push_back(label_of(label));
  if (labels_.size() > 1) {
    std::sort(labels_.begin(), labels_.end());
    labels_.erase(std::unique(labels_.begin(), labels_.end()), labels_.end());
  }
  content.label_set = set_of(labels_);
  content.labels = labels_;
  assignments_.clear();
  if (texts_ == Texts::forgotten && names_.bytes() > most_bytes_) forget_texts();
  for (const auto& [variable, value] : state.variables) assign(variable, value);
  content.assignments = assignments_;
  if (!state.text.empty()) content.text = state.text;
  if (state.time) content.time = *state.time;
  return content;
}

}  // namespace lightcone
