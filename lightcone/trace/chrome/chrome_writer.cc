// Writes Chrome traces: slices, arrows and counters to look at, and the lines of the trace inside.
#include <lightcone/trace/chrome/chrome.h>

#include <fmt/format.h>
#include <lightcone/base/json_text.h>
#include <lightcone/base/time/decimal_seconds.h>
#include <lightcone/base/utf8.h>
#include <lightcone/base/wording.h>
#include <lightcone/trace/jsonl/jsonl_writer.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <variant>

namespace lightcone {
namespace {

using Nanoseconds = std::int64_t;

constexpr Nanoseconds step = 1'000'000;  // between causes where there are no times
constexpr double latest_time = 4e9;      // in seconds; the year 2096
constexpr double per_second = 1e9;
// Perfetto parses times as floating-point numbers: later nanoseconds are not all told apart.
constexpr double latest_exact_time = 9e15 / per_second;

/// When each event is shown. Times are kept where they do not contradict the order of causes: a
/// receive is at least a nanosecond after its send, as an event is after the one before it.
struct ShownTimes {
  std::vector<Nanoseconds> of_event;
  std::uint64_t moved = 0;  // by more than a microsecond
  double origin = 0;        // what time 0 is, in whole seconds
  bool are_steps = false;
};

[[nodiscard]] bool has_times(const Computation& computation) {
  for (EventIndex e = 0; e < computation.event_count(); ++e) {
    const auto time = computation.time(e);
    if (!time || !(std::abs(*time) < latest_time)) return false;
  }
  return computation.event_count() > 0;
}

/// The second from which times are counted: that of the first event if times are times of day.
[[nodiscard]] double origin_of(const Computation& computation) {
  double first = latest_time, last = -latest_time;
  for (EventIndex e = 0; e < computation.event_count(); ++e) {
    first = std::min(first, *computation.time(e));
    last = std::max(last, *computation.time(e));
  }
  return std::max(std::abs(first), std::abs(last)) > latest_exact_time ? std::floor(first) : 0;
}

[[nodiscard]] ShownTimes shown_times(const Computation& computation) {
  ShownTimes times;
  times.of_event.resize(computation.event_count());
  times.are_steps = !has_times(computation);
  if (!times.are_steps) times.origin = origin_of(computation);
  for (const EventIndex e : computation.order()) {
    const Nanoseconds gap = times.are_steps ? step : 1;
    Nanoseconds own = 0;
    if (!times.are_steps)
      own = decimal_nanoseconds(*computation.time(e)) - decimal_nanoseconds(times.origin);
    Nanoseconds at = own;
    if (e > computation.first_event(computation.process_of(e))) {
      at = std::max(at, times.of_event[e - 1] + gap);
    }
    for (const MessageIndex m : computation.takes(e)) {
      at = std::max(at, times.of_event[computation.sent_by(m)] + gap);
    }
    times.of_event[e] = at;
    if (!times.are_steps && at - own > 1000) ++times.moved;
  }
  return times;
}

class ChromeWriter {
 public:
  ChromeWriter(const Computation& computation, OutputFile& file)
      : computation_(computation),
        file_(file),
        lines_(computation),
        times_(shown_times(computation)) {
    number_edges();
  }

  void write(const Progress& progress) {
    constexpr std::size_t report_every = 1 << 16;
    file_.write("{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n");
    file_.write(R"({"ph": "M", "name": "lightcone", "pid": 1, "tid": 0, "args": )");
    file_.write(lines_.header());
    file_.write("}");
    element(
        R"("ph": "M", "name": "process_name", "pid": 1, "tid": 0, "args": {"name": "lightcone"})");
    if (times_.origin != 0) {
      element(fmt::format(R"("ph": "M", "name": "process_labels", "pid": 1, "tid": 0, )"
                          R"("args": {{"labels": "time 0 is {:.0f} s"}})",
                          times_.origin));
    }
    for (ProcessIndex p = 0; p < computation_.process_count(); ++p) thread(p);
    const auto order = computation_.order();
    for (std::size_t i = 0; i < order.size(); ++i) {
      event(order[i]);
      if (progress && i % report_every == 0) progress("writing", i, order.size());
    }
    file_.write("\n]}\n");
  }

  [[nodiscard]] std::vector<std::string> notes() const {
    std::vector<std::string> notes;
    if (times_.are_steps && computation_.event_count() > 0) {
      notes.emplace_back(
          "Not every event has a time: they are shown a millisecond after their causes.");
    }
    if (times_.moved > 0) {
      notes.push_back(counted(times_.moved, "event") +
                      " shown later than its time, so that no message arrives before it was sent.");
    }
    return notes;
  }

 private:
  /// Each receive of a message is an arrow of its own: edges of a message follow each other.
  void number_edges() {
    first_edge_.assign(computation_.message_count() + 1, 0);
    for (EventIndex e = 0; e < computation_.event_count(); ++e) {
      for (const MessageIndex m : computation_.takes(e)) ++first_edge_[m + 1];
    }
    std::partial_sum(first_edge_.begin(), first_edge_.end(), first_edge_.begin());
    next_edge_.assign(first_edge_.begin(), first_edge_.end());
  }

