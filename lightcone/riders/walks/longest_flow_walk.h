// Longest flows of a recorded computation at once: LO and SLO as rows of one table.
#pragma once

#include <lightcone/riders/observed_vector.h>
#include <lightcone/riders/reached_sets.h>
#include <lightcone/riders/ride.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lightcone {

/// Does what a LongestFlowRider per process does. Here a row has the key of its own process, too,
/// and a send copies the row, unless nothing has changed since the last one. With few processes
/// that costs less than to share vectors.
class LongestFlowWalk {
 public:
  /// All must outlive it. Rows take at most `most_bytes`.
  LongestFlowWalk(ReachedSets& sets, const Computation& computation, std::uint32_t scenes,
                  std::size_t most_bytes);

  /// Calls `visit(e, set)` with each labelled event, in causal order, and the set that it reaches.
  /// Returns false if rows would take too much memory; then some events were not visited.
  template <class Visit>
  [[nodiscard]] bool run(std::span<const Scene> scenes, const Visit& visit) {
    if (front_keys_.size() < fronts_.size()) return false;  // there was no room for them
    walk_causally(computation_, scenes, [&](const WalkedEvent& at) {
      for (const MessageIndex m : at.takes) take(at.process, m);
      if (is_labelled_[at.scene] != 0) visit(at.event, observe(at.process, at.scene));
      if (at.sends != none) send(at.process, at.sends);
    });
    return has_room(0);
  }

 private:
  struct Uncovered {
    std::uint32_t process, key, set;
  };

  /// What a message knows; several may share it.
  struct Passing {
    std::vector<Uncovered> uncovered = {};
    std::uint32_t references = 0;
  };
  struct Passage {
    std::uint32_t waiting = 0;  // how many have not taken the message yet
    std::uint32_t place = 0;
  };
  struct Front {
    std::vector<Uncovered> uncovered = {};
    std::uint32_t copied_to = none;  // where the last message has the row as it is now
  };

  [[nodiscard]] bool has_room(std::size_t more) const {
    return (front_keys_.size() + passing_keys_.size() + more * stride_) * sizeof(std::uint32_t) <=
           most_bytes_;
  }
  [[nodiscard]] std::uint32_t* front_row(ProcessIndex p) {
    return front_keys_.data() + p * stride_;
  }
  [[nodiscard]] std::uint32_t* passing_row(std::uint32_t place) {
    return passing_keys_.data() + place * stride_;
  }
  void take(ProcessIndex p, MessageIndex m);
  void join(ProcessIndex p, std::uint32_t place);
  [[nodiscard]] ReachedSets::Index observe(ProcessIndex p, Scene scene);
  void send(ProcessIndex p, MessageIndex m);
  void release(std::uint32_t place) {
    if (--passing_[place].references == 0) free_.push_back(place);
  }
  void change(Front& front) {
    if (front.copied_to != none) release(front.copied_to);
    front.copied_to = none;
  }

  ReachedSets& sets_;
  const Computation& computation_;
  std::size_t most_bytes_;
  std::size_t stride_;
  std::vector<std::uint8_t> is_labelled_;  // by scene
  std::vector<Front> fronts_;              // by process
  std::vector<std::uint32_t> front_keys_;
  std::vector<Passing> passing_;
  std::vector<std::uint32_t> passing_keys_;
  std::vector<std::uint32_t> free_;  // of passing_
  std::vector<Passage> passages_;    // by message
  std::vector<Uncovered> news_;
};

}  // namespace lightcone
