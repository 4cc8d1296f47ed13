// Whether two events of two runs are the same, and in what they differ.
#pragma once

#include <lightcone/compare/message_identity.h>
#include <lightcone/diff.h>

#include <cstdint>
#include <vector>

namespace lightcone {

/// Compares events and initial states of two runs. Both must outlive it.
class EventComparison {
 public:
  EventComparison(const Computation& a, const Computation& b, const DiffOptions& options);

  [[nodiscard]] Unlike events(EventIndex in_a, EventIndex in_b);
  /// What rows have besides messages; also for initial states.
  [[nodiscard]] Unlike attributes(Row in_a, Row in_b);
  /// Returns whether both rows have a digest, and digests are compared.
  [[nodiscard]] bool compares_contents(Row in_a, Row in_b) const;

 private:
  /// A value of a variable with its type; strings under shared numbers.
  struct SharedValue {
    std::uint32_t variable = 0;
    std::size_t type = 0;
    std::uint64_t bits = 0;
    friend auto operator<=>(const SharedValue&, const SharedValue&) = default;
  };
  struct OneRun {
    OneRun(const Computation& run, SharedNames& shared) : computation(run), numbers(run, shared) {}
    const Computation& computation;
    SharedNumbers numbers;
    std::vector<MessageKey> taken = {};      // of the event at hand
    std::vector<SharedValue> assigned = {};  // by the event at hand
    void take(EventIndex e);
    void assign(Row row);
    [[nodiscard]] std::uint32_t set(const std::vector<NameSetIndex>& column, Row row) const;
    [[nodiscard]] std::uint32_t text(Row row) const;
  };

  [[nodiscard]] bool has_same_messages(EventIndex in_a, EventIndex in_b);
  [[nodiscard]] bool assigns_the_same(Row in_a, Row in_b);

  DiffOptions options_;
  SharedNames shared_;
  OneRun a_, b_;
};

}  // namespace lightcone
