// Cuts bytes into lines, and tells headings from events.
#include "accept/line_cutter.h"

#include <fmt/format.h>
#include <lightcone/base/json.h>

#include <algorithm>

namespace lightcone::service {
namespace {

/// Returns where the JSON string that begins here, with its quote, ends.
[[nodiscard]] std::size_t after_string(std::string_view json, std::size_t at) {
  for (++at; at < json.size() && json[at] != '"'; ++at) {
    if (json[at] == '\\') ++at;
  }
  return std::min(at + 1, json.size());
}

/// Returns where the JSON value that begins here ends.
[[nodiscard]] std::size_t after_value(std::string_view json, std::size_t at) {
  int depth = 0;
  while (at < json.size()) {
    const char c = json[at];
    if (c == '"') {
      at = after_string(json, at);
      continue;
    }
    if (c == ',' && depth == 0) return at;
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    ++at;
  }
  return at;
}

[[nodiscard]] tl::unexpected<Error> bad_heading(std::string_view what) {
  return failure(fmt::format("a heading whose {}", what), {}, 0,
                 "see docs/guides/monitoring.md for what a heading may say");
}

}  // namespace

std::string_view member_text(std::string_view members, std::string_view name) {
  for (std::size_t at = 0; at < members.size();) {
    const std::size_t quote = members.find('"', at);
    if (quote == std::string_view::npos) return {};
    const std::size_t colon = after_string(members, quote);
    const std::string_view key = members.substr(quote + 1, colon - quote - 2);
    const std::size_t value = members.find_first_not_of(": ", colon);
    if (value == std::string_view::npos) return {};
    const std::size_t end = after_value(members, value);
    if (key == name) return members.substr(value, end - value);
    at = end + 1;
  }
  return {};
}

std::optional<std::string> execution_in(const JsonlLine& line) {
  if (line.extra.empty()) return std::nullopt;
  const std::string_view text = member_text(line.extra, "execution");
  const auto json = text.empty() ? std::nullopt : Json::parse(text);
  if (!json || json->text() == nullptr) return std::nullopt;
  return *json->text();
}

std::string_view LinePiece::text_of(const JsonlLine& line) const {
  const std::size_t index = line.number - first_line;
  const std::size_t end = index + 1 < starts_.size() ? starts_[index + 1] : original.size();
  return std::string_view(original).substr(starts_[index], end - starts_[index]);
}

void LinePiece::parse() {
  PieceParser alone;
  parse(alone);
}

void LinePiece::parse(PieceParser& by) {
  starts_.clear();
  for (std::size_t at = 0; at < original.size();) {
    starts_.push_back(at);
    const std::size_t end = original.find('\n', at);
    at = end == std::string::npos ? original.size() : end + 1;
  }
  const std::size_t size = JsonlParser::room_before + original.size() + JsonlParser::room_after;
  if (by.text.size() < size) by.text.resize(size);
  std::ranges::copy(original, by.text.begin() + JsonlParser::room_before);
  by.parser.parse(std::span(by.text).subspan(JsonlParser::room_before, original.size()), first_line,
                  lines);
  count_bytes(by.parser.hand_over(lines));
}

void LinePiece::count_bytes(std::size_t handed_over) {
  bytes_ = sizeof *this + execution.capacity() + original.capacity() + handed_over;
  bytes_ += starts_.capacity() * sizeof starts_[0];
  bytes_ += lines.lines.capacity() * sizeof lines.lines[0];
  bytes_ += lines.strings.capacity() * sizeof lines.strings[0];
  bytes_ += lines.variables.capacity() * sizeof lines.variables[0];
  for (const std::string& text : lines.texts) bytes_ += sizeof text + text.capacity();
}

std::size_t Arrival::bytes() const {
  constexpr std::size_t of_heading = 1024, of_span_byte = 4;
  if (const auto* spans = std::get_if<std::shared_ptr<SpanBatch>>(&content)) {
    return of_heading + of_span_byte * (*spans)->bytes.size();
  }
  const auto* piece = std::get_if<std::shared_ptr<LinePiece>>(&content);
  return piece != nullptr ? (*piece)->bytes() : of_heading;
}

std::set<std::string> Arrival::executions() const {
  if (const auto* spans = std::get_if<std::shared_ptr<SpanBatch>>(&content)) {
    return {(*spans)->traces.begin(), (*spans)->traces.end()};
  }
  if (const auto* heading = std::get_if<Heading>(&content)) return {heading->execution};
  const LinePiece& piece = *std::get<std::shared_ptr<LinePiece>>(content);
  std::set<std::string> names{piece.execution};
  for (const JsonlLine& line : piece.lines.lines) {
    if (auto own = execution_in(line)) names.insert(std::move(*own));
  }
  return names;
}

bool is_heading(std::string_view line) {
  constexpr std::string_view blank = " \t\r";
  std::size_t at = line.find_first_not_of(blank);
  if (at == std::string_view::npos || line[at] != '{') return false;
  at = line.find_first_not_of(blank, at + 1);
  return at != std::string_view::npos && line.substr(at).starts_with("\"lightcone\"");
}

Expected<Heading> heading_of(std::string_view line, const LineLimits& limits) {
  const auto json = Json::parse(line);
  if (!json || !json->is_object()) return failure("a heading that is not a JSON object");
  Heading heading;
  std::uint64_t version = 0;
  if (!json->read("lightcone", version) || version < 1 || version > 2) {
    return bad_heading("`lightcone` is not 1 or 2");
  }
  if (!json->read("execution", heading.execution)) return bad_heading("`execution` is no text");
  if (heading.execution.size() > limits.longest_name) return bad_heading("`execution` is too long");
  if (!json->read("processes", heading.processes)) return bad_heading("`processes` is no list");
  if (!json->read("process", heading.process)) return bad_heading("`process` is no text");
  const auto is_long = [&](const std::string& name) {
    return name.size() > limits.longest_process;
  };
  if (is_long(heading.process)) return bad_heading("`process` is too long");
  if (std::ranges::any_of(heading.processes, is_long)) {
    return bad_heading("`processes` has a name that is too long");
  }
  if (!json->read("from", heading.from)) return bad_heading("`from` is no number");
  if (!json->read("lost", heading.is_lost)) return bad_heading("`lost` is not true or false");
  const bool is_about_one = heading.from != 0 || heading.is_lost;
  if (is_about_one && heading.process.empty()) return bad_heading("`process` is missing");
  if (!json->read("end", heading.is_end)) return bad_heading("`end` is not true or false");
  if (!json->read("quiet", heading.is_quiet)) return bad_heading("`quiet` is not true or false");
  if (!json->read("answers", heading.wants_answers)) {
    return bad_heading("`answers` is not true or false");
  }
  if (!json->read("token", heading.token)) return bad_heading("`token` is no text");
  if (!json->read("snapshots", heading.takes_snapshots)) {
    return bad_heading("`snapshots` is not true or false");
  }
  if (const Json* snapshot = json->find("snapshot"); snapshot != nullptr) {
    heading.snapshot = std::make_shared<const Json>(*snapshot);
  }
  return heading;
}

Expected<void> LineCutter::add(std::string_view bytes, const Take& take) {
  const std::size_t last = bytes.rfind('\n');
  if (last == std::string_view::npos) {
    rest_ += bytes;
    if (rest_.size() <= limits_.longest_line) return {};
    return failure(fmt::format("a line of more than {} bytes", limits_.longest_line), {},
                   line_ + 1);
  }
  const std::string_view whole = bytes.substr(0, last + 1);
  Expected<void> done = {};
  if (rest_.empty()) {
    done = cut(whole, take);
  } else {
    const std::string joined = std::exchange(rest_, {}) + std::string(whole);
    done = cut(joined, take);
  }
  rest_ += bytes.substr(last + 1);
  return done;
}

Expected<void> LineCutter::finish(const Take& take) {
  if (rest_.find_first_not_of(" \t\r") == std::string::npos) return {};
  const std::string last = std::exchange(rest_, {});
  return cut(last, take);
}

/// Runs of lines between headings.
Expected<void> LineCutter::cut(std::string_view lines, const Take& take) {
  std::size_t begin = 0;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t found = lines.find('\n', at);
    const std::size_t end = found == std::string_view::npos ? lines.size() : found + 1;
    if (end - at > limits_.longest_line) {
      return failure(fmt::format("a line of more than {} bytes", limits_.longest_line));
    }
    const std::string_view line = lines.substr(at, end - at);
    if (is_heading(line)) {
      if (auto added = add_lines(lines.substr(begin, at - begin), take); !added) return added;
      if (auto added = add_heading(line, take); !added) return added;
      begin = end;
    }
    at = end;
  }
  return add_lines(lines.substr(begin), take);
}

