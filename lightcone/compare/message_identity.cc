// Numbers the messages of each sender by their receivers.
#include <lightcone/compare/message_identity.h>

#include <algorithm>

namespace lightcone {
namespace {

/// The receivers that a send names, each once and sorted.
[[nodiscard]] std::vector<std::string> receivers_of(const Computation& computation, EventIndex e) {
  std::vector<std::string> to;
  for (const NameIndex name : computation.to(e)) to.emplace_back(computation.names()[name]);
  std::sort(to.begin(), to.end());
  to.erase(std::unique(to.begin(), to.end()), to.end());
  return to;
}

}  // namespace

std::uint32_t SharedNames::name(std::string_view text) {
  return names_.try_emplace(text, static_cast<std::uint32_t>(names_.size())).first->second;
}

std::uint32_t SharedNames::set(std::vector<std::uint32_t> members) {
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
  return sets_.try_emplace(std::move(members), static_cast<std::uint32_t>(sets_.size()))
      .first->second;
}

SharedNumbers::SharedNumbers(const Computation& computation, SharedNames& shared) {
  for (std::uint32_t i = 0; i < computation.names().size(); ++i) {
    names.push_back(shared.name(computation.names()[NameIndex{i}]));
  }
  for (std::uint32_t i = 0; i < computation.name_sets().size(); ++i) {
    std::vector<std::uint32_t> members;
    for (const NameIndex index : computation.name_sets()[i]) members.push_back(name(index));
    sets.push_back(shared.set(std::move(members)));
  }
  const std::vector<NameSetIndex>& to = computation.attributes().to;
  messages.resize(computation.message_count());
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    const std::uint32_t from = shared.name(computation.process_name(p));
    std::unordered_map<std::uint32_t, std::uint64_t> counts;
    for (EventIndex e = computation.first_event(p); e < computation.end_event(p); ++e) {
      const MessageIndex m = computation.sends(e);
      if (m == none) continue;
      const std::uint32_t receivers = to.empty() ? sets[0] : sets[to[e]];
      messages[m] = {from, receivers, ++counts[receivers]};
    }
  }
}

CommonMessage common_message(const Computation& computation, MessageIndex m) {
  const EventIndex send = computation.sent_by(m);
  const ProcessIndex p = computation.process_of(send);
  CommonMessage identity{std::string(computation.process_name(p)), receivers_of(computation, send),
                         0};
  for (EventIndex e = computation.first_event(p); e <= send; ++e) {
    if (computation.sends(e) == none) continue;
    identity.number += receivers_of(computation, e) == identity.to;
  }
  return identity;
}

MessageIndex find_message(const Computation& computation, const CommonMessage& identity) {
  const auto p = computation.find_process(identity.from);
  if (!p) return none;
  std::uint64_t number = 0;
  for (EventIndex e = computation.first_event(*p); e < computation.end_event(*p); ++e) {
    const MessageIndex m = computation.sends(e);
    if (m == none || receivers_of(computation, e) != identity.to) continue;
    if (++number == identity.number) return m;
  }
  return none;
}

}  // namespace lightcone
