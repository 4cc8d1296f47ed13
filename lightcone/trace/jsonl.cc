// Reading JSON Lines as a stream.
#include <lightcone/trace/jsonl.h>

#include <lightcone/causal/builder.h>
#include <lightcone/trace/jsonl_parser.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <optional>
#include <semaphore>
#include <thread>

namespace lightcone {
namespace {

constexpr std::size_t piece_size = 1 << 16;
constexpr std::size_t longest_line = 256 << 20;

using Source = std::function<Expected<std::size_t>(char* buffer, std::size_t size)>;

/// Some whole lines of the file, parsed.
struct Piece {
  std::vector<char> text;
  JsonlParser parser;  // keeps the strings of the lines
  JsonlLines parsed;
  std::optional<Error> error;  // instead of lines
  bool last = false;
};

/// Cuts what the source gives into lines and parses them, a piece at a time.
class PieceReader {
 public:
  PieceReader(Source source, std::uint64_t total, std::string name, Progress progress)
      : source_(std::move(source)),
        total_(total),
        name_(std::move(name)),
        progress_(std::move(progress)) {}

  void fill(Piece& piece) {
    piece.error.reset();
    piece.parsed.clear();
    if (const auto size = read_text(piece.text); !size) {
      piece.error = size.error();
    } else {
      std::span<char> text(piece.text.data() + JsonlParser::room_before, *size);
      const bool has_mark =
          line_ == 0 && std::string_view(text.data(), text.size()).starts_with("\xef\xbb\xbf");
      if (has_mark) text = text.subspan(3);
      line_ += piece.parser.parse(text, line_ + 1, piece.parsed);
    }
    piece.last = ended_ || piece.error || piece.parsed.error;
  }

 private:
  static constexpr std::size_t room = JsonlParser::room_before;

  /// Reads whole lines, the unfinished one of the piece before first. The text grows only for
  /// lines longer than a piece.
  [[nodiscard]] Expected<std::size_t> read_text(std::vector<char>& text) {
    const std::size_t rooms = room + JsonlParser::room_after;
    text.resize(std::max(text.size(), std::max(piece_size, 2 * rest_.size()) + rooms));
    std::size_t size = rest_.copy(text.data() + room, rest_.size());
    for (;;) {
      const std::size_t left = text.size() - rooms - size;
      const auto got = source_(text.data() + room + size, left);
      if (!got) return got;
      ended_ = *got < left;
      done_ += *got;
      size += *got;
      if (progress_) progress_("reading", done_, total_);
      const std::string_view all(text.data() + room, size);
      const std::size_t end = ended_ ? size : all.rfind('\n') + 1;
      if (end > 0 || ended_) {
        rest_ = all.substr(end);
        return end;
      }
      if (size > longest_line) return failure("a line of more than 256 MiB", name_, line_ + 1);
      text.resize(2 * text.size());
    }
  }

  Source source_;
  std::uint64_t total_;
  std::string name_;
  Progress progress_;
  std::string rest_;  // the beginning of a line that the last piece did not hold whole
  std::uint64_t done_ = 0;
  std::uint64_t line_ = 0;
  bool ended_ = false;
};

/// Feeds parsed lines to a Builder.
class LineCollector {
 public:
  LineCollector(std::string name, Builder& builder) : name_(std::move(name)), builder_(builder) {}

  [[nodiscard]] Expected<void> add(const Piece& piece) {
    lines_ = &piece.parsed;
    for (const JsonlLine& line : piece.parsed.lines) {
      if (line.kind != JsonlLine::Kind::header) {
        add_event(line);
      } else if (some_added_) {
        return failure("the header must be the first line", name_, line.number);
      } else {
        add_header(line);
      }
      some_added_ = true;
    }
    if (piece.error) return failure(*piece.error);
    if (!piece.parsed.error) return {};
    Error error = *piece.parsed.error;
    error.file = name_;
    return failure(std::move(error));
  }

  [[nodiscard]] Fed finish() { return std::move(fed_); }

 private:
  void add_header(const JsonlLine& line) {
    for (const auto process : (*lines_)[line.processes]) builder_.process(process);
    fed_.header_extra = line.extra;
  }

  void add_event(const JsonlLine& line) {
    takes_.clear();
    Arrival arrival;
    arrival.process = builder_.process(line.process);
    arrival.line = static_cast<std::uint32_t>(std::min<std::uint64_t>(line.number, none));
    arrival.duplicate = line.duplicate;
    switch (line.kind) {
      case JsonlLine::Kind::initial: arrival.kind = Kind::initial; break;
      case JsonlLine::Kind::send:
        arrival.kind = Kind::send;
        arrival.sends = builder_.message((*lines_)[line.messages].front());
        break;
      case JsonlLine::Kind::receive:
        arrival.kind = Kind::receive;
        for (const auto message : (*lines_)[line.messages]) {
          takes_.push_back(builder_.message(message));
        }
        break;
      default: break;
    }
    if (line.sends.data() != nullptr) arrival.sends = builder_.message(line.sends);
    arrival.takes = takes_;
    builder_.add(arrival);
    add_attributes(line);
  }