Expected<void> LineCutter::add_lines(std::string_view lines, const Take& take) {
  if (lines.empty()) return {};
  auto piece = std::make_shared<LinePiece>();
  piece->execution = execution_;
  piece->original = lines;
  piece->first_line = line_ + 1;
  piece->parse(parser_);
  line_ += static_cast<std::uint64_t>(std::ranges::count(lines, '\n'));
  const auto error = piece->lines.error;
  if (auto checked = check_names(piece->lines); !checked) return checked;
  if (!piece->lines.lines.empty()) {
    take({source_, std::move(piece), std::chrono::steady_clock::now()});
  }
  if (error) return failure(*error);
  return {};
}

/// Names are kept for long, and are in verdicts.
Expected<void> LineCutter::check_names(const JsonlLines& lines) const {
  for (const JsonlLine& line : lines.lines) {
    std::size_t longest = line.process.size();
    for (std::uint32_t i = line.to.begin; i < line.to.end; ++i) {
      longest = std::max(longest, lines.strings[i].size());
    }
    if (longest > limits_.longest_process) {
      return failure(
          fmt::format("the name of a process of more than {} bytes", limits_.longest_process), {},
          line.number);
    }
    if (line.extra.size() <= limits_.longest_name) continue;
    const auto execution = execution_in(line);
    if (execution && execution->size() > limits_.longest_name) {
      return failure(
          fmt::format("the name of an execution of more than {} bytes", limits_.longest_name), {},
          line.number);
    }
  }
  return {};
}

Expected<void> LineCutter::add_heading(std::string_view line, const Take& take) {
  ++line_;
  auto heading = heading_of(line, limits_);
  if (!heading) {
    heading.error().line = line_;
    return failure(heading.error());
  }
  if (!heading->execution.empty()) execution_ = heading->execution;
  heading->execution = execution_;
  take({source_, std::move(*heading), std::chrono::steady_clock::now()});
  return {};
}

}  // namespace lightcone::service
