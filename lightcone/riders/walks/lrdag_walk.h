// LRDAG equations of a recorded computation, if there are at most 64: a look into a table per
// event.
#pragma once

#include <lightcone/property/automata/lrdag.h>
#include <lightcone/riders/ride.h>

#include <cstdint>
#include <span>
#include <vector>

namespace lightcone {

/// Does what an LrdagRider per process does. The bits of a state depend on its scene, on the bits
/// of the state before and on those of its messages. Few combinations occur, so that results are
/// kept. A tag is one word, so that each message has a place of its own for it.
class LrdagWalk {
 public:
  [[nodiscard]] static bool can(const Lrdag& lrdag) {
    return lrdag.words() == 1 && lrdag.members().size() <= 64;
  }

  LrdagWalk(Lrdag& lrdag, std::uint32_t scenes);

  /// Calls `visit(row, found)` for each initial state, then for each event in causal order. Bit m
  /// of `found` says whether the member m of the equations is found there.
  template <class Visit>
  void run(const Computation& computation, std::span<const Scene> scenes, const Visit& visit) {
    std::vector<std::uint64_t> states(computation.process_count(), 0);
    std::vector<std::uint64_t> sent(computation.message_count());
    for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
      const Row row = computation.initial_row(p);
      const Known& known = step(scenes[row], 0, 0);
      states[p] = known.next;
      visit(row, known.found);
    }
    walk_causally(computation, scenes, [&](const WalkedEvent& at) {
      std::uint64_t message = 0;
      for (const MessageIndex m : at.takes) message |= sent[m];
      // A flow does not ask where a predecessor is: fewer combinations differ.
      const Known& known = has_only_flows_ ? step(at.scene, states[at.process] | message, 0)
                                           : step(at.scene, states[at.process], message);
      states[at.process] = known.next;
      if (at.sends != none) sent[at.sends] = known.next;
      visit(at.event, known.found);
    });
  }

 private:
  static constexpr std::size_t kept_per_scene = 256;  // 2^8

  /// The last step that had this place.
  struct Known {
    std::uint64_t previous = 0, message = 0, next = 0, found = 0;
    bool is_known = false;
  };

  [[nodiscard]] const Known& step(Scene scene, std::uint64_t previous, std::uint64_t message) {
    const std::uint64_t mixed = (previous ^ message * 0x9e3779b97f4a7c15) * 0xff51afd7ed558ccd;
    Known& known = known_[scene * kept_per_scene + (mixed >> 56)];
    if (!known.is_known || known.previous != previous || known.message != message) {
      known = {previous, message, 0, 0, true};
      find_out(scene, known);
    }
    return known;
  }
  void find_out(Scene scene, Known& known);

  Lrdag& lrdag_;
  bool has_only_flows_;
  std::vector<Known> known_;
};

}  // namespace lightcone
