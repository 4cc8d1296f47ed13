// What readers of formats with vector clocks but without messages share.
#pragma once

#include <lightcone/causal/builder.h>
#include <lightcone/computation.h>
#include <lightcone/error.h>
#include <lightcone/trace.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lightcone {

using HostIndex = std::uint32_t;    ///< hosts are processes and whatever else a clock names
using LogPosition = std::uint32_t;  ///< events by their place in the file

/// Events with vector clocks in the order of their file; one array per field.
struct ClockedEvents {
  struct Entry {
    HostIndex host;
    Rank count;
  };
  std::string file;
  Names hosts;  ///< a HostIndex is an index into these names

  std::vector<HostIndex> host;
  std::vector<std::uint32_t> line;
  std::vector<Rank> own;
  std::vector<std::size_t> clock_begin{0};
  std::vector<Entry> entries;  ///< neither own entries nor zeros

  [[nodiscard]] LogPosition size() const { return static_cast<LogPosition>(host.size()); }
  [[nodiscard]] std::string_view host_name(HostIndex h) const { return hosts[NameIndex{h}]; }
  [[nodiscard]] std::span<const Entry> clock(LogPosition e) const {
    return {entries.data() + clock_begin[e], clock_begin[e + 1] - clock_begin[e]};
  }
};

class ClockOrder;

/// Collects events that carry vector clocks, in the order of their file; `build` turns them into
/// the computation they describe. The setters speak of the event begun last.
class ClockLog {
 public:
  ClockLog(std::string file, const ReadOptions& options) : options_(options), builder_(file) {
    events_.file = std::move(file);
  }

  /// The host of this name; it becomes a process at its first event.
  HostIndex host(std::string_view name);
  /// A host that is a process even if it has no event.
  HostIndex declare(std::string_view name);
  NameIndex name(std::string_view text) { return builder_.name(text); }

  void begin_event(HostIndex host, std::uint64_t line);
  /// One entry of the clock, its number as the file spells it; zero is the same as no entry.
  [[nodiscard]] Expected<void> add_entry(HostIndex host, std::string_view number);
  void set_text(NameIndex text) { texts_.back() = text; }
  void set_source(NameIndex source) { sources_.back() = source; }
  void assign(NameIndex variable, NameIndex value);

  [[nodiscard]] std::size_t event_count() const { return events_.size(); }

  /// Checks the clocks and derives the messages: an event takes from the events of other
  /// processes that it covers. They happened before it, and nothing happened in between.
  [[nodiscard]] Expected<Reading> build();

 private:
  struct TextAssignment {
    NameIndex variable;
    NameIndex value;
  };

  void hand_over(const ClockOrder& order);
  [[nodiscard]] std::vector<ProcessIndex> processes();
  [[nodiscard]] std::vector<MessageIndex> messages(const ClockOrder& order);
  void hand_over_attributes(LogPosition e);

  ReadOptions options_;
  Builder builder_;
  ClockedEvents events_;
  std::vector<HostIndex> declared_;
  std::vector<LogPosition> last_named_at_;  // indexed by host: the event whose clock did, plus 1
  std::vector<NameIndex> texts_, sources_;  // indexed by event
  std::vector<TextAssignment> assignments_;
  std::vector<std::size_t> assignments_begin_;  // indexed by event
};

}  // namespace lightcone
