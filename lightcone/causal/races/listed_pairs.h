// Which racing pairs were listed, so that none is listed twice.
#pragma once

#include <lightcone/computation.h>

#include <array>
#include <set>
#include <vector>

namespace lightcone {

/// Pairs of messages by name. The same pair races again where a message is received again: by
/// another receiver, or as a duplicate.
class ListedPairs {
 public:
  explicit ListedPairs(const Computation& computation)
      : is_received_again_(computation.message_count(), false) {
    std::vector<bool> is_received(computation.message_count(), false);
    for (EventIndex e = 0; e < computation.event_count(); ++e) {
      for (const MessageIndex m : computation.takes(e)) {
        if (is_received[m]) is_received_again_[m] = true;
        is_received[m] = true;
      }
    }
  }

  /// Returns whether this pair was not added before, `at` a process if these are told apart.
  [[nodiscard]] bool add(MessageIndex first, MessageIndex second, ProcessIndex at = 0) {
    if (!is_received_again_[first] && !is_received_again_[second]) return true;
    return listed_.insert({at, first, second}).second;
  }

 private:
  std::vector<bool> is_received_again_;
  std::set<std::array<std::uint32_t, 3>> listed_ = {};
};

}  // namespace lightcone
