// Whatever lines a growing trace has, a check that is told of them one by one ends in the report of
// a check of the whole, or both end in an error.
#include <lightcone/check.h>
#include <lightcone/check/growing/growing_lines.h>
#include <lightcone/monitor.h>
#include <lightcone/trace.h>
#include <lightcone/trace/jsonl/jsonl_pieces.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>

namespace {

using namespace lightcone;

/// One property for each way of watching. They name only the process and the variable that every
/// input gets first, since a name that a trace does not have is an error.
const char* const property_text = R"(
clocks within 100 ms
label big = x > 1
forbid  f1 : some flow over {a, b} ends with a -> b without a
require f2 : every longest flow over {a, b} at b contains a
watch   f3 : some longest flow over {a, b} matches (a | b)* b
watch   l1 : logic {
  y := a
  z := b and any y
}
forbid  g1 : possibly all(big)
require g2 : definitely any(big)
watch   g3 : properly sum(x) == 2
watch   g4 : possibly count(big) >= 2
watch   g5 : possibly sum(x) >= 3 and min(x) < 1
watch   g6 : definitely max(x) > p.x + 1
forbid  w1 : some flow over {a, b} contains a -> b within 2 s
require w2 : every longest flow over {a, b} at b ends with . -> . within 1 s
forbid  e1 for each x : some flow over {a, b} contains a -> b
require e2 for each x : every longest flow over {a, b} at b contains a
watch   e3 for each x : logic {
  y := a or any y
}
expect  e4 for each x : possibly any(big)
)";

[[nodiscard]] const PropertyFile& properties() {
  static const PropertyFile file = [] {
    auto parsed = parse_properties(property_text, "fuzz.prop");
    if (!parsed) {
      std::fprintf(stderr, "%s\n", parsed.error().text().c_str());
      std::abort();
    }
    return *parsed;
  }();
  return file;
}

/// Global properties of random traces may take long: few states are enough here.
[[nodiscard]] CheckOptions check_options() {
  CheckOptions options;
  options.limits.states = 2000;
  return options;
}

/// Gives a text in portions of changing size, as a pipe does.
class Pipe {
 public:
  explicit Pipe(std::string_view text) : text_(text) {}
  Expected<std::size_t> operator()(char* buffer, std::size_t size) {
    portion_ = portion_ * 7 % 61 + 1;
    const std::size_t count = std::min({size, text_.size(), portion_});
    std::copy_n(text_.data(), count, buffer);
    text_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view text_;
  std::size_t portion_ = 1;
};

[[nodiscard]] Expected<Report> check_growing(std::string_view text, const ReadOptions& options) {
  Monitor monitor(properties(), {check_options(), "fuzz"});
  GrowingLines lines(monitor);
  JsonlPieceReader reader(Pipe(text), 0, "fuzz", {}, JsonlPieceReader::End::nothing);
  JsonlFeeder feeder("fuzz", nullptr);
  JsonlPiece piece;
  do {
    reader.fill(piece);
    Expected<void> fed = feeder.add(piece);
    for (const JsonlLine& line : piece.parsed.lines) {
      if (!fed && line.number >= fed.error().line) break;
      if (auto told = lines.add(piece.parsed, line); !told) return failure(told.error());
    }
    if (!fed) return failure(fed.error());
  } while (!piece.last);
  return monitor.finish({options.cut_off, options.lenient});
}

[[nodiscard]] Expected<Report> check_recorded(std::string_view text, const ReadOptions& options) {
  const auto reading = read_trace_text(text, "fuzz", Format::jsonl, options);
  if (!reading) return failure(reading.error());
  return check(properties(), *reading, check_options());
}

/// Returns whether a global property is undecided, or one of its values is.
[[nodiscard]] bool is_open(const PropertyReport& property) {
  return (property.is_global && !property.found && property.meaning.empty()) ||
         std::ranges::any_of(property.values, is_open);
}

/// What a report says, but for methods, and which of several global states was found. What one way
/// leaves undecided, at its limit or since it has forgotten old states, the other may decide.
[[nodiscard]] std::string essence(const Expected<Report>& report, const Expected<Report>& other) {
  if (!report) return "error";  // one may name a line, the other an event
  std::ostringstream out;
  out << report->events << " events, left out "
      << static_cast<std::int64_t>(report->wholeness.left_out.value_or(-1)) << ", incomplete "
      << report->wholeness.incomplete << '\n';
  for (std::size_t i = 0; i < report->properties.size(); ++i) {
    const PropertyReport& property = report->properties[i];
    if (is_open(property) || (other && is_open(other->properties[i]))) continue;
    out << property.name << ' ' << name_of(property.verdict) << ' ' << property.found << ' '
        << property.lost << ' ' << property.of_kept_part << ' ' << property.asked_count << ' '
        << property.found_count << " at";
    for (const EventPlace place : property.at) {
      out << ' ' << report->processes[place.process] << ':' << place.rank;
    }
    out << '\n';
  }
  return out.str();
}

}  // namespace

/// The first byte says how the trace is read, and whether a header names its processes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  ReadOptions options;
  options.lenient = (data[0] & 1U) != 0;
  options.cut_off = (data[0] & 2U) != 0;
  std::string text;
  if ((data[0] & 4U) != 0) text += "{\"lightcone\": 1, \"processes\": [\"p\", \"q\", \"r\"]}\n";
  text += "{\"process\": \"p\", \"kind\": \"init\", \"vars\": {\"x\": 0}}\n";
  text.append(reinterpret_cast<const char*>(data) + 1, size - 1);
  text += '\n';
  const auto growing = check_growing(text, options);
  const auto recorded = check_recorded(text, options);
  const std::string one = essence(growing, recorded), other = essence(recorded, growing);
  if (one == other) return 0;
  std::fprintf(stderr, "--- growing\n%s\n--- recorded\n%s\n", one.c_str(), other.c_str());
  std::abort();
}
