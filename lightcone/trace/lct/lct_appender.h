// An lct file that grows while a program runs, and survives the program.
#pragma once

#include <lightcone/base/file.h>
#include <lightcone/error.h>
#include <lightcone/trace/lct/lct_rows.h>

#include <tsl/robin_map.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace lightcone {

/// Appends events block by block. A block is in the file completely or not at all: a process that
/// dies leaves all that was flushed before. After an error nothing more is written, so that the
/// file has no hole; every later flush gives that error again.
class LctAppender {
 public:
  /// Opens the file, or makes it. One that was torn is first cut back to its last whole block.
  [[nodiscard]] static Expected<LctAppender> open(const std::string& path);
  LctAppender(LctAppender&& other) noexcept = default;
  LctAppender& operator=(LctAppender&&) = delete;
  /// Flushes, if it can.
  ~LctAppender();

  /// The indices that `add` wants; they hold until the next flush.
  [[nodiscard]] std::uint32_t name(std::string_view text) { return rows_.name(text); }
  /// Of a text that is likely to be new.
  [[nodiscard]] std::uint32_t new_name(std::string_view text) { return rows_.new_name(text); }
  /// Of a receiver or a variable.
  [[nodiscard]] std::uint32_t name_of_thing(std::string_view text) {
    return rows_.name_of_thing(text);
  }
  [[nodiscard]] std::uint32_t set(std::span<const std::uint32_t> names) { return rows_.set(names); }
  [[nodiscard]] std::uint32_t new_set(std::span<const std::uint32_t> names) {
    return rows_.new_set(names);
  }
  [[nodiscard]] std::uint32_t process(std::string_view name);
  [[nodiscard]] lct::MessageMention message(std::string_view name) {
    return message(split_name(name));
  }
  [[nodiscard]] lct::MessageMention message(SplitName name) {
    return {messages_++, true, name, {}};
  }
  /// The same where the name's prefix has been asked for by `name`.
  [[nodiscard]] lct::MessageMention message(SplitName name, std::uint32_t prefix) {
    return {messages_++, true, name, prefix};
  }
  /// Changes at each flush.
  [[nodiscard]] std::uint32_t block() const { return sequence_; }

  /// Adds a row of the process `process(name)`; a full block is flushed first, so that indices
  /// must be asked for after `make_room`.
  void add(std::string_view process_name, const lct::RowContent& row);
  /// The same for a row of the process that was asked for last.
  void add(lct::MessageRow row) {
    row.message = messages_++;
    rows_.add(row);
    ++added_events_;
    ++last_events_;
  }
  /// Flushes if the block is full.
  [[nodiscard]] Expected<void> make_room() {
    if (rows_.full()) return flush();
    return {};
  }
  [[nodiscard]] bool full() const { return rows_.full(); }
  /// Writes what was added since the last flush as one block.
  [[nodiscard]] Expected<void> flush();
  /// The first error.
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }
  /// Returns how many of the events added since it was opened are in the file.
  [[nodiscard]] std::uint64_t kept_events() const { return kept_events_; }
  [[nodiscard]] const std::string& path() const { return file_.path(); }

 private:
  explicit LctAppender(AppendedFile file) : file_(std::move(file)) {}
  [[nodiscard]] Expected<void> recover();
  [[nodiscard]] Expected<void> write(std::string_view bytes);
  void count_last();

  AppendedFile file_;
  std::uint64_t size_ = 0;  // of the file
  std::uint64_t added_events_ = 0, kept_events_ = 0;
  std::optional<Error> error_;
  lct::Rows rows_;
  std::uint32_t sequence_ = 0;
  std::uint32_t messages_ = 0;
  tsl::robin_map<std::string, std::uint32_t> ranks_;  // events of each process so far
  // The process asked for last, in the block at hand, and what it adds to its events.
  std::string last_process_;
  std::uint32_t last_block_ = 0, last_index_ = 0, last_events_ = 0;
};

}  // namespace lightcone
