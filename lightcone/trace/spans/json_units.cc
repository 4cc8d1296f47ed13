// Looks for brackets and strings only: whether the rest is JSON is for the parser of the units.
#include <lightcone/trace/spans/json_units.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace lightcone {
namespace {

constexpr std::size_t longest_unit = std::size_t{1} << 30;
constexpr std::size_t room = 64;  // simdjson reads a little beyond the end of a text
constexpr std::string_view blanks = " \t\r\n";

[[nodiscard]] std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

/// Returns whether a byte within an item, outside of strings, means something here.
[[nodiscard]] bool matters(char c) {
  return c == '"' || c == '{' || c == '}' || c == '[' || c == ']' || c == '\n';
}

/// Returns whether all brackets that a text opens are closed in it.
[[nodiscard]] bool is_balanced(std::string_view text) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\') {
      ++i;
    } else if (c == '"') {
      in_string = !in_string;
    } else if (!in_string && (c == '{' || c == '[')) {
      ++depth;
    } else if (!in_string && (c == '}' || c == ']')) {
      if (depth-- == 0) return false;
    }
  }
  return depth == 0 && !in_string;
}

}  // namespace

Expected<void> JsonUnitReader::read_more() {
  const std::size_t before = buffer_.size();
  buffer_.resize(before + piece_bytes_);
  const auto got = source_(buffer_.data() + before, piece_bytes_);
  if (!got) return failure(got.error());
  buffer_.resize(before + *got);
  ended_ = *got < piece_bytes_;
  done_ += *got;
  return {};
}

/// The first line tells: if it is a document by itself, each line is one.
Expected<void> JsonUnitReader::find_layout() {
  if (auto ok = read_more(); !ok) return ok;
  if (buffer_.starts_with("\xef\xbb\xbf")) buffer_.erase(0, 3);
  const std::size_t begin = std::min(buffer_.find_first_not_of(blanks), buffer_.size());
  const std::size_t end = buffer_.find('\n', begin);
  const bool is_whole = end != std::string::npos || ended_;
  const std::string_view line = std::string_view(buffer_).substr(begin, end - begin);
  layout_ = is_whole && is_balanced(line) ? Layout::lines : Layout::documents;
  return {};
}

Expected<void> JsonUnitReader::next(JsonPiece& piece) {
  piece.text.clear();
  piece.units.clear();
  if (layout_ == Layout::unknown) {
    if (auto ok = find_layout(); !ok) return ok;
  }
  auto ok = layout_ == Layout::lines ? next_lines(piece) : next_items(piece);
  piece.text.append(room, ' ');
  return ok;
}

void JsonUnitReader::take_unit(JsonPiece& piece, std::string_view text, std::uint64_t line,
                               JsonUnit::Kind kind) {
  piece.units.push_back({piece.text.size(), text.size(), line, kind});
  piece.text += text;
}

Expected<void> JsonUnitReader::next_lines(JsonPiece& piece) {
  std::size_t looked_at = 0;  // this much of the buffer holds no end of a line
  for (;;) {
    std::size_t end = std::string_view(buffer_).substr(looked_at).rfind('\n');
    if (end == std::string_view::npos && !ended_) {
      looked_at = buffer_.size();
      if (looked_at > longest_unit) return failure("a line of more than 1 GiB", name_, line_);
      if (auto ok = read_more(); !ok) return ok;
      continue;
    }
    end = ended_ ? buffer_.size() : looked_at + end + 1;
    std::swap(piece.text, buffer_);  // what is behind the last line is the smaller part
    buffer_.assign(piece.text, end);
    piece.text.resize(end);
    if (ended_ && torn_end_ == TornEnd::ends) leave_out_torn_line(piece.text);
    looked_at = 0;
    find_lines(piece);
    if (ended_ || !piece.units.empty()) return {};
  }
}

void JsonUnitReader::leave_out_torn_line(std::string& text) {
  const std::size_t begin = text.rfind('\n') + 1;
  if (is_balanced(std::string_view(text).substr(begin))) return;
  is_torn_ = true;
  text.resize(begin);
}

void JsonUnitReader::find_lines(JsonPiece& piece) {
  const std::string_view text = piece.text;
  for (std::size_t begin = 0; begin < text.size(); ++line_) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = trimmed(text.substr(begin, end - begin));
    if (!line.empty()) {
      const auto offset = static_cast<std::size_t>(line.data() - text.data());
      piece.units.push_back({offset, line.size(), line_, JsonUnit::Kind::document});
    }
    begin = end + 1;
  }
}

