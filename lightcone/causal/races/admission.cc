// Few sets of labels differ, so each is read once.
#include <lightcone/causal/races/admission.h>

#include <algorithm>

namespace lightcone {
namespace {

constexpr std::string_view communicator_prefix = "comm:", tag_prefix = "tag:";

[[nodiscard]] bool names_a_communicator(const Computation& computation) {
  if (computation.attributes().labels.empty()) return false;
  for (std::uint32_t i = 0; i < computation.names().size(); ++i) {
    if (computation.names()[NameIndex{i}].starts_with(communicator_prefix)) return true;
  }
  return false;
}

[[nodiscard]] MessageLabels read(const Names& names, std::span<const NameIndex> labels) {
  MessageLabels read;
  for (const NameIndex label : labels) {
    const std::string_view text = names[label];
    if (text.starts_with(communicator_prefix)) read.communicator = label;
    if (text.starts_with(tag_prefix)) read.tag = label;
    if (text == "any_source") read.any_source = true;
    if (text == "any_tag") read.any_tag = true;
  }
  return read;
}

}  // namespace

Admission::Admission(const Computation& computation) : computation_(&computation) {
  if (!names_a_communicator(computation)) return;
  const NameSets& sets = computation.name_sets();
  sets_.reserve(sets.size());
  for (NameSetIndex i = 0; i < sets.size(); ++i) {
    sets_.push_back(read(computation.names(), sets[i]));
  }
}

bool Admission::admits(EventIndex receive, MessageIndex taken, MessageIndex other) const {
  const MessageLabels& wanted = labels(receive);
  if (!wanted.selects()) return true;
  const auto sender = [&](MessageIndex m) {
    return computation_->process_of(computation_->sent_by(m));
  };
  if (!wanted.any_source || sender(taken) == sender(other)) return false;
  const MessageLabels& sent = labels(computation_->sent_by(other));
  if (sent.communicator != wanted.communicator) return false;
  return sent.tag == wanted.tag || (wanted.any_tag && sent.tag != NameIndex::none);
}

}  // namespace lightcone
