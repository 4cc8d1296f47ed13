// Builds a computation from events in the order in which a reader meets them.
#pragma once

#include <lightcone/causal/arrivals.h>
#include <lightcone/causal/layout.h>
#include <lightcone/causal/message_name.h>
#include <lightcone/causal/message_table.h>
#include <lightcone/computation.h>
#include <lightcone/error.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// One event as a reader meets it, or (Kind::initial) the initial state of a process.
struct Arrival {
  ProcessIndex process = 0;
  Kind kind = Kind::internal;
  std::uint32_t line = 0;                    ///< for error messages; 0 where there are no lines
  std::span<const MessageIndex> takes = {};  ///< the messages it receives
  MessageIndex sends = none;
  bool duplicate = false;  ///< it says that it receives a message again
};

/// What `build` says of a message without a send. Whoever knows more may have a better hint for it.
inline constexpr std::string_view never_sent = "is received but never sent";

/// Collects events, process by process in order, processes interleaved in any way; `build` checks
/// that they form a computation. The setters speak of the event added last, each at most once
/// (but `assign`).
class Builder {
 public:
  explicit Builder(std::string file = {}) { files_.push_back({std::move(file), 0}); }

  /// What is added from now on stands in this file. With several, the order of the events of a
  /// process must come from one of them: all that is added for a process must be in one file.
  void begin_file(std::string name) { files_.push_back({std::move(name), chunks_.size()}); }

  /// The process of this name, which is added if it is new.
  ProcessIndex process(std::string_view name);
  /// The message of this name, which is added if it is new.
  MessageIndex message(std::string_view name) { return message(split_name(name)); }
  MessageIndex message(SplitName name);
  /// A message that nothing else refers to by name, so it need not be looked up.
  MessageIndex fresh_message(NameIndex prefix, std::uint64_t number);
  /// Makes room for so many more messages.
  void reserve_messages(std::size_t count);
  NameIndex name(std::string_view text) { return built_.names_.intern(text); }
  [[nodiscard]] std::string_view text_of(NameIndex name) const { return built_.names_[name]; }
  NameSetIndex name_set(std::span<const NameIndex> members) {
    return built_.name_sets_.intern(members);
  }

  void add(const Arrival& arrival);
  void set_labels(NameSetIndex labels);
  void assign(NameIndex variable, Value value) {
    const Assignment one{variable, value};
    assign({&one, 1});
  }
  void assign(std::span<const Assignment> assignments);
  void set_to(NameSetIndex receivers);
  void set_time(double seconds);
  void set_text(NameIndex text);
  void set_source(NameIndex source);
  /// Of the contents that the event sends or receives; 0 is none.
  void set_digest(std::uint64_t digest);
  void set_extra(NameIndex json);
  void set_header_extra(std::string json) { built_.header_extra_ = std::move(json); }

  /// Adds many at once; all their indices must be this builder's.
  void add(Arrivals arrivals);

  [[nodiscard]] std::size_t process_count() const { return built_.process_names_.size(); }
  [[nodiscard]] std::size_t message_count() const { return built_.message_names_.prefix.size(); }

  /// Makes numbers of texts, of each variable all of whose values are numbers.
  void read_numbers();
  /// Checks and orders what has been added; the builder is empty afterwards.
  [[nodiscard]] Expected<Computation> build(Unsent unsent = Unsent::error);
  /// The receives from which the last build took messages that are never sent.
  [[nodiscard]] const ReceivesWithoutSend& without_send() const { return without_send_; }
  /// What was added for a process.
  struct Added {
    std::uint64_t rows = 0;    ///< its initial state and its events
    std::uint64_t events = 0;  ///< without its initial state
  };
  /// Indexed by process.
  [[nodiscard]] std::vector<Added> added() const;

 private:
  /// Where the arrivals of a file begin.
  struct File {
    std::string name;
    std::size_t first_chunk = 0;
  };

  [[nodiscard]] Arrivals& chunk() { return chunks_.back(); }
  void begin_chunk();
  [[nodiscard]] std::size_t file_of(std::size_t chunk) const;
  void say_more(Arrivals::More what);
  [[nodiscard]] Expected<void> check_that_no_process_is_in_two_files() const;
  void forget_unsent_names();
  [[nodiscard]] Error error_of(const LayoutError& problem) const;
  [[nodiscard]] std::string describe(ArrivalPlace place) const;
  [[nodiscard]] std::string describe_cycle(const LayoutError& problem) const;

  std::vector<File> files_;  // the first is the one that the builder was made for
  Computation built_;
  std::vector<Arrivals> chunks_;
  ReceivesWithoutSend without_send_;
  std::vector<ProcessIndex> process_of_name_;
  MessageTable message_table_;
};

}  // namespace lightcone
