// Two runs of one program: which events are the same, and where the runs part first.
#pragma once

#include <lightcone/computation.h>
#include <lightcone/trace.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// What is compared of two events, besides their kinds and their messages.
struct DiffOptions {
  bool labels = true;
  bool variables = true;
  bool text = true;
  bool contents = true;  ///< digests, where both events have one
};

/// One of the two runs, and how far it is known.
struct ComparedRun {
  const Computation* computation = nullptr;
  bool cut_off = false;         ///< the last events of processes may be lost
  bool lost_processes = false;  ///< all events of a process may be lost
  bool lost_start = false;      ///< initial states may be lost
  /// The events of each process that are known as they happened; empty: all. They must be a
  /// consistent prefix.
  std::vector<Rank> known = {};

  /// A run that is known completely.
  [[nodiscard]] static ComparedRun whole(const Computation& computation);
  /// A run as a reader has left it. The reading must outlive it.
  [[nodiscard]] static ComparedRun of(const Reading& reading);

  [[nodiscard]] bool is_whole() const { return !cut_off && !lost_processes && !lost_start; }
  [[nodiscard]] Rank known_events(ProcessIndex p) const {
    return known.empty() ? computation->last_rank(p) : known[p];
  }
  /// Returns whether the process made no more events than these.
  [[nodiscard]] bool ends(ProcessIndex p) const {
    return !cut_off && known_events(p) == computation->last_rank(p);
  }
};

/// A process of either run and the process of the same name in the other. Its events 1 to `alike`
/// are pairs: the event of one run stands beside the event of the same rank in the other.
struct AlignedProcess {
  std::string name;
  std::optional<ProcessIndex> in_a = {}, in_b = {};
  Rank events_a = 0, events_b = 0;  ///< that are known
  Rank alike = 0;
  /// The rank of the first event that is not the same in both; 0: the initial state. Nothing if no
  /// difference is known.
  std::optional<Rank> differs_at = {};
};

/// How the two runs differ at one place.
enum class DifferenceKind : std::uint8_t {
  message,   ///< a receive took another message
  contents,  ///< the same message, other bytes
  event,     ///< another kind, label, receiver, variable or text
  missing,   ///< one run ends there
};
[[nodiscard]] std::string_view name_of(DifferenceKind kind);

/// What two events do not have in common.
struct Unlike {
  bool kind = false, message = false, to = false, labels = false, variables = false, text = false;
  bool contents = false;

  [[nodiscard]] bool any() const {
    return kind || message || to || labels || variables || text || contents;
  }
  /// The names of those that are true, as in `labels`.
  [[nodiscard]] std::vector<std::string_view> names() const;
};

/// The first event of a process that is not the same in both runs.
struct Difference {
  std::size_t process = 0;  ///< among Comparison::processes
  Rank rank = 0;            ///< 0: the initial state
  DifferenceKind kind = DifferenceKind::event;
  bool is_in_a = true, is_in_b = true;  ///< `missing`: one of them is false
  Unlike unlike = {};
  /// Whether all that led to it is known in both runs. If not, something that was not recorded may
  /// differ before it.
  bool is_past_known = true;
};

/// The result of comparing two runs.
struct Comparison {
  enum class Sameness : std::uint8_t { same, different, unknown };

  std::vector<AlignedProcess> processes;  ///< those of the first run in its order, then the others
  /// The causally first differences: where the runs part. Sorted by process.
  std::vector<Difference> first;
  std::uint64_t alike = 0;              ///< events that are the same in both
  std::uint64_t compared_contents = 0;  ///< of those, how many had digests in both runs
  bool digests_in_a = false, digests_in_b = false;
  bool is_whole = true;  ///< both runs are known completely

  /// `unknown`: they are the same as far as both are known.
  [[nodiscard]] Sameness answer() const {
    if (!first.empty()) return Sameness::different;
    return is_whole ? Sameness::same : Sameness::unknown;
  }
};

/// Compares two runs. The event of rank k of a process is compared with the event of rank k of the
/// process of the same name. A message is known by its sender and its number among those that the
/// sender sent to the same receivers; names of messages, times and sources do not count.
///
/// The first event of each process that is not the same is its difference. A difference precedes
/// another if it is in the causal past of the other in one of the runs. The first differences are
/// those that no other precedes, unless it is preceded by them, too: in two runs, two differences
/// may precede each other.
[[nodiscard]] Comparison diff(const ComparedRun& a, const ComparedRun& b,
                              const DiffOptions& options = {});
/// The same for runs that are known completely.
[[nodiscard]] Comparison diff(const Computation& a, const Computation& b,
                              const DiffOptions& options = {});

/// A message as it is known in every run.
struct CommonMessage {
  std::string from;             ///< the sender
  std::vector<std::string> to;  ///< the receivers that the send names, sorted; may be empty
  std::uint64_t number = 0;     ///< among those from this sender to these receivers, from 1
  friend auto operator<=>(const CommonMessage&, const CommonMessage&) = default;
};
[[nodiscard]] CommonMessage common_message(const Computation& computation, MessageIndex m);
/// Returns the message of this identity, or `none`.
[[nodiscard]] MessageIndex find_message(const Computation& computation,
                                        const CommonMessage& identity);

}  // namespace lightcone
