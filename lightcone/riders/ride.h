// Walks a recorded computation in causal order and tells riders about it as if it were live.
#pragma once

#include <lightcone/computation.h>
#include <lightcone/riders/rider.h>

#include <deque>
#include <vector>

namespace lightcone {

/// Returns how many events take each message: a tag is kept until the last of them has.
[[nodiscard]] inline std::vector<std::uint32_t> take_counts(const Computation& computation) {
  std::vector<std::uint32_t> counts(computation.message_count(), 0);
  for (EventIndex e = 0; e < computation.event_count(); ++e) {
    for (const MessageIndex m : computation.takes(e)) ++counts[m];
  }
  return counts;
}

/// The tags of messages on their way. Few are at any time: those that have been taken make room for
/// others, so that they stay near the processor.
template <class Tag>
class TagsInTransit {
 public:
  explicit TagsInTransit(const Computation& computation)
      : waiting_(take_counts(computation)), place_(computation.message_count()) {}

  /// Keeps the tag, unless nothing takes it.
  template <class MakeTag>
  void send(MessageIndex m, const MakeTag& make_tag) {
    if (waiting_[m] == 0) return;
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(tags_.size()));
      tags_.emplace_back();
    }
    place_[m] = free_.back();
    free_.pop_back();
    tags_[place_[m]] = make_tag();
  }
  [[nodiscard]] const Tag* of(MessageIndex m) const { return &tags_[place_[m]]; }
  /// One of those who take it has.
  void taken(MessageIndex m) {
    if (--waiting_[m] != 0) return;
    tags_[place_[m]] = {};
    free_.push_back(place_[m]);
  }
  void prefetch(MessageIndex m) const {
    __builtin_prefetch(&waiting_[m]);
    __builtin_prefetch(&place_[m]);
  }

 private:
  std::vector<std::uint32_t> waiting_;  // how many have not taken it yet
  std::vector<std::uint32_t> place_;
  std::deque<Tag> tags_;
  std::vector<std::uint32_t> free_;
};

/// What a rider is told of a row.
template <Rider R>
[[nodiscard]] Step step_at(const Computation& computation, std::span<const Scene> scenes, Row row) {
  Step step{scenes[row]};
  if constexpr (requires { R::reads_times; }) {
    if (const auto time = computation.time(row)) step.time = *time;
  }
  return step;
}

/// Lets riders, one per process, ride through the computation; `scenes` are of its rows. Calls
/// `visit(row, rider)` after the initial state and after each event of a process.
template <Rider R, class Visit>
void ride(const Computation& computation, std::span<const Scene> scenes, std::vector<R>& riders,
          const Visit& visit) {
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    const Row row = computation.initial_row(p);
    riders[p].start(step_at<R>(computation, scenes, row));
    visit(row, riders[p]);
  }
  TagsInTransit<typename R::Tag> tags(computation);
  std::vector<const typename R::Tag*> taken;
  constexpr std::size_t far = 32, near = 12;  // how many events ahead memory is asked for
  const std::span<const EventIndex> order = computation.order();
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i + far < order.size()) {
      computation.prefetch(order[i + far]);
      __builtin_prefetch(&scenes[order[i + far]]);
      for (const MessageIndex m : computation.takes(order[i + near])) tags.prefetch(m);
    }
    const EventIndex e = order[i];
    R& rider = riders[computation.process_of(e)];
    const std::span<const MessageIndex> takes = computation.takes(e);
    if (takes.empty()) {
      rider.event(step_at<R>(computation, scenes, e));
    } else {
      taken.clear();
      for (const MessageIndex m : takes) taken.push_back(tags.of(m));
      rider.receive(step_at<R>(computation, scenes, e), taken);
      for (const MessageIndex m : takes) tags.taken(m);
    }
    if (const MessageIndex m = computation.sends(e); m != none) {
      tags.send(m, [&] { return rider.tag(); });
    }
    visit(e, rider);
  }
}

}  // namespace lightcone
