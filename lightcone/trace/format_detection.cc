// Looks at the first lines of a file.
#include <lightcone/trace/format_detection.h>

#include <lightcone/base/file.h>
#include <lightcone/trace/lct/lct_block.h>
#include <lightcone/trace/shiviz/log_layout.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace lightcone {
namespace {

constexpr std::size_t looked_at = std::size_t{1} << 16;
constexpr std::string_view otf2_magic = "\3BOTF2";

[[nodiscard]] std::string_view next_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
  return line;
}

/// `0:(1,0,0)`
[[nodiscard]] bool is_plain_clock(std::string_view line) {
  const std::size_t colon = line.find(":(");
  return colon != std::string_view::npos && colon > 0 && line.ends_with(')') &&
         line.find_first_not_of("0123456789, ", colon + 2) == line.size() - 1;
}

[[nodiscard]] bool is_event(std::string_view line) {
  return line.starts_with('{') && (line.find("\"process\"") != std::string_view::npos ||
                                   line.find("\"lightcone\"") != std::string_view::npos);
}

/// The format of spans that a JSON text shows: by its first member, and those that spans must have.
[[nodiscard]] std::optional<Format> spans_in(std::string_view text) {
  const auto has = [&](std::string_view member) {
    return text.find(member) != std::string_view::npos;
  };
  const auto skip_blanks = [&] {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  };
  skip_blanks();
  if (text.starts_with('[') && has("\"traceId\"") && has("\"id\"")) return Format::zipkin;
  if (!text.starts_with('{')) return std::nullopt;
  text.remove_prefix(1);
  skip_blanks();
  const bool is_otlp =
      text.starts_with("\"resourceSpans\"") || text.starts_with("\"resource_spans\"");
  if (is_otlp) return Format::otlp;
  if (text.starts_with("\"data\"") && has("\"traceID\"")) return Format::jaeger;
  return std::nullopt;
}

/// `[{"ph": "X", ...` or `{"traceEvents": [`, over one line or several.
[[nodiscard]] bool is_chrome(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  if (text.starts_with('{')) return text.find("\"traceEvents\"") != std::string_view::npos;
  return text.starts_with('[') && text.find("\"ph\"") != std::string_view::npos;
}

/// What no reader can make anything of, whatever the format is.
[[nodiscard]] std::optional<Error> unreadable(std::string_view beginning, const std::string& name) {
  const auto begins = [&](std::string_view bytes) { return beginning.starts_with(bytes); };
  if (begins("\xFF\xFE") || begins("\xFE\xFF")) {
    return Error{"is UTF-16, and texts are read as UTF-8", name, 0,
                 "convert it first, as by `iconv -f UTF-16 -t UTF-8`"};
  }
  if (begins("\x1F\x8B") || begins("\x28\xB5\x2F\xFD")) {
    return Error{"is compressed twice", name, 0, "unpack it once"};
  }
  return std::nullopt;
}

[[nodiscard]] Expected<Format> format_of_standard_input() {
  const auto beginning = InputFile::look_into_standard_input(looked_at);
  if (!beginning) return failure(beginning.error());
  if (auto problem = unreadable(*beginning, "standard input")) return failure(std::move(*problem));
  if (const auto shown = format_in(*beginning)) return *shown;
  return failure("standard input does not show its format", {}, 0, "name it, as `--from jsonl`");
}

}  // namespace

std::optional<Format> format_in(std::string_view beginning) {
  if (beginning.starts_with(lct::file_magic)) return Format::lct;
  if (beginning.starts_with(otf2_magic)) return Format::otf2;
  if (beginning.starts_with("\xef\xbb\xbf")) beginning.remove_prefix(3);
  if (is_chrome(beginning)) return Format::chrome;
  if (const auto spans = spans_in(beginning)) return spans;
  std::string_view rest = beginning;
  bool is_first = true;
  while (!rest.empty()) {
    const std::string_view line = next_line(rest);
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    if (is_first && is_event(line)) return Format::jsonl;
    if (is_first && is_plain_clock(line)) return Format::clocks;
    const bool is_head = is_first && line.find("(?<host>") != std::string_view::npos;
    if (is_head || is_clock_line(line)) return Format::shiviz;
    is_first = false;
  }
  return std::nullopt;
}

std::optional<Format> format_told_by(const ReadOptions& options) {
  if (!options.map.empty()) return Format::map;
  const bool has_clock = options.regex.find("(?<clock>") != std::string::npos;
  if (!options.regex.empty() && !has_clock) return Format::text;
  return std::nullopt;
}

Expected<Format> detect_format(const std::string& path) {
  if (path == "-") return format_of_standard_input();
  auto by_name = format_of(path);
  std::error_code unknown;
  if (!by_name && !std::filesystem::exists(path, unknown)) {
    return failure("cannot be read: No such file or directory", path);
  }
  if (!std::filesystem::is_regular_file(path, unknown)) return by_name;
  auto file = InputFile::open(path);
  if (!file) return by_name;
  file->unpack(TornEnd::ends);
  std::string bytes(looked_at, '\0');
  const auto size = file->read(bytes.data(), bytes.size());
  if (!size) return by_name;
  const std::string_view beginning = std::string_view(bytes).substr(0, *size);
  if (auto problem = unreadable(beginning, path)) return failure(std::move(*problem));
  const auto shown = format_in(beginning);
  if (shown) return *shown;
  return by_name;
}

}  // namespace lightcone
