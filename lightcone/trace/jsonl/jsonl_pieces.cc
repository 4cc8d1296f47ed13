// Cuts, parses and feeds, so that memory does not hold the whole file, and lines of a pipe do not
// wait.
#include <lightcone/trace/jsonl/jsonl_pieces.h>

#include <lightcone/causal/interned_value.h>

#include <fmt/format.h>

#include <algorithm>

namespace lightcone {
namespace {

constexpr std::size_t piece_size = 1 << 16;
constexpr std::size_t longest_line = 256 << 20;
constexpr std::size_t room = JsonlParser::room_before;

/// Returns whether a text is the beginning of an object that does not come to its end.
[[nodiscard]] bool is_unfinished_object(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos || text[begin] != '{') return false;
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\') {
      ++i;
    } else if (c == '"') {
      in_string = !in_string;
    } else if (!in_string && (c == '{' || c == '[')) {
      ++depth;
    } else if (!in_string && (c == '}' || c == ']')) {
      if (--depth == 0) return false;
    }
  }
  return true;
}

}  // namespace

/// The size of the text without a last line that was cut off.
std::size_t JsonlPieceReader::without_cut_line(std::string_view text) const {
  const std::size_t begin = text.rfind('\n') + 1;
  const std::string_view last = text.substr(begin);
  const bool has_objects = other_ == nullptr || other_->has_objects();
  const bool is_cut = has_objects ? is_unfinished_object(last)
                                  : last.find_first_not_of(" \t\r") != std::string_view::npos;
  return is_cut ? begin : text.size();
}

void JsonlPieceReader::fill(JsonlPiece& piece) {
  piece.error.reset();
  piece.parsed.clear();
  piece.cut_line = 0;
  if (const auto size = read_text(piece.text); !size) {
    piece.error = size.error();
  } else {
    const bool may_be_cut = ended_ && cut_line_ == CutLine::left_out;
    const std::string_view all(piece.text.data() + JsonlParser::room_before, *size);
    const std::size_t whole = may_be_cut ? without_cut_line(all) : all.size();
    std::span<char> text(piece.text.data() + JsonlParser::room_before, whole);
    const bool has_mark =
        line_ == 0 && std::string_view(text.data(), text.size()).starts_with("\xef\xbb\xbf");
    if (has_mark) text = text.subspan(3);
    line_ += other_ != nullptr ? other_->parse(text, line_ + 1, piece.parsed)
                               : piece.parser.parse(text, line_ + 1, piece.parsed);
    if (whole < all.size()) piece.cut_line = line_ + 1;
  }
  piece.last = ended_ || piece.error || piece.parsed.error;
}

/// Reads whole lines, the unfinished one of the piece before first. The text grows only for lines
/// longer than a piece.
Expected<std::size_t> JsonlPieceReader::read_text(std::vector<char>& text) {
  const std::size_t rooms = room + JsonlParser::room_after;
  text.resize(std::max(text.size(), std::max(piece_size, 2 * rest_.size()) + rooms));
  std::size_t size = rest_.copy(text.data() + room, rest_.size());
  for (;;) {
    const std::size_t left = text.size() - rooms - size;
    const auto got = source_(text.data() + room + size, left);
    if (!got) return got;
    ended_ = end_ == End::less ? *got < left : *got == 0;
    done_ += *got;
    if (progress_) progress_("reading", done_, total_);
    const std::string_view fresh(text.data() + room + size, *got);
    const std::size_t after = fresh.rfind('\n') + 1;  // what was there before holds no newline
    const std::size_t end = after == 0 ? 0 : size + after;
    size += *got;
    if (end > 0 || ended_) {
      const std::size_t whole = ended_ ? size : end;
      rest_.assign(text.data() + room + whole, size - whole);
      return whole;
    }
    if (size > longest_line) return failure("a line of more than 256 MiB", name_, line_ + 1);
    if (*got == left) text.resize(2 * text.size());
  }
}

