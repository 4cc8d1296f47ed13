// What an event says, in words: to compare an event that was recorded with one that happens.
#pragma once

#include <lightcone/computation.h>
#include <lightcone/error.h>
#include <lightcone/trace/lct/lct_block.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lightcone {

/// One event or initial state; when and where in the source it happened is no part of it.
struct RowWords {
  Kind kind = Kind::internal;
  std::string sends = {};               ///< the message that leaves
  std::vector<std::string> takes = {};  ///< the messages that are received
  std::vector<std::string> to = {};
  std::vector<std::string> labels = {};
  std::vector<std::pair<std::string, std::string>> variables = {};
  std::string text = {};
  std::uint64_t digest = 0;  ///< of contents; 0: not known

  /// One line for people; equal iff the events are, however their labels are ordered.
  [[nodiscard]] std::string line() const;
  /// Returns whether the events are the same. If only one has a digest, neither digests nor texts
  /// are compared, since texts may describe contents.
  [[nodiscard]] bool is_like(const RowWords& other) const;
  /// A value as `line` shows it.
  [[nodiscard]] static std::string spelled(const SpelledValue& value);
  /// Word by word: labels in another order are not equal here.
  friend bool operator==(const RowWords&, const RowWords&) = default;
};

/// The rows of one lct file, in their order: for a file that one process wrote.
class RecordedRows {
 public:
  [[nodiscard]] static Expected<RecordedRows> open(const std::string& path);
  /// The next row, or nothing after the last whole block.
  [[nodiscard]] std::optional<RowWords> next();

 private:
  explicit RecordedRows(std::string bytes) : bytes_(std::move(bytes)) {}
  /// How far each sparse column has been read.
  struct Places {
    std::size_t row = 0, sent = 0, batch = 0, taken = 0, labels = 0, to = 0, more = 0, text = 0;
    std::size_t digest = 0;
    std::size_t variable_count = 0, variable = 0;
  };
  [[nodiscard]] bool next_block();
  [[nodiscard]] std::vector<std::string> members(std::uint32_t set) const;
  void read_variables(RowWords& words);

  std::string bytes_;
  std::size_t offset_ = lct::file_header_size;
  std::string raw_;
  lct::Columns columns_;
  std::vector<std::size_t> set_begins_;
  std::unordered_map<std::uint32_t, std::string> messages_;  // by their number in the file
  Places at_;
};

}  // namespace lightcone
