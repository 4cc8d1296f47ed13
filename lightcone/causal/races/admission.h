// Which messages a receive could have taken, where its labels say so, as in traces of MPI programs.
#pragma once

#include <lightcone/computation.h>

#include <string_view>
#include <vector>

namespace lightcone {

/// What the labels of an event say about the message that it sends or takes: at most one label that
/// begins with `comm:`, one that begins with `tag:`, and for receives `any_source` and `any_tag`.
struct MessageLabels {
  NameIndex communicator = NameIndex::none;
  NameIndex tag = NameIndex::none;
  bool any_source = false, any_tag = false;

  /// Returns whether they limit what a receive could have taken.
  [[nodiscard]] bool selects() const { return communicator != NameIndex::none; }
};

/// Reads the labels once. A receive without a communicator admits every message. One with a
/// communicator admits those of its sender only, or of any source, that were sent there with its
/// tag, or with any one that is said; since messages of one sender do not overtake each other, it
/// could not have taken another one of the sender whose message it took.
class Admission {
 public:
  explicit Admission(const Computation& computation);

  /// Returns whether some events name a communicator; otherwise everything is admitted.
  [[nodiscard]] bool selects() const { return !sets_.empty(); }
  [[nodiscard]] const MessageLabels& labels(EventIndex e) const {
    static constexpr MessageLabels nothing;
    return sets_.empty() ? nothing : sets_[computation_->attributes().labels[e]];
  }
  /// Returns whether a receive could have taken another message instead of the one that it took.
  [[nodiscard]] bool admits(EventIndex receive, MessageIndex taken, MessageIndex other) const;

 private:
  const Computation* computation_;
  std::vector<MessageLabels> sets_;  // by set of labels
};

}  // namespace lightcone
