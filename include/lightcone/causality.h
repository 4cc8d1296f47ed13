// Happened-before: which events could affect which, light cones, timestamps, message races.
#pragma once

#include <lightcone/computation.h>
#include <lightcone/progress.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace lightcone {

/// For each process, the rank of its last event that happened before e or is e; 0 for none. This
/// is e's timestamp, found without those of any other event.
[[nodiscard]] std::vector<Rank> causal_past(const Computation& computation, EventIndex e);
/// The same for what happened before one of several events, or is one.
[[nodiscard]] std::vector<Rank> causal_past(const Computation& computation,
                                            std::vector<EventIndex> events);

/// For each process, the rank of its first event that is e or that e happened before; one more
/// than its last rank for none.
[[nodiscard]] std::vector<Rank> causal_future(const Computation& computation, EventIndex e);

/// Which events are relevant (RR-2194, 2.2.2). Nothing of the computation is copied: happened-
/// before between relevant events is happened-before.
class Selection {
 public:
  Selection(const Computation& computation, const std::function<bool(EventIndex)>& is_relevant);
  /// Lamport's level: every event.
  [[nodiscard]] static Selection all(const Computation& computation);
  /// The events that carry this label.
  [[nodiscard]] static Selection labelled(const Computation& computation, std::string_view label);

  [[nodiscard]] bool contains(EventIndex e) const { return (words_[e / 64] >> (e % 64)) & 1; }
  [[nodiscard]] std::uint32_t count() const { return before_.back(); }
  /// Returns how many events of process p are chosen.
  [[nodiscard]] Rank count(ProcessIndex p) const { return up_to_[p + 1] - up_to_[p]; }
  /// Returns how many events of e's process are chosen, up to and including e.
  [[nodiscard]] Rank rank(EventIndex e) const {
    return before(e + 1) - up_to_[computation_->process_of(e)];
  }
  /// The k-th chosen event of process p, counted from 1.
  [[nodiscard]] EventIndex event(ProcessIndex p, Rank k) const;

 private:
  [[nodiscard]] std::uint32_t before(EventIndex e) const;

  const Computation* computation_;
  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> before_;  // chosen events before each word, and in all
  std::vector<std::uint32_t> up_to_;   // chosen events before each process, and in all
};

/// Rows of 32-bit entries, aligned and padded with zeros for the vector units.
class TimestampTable {
 public:
  /// Rows are whole multiples of this.
  static constexpr std::size_t lanes = 8;

  TimestampTable(std::size_t rows, std::uint32_t columns);

  [[nodiscard]] std::uint32_t columns() const { return columns_; }
  [[nodiscard]] std::size_t stride() const { return stride_; }
  [[nodiscard]] std::uint32_t* row(std::size_t r) { return entries_.get() + r * stride_; }
  [[nodiscard]] const std::uint32_t* row(std::size_t r) const {
    return entries_.get() + r * stride_;
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  struct Free {
    void operator()(std::uint32_t* memory) const { std::free(memory); }
  };

  std::uint32_t columns_;
  std::size_t stride_;
  std::size_t bytes_;
  std::unique_ptr<std::uint32_t[], Free> entries_;  // not filled
};

/// A range of processes: the columns of a table of timestamps.
struct ProcessRange {
  ProcessIndex first = 0;
  std::uint32_t count = 0;
  [[nodiscard]] bool contains(ProcessIndex p) const { return p - first < count; }
};

/// The timestamps of all events, for a range of processes. Entry p of event e is the rank of the
/// last event of p in e's causal past; e belongs to its own past. An entry takes 4 bytes.
class Timestamps {
 public:
  Timestamps(const Computation& computation, ProcessRange columns);

  [[nodiscard]] ProcessRange columns() const { return columns_; }
  [[nodiscard]] std::uint32_t at(EventIndex e, ProcessIndex p) const {
    return table_.row(e)[p - columns_.first];
  }
  /// The entries of the columns, in order.
  [[nodiscard]] std::span<const std::uint32_t> of(EventIndex e) const {
    return {table_.row(e), columns_.count};
  }
  [[nodiscard]] std::size_t bytes() const { return table_.bytes(); }

 private:
  ProcessRange columns_;
  TimestampTable table_;
};

/// The timestamps of all events for all processes.
[[nodiscard]] Timestamps timestamps(const Computation& computation);

/// A local state of a process at the user's level: `index` counts its relevant events so far.
struct LocalState {
  ProcessIndex process = 0;
  Rank index = 0;
  friend bool operator==(const LocalState&, const LocalState&) = default;
};

/// Answers about one computation from its timestamps, which must cover all processes asked about.
class Precedence {
 public:
  Precedence(const Computation& computation, const Timestamps& timestamps)
      : computation_(computation), timestamps_(timestamps) {}

  /// e → f: e happened before f.
  [[nodiscard]] bool happened_before(EventIndex e, EventIndex f) const {
    return e != f && timestamps_.at(f, computation_.process_of(e)) >= computation_.rank_of(e);
  }
  [[nodiscard]] bool concurrent(EventIndex e, EventIndex f) const {
    return e != f && !happened_before(e, f) && !happened_before(f, e);
  }

  /// s →s t: s was over when t began (RR-2194, 2.3.1), between the relevant events chosen.
  [[nodiscard]] bool strongly_precedes(const Selection& relevant, LocalState s, LocalState t) const;
  /// s →w t: s began before t began (RR-2194, 2.3.2).
  [[nodiscard]] bool weakly_precedes(const Selection& relevant, LocalState s, LocalState t) const;

 private:
  const Computation& computation_;
  const Timestamps& timestamps_;
};

/// A message at one of its receivers.
struct Reception {
  EventIndex event;
  MessageIndex message;
  friend bool operator==(const Reception&, const Reception&) = default;
};

/// The receptions that must be traced to replay this execution (Netzer and Miller): those of a
/// message that was not sent causally after the previous receive of its receiver; where labels say
/// what receives admit (`Admission`), the previous one that admits it. By event.
[[nodiscard]] std::vector<Reception> traced_receptions(const Computation& computation,
                                                       const Progress& progress = {});

/// Calls `visit(first, second)` for each pair of messages that one process received in this order
/// and could have received in the other: the second was not sent causally after the first was
/// received, whose receive admits it. By receiver, then by the second reception, then by the first.
/// Stops early, and returns false, when `visit` returns false.
bool for_each_racing_pair(const Computation& computation,
                          const std::function<bool(Reception first, Reception second)>& visit,
                          const Progress& progress = {});

/// A message at a process that its send names (`to`) and that never received it.
struct Unreceived {
  ProcessIndex addressee = 0;
  MessageIndex message = none;
  friend bool operator==(const Unreceived&, const Unreceived&) = default;
};

/// All of them, by addressee, then by message.
[[nodiscard]] std::vector<Unreceived> unreceived_messages(const Computation& computation);

/// Calls `visit(first, second)` for each reception and each message that its receive could have
/// taken and that its process never received. By addressee, then by the message, then by the
/// reception. Stops early, and returns false, when `visit` returns false.
bool for_each_unreceived_pair(const Computation& computation,
                              const std::function<bool(Reception first, Unreceived second)>& visit,
                              const Progress& progress = {});

}  // namespace lightcone
