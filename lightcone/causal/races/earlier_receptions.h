// The receptions of one process so far, found by the messages that could have come instead.
#pragma once

#include <lightcone/causal/races/admission.h>
#include <lightcone/causal/races/races.h>
#include <lightcone/computation.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

namespace lightcone {

/// Keeps receptions by what their receives admit, so that those that admit a message are found
/// without looking at the others. What they admit is what `Admission::admits` says.
class EarlierReceptions {
 public:
  EarlierReceptions(const Computation& computation, const Admission& admission)
      : computation_(computation), admission_(admission) {}

  /// Adds what a receive took; receives come in their order.
  void add(EventIndex receive);
  /// The rank of the last receive that admits a message; 0 if there is none.
  [[nodiscard]] Rank last_admitting(MessageIndex message) const;
  /// Calls `visit(first, later)` with the receptions after a rank whose receives admit the message
  /// of a later one, in their order, until it returns false; then returns false.
  bool for_each_admitting(
      const Reception& later, Rank after,
      const std::function<bool(Reception first, Reception second)>& visit) const;

 private:
  /// Receptions that admit the same, but, if `by_sender`, those of one sender none of its messages.
  struct List {
    bool by_sender = false;
    std::vector<Reception> receptions = {};
    std::vector<std::uint32_t> runs = {};  ///< if `by_sender`: where another sender's begin
  };
  /// A place in a list.
  struct Cursor {
    const List* list = nullptr;
    std::size_t at = 0;
    [[nodiscard]] bool at_end() const { return at == list->receptions.size(); }
    [[nodiscard]] const Reception& reception() const { return list->receptions[at]; }
  };
  struct Cursors {
    std::array<Cursor, 3> all = {};
    std::size_t count = 0;
    [[nodiscard]] std::span<Cursor> used() { return {all.data(), count}; }
  };

  [[nodiscard]] ProcessIndex sender_of(MessageIndex m) const {
    return computation_.process_of(computation_.sent_by(m));
  }
  [[nodiscard]] Cursors lists_for(MessageIndex message, Rank after) const;
  void skip_sender(Cursor& cursor, ProcessIndex sender) const;
  void append(NameIndex communicator, NameIndex tag, const Reception& reception);

  const Computation& computation_;
  const Admission& admission_;
  List open_;                                      // receives that admit everything
  std::unordered_map<std::uint64_t, List> lists_;  // by communicator and tag
};

}  // namespace lightcone
