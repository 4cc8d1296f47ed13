// Reads Chrome traces: those of other programs by time and flows, Lightcone's own without loss.
#include <lightcone/trace/chrome/chrome.h>
#include <lightcone/trace/chrome/chrome_event.h>
#include <lightcone/trace/chrome/collected_events.h>
#include <lightcone/trace/chrome/event_stream.h>
#include <lightcone/trace/jsonl/jsonl_pieces.h>
#include <lightcone/trace/reader_result.h>

#include <simdjson.h>

#include <algorithm>
#include <iterator>

namespace lightcone {
namespace {

/// The JSON Lines inside a trace that Lightcone wrote: the arguments of its own events. Each stands
/// on the line of its event, so that errors name the right line.
class LinesInside {
 public:
  explicit LinesInside(EventStream& stream) : stream_(stream) {}

  /// Returns whether the event is one of Lightcone's, whose arguments are then added to the text.
  [[nodiscard]] Expected<bool> add(std::string_view event) {
    using namespace simdjson;
    buffer_.assign(event);
    buffer_.resize(event.size() + SIMDJSON_PADDING);
    ondemand::document document;
    ondemand::object object;
    const auto view = padded_string_view(buffer_.data(), event.size(), buffer_.size());
    if (parser_.iterate(view).get(document) || document.get_object().get(object)) return broken();
    std::string_view category, phase, name, args;
    for (auto result : object) {
      ondemand::field field;
      std::string_view key;
      if (std::move(result).get(field) || field.unescaped_key().get(key)) return broken();
      error_code error = SUCCESS;
      if (key == "cat")
        error = field.value().get_string().get(category);
      else if (key == "ph")
        error = field.value().get_string().get(phase);
      else if (key == "name")
        error = field.value().get_string().get(name);
      else if (key == "args")
        error = to_json_string(field.value()).get(args);
      if (error) return broken();
    }
    const bool is_header = phase == "M" && name == "lightcone";
    if (!is_header && !(category == "lightcone" && phase == "X")) return false;
    for (; line_ < stream_.line(); ++line_) text_ += '\n';
    const std::size_t begin = text_.size();
    text_ += args;
    std::replace(text_.begin() + static_cast<std::ptrdiff_t>(begin), text_.end(), '\n', ' ');
    text_ += '\n';
    ++line_;
    return true;
  }

  /// Fills the buffer as far as there are events.
  [[nodiscard]] Expected<std::size_t> read(char* buffer, std::size_t size) {
    while (text_.size() < size) {
      const auto event = stream_.next();
      if (!event) return failure(event.error());
      if (!*event) break;
      if (auto added = add(**event); !added) return failure(added.error());
    }
    const std::size_t count = text_.copy(buffer, size);
    text_.erase(0, count);
    return count;
  }

 private:
  [[nodiscard]] tl::unexpected<Error> broken() const {
    return failure("broken JSON", {}, stream_.line());
  }

  EventStream& stream_;
  simdjson::ondemand::parser parser_;
  std::string buffer_, text_;
  std::uint64_t line_ = 1;  // of what is added next
};

class ChromeReader {
 public:
  ChromeReader(EventStream::Source source, std::uint64_t total, const std::string& name,
               const ReadOptions& options)
      : name_(name),
        options_(options),
        total_(total),
        stream_(std::move(source), name),
        builder_(name) {}

  [[nodiscard]] Expected<Reading> read() {
    const auto first = stream_.next();
    if (!first) return failure(first.error());
    LinesInside lines(stream_);
    bool is_own = false;
    if (*first && (*first)->find("\"lightcone\"") != std::string_view::npos) {
      const auto added = lines.add(**first);
      if (!added) return failure(at(stream_.line(), added.error()));
      is_own = *added;
    }
    auto fed = is_own ? read_own(lines) : read_any(*first);
    if (!fed) return failure(std::move(fed.error()));
    if (stream_.is_torn()) {
      if (!options_.cut_off) {
        return failure("the file ends within an event", name_, stream_.line(),
                       "--cut-off reads the events before it");
      }
      fed->notes.emplace_back("the last event is cut off and left out");
    }
    return finish_reading(builder_, std::move(*fed), options_);
  }

 private:
  [[nodiscard]] Error at(std::uint64_t line, Error error) const {
    error.file = name_;
    error.line = line;
    return error;
  }

  [[nodiscard]] Expected<ReaderResult> read_own(LinesInside& lines) {
    JsonlPieceReader reader(
        [&](char* buffer, std::size_t size) -> Expected<std::size_t> {
          auto got = lines.read(buffer, size);
          if (!got) return failure(at(got.error().line, got.error()));
          return got;
        },
        total_, name_, options_.progress);
    JsonlFeeder feeder(name_, &builder_);
    JsonlPiece piece;
    do {
      reader.fill(piece);
      if (auto ok = feeder.add(piece); !ok) return failure(ok.error());
    } while (!piece.last);
    return feeder.finish();
  }

  [[nodiscard]] Expected<ReaderResult> read_any(std::optional<std::string_view> first) {
    constexpr std::uint64_t between_reports = 1 << 14;
    CollectedEvents events(builder_);
    ChromeEventParser parser;
    std::uint64_t count = 0;
    for (std::optional<std::string_view> text = first; text;) {
      const auto event = parser.parse(*text);
      if (!event) return failure(at(stream_.line(), event.error()));
      if (auto ok = events.add(*event, stream_.line()); !ok) {
        return failure(at(stream_.line(), ok.error()));
      }
      if (options_.progress && ++count % between_reports == 0) {
        options_.progress("reading", stream_.bytes_read(), total_);
      }
      auto next = stream_.next();
      if (!next) return failure(std::move(next.error()));
      text = *next;
    }
    events.feed();
    ReaderResult fed;
    fed.notes = events.notes();
    fed.header_extra = stream_.other_members();
    return fed;
  }

  const std::string& name_;
  const ReadOptions& options_;
  std::uint64_t total_;
  EventStream stream_;
  Builder builder_;
};

}  // namespace

Expected<Reading> read_chrome(InputFile& file, const std::string& name,
                              const ReadOptions& options) {
  const auto source = [&](char* buffer, std::size_t size) { return file.read(buffer, size); };
  return ChromeReader(source, file.size(), name, options).read();
}

Expected<Reading> read_chrome(std::string_view text, const std::string& name,
                              const ReadOptions& options) {
  std::size_t done = 0;
  const auto source = [&](char* buffer, std::size_t size) -> Expected<std::size_t> {
    const std::size_t count = text.copy(buffer, size, done);
    done += count;
    return count;
  };
  return ChromeReader(source, text.size(), name, options).read();
}

}  // namespace lightcone