Expected<void> JsonlFeeder::add(const JsonlPiece& piece) {
  lines_ = &piece.parsed;
  for (const JsonlLine& line : piece.parsed.lines) {
    if (line.kind != JsonlLine::Kind::header) {
      if (builder_ != nullptr) add_event(line);
    } else if (some_added_) {
      return failure("the header must be the first line", name_, line.number);
    } else {
      add_header(line);
    }
    some_added_ = true;
  }
  null_values_ += piece.parsed.null_values;
  null_times_ += piece.parsed.null_times;
  if (piece.error) return failure(*piece.error);
  if (piece.cut_line != 0) {
    fed_.cut_off = true;
    fed_.notes.push_back("line " + std::to_string(piece.cut_line) +
                         ", the last one, is cut off and left out");
  }
  if (!piece.parsed.error) return {};
  Error error = *piece.parsed.error;
  error.file = name_;
  return failure(std::move(error));
}

ReaderResult JsonlFeeder::finish() {
  const auto note = [&](std::size_t count, const char* what, const char* becomes) {
    if (count == 0) return;
    fed_.notes.push_back(fmt::format("{} {}{} {}", count, what, count == 1 ? "" : "s", becomes));
  };
  note(null_values_, "value", "of variables read as not-a-number: null in the file");
  note(null_times_, "time", "left out: null in the file");
  fed_.lost_processes = !some_added_;
  return std::move(fed_);
}

void JsonlFeeder::add_header(const JsonlLine& line) {
  fed_.header_extra = line.extra;
  if (builder_ == nullptr) return;
  for (const auto process : (*lines_)[line.processes]) builder_->process(process);
}

void JsonlFeeder::add_event(const JsonlLine& line) {
  takes_.clear();
  Arrival arrival;
  arrival.process = builder_->process(line.process);
  arrival.line = static_cast<std::uint32_t>(std::min<std::uint64_t>(line.number, none));
  arrival.duplicate = line.duplicate;
  switch (line.kind) {
    case JsonlLine::Kind::initial: arrival.kind = Kind::initial; break;
    case JsonlLine::Kind::send:
      arrival.kind = Kind::send;
      arrival.sends = builder_->message((*lines_)[line.messages].front());
      break;
    case JsonlLine::Kind::receive:
      arrival.kind = Kind::receive;
      for (const auto message : (*lines_)[line.messages]) {
        takes_.push_back(builder_->message(message));
      }
      break;
    default: break;
  }
  if (line.sends.data() != nullptr) arrival.sends = builder_->message(line.sends);
  arrival.takes = takes_;
  builder_->add(arrival);
  add_attributes(line);
}

void JsonlFeeder::add_attributes(const JsonlLine& line) {
  if (line.labels.size() > 0) builder_->set_labels(name_set(line.labels));
  if (line.to.size() > 0) builder_->set_to(name_set(line.to));
  for (std::uint32_t i = line.variables.begin; i < line.variables.end; ++i) {
    const JsonlLines::Variable& variable = lines_->variables[i];
    const NameIndex name = builder_->name(variable.name);
    builder_->assign(name, interned(variable.value,
                                    [&](std::string_view text) { return builder_->name(text); }));
  }
  if (line.time) builder_->set_time(*line.time);
  if (line.text.data() != nullptr) builder_->set_text(builder_->name(line.text));
  if (line.source.data() != nullptr) builder_->set_source(builder_->name(line.source));
  builder_->set_digest(line.digest);
  if (!line.extra.empty()) builder_->set_extra(builder_->name(line.extra));
}

NameSetIndex JsonlFeeder::name_set(JsonlLine::Range members) {
  name_buffer_.clear();
  for (const auto member : (*lines_)[members]) name_buffer_.push_back(builder_->name(member));
  return builder_->name_set(name_buffer_);
}

}  // namespace lightcone
