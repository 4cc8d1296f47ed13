// Goes backwards through the receives of a process, with what the senders of later messages knew.
#include <lightcone/causal/races/racing_receives.h>

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace lightcone {
namespace {

/// So many events between the beginning of a receive and its end are looked at.
constexpr Rank most_overlapping = 4096;

/// The least that senders knew of the receiver, for two different senders.
class LeastKnown {
 public:
  void add(ProcessIndex sender, Rank known) {
    if (sender == sender_) {
      known_ = std::min(known_, known);
    } else if (known < known_) {
      others_ = known_;
      known_ = known;
      sender_ = sender;
    } else {
      others_ = std::min(others_, known);
    }
  }
  /// Of messages that this sender did not send.
  [[nodiscard]] Rank of_others(ProcessIndex sender) const {
    return sender == sender_ ? others_ : known_;
  }

 private:
  static constexpr Rank nothing = std::numeric_limits<Rank>::max();
  ProcessIndex sender_ = none;
  Rank known_ = nothing, others_ = nothing;
};

/// Later messages by communicator and tag; those with any tag are there, too.
class LaterMessages {
 public:
  void add(const MessageLabels& labels, ProcessIndex sender, Rank known) {
    if (!labels.selects()) return;
    lists_[key(labels.communicator, labels.tag)].add(sender, known);
    if (labels.tag == NameIndex::none) return;
    lists_[key(labels.communicator, any_tag)].add(sender, known);
  }
  /// Returns the least that was known by senders of messages that a receive admits.
  [[nodiscard]] Rank least(const MessageLabels& wanted, ProcessIndex sender) const {
    const auto list = lists_.find(key(wanted.communicator, wanted.any_tag ? any_tag : wanted.tag));
    return list == lists_.end() ? std::numeric_limits<Rank>::max() : list->second.of_others(sender);
  }

 private:
  static constexpr auto any_tag = NameIndex{static_cast<std::uint32_t>(NameIndex::none) - 1};
  [[nodiscard]] static std::uint64_t key(NameIndex communicator, NameIndex tag) {
    return std::uint64_t{static_cast<std::uint32_t>(communicator)} << 32 |
           static_cast<std::uint32_t>(tag);
  }
  std::unordered_map<std::uint64_t, LeastKnown> lists_;
};

}  // namespace

RacingReceives::RacingReceives(const Computation& computation)
    : computation_(computation),
      admission_(computation),
      missing_(unreceived_messages(computation)) {}

/// Returns whether labels say what the receive admits, and admit what it took.
bool RacingReceives::is_sure(EventIndex receive) const {
  const auto takes = computation_.takes(receive);
  const MessageLabels& wanted = admission_.labels(receive);
  if (takes.size() != 1 || !wanted.selects()) return false;
  const MessageLabels& sent = admission_.labels(computation_.sent_by(takes.front()));
  return sent.communicator == wanted.communicator && sent.tag == wanted.tag &&
         sent.tag != NameIndex::none;
}

/// Returns whether another receive that ended while this one had begun took what this one admits.
bool RacingReceives::overlaps(const BegunReceive& receive) const {
  const Rank rank = computation_.rank_of(receive.event);
  if (receive.begun + 1 >= rank) return false;
  if (rank - receive.begun > most_overlapping) return true;
  const MessageIndex taken = computation_.takes(receive.event).front();
  for (EventIndex e = receive.event - (rank - receive.begun - 1); e < receive.event; ++e) {
    for (const MessageIndex other : computation_.takes(e)) {
      if (admission_.admits(receive.event, taken, other)) return true;
    }
  }
  return false;
}

std::vector<bool> RacingReceives::of(ProcessIndex p, std::span<const BegunReceive> receives,
                                     const Timestamps& known) const {
  std::vector<bool> could(receives.size(), true);
  LaterMessages later;
  const auto sender_of = [&](MessageIndex m) {
    return computation_.process_of(computation_.sent_by(m));
  };
  const auto add = [&](MessageIndex m) {
    const EventIndex send = computation_.sent_by(m);
    later.add(admission_.labels(send), computation_.process_of(send), known.at(send, p));
  };
  for (const Unreceived& missing : missing_) {
    if (missing.addressee == p) add(missing.message);
  }
  std::size_t left = receives.size();
  for (EventIndex e = computation_.end_event(p); e > computation_.first_event(p) && left > 0;) {
    --e;
    for (; left > 0 && receives[left - 1].event == e; --left) {
      if (!is_sure(e)) continue;
      const MessageLabels& wanted = admission_.labels(e);
      const bool any_source = wanted.any_source;
      const Rank least =
          any_source ? later.least(wanted, sender_of(computation_.takes(e).front())) : none;
      could[left - 1] =
          any_source && (least < computation_.rank_of(e) || overlaps(receives[left - 1]));
    }
    for (const MessageIndex m : computation_.takes(e)) add(m);
  }
  return could;
}

}  // namespace lightcone
