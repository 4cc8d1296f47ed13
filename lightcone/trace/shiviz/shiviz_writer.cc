// Writing ShiViz logs so that the default expression reads them.
#include <lightcone/base/json_text.h>
#include <lightcone/base/utf8.h>
#include <lightcone/trace/clocks/clock_walk.h>
#include <lightcone/trace/shiviz/log_text.h>
#include <lightcone/trace/shiviz/shiviz.h>
#include <tsl/robin_set.h>

#include <algorithm>
#include <iterator>

namespace lightcone {
namespace {

constexpr std::string_view white_space = " \t\n\v\f\r";

/// Names as the expression can match them, each different from the others.
[[nodiscard]] std::vector<std::string> host_names(const Computation& computation) {
  const ProcessIndex n = computation.process_count();
  std::vector<std::string> hosts(n);
  tsl::robin_set<std::string> used;
  for (ProcessIndex p = 0; p < n; ++p) {
    hosts[p] = as_utf8(computation.process_name(p));
    for (char& c : hosts[p]) {
      if (white_space.find(c) != std::string_view::npos) c = '_';
    }
    if (hosts[p].empty()) hosts[p] = "_";
    if (hosts[p] == computation.process_name(p)) used.insert(hosts[p]);
  }
  for (ProcessIndex p = 0; p < n; ++p) {
    if (hosts[p] == computation.process_name(p)) continue;
    const std::string wanted = hosts[p];
    for (int i = 2; !used.insert(hosts[p]).second; ++i) hosts[p] = wanted + "_" + std::to_string(i);
  }
  return hosts;
}

/// What stands for an event that has no text.
[[nodiscard]] std::string usual_text(const Computation& computation, EventIndex e) {
  std::string text;
  for (const NameIndex label : computation.labels(e)) {
    text += (text.empty() ? "" : " ") + std::string(computation.names()[label]);
  }
  if (!text.empty()) return text;
  switch (computation.kind(e)) {
    case Kind::send:
      text = "send";
      if (computation.sends(e) != none)
        text += " " + computation.message_name(computation.sends(e));
      return text;
    case Kind::receive:
      text = "receive";
      for (const MessageIndex m : computation.takes(e)) text += " " + computation.message_name(m);
      return text;
    default: return "internal";
  }
}

/// Changes a text, as little as possible, so that the default expressions see in it neither a line
/// with host and clock, nor a delimiter, nor (on the first line) an expression.
[[nodiscard]] std::string harmless(std::string text, bool on_first_line) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::replace(text.begin(), text.end(), '\r', ' ');
  constexpr std::string_view shortest_delimiter = "===  ===";
  const bool like_a_delimiter = text.size() >= shortest_delimiter.size() &&
                                text.starts_with("=== ") && text.ends_with(" ===");
  if (like_a_delimiter) text.insert(0, " ");
  const std::size_t space = text.find_first_of(white_space);
  const bool like_a_clock = space != std::string::npos && text.compare(space, 2, " {") == 0 &&
                            text.find('}', space) != std::string::npos;
  if (like_a_clock) text.insert(space, " ");
  if (on_first_line) {
    constexpr std::string_view group = "(?<host>";
    for (std::size_t at = 0; (at = text.find(group, at)) != std::string::npos;) {
      text.insert(at + 2, " ");
    }
  }
  return text;
}

/// The entries of a clock that are not zero, the own one first.
void append_clock(std::string& out, std::span<const Rank> clock, ProcessIndex own,
                  const std::vector<std::string>& keys) {
  const auto append_entry = [&](ProcessIndex p) {
    out += keys[p];
    out += ':';
    out += std::to_string(clock[p]);
  };
  out += '{';
  append_entry(own);
  for (ProcessIndex p = 0; p < clock.size(); ++p) {
    if (p == own || clock[p] == 0) continue;
    out += ", ";
    append_entry(p);
  }
  out += "}\n";
}

[[nodiscard]] std::vector<std::string> notes_on(const Computation& computation,
                                                const std::vector<std::string>& hosts) {
  std::vector<std::string> notes = lost_with_clocks(computation);
  if (!computation.attributes().labels.empty()) {
    notes.emplace_back("Labels are kept only as the text of events that have none.");
  }
  std::size_t renamed = 0;
  std::size_t without_events = 0;
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    if (computation.last_rank(p) == 0) {
      ++without_events;
    } else if (hosts[p] != computation.process_name(p)) {
      ++renamed;
    }
  }
  if (without_events > 0) notes.emplace_back("Processes without events are left out.");
  if (renamed > 0) notes.emplace_back("White space in process names has become _.");
  return notes;
}

}  // namespace

std::vector<std::string> write_shiviz(const Computation& computation, OutputFile& file,
                                      const Progress& progress) {
  const std::vector<std::string> hosts = host_names(computation);
  std::vector<std::string> keys;
  std::transform(hosts.begin(), hosts.end(), std::back_inserter(keys),
                 [](const std::string& host) { return json_string(host); });
  bool on_first_line = true;
  std::string out;
  for_each_clock(
      computation,
      [&](EventIndex e, std::span<const Rank> clock) {
        const auto text = computation.text(e);
        const ProcessIndex p = computation.process_of(e);
        out = harmless(text ? std::string(*text) : usual_text(computation, e), on_first_line);
        on_first_line = false;
        out += '\n';
        out += hosts[p];
        out += ' ';
        append_clock(out, clock, p, keys);
        file.write(out);
      },
      progress);
  return notes_on(computation, hosts);
}

}  // namespace lightcone
