// Pieces in turns: while some are parsed, those before them are joined and those after them read.
#include <lightcone/trace/spans/span_json.h>

#include <lightcone/base/json_text.h>
#include <lightcone/base/parallel.h>

#include <charconv>
#include <cmath>
#include <memory>
#include <thread>
#include <utility>

namespace lightcone {
namespace dom = simdjson::dom;
namespace {

/// A piece with what was read from it.
struct SpanPiece {
  JsonPiece piece;
  dom::parser parser;
  SpanTable table;
  std::vector<NameIndex> renamed;  // the names of the table, as those of all spans
  SpanTally tally;
  std::optional<Error> error;

  /// Most names come again in later pieces: they are kept, unless they are very many.
  void parse(const SpanFormat& format, const std::string& name) {
    constexpr std::size_t many_names = std::size_t{1} << 13;
    table.clear_spans();
    if (table.names.size() > many_names) {
      table.names = {};
      renamed.clear();
    }
    tally.clear();
    for (const JsonUnit& unit : piece.units) {
      const std::string_view text = piece[unit];
      dom::element element;
      auto bad = parser.parse(text.data(), text.size(), false).get(element);
      if (bad == simdjson::NUMBER_ERROR) {
        if (const auto quoted = large_numbers_as_texts(text)) {
          bad = parser.parse(*quoted).get(element);
        }
      }
      if (bad) {
        error = Error{std::string("is not JSON: ") + simdjson::error_message(bad), name, unit.line,
                      std::string(format.hint)};
        return;
      }
      if (auto problem = format.read(element, unit.kind, table, tally)) {
        error = Error{std::move(*problem), name, unit.line, {}};
        return;
      }
    }
  }
};

using SpanPieces = std::vector<std::unique_ptr<SpanPiece>>;

class SpanTextReader {
 public:
  SpanTextReader(const JsonUnitReader::Source& source, std::uint64_t total, const std::string& name,
                 const SpanFormat& format, const Progress& progress, TornEnd torn_end)
      : units_(source, name, format.lists, JsonUnitReader::usual_piece, torn_end),
        total_(total),
        name_(name),
        format_(format),
        progress_(progress) {
    const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
    for (std::size_t i = 0; i < 2 * cores; ++i) {
      next_.push_back(std::make_unique<SpanPiece>());
      now_.push_back(std::make_unique<SpanPiece>());
      before_.push_back(std::make_unique<SpanPiece>());
    }
  }

  [[nodiscard]] Expected<SpanText> read() {
    auto filled = fill();
    std::size_t parsed = 0;
    while (filled && *filled + parsed > 0) {
      const std::size_t count = *filled;
      std::swap(now_, next_);
      for_each_part(count + 1, [&](std::size_t i) {
        if (i > 0) return now_[i - 1]->parse(format_, name_);
        join(parsed);
        filled = count > 0 ? fill() : 0;
      });
      for (std::size_t i = 0; i < count; ++i) {
        if (now_[i]->error) return failure(std::move(*now_[i]->error));
      }
      parsed = count;
      std::swap(now_, before_);
      if (!collected_.table().fits()) return failure("more than 4 billion attributes", name_);
      if (progress_) progress_("reading", units_.done(), total_);
    }
    if (!filled) return failure(std::move(filled.error()));
    return SpanText{collected_.take(), std::move(tally_), units_.is_torn()};
  }

 private:
  /// Returns how many pieces there are.
  [[nodiscard]] Expected<std::size_t> fill() {
    std::size_t count = 0;
    while (count < next_.size()) {
      if (auto ok = units_.next(next_[count]->piece); !ok) return failure(std::move(ok.error()));
      if (next_[count]->piece.units.empty()) break;
      ++count;
    }
    return count;
  }

  void join(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      collected_.add(before_[i]->table, before_[i]->renamed);
      for (const auto& [sentence, times] : before_[i]->tally) tally_[sentence] += times;
      joined_ += before_[i]->piece.text.size();
    }
    if (has_room_ || joined_ == 0) return;
    // The first pieces tell how many spans the whole text has, if they are alike.
    constexpr double reserve = 1.1;
    has_room_ = true;
    if (joined_ >= total_) return;
    collected_.expect(static_cast<double>(total_) / static_cast<double>(joined_) * reserve);
  }

  JsonUnitReader units_;
  std::uint64_t total_;
  const std::string& name_;
  const SpanFormat& format_;
  const Progress& progress_;
  SpanPieces next_, now_, before_;
  SpanCollector collected_;
  SpanTally tally_;
  std::uint64_t joined_ = 0;  // bytes
  bool has_room_ = false;
};

}  // namespace

Expected<SpanText> read_span_text(const JsonUnitReader::Source& source, std::uint64_t total,
                                  const std::string& name, const SpanFormat& format,
                                  const Progress& progress, TornEnd torn_end) {
  return SpanTextReader(source, total, name, format, progress, torn_end).read();
}

std::optional<std::uint64_t> json_natural_of(const dom::element& value) {
  constexpr double beyond = 18446744073709551616.0;
  switch (value.type()) {
    case dom::element_type::UINT64: return value.get_uint64().value_unsafe();
    case dom::element_type::INT64: {
      const std::int64_t number = value.get_int64().value_unsafe();
      if (number < 0) return std::nullopt;
      return static_cast<std::uint64_t>(number);
    }
    case dom::element_type::DOUBLE: {
      const double number = std::round(value.get_double().value_unsafe());
      if (!(number >= 0 && number < beyond)) return std::nullopt;
      return static_cast<std::uint64_t>(number);
    }
    case dom::element_type::STRING: {
      const std::string_view digits = value.get_string().value_unsafe();
      std::uint64_t number = 0;
      const char* end = digits.data() + digits.size();
      const auto result = std::from_chars(digits.data(), end, number);
      if (digits.empty() || result.ec != std::errc() || result.ptr != end) return std::nullopt;
      return number;
    }
    default: return std::nullopt;
  }
}

std::optional<SpelledValue> json_value_of(const dom::element& value, std::string& kept) {
  switch (value.type()) {
    case dom::element_type::BOOL: return value.get_bool().value_unsafe();
    case dom::element_type::INT64: return value.get_int64().value_unsafe();
    case dom::element_type::UINT64:  // only those that no signed number can hold
      return static_cast<double>(value.get_uint64().value_unsafe());
    case dom::element_type::DOUBLE: return value.get_double().value_unsafe();
    case dom::element_type::STRING: return value.get_string().value_unsafe();
    case dom::element_type::NULL_VALUE: return std::nullopt;
    default: break;
  }
  kept = simdjson::minify(value);
  return SpelledValue(std::string_view(kept));
}

std::optional<std::uint64_t> nanoseconds_of(std::uint64_t microseconds) {
  constexpr std::uint64_t thousand = 1000;
  if (microseconds > UINT64_MAX / thousand) return std::nullopt;
  return microseconds * thousand;
}

}  // namespace lightcone
