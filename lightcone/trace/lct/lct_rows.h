// Filling the columns of an lct block row by row.
#pragma once

#include <lightcone/causal/message_name.h>
#include <lightcone/trace/lct/lct_block.h>

#include <tsl/robin_map.h>

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone::lct {

/// A message as a row mentions it. `number` counts the messages of the file in the order of
/// their first mention; only that one needs the name.
struct MessageMention {
  std::uint32_t number = 0;
  bool first = false;
  SplitName name;
  std::optional<std::uint32_t> prefix = {};  ///< the block's index for that of the name, if known
};

/// One row; names are local to the block, see Rows::name.
struct RowContent {
  std::uint32_t process = 0;  ///< see Rows::process
  Kind kind = Kind::internal;
  bool duplicate = false;
  std::optional<MessageMention> sends;
  std::span<const MessageMention> takes = {};
  std::span<const std::uint32_t> labels = {};
  std::optional<std::uint32_t> label_set;  ///< instead of labels: see Rows::set
  std::span<const std::uint32_t> to = {};
  std::optional<std::uint32_t> to_set;  ///< instead of to
  struct Variable {
    std::uint32_t name;
    std::variant<bool, std::int64_t, double, std::uint32_t> value;
  };
  std::span<const Variable> variables = {};
  std::optional<double> time;
  std::optional<std::uint32_t> text, source, extra;
  std::uint64_t digest = 0;  ///< of the contents that are sent or received; 0: not known
};

/// A row that sends or takes one message, which no other row of the file has mentioned.
struct MessageRow {
  static constexpr std::uint32_t none = UINT32_MAX;
  std::uint64_t number = 0;  ///< of the message: its name has a prefix and this number
  double time = 0;
  std::uint64_t digest = 0;
  std::uint32_t process = 0, prefix = 0;
  std::uint32_t labels = 0, to = none;  ///< sets
  std::uint32_t text = none, source = none;
  std::uint32_t message = 0;  ///< which of the file it is
  Kind kind = Kind::send;
};

/// The rows of the block being written.
class Rows {
 public:
  /// The block's index for this text, made UTF-8 if it is not. Kept with the block: the text may go
  /// away.
  std::uint32_t name(std::string_view text);
  /// The same for a text that is likely to be new: a block may have a text twice.
  std::uint32_t new_name(std::string_view text);
  /// The same for the name of a process, a receiver, a message or a variable: see as_utf8_name.
  std::uint32_t name_of_thing(std::string_view text);
  /// The block's index for this process, which had `rank_before` events before this block.
  std::uint32_t process(std::string_view name, std::uint32_t rank_before);
  /// The block's index for a set of names.
  std::uint32_t set(std::span<const std::uint32_t> members);
  /// The same for a set that is likely to be new.
  std::uint32_t new_set(std::span<const std::uint32_t> members);
  void set_header_extra(std::string json) { header_extra_ = std::move(json); }

  void add(const RowContent& row);
  /// Such rows come into the columns many at a time.
  void add(const MessageRow& row) {
    if (message_rows_.size() == message_rows_.capacity()) place_messages();
    message_rows_.push_back(row);
  }
  [[nodiscard]] bool full() const {
    constexpr std::size_t most_items = 8 * Arrivals::usual_rows;
    constexpr std::size_t most_bytes = 16 << 20;
    return columns_.event_flags.size() + message_rows_.size() >= Arrivals::usual_rows ||
           columns_.taken.size() >= most_items || columns_.variable_names.size() >= most_items ||
           text_bytes_ >= most_bytes;
  }
  [[nodiscard]] bool empty() const;
  /// The block's bytes; the rows are empty afterwards.
  [[nodiscard]] std::string seal(std::uint32_t sequence);

 private:
  void mention(const MessageMention& message);
  void place_messages();
  std::uint32_t keep_text(std::string_view text);
  void clear();

  Columns columns_;
  std::vector<MessageRow> message_rows_;  // the last ones, not in the columns yet
  std::string header_extra_;
  std::deque<std::string> texts_;  // many in each, which does not move
  std::size_t text_bytes_ = 0;
  tsl::robin_map<std::string_view, std::uint32_t> name_index_;
  tsl::robin_map<std::uint32_t, std::uint32_t> process_index_;  // by name
  tsl::robin_map<std::string, std::uint32_t> set_index_;
};

}  // namespace lightcone::lct
