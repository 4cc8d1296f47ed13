// Walks a recorded computation in causal order and tells riders about it as if it were live.
#pragma once

#include <lightcone/computation.h>
#include <lightcone/riders/rider.h>

#include <vector>

namespace lightcone {

/// The tags of messages on their way. Few are at any time: those that have been taken make room for
/// others, so that they stay near the processor.
template <class Tag>
class TagsInTransit {
 public:
  explicit TagsInTransit(const Computation& computation) : passages_(computation.message_count()) {
    for (const MessageIndex m : computation.columns().takes) ++passages_[m].waiting;
  }

  /// Keeps the tag, unless nothing takes it.
  template <class MakeTag>
  void send(MessageIndex m, const MakeTag& make_tag) {
    Passage& passage = passages_[m];
    if (passage.waiting == 0) return;
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(tags_.size()));
      tags_.emplace_back();
    }
    passage.place = free_.back();
    free_.pop_back();
    tags_[passage.place] = make_tag();
  }
  /// It stays where it is until the next tag is sent.
  [[nodiscard]] const Tag* of(MessageIndex m) const { return &tags_[passages_[m].place]; }
  /// One of those who take it has.
  void taken(MessageIndex m) {
    Passage& passage = passages_[m];
    if (--passage.waiting != 0) return;
    tags_[passage.place] = {};
    free_.push_back(passage.place);
  }

 private:
  struct Passage {
    std::uint32_t waiting = 0;  // how many have not taken it yet
    std::uint32_t place = 0;
  };

  std::vector<Passage> passages_;  // by message
  std::vector<Tag> tags_;
  std::vector<std::uint32_t> free_;
};

/// An event of a walk, and what happens at it.
struct WalkedEvent {
  EventIndex event;
  ProcessIndex process;
  Scene scene;
  std::span<const MessageIndex> takes;
  MessageIndex sends;  ///< or none
};

/// Calls `visit(WalkedEvent)` with each event, in causal order. That order jumps from process to
/// process, so that memory is asked for in advance.
template <class Visit>
void walk_causally(const Computation& computation, std::span<const Scene> scenes,
                   const Visit& visit) {
  constexpr std::size_t ahead = 24;
  const Columns& columns = computation.columns();
  // What is written during the walk is none of these; the compiler does not know that.
  const ProcessIndex* const process_of = columns.process_of.data();
  const std::uint32_t* const takes_begin = columns.takes_begin.data();
  const MessageIndex* const takes = columns.takes.data();
  const MessageIndex* const sends = columns.sends.data();
  const Scene* const scene_of = scenes.data();
  const std::span<const EventIndex> order = computation.order();
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i + ahead < order.size()) {
      const EventIndex later = order[i + ahead];
      __builtin_prefetch(&process_of[later]);
      __builtin_prefetch(&takes_begin[later]);
      __builtin_prefetch(&sends[later]);
      __builtin_prefetch(&scene_of[later]);
      __builtin_prefetch(&takes[takes_begin[order[i + ahead / 2]]]);
    }
    const EventIndex e = order[i];
    const std::uint32_t begin = takes_begin[e];
    visit(WalkedEvent{e, process_of[e], scene_of[e],
                      std::span(takes + begin, takes_begin[e + 1] - begin), sends[e]});
  }
}

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
  walk_causally(computation, scenes, [&](const WalkedEvent& at) {
    R& rider = riders[at.process];
    if (at.takes.empty()) {
      rider.event(step_at<R>(computation, scenes, at.event));
    } else {
      taken.clear();
      for (const MessageIndex m : at.takes) taken.push_back(tags.of(m));
      rider.receive(step_at<R>(computation, scenes, at.event), taken);
      for (const MessageIndex m : at.takes) tags.taken(m);
    }
    if (at.sends != none) tags.send(at.sends, [&] { return rider.tag(); });
    visit(at.event, rider);
  });
}

}  // namespace lightcone