Expected<void> JsonUnitReader::next_items(JsonPiece& piece) {
  while (piece.text.size() < piece_bytes_) {
    if (auto ok = scan(piece); !ok) return ok;
    if (in_item()) {
      buffer_.erase(0, item_begin_);
      scanned_ -= item_begin_;
      item_begin_ = 0;
      if (buffer_.size() > longest_unit) return failure("a value of more than 1 GiB", name_, line_);
    } else {
      buffer_.clear();
      scanned_ = 0;
    }
    if (ended_) break;
    if (auto ok = read_more(); !ok) return ok;
  }
  if (ended_ && scanned_ == buffer_.size() && depth_ > 0) {
    if (torn_end_ == TornEnd::error) {
      return failure("the file ends in the middle of a value", name_, line_,
                     "it was cut off, or has an opening bracket too many; --cut-off leaves out the "
                     "last value");
    }
    is_torn_ = true;
  }
  return {};
}

Expected<void> JsonUnitReader::scan(JsonPiece& piece) {
  while (scanned_ < buffer_.size()) {
    if (in_string_) {
      scanned_ = scan_string(scanned_);
      continue;
    }
    if (in_item() && !matters(buffer_[scanned_])) {
      ++scanned_;
      continue;
    }
    if (auto ok = scan_byte(buffer_[scanned_], piece); !ok) return ok;
    ++scanned_;
  }
  if (outline_.size() > longest_unit) return failure("a value of more than 1 GiB", name_, line_);
  return {};
}

Expected<void> JsonUnitReader::scan_byte(char c, JsonPiece& piece) {
  switch (c) {
    case '{':
    case '[': open(c, scanned_); return {};
    case '}':
    case ']':
      if (depth_ == 0) break;
      close(c, scanned_, piece);
      return {};
    case '"':
      if (depth_ == 0) break;
      in_string_ = true;
      if (depth_ == 1) key_.clear();
      break;
    case '\n': ++line_; break;
    default: break;
  }
  if (in_item()) return {};
  if (depth_ > 0) {
    outline_ += c;
  } else if (blanks.find(c) == std::string_view::npos) {
    return failure("is not JSON", name_, line_, "each value must be an object or a list");
  }
  return {};
}

/// Goes on behind the string, or to the end of the buffer.
std::size_t JsonUnitReader::scan_string(std::size_t at) {
  const std::size_t begin = at;
  for (; at < buffer_.size() && in_string_; ++at) {
    const char c = buffer_[at];
    if (is_escaped_) {
      is_escaped_ = false;
    } else if (c == '\\') {
      is_escaped_ = true;
    } else if (c == '"') {
      in_string_ = false;
    } else if (c == '\n') {
      ++line_;
    }
  }
  if (in_item()) return at;
  outline_.append(buffer_, begin, at - begin);
  if (depth_ == 1) key_.append(buffer_, begin, at - begin - (in_string_ ? 0 : 1));
  return at;
}

void JsonUnitReader::open(char bracket, std::size_t at) {
  if (depth_ == 0) {
    outline_.clear();
    outline_line_ = line_;
    items_at_ = bracket == '[' ? 1 : 0;
  } else if (depth_ == 1 && items_at_ == 0 && bracket == '[') {
    const bool is_long = std::find(lists_.begin(), lists_.end(), key_) != lists_.end();
    items_at_ = is_long ? 2 : 0;
  } else if (depth_ == items_at_) {
    item_begin_ = at;
    item_line_ = line_;
  }
  ++depth_;
  if (!in_item()) outline_ += bracket;
}

void JsonUnitReader::close(char bracket, std::size_t at, JsonPiece& piece) {
  const bool ends_item = in_item() && depth_ == items_at_ + 1;
  if (!in_item()) outline_ += bracket;
  --depth_;
  if (ends_item) {
    take_unit(piece, std::string_view(buffer_).substr(item_begin_, at + 1 - item_begin_),
              item_line_, JsonUnit::Kind::item);
    outline_ += '0';
  }
  if (items_at_ == 2 && depth_ == 1) items_at_ = 0;
  if (depth_ == 0) take_unit(piece, outline_, outline_line_, JsonUnit::Kind::outline);
}

}  // namespace lightcone