  void add_attributes(const JsonlLine& line) {
    if (line.labels.size() > 0) builder_.set_labels(name_set(line.labels));
    if (line.to.size() > 0) builder_.set_to(name_set(line.to));
    for (std::uint32_t i = line.variables.begin; i < line.variables.end; ++i) {
      const JsonlLines::Variable& variable = lines_->variables[i];
      const NameIndex name = builder_.name(variable.name);
      if (const auto* text = std::get_if<std::string_view>(&variable.value)) {
        builder_.assign(name, builder_.name(*text));
      } else if (const auto* integer = std::get_if<std::int64_t>(&variable.value)) {
        builder_.assign(name, *integer);
      } else if (const auto* real = std::get_if<double>(&variable.value)) {
        builder_.assign(name, *real);
      } else {
        builder_.assign(name, std::get<bool>(variable.value));
      }
    }
    if (line.time) builder_.set_time(*line.time);
    if (line.text.data() != nullptr) builder_.set_text(builder_.name(line.text));
    if (line.source.data() != nullptr) builder_.set_source(builder_.name(line.source));
    if (!line.extra.empty()) builder_.set_extra(builder_.name(line.extra));
  }

  [[nodiscard]] NameSetIndex name_set(JsonlLine::Range members) {
    name_buffer_.clear();
    for (const auto member : (*lines_)[members]) name_buffer_.push_back(builder_.name(member));
    return builder_.name_set(name_buffer_);
  }

  std::string name_;
  Builder& builder_;
  Fed fed_;
  std::vector<MessageIndex> takes_;
  std::vector<NameIndex> name_buffer_;
  const JsonlLines* lines_ = nullptr;  // of the piece at hand
  bool some_added_ = false;
};

/// Parses on one thread and collects on another, with a few pieces going round between them.
[[nodiscard]] Expected<void> collect_while_parsing(PieceReader& reader, Piece first,
                                                   LineCollector& collector) {
  constexpr std::size_t pieces = 4;
  std::array<Piece, pieces> ring;
  ring[0] = std::move(first);
  std::counting_semaphore<pieces> parsed(1);
  std::counting_semaphore<pieces> empty(pieces - 1);
  std::atomic<bool> stop = false;
  const std::jthread parsing([&] {
    for (std::size_t i = 1;; ++i) {
      empty.acquire();
      if (stop) return;
      Piece& piece = ring[i % pieces];
      reader.fill(piece);
      const bool last = piece.last;
      parsed.release();
      if (last) return;
    }
  });
  for (std::size_t i = 0;; ++i) {
    parsed.acquire();
    const Piece& piece = ring[i % pieces];
    const auto added = collector.add(piece);
    if (added && !piece.last) {
      empty.release();
      continue;
    }
    stop = true;
    empty.release();
    return added;
  }
}

[[nodiscard]] Expected<Fed> feed_from(const Source& source, std::uint64_t total,
                                      const std::string& name, const ReadOptions& options,
                                      Builder& builder) {
  PieceReader reader(source, total, name, options.progress);
  LineCollector collector(name, builder);
  Piece first;
  reader.fill(first);
  const auto collected = first.last ? collector.add(first)
                                    : collect_while_parsing(reader, std::move(first), collector);
  if (!collected) return failure(collected.error());
  return collector.finish();
}

}  // namespace

Expected<Fed> feed_jsonl(InputFile& file, const std::string& name, const ReadOptions& options,
                         Builder& builder) {
  return feed_from([&](char* buffer, std::size_t size) { return file.read(buffer, size); },
                   file.size(), name, options, builder);
}

Expected<Reading> read_jsonl(InputFile& file, const std::string& name, const ReadOptions& options) {
  Builder builder(name);
  auto fed = feed_jsonl(file, name, options, builder);
  if (!fed) return failure(std::move(fed.error()));
  return finish_reading(builder, std::move(*fed), options);
}

Expected<Reading> read_jsonl(std::string_view text, const std::string& name,
                             const ReadOptions& options) {
  std::size_t done = 0;
  const Source source = [&](char* buffer, std::size_t size) -> Expected<std::size_t> {
    const std::size_t count = text.copy(buffer, size, done);
    done += count;
    return count;
  };
  Builder builder(name);
  auto fed = feed_from(source, text.size(), name, options, builder);
  if (!fed) return failure(std::move(fed.error()));
  return finish_reading(builder, std::move(*fed), options);
}

}  // namespace lightcone
