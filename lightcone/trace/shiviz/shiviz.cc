// Reading ShiViz logs: which expression, which execution, and what each match says.
#include <lightcone/trace/shiviz/shiviz.h>

#include <fmt/format.h>
#include <lightcone/base/regular_expression.h>
#include <lightcone/trace/clocks/clock_log.h>
#include <lightcone/trace/reader_result.h>
#include <lightcone/trace/shiviz/log_layout.h>
#include <lightcone/trace/shiviz/log_text.h>

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

namespace lightcone {
namespace {

constexpr std::size_t longest_excerpt = 80;

/// The beginning of a text, for an error message.
[[nodiscard]] std::string excerpt(std::string_view text) {
  if (text.size() <= longest_excerpt) return std::string(text);
  std::size_t end = longest_excerpt;  // not inside a character
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) --end;
  return std::string(text.substr(0, end)) + "...";
}

[[nodiscard]] std::string_view first_line(std::string_view text) {
  return text.substr(0, text.find('\n'));
}

[[nodiscard]] bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n\v\f") == std::string_view::npos;
}

[[nodiscard]] std::string counted(std::size_t count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

/// The two lines that may stand at the head of a log: the expression and the delimiter.
struct Head {
  std::string_view regex;
  std::string_view delimiter;
  std::size_t lines = 0;
  std::size_t size = 0;
  std::size_t regex_line = 0;
};

/// Blank lines at the top are passed over; but right before a clock, one is an empty text.
[[nodiscard]] Head read_head(std::string_view text) {
  Head head;
  const auto take_line = [&] {
    const std::string_view line = first_line(text.substr(head.size));
    head.size = std::min(head.size + line.size() + 1, text.size());
    ++head.lines;
    return line;
  };
  Head blank;
  while (head.size < text.size() && is_blank(first_line(text.substr(head.size)))) {
    blank = head;
    (void)take_line();
  }
  if (!is_clock_line(first_line(text.substr(head.size)))) blank = head;
  const std::string_view line = take_line();
  for (const char* group : {"(?<host>", "(?<clock>", "(?<event>"}) {
    if (line.find(group) == std::string_view::npos) return blank;
  }
  head.regex = line;
  head.regex_line = head.lines;
  if (head.size < text.size()) head.delimiter = take_line();
  return head;
}

/// A stretch of the text, and how the user can name it.
struct Execution {
  std::string name;
  std::string_view text;
  std::size_t line;  // on which the text begins
  std::size_t events = 0;
};

class ShivizReader {
 public:
  ShivizReader(const std::string& name, const ReadOptions& options)
      : options_(options), log_(name, options), file_(name) {}

  [[nodiscard]] Expected<Reading> read(std::span<const LogFile> files);
  /// The executions of the log that has the name of this reader.
  [[nodiscard]] Expected<std::vector<Execution>> executions(const LogText& source);

 private:
  /// What a file is made of.
  struct LogParts {
    RegularExpression expression;
    Execution whole;
    std::vector<Execution> executions;
  };

  [[nodiscard]] Expected<LogParts> parts_of(const LogText& source);
  [[nodiscard]] Expected<void> read_file(const LogText& source);
  [[nodiscard]] std::string_view usual_regex(const Head& head, std::string_view text);
  [[nodiscard]] Expected<RegularExpression> compiled(const std::string& option,
                                                     std::string_view head, std::string_view usual,
                                                     std::size_t line) const;
  [[nodiscard]] Expected<void> check_groups(const RegularExpression& expression, std::size_t line);
  [[nodiscard]] Expected<std::vector<Execution>> split(const RegularExpression& delimiter,
                                                       Execution whole) const;
  [[nodiscard]] Expected<void> count_events(const RegularExpression& expression,
                                            std::vector<Execution>& executions) const;
  [[nodiscard]] Expected<Execution> chosen(const std::vector<Execution>& executions) const;
  [[nodiscard]] Expected<void> read_execution(const RegularExpression& expression,
                                              const Execution& execution);
  [[nodiscard]] Expected<void> read_event(const Matches& match, std::size_t line);
  [[nodiscard]] Expected<void> read_clock(std::string_view clock, std::size_t line);
  [[nodiscard]] std::string source_text(std::size_t line) const;
  [[nodiscard]] std::string_view plain_clock(std::string_view clock);
  void count_unmatched(std::string_view gap, bool at_line_begin);
  [[nodiscard]] Error no_match(const RegularExpression& expression, const Execution& whole) const;
  [[nodiscard]] Error at(std::size_t line, Error error) const;

  const ReadOptions& options_;
  ClockLog log_;
  simdjson::ondemand::parser json_;
  std::string clock_copy_;
  const char* text_end_ = nullptr;
  std::uint32_t host_ = 0;  // the groups' numbers
  std::uint32_t clock_ = 0;
  std::uint32_t event_ = 0;
  std::vector<std::pair<NameIndex, std::uint32_t>> variables_;
  std::size_t unmatched_lines_ = 0, repaired_lines_ = 0;
  std::set<std::string> clock_first_files_;
  std::string file_;  // that is being read
};

Error ShivizReader::at(std::size_t line, Error error) const {
  error.file = file_;
  error.line = line;
  return error;
}

Expected<Reading> ShivizReader::read(std::span<const LogFile> files) {
  for (const LogFile& file : files) {
    const LogText source(file.text);
    file_ = file.name;
    repaired_lines_ += source.repaired_lines();
    if (auto ok = read_file(source); !ok) return failure(ok.error());
  }
  auto reading = log_.build();
  if (!reading) return reading;
  if (!clock_first_files_.empty()) {
    std::string note = "each line with a clock is read with the text after it";
    if (clock_first_files_.size() < files.size()) {
      note +=
          fmt::format(", in {} of {}", clock_first_files_.size(), counted(files.size(), "file"));
    }
    reading->notes.push_back(note + ".");
  }
  if (unmatched_lines_ > 0) {
    reading->notes.push_back(counted(unmatched_lines_, "line") +
                             " skipped that the expression does not match.");
  }
  if (repaired_lines_ > 0) {
    reading->notes.push_back(counted(repaired_lines_, "line") +
                             " repaired that held bytes that are not UTF-8.");
  }
  return reading;
}

Expected<ShivizReader::LogParts> ShivizReader::parts_of(const LogText& source) {
  const Head head = read_head(source.text());
  text_end_ = source.text().data() + source.text().size();
  const Execution whole{{}, source.text().substr(head.size), head.lines + 1};
  auto expression =
      compiled(options_.regex, head.regex, usual_regex(head, whole.text), head.regex_line);
  if (!expression) return failure(expression.error());
  const bool regex_from_file = options_.regex.empty() && !head.regex.empty();
  if (auto ok = check_groups(*expression, regex_from_file ? head.regex_line : 0); !ok) {
    return failure(ok.error());
  }
  const auto delimiter =
      compiled(options_.delimiter, is_blank(head.delimiter) ? "" : head.delimiter, shiviz_delimiter,
               head.regex_line + 1);
  if (!delimiter) return failure(delimiter.error());

  auto executions = split(*delimiter, whole);
  if (!executions) return failure(executions.error());
  if (auto ok = count_events(*expression, *executions); !ok) return failure(ok.error());
  if (executions->empty()) return failure(no_match(*expression, whole));
  return LogParts{std::move(*expression), whole, std::move(*executions)};
}

Expected<std::vector<Execution>> ShivizReader::executions(const LogText& source) {
  auto parts = parts_of(source);
  if (!parts) return failure(parts.error());
  return std::move(parts->executions);
}

Expected<void> ShivizReader::read_file(const LogText& source) {
  const auto parts = parts_of(source);
  if (!parts) return failure(parts.error());
  const auto execution = chosen(parts->executions);
  if (!execution) return failure(execution.error());
  const std::size_t before = log_.event_count();
  if (auto ok = read_execution(parts->expression, *execution); !ok) return ok;
  if (log_.event_count() == before) return failure(no_match(parts->expression, parts->whole));
  return {};
}

/// What the expression is where nothing names one: a text and then a clock, or the other way round,
/// whichever more clocks have.
std::string_view ShivizReader::usual_regex(const Head& head, std::string_view text) {
  if (!options_.regex.empty() || !head.regex.empty()) return shiviz_regex;
  const LogLayout layout = layout_of_log(text);
  if (!layout.is_clock_first()) return shiviz_regex;
  clock_first_files_.insert(file_);
  return shiviz_clock_first_regex;
}

/// The option, or what the head of the file says, or what is usual.
Expected<RegularExpression> ShivizReader::compiled(const std::string& option, std::string_view head,
                                                   std::string_view usual, std::size_t line) const {
  const std::string_view pattern = !option.empty() ? option : !head.empty() ? head : usual;
  auto expression = RegularExpression::compile(pattern);
  if (!expression && pattern == head) return failure(at(line, expression.error()));
  return expression;
}

Expected<void> ShivizReader::check_groups(const RegularExpression& expression, std::size_t line) {
  std::string lacking;
  for (const auto& [name, number] :
       {std::pair("host", &host_), std::pair("clock", &clock_), std::pair("event", &event_)}) {
    if (const auto group = expression.group(name)) {
      *number = *group;
    } else {
      lacking += (lacking.empty() ? "" : " and ") + std::string(name);
    }
  }
  if (!lacking.empty()) {
    return failure("the expression " + expression.pattern() + " has no group named " + lacking,
                   line == 0 ? "" : file_, line,
                   "it needs (?<host>...), (?<clock>...) and (?<event>...)");
  }
  variables_.clear();
  for (const RegularExpression::Group& group : expression.groups()) {
    const bool is_own = group.number == host_ || group.number == clock_ || group.number == event_;
    const bool is_ascii = std::all_of(group.name.begin(), group.name.end(), [](char c) {
      return static_cast<unsigned char>(c) < 0x80U;  // then it is an identifier
    });
    if (!is_own && is_ascii) variables_.emplace_back(log_.name(group.name), group.number);
  }
  return {};
}

Expected<std::vector<Execution>> ShivizReader::split(const RegularExpression& delimiter,
                                                     Execution whole) const {
  std::vector<Execution> executions{{{}, whole.text, whole.line}};
  const auto trace = delimiter.group("trace");
  LineCounter lines(whole.text, whole.line);
  Matches matches(delimiter, whole.text);
  std::size_t begin = 0;
  for (;;) {
    const auto found = matches.next();
    if (!found) return failure(at(lines.line_at(matches.end()), found.error()));
    if (!*found) break;
    if (matches.end() == matches.begin()) continue;  // separates nothing
    executions.back().text = whole.text.substr(begin, matches.begin() - begin);
    begin = matches.end();
    const auto name = trace ? matches.group(*trace) : std::nullopt;
    executions.push_back(
        {std::string(name.value_or("")), whole.text.substr(begin), lines.line_at(begin)});
  }
  return executions;
}

/// Drops executions without events and names those that have no name. Where there is only one, its
/// events are not worth a pass of their own.
Expected<void> ShivizReader::count_events(const RegularExpression& expression,
                                          std::vector<Execution>& executions) const {
  std::erase_if(executions, [](const Execution& e) { return is_blank(e.text); });
  if (executions.size() > 1) {
    for (Execution& execution : executions) {
      Matches matches(expression, execution.text);
      for (;; ++execution.events) {
        const auto found = matches.next();
        if (!found) {
          LineCounter lines(execution.text, execution.line);
          return failure(at(lines.line_at(matches.end()), found.error()));
        }
        if (!*found) break;
      }
    }
    std::erase_if(executions, [](const Execution& e) { return e.events == 0; });
  }
  for (std::size_t i = 0; i < executions.size(); ++i) {
    if (executions[i].name.empty()) executions[i].name = std::to_string(i + 1);
  }
  return {};
}

Expected<Execution> ShivizReader::chosen(const std::vector<Execution>& executions) const {
  std::string there_are;
  for (const Execution& e : executions) {
    there_are += (there_are.empty() ? "" : ", ") + e.name;
    if (e.events > 0) there_are += " (" + counted(e.events, "event") + ")";
  }
  if (options_.execution.empty()) {
    if (executions.size() == 1) return executions.front();
    return failure("the log holds " + counted(executions.size(), "execution") + ": " + there_are,
                   file_, 0, "choose one with --execution NAME, or by its number");
  }
  const auto named = [&](const Execution& e) { return e.name == options_.execution; };
  const auto found = std::find_if(executions.begin(), executions.end(), named);
  if (found != executions.end()) {
    if (std::find_if(found + 1, executions.end(), named) == executions.end()) return *found;
    return failure("several executions are named " + options_.execution + ": " + there_are, file_,
                   0, "choose one by its number, counted from 1");
  }
  for (std::size_t i = 0; i < executions.size(); ++i) {
    if (std::to_string(i + 1) == options_.execution) return executions[i];
  }
  return failure("the log has no execution " + options_.execution, file_, 0,
                 "there are: " + there_are);
}

Expected<void> ShivizReader::read_execution(const RegularExpression& expression,
                                            const Execution& execution) {
  constexpr std::size_t between_reports = 1 << 14;
  const std::string_view text = execution.text;
  LineCounter lines(text, execution.line);
  Matches matches(expression, text);
  std::size_t covered = 0;
  for (std::size_t events = 0;; ++events) {
    const auto found = matches.next();
    if (!found) return failure(at(lines.line_at(matches.end()), found.error()));
    if (!*found) break;
    if (options_.progress && events % between_reports == 0) {
      options_.progress("reading", matches.begin(), text.size());
    }
    const auto clock = matches.group(clock_);
    const std::size_t place =
        clock ? static_cast<std::size_t>(clock->data() - text.data()) : matches.begin();
    count_unmatched(text.substr(covered, std::max(matches.begin(), covered) - covered),
                    covered == 0);
    covered = matches.end();
    if (auto ok = read_event(matches, lines.line_at(place)); !ok) return ok;
  }
  count_unmatched(text.substr(covered), covered == 0);
  return {};
}

/// Counts the lines that lie wholly between two matches and are not blank.
void ShivizReader::count_unmatched(std::string_view gap, bool at_line_begin) {
  if (gap.size() <= 1) return;
  if (!at_line_begin) gap.remove_prefix(std::min(gap.find('\n'), gap.size() - 1) + 1);
  for (std::size_t end = gap.find('\n'); end != std::string_view::npos; end = gap.find('\n')) {
    if (!is_blank(gap.substr(0, end))) ++unmatched_lines_;
    gap.remove_prefix(end + 1);
  }
}

/// `app.log:12`, without folders.
std::string ShivizReader::source_text(std::size_t line) const {
  return file_.substr(file_.rfind('/') + 1) + ":" + std::to_string(line);
}

Expected<void> ShivizReader::read_event(const Matches& match, std::size_t line) {
  const auto host = match.group(host_);
  const auto clock = match.group(clock_);
  if (!host || host->empty() || !clock) {
    return failure("the expression matches here, but its group " +
                       std::string(clock ? "host" : "clock") + " matches nothing",
                   file_, line, "every match must have a host and a clock");
  }
  log_.begin_event(log_.host(*host), line);
  if (auto ok = read_clock(*clock, line); !ok) return ok;
  if (const auto text = match.group(event_)) log_.set_text(log_.name(*text));
  log_.set_source(log_.name(source_text(line)));
  for (const auto& [variable, group] : variables_) {
    if (const auto value = match.group(group)) log_.assign(variable, log_.name(*value));
  }
  return {};
}

/// In some logs a clock stands inside a string, its quotes escaped.
[[nodiscard]] bool has_escaped_quotes(std::string_view clock) {
  const std::size_t quote = clock.find('"');
  return quote != std::string_view::npos && quote > 0 && clock[quote - 1] == '\\';
}

/// The clock without escapes, and so that simdjson may read a little beyond its end.
std::string_view ShivizReader::plain_clock(std::string_view clock) {
  const bool escaped = has_escaped_quotes(clock);
  const auto behind = static_cast<std::size_t>(text_end_ - (clock.data() + clock.size()));
  if (!escaped && behind >= simdjson::SIMDJSON_PADDING) return clock;
  clock_copy_.clear();
  for (std::size_t i = 0; i < clock.size(); ++i) {
    const bool escape = escaped && clock[i] == '\\' && i + 1 < clock.size();
    if (escape && (clock[i + 1] == '"' || clock[i + 1] == '\\')) ++i;
    clock_copy_ += clock[i];
  }
  const std::size_t size = clock_copy_.size();
  clock_copy_.append(simdjson::SIMDJSON_PADDING, '\0');
  return std::string_view(clock_copy_).substr(0, size);
}

Expected<void> ShivizReader::read_clock(std::string_view clock, std::size_t line) {
  using namespace simdjson;
  const auto fail = [&](error_code error) {
    return failure("the clock is not a JSON object (" + std::string(error_message(error)) +
                       "): " + excerpt(clock),
                   file_, line,
                   R"(the group clock must match just the clock, like {"host": 1, "other": 3})");
  };
  const std::string_view json = plain_clock(clock);
  ondemand::document document;
  ondemand::object object;
  if (auto error = json_.iterate(json, json.size() + SIMDJSON_PADDING).get(document)) {
    return fail(error);
  }
  if (auto error = document.get_object().get(object)) return fail(error);
  for (auto result : object) {
    ondemand::field field;
    std::string_view key;
    if (auto error = std::move(result).get(field)) return fail(error);
    if (auto error = field.unescaped_key().get(key)) return fail(error);
    std::string_view number = field.value().raw_json_token();
    number = number.substr(0, number.find_last_not_of(" \t\r\n") + 1);
    if (auto ok = log_.add_entry(log_.host(key), number); !ok) return ok;
  }
  const bool at_end = document.current_location().error() == OUT_OF_BOUNDS;
  return at_end ? Expected<void>() : fail(TRAILING_CONTENT);
}

Error ShivizReader::no_match(const RegularExpression& expression, const Execution& whole) const {
  std::string hint = "pass the log's own expression with --regex; the log begins";
  std::string_view rest = whole.text;
  for (int lines = 0; lines < 3 && !rest.empty(); ++lines) {
    const std::string_view line = first_line(rest);
    hint += "\n    " + excerpt(line);
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
  const std::size_t begin = std::min(whole.text.find_first_not_of(" \t\r\n"), whole.text.size());
  if (whole.text.substr(begin).starts_with('{')) {
    hint = "its lines are JSON objects: --map FILE says where things are in them\n  otherwise, " +
           hint;
  }
  if (is_blank(whole.text)) hint = "the log is empty";
  return {"the expression " + expression.pattern() + " matches nothing in this log", file_, 0,
          std::move(hint)};
}

}  // namespace

Expected<std::vector<std::string>> shiviz_executions(std::string_view text, const std::string& name,
                                                     const ReadOptions& options) {
  const LogText source(without_cut_line(text, options));
  const auto executions = ShivizReader(name, options).executions(source);
  if (!executions) return failure(executions.error());
  std::vector<std::string> names;
  for (std::size_t i = 0; i < executions->size(); ++i) {
    const std::string& own = (*executions)[i].name;
    const auto same = std::count_if(executions->begin(), executions->end(),
                                    [&](const Execution& other) { return other.name == own; });
    names.push_back(same == 1 ? own : std::to_string(i + 1));
  }
  return names;
}

Expected<Reading> read_shiviz(std::string_view text, const std::string& name,
                              const ReadOptions& options) {
  const std::string_view whole = without_cut_line(text, options);
  const std::array<LogFile, 1> files{{{name, whole}}};
  return note_cut_line(ShivizReader(name, options).read(files), whole.size() < text.size());
}

Expected<Reading> read_shiviz(std::span<const LogFile> files, const std::string& name,
                              const ReadOptions& options) {
  return ShivizReader(name, options).read(files);
}

}  // namespace lightcone
