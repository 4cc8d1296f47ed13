// A JSON text of any size, cut into parts that can be parsed one by one.
#pragma once

#include <lightcone/base/compression/compression.h>
#include <lightcone/error.h>
#include <lightcone/progress.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// A part of a JSON text that is JSON itself.
struct JsonUnit {
  /// A document; one whose long lists have 0 for each item that is a unit of its own; such an item.
  enum class Kind : std::uint8_t { document, outline, item };
  std::size_t begin = 0;
  std::size_t size = 0;
  std::uint64_t line = 0;  ///< on which it begins, from 1
  Kind kind = Kind::document;
};

/// Some units, with enough room behind them for simdjson.
struct JsonPiece {
  std::string text;
  std::vector<JsonUnit> units;

  [[nodiscard]] std::string_view operator[](const JsonUnit& unit) const {
    return std::string_view(text).substr(unit.begin, unit.size);
  }
};

/// Cuts what a source gives: a text of one document per line at the ends of lines; any other one,
/// which may be a single document or several, at the items of its long lists. These are a list
/// that is the document, and members of these names that are lists.
class JsonUnitReader {
 public:
  using Source = std::function<Expected<std::size_t>(char* buffer, std::size_t size)>;

  static constexpr std::size_t usual_piece = std::size_t{1} << 20;

  /// The source gives less than it was asked for only at its end.
  JsonUnitReader(Source source, std::string name, std::vector<std::string_view> lists,
                 std::size_t piece_bytes = usual_piece, TornEnd torn_end = TornEnd::error)
      : source_(std::move(source)),
        name_(std::move(name)),
        lists_(std::move(lists)),
        piece_bytes_(piece_bytes),
        torn_end_(torn_end) {}

  /// The next piece; no units at the end.
  [[nodiscard]] Expected<void> next(JsonPiece& piece);
  /// Returns whether the text ended within a value, which is left out; only with TornEnd::ends.
  [[nodiscard]] bool is_torn() const { return is_torn_; }
  /// How many bytes have been read.
  [[nodiscard]] std::uint64_t done() const { return done_; }

 private:
  enum class Layout { unknown, lines, documents };

  [[nodiscard]] Expected<void> read_more();
  [[nodiscard]] Expected<void> find_layout();
  [[nodiscard]] Expected<void> next_lines(JsonPiece& piece);
  void leave_out_torn_line(std::string& text);
  void find_lines(JsonPiece& piece);
  [[nodiscard]] Expected<void> next_items(JsonPiece& piece);
  [[nodiscard]] Expected<void> scan(JsonPiece& piece);
  [[nodiscard]] Expected<void> scan_byte(char c, JsonPiece& piece);
  [[nodiscard]] std::size_t scan_string(std::size_t at);
  void open(char bracket, std::size_t at);
  void close(char bracket, std::size_t at, JsonPiece& piece);
  [[nodiscard]] bool in_item() const { return items_at_ != 0 && depth_ > items_at_; }
  void take_unit(JsonPiece& piece, std::string_view text, std::uint64_t line, JsonUnit::Kind kind);

  Source source_;
  std::string name_;
  std::vector<std::string_view> lists_;
  std::size_t piece_bytes_;
  TornEnd torn_end_;
  bool is_torn_ = false;
  Layout layout_ = Layout::unknown;
  std::string buffer_;       // what was read and is not in a unit yet
  std::size_t scanned_ = 0;  // of the buffer
  bool ended_ = false;
  std::uint64_t done_ = 0;
  std::uint64_t line_ = 1;

  // Of the document at hand.
  std::size_t depth_ = 0;
  std::size_t items_at_ = 0;  // the depth within the list whose items are units; 0: in none
  bool in_string_ = false;
  bool is_escaped_ = false;
  std::string key_;      // the last string at depth 1
  std::string outline_;  // the document without its items
  std::uint64_t outline_line_ = 0;
  std::size_t item_begin_ = 0;
  std::uint64_t item_line_ = 0;
};

}  // namespace lightcone