  void element(std::string_view members) {
    file_.write(",\n{");
    file_.write(members);
    file_.write("}");
  }

  void thread(ProcessIndex p) {
    const std::string name = json_string(as_utf8_name(computation_.process_name(p)));
    element(fmt::format(
        R"("ph": "M", "name": "thread_name", "pid": 1, "tid": {}, "args": {{"name": {}}})", p + 1,
        name));
    element(fmt::format(R"("ph": "M", "name": "thread_sort_index", "pid": 1, "tid": {}, )"
                        R"("args": {{"sort_index": {}}})",
                        p + 1, p));
    if (!computation_.has_initial(p)) return;
    const EventIndex first = computation_.first_event(p);
    const bool has_events = first < computation_.end_event(p);
    const Nanoseconds before = times_.are_steps ? step : 1000;
    const Nanoseconds at = has_events ? times_.of_event[first] - before : 0;
    slice("initial state", p, at, before, lines_.initial(p));
    counters(p, computation_.initial_row(p), at);
  }

  void event(EventIndex e) {
    const ProcessIndex p = computation_.process_of(e);
    const Nanoseconds at = times_.of_event[e];
    const bool is_last = e + 1 == computation_.end_event(p);
    const Nanoseconds last = times_.are_steps ? step : 1000;
    slice(name_of_event(e), p, at, is_last ? last : times_.of_event[e + 1] - at, lines_.event(e));
    for (const MessageIndex m : computation_.takes(e)) flow('f', next_edge_[m]++, p, at);
    if (const MessageIndex m = computation_.sends(e); m != none) {
      for (std::size_t edge = first_edge_[m]; edge < first_edge_[m + 1]; ++edge) {
        flow('s', edge, p, at);
      }
    }
    counters(p, e, at);
  }

  /// Microseconds with three places.
  [[nodiscard]] static std::string micros(Nanoseconds time) {
    const bool is_negative = time < 0;
    const auto size = static_cast<std::uint64_t>(is_negative ? -time : time);
    return fmt::format("{}{}.{:03}", is_negative ? "-" : "", size / 1000, size % 1000);
  }

  void slice(const std::string& name, ProcessIndex p, Nanoseconds at, Nanoseconds duration,
             std::string_view line) {
    element(fmt::format(R"("ph": "X", "cat": "lightcone", "name": {}, "pid": 1, "tid": {}, )"
                        R"("ts": {}, "dur": {}, "args": {})",
                        json_string(name), p + 1, micros(at), micros(duration), line));
  }

  void flow(char phase, std::size_t edge, ProcessIndex p, Nanoseconds at) {
    element(fmt::format(R"("ph": "{}", "cat": "lightcone", "name": "message", "id": {}, )"
                        R"("pid": 1, "tid": {}, "ts": {}{})",
                        phase, edge + 1, p + 1, micros(at), phase == 'f' ? R"(, "bp": "e")" : ""));
  }

  void counters(ProcessIndex p, Row row, Nanoseconds at) {
    for (const Assignment& assignment : computation_.assignments(row)) {
      std::string value;
      if (const auto* integer = std::get_if<std::int64_t>(&assignment.value)) {
        value = std::to_string(*integer);
      } else if (const auto* real = std::get_if<double>(&assignment.value)) {
        if (std::isfinite(*real)) value = json_real(*real);
      }
      if (value.empty()) continue;
      const std::string name = std::string(computation_.process_name(p)) + "." +
                               std::string(computation_.names()[assignment.variable]);
      element(fmt::format(R"("ph": "C", "cat": "lightcone", "name": {}, "pid": 1, "ts": {}, )"
                          R"("args": {{"value": {}}})",
                          json_string(name), micros(at), value));
    }
  }

  [[nodiscard]] std::string name_of_event(EventIndex e) const {
    std::string name;
    for (const NameIndex label : computation_.labels(e)) {
      name += (name.empty() ? "" : ", ") + std::string(computation_.names()[label]);
    }
    if (!name.empty()) return name;
    if (const auto text = computation_.text(e); text && !text->empty()) return std::string(*text);
    const auto takes = computation_.takes(e);
    if (!takes.empty()) return "receive " + computation_.message_name(takes.front());
    const MessageIndex m = computation_.sends(e);
    return m == none ? "internal" : "send " + computation_.message_name(m);
  }

  const Computation& computation_;
  OutputFile& file_;
  JsonlLineWriter lines_;
  ShownTimes times_;
  std::vector<std::size_t> first_edge_, next_edge_;  // indexed by message
};

}  // namespace

std::vector<std::string> write_chrome(const Computation& computation, OutputFile& file,
                                      const Progress& progress) {
  ChromeWriter writer(computation, file);
  writer.write(progress);
  return writer.notes();
}

}  // namespace lightcone
