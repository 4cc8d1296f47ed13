// Reads and writes events as dense vector clocks, the format of poset enumeration tools.
#include <lightcone/trace/clocks/clocks.h>

#include <lightcone/trace/clocks/clock_log.h>
#include <lightcone/trace/clocks/clock_walk.h>
#include <lightcone/trace/reader_result.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace lightcone {
namespace {

[[nodiscard]] std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r";
  const std::size_t begin = text.find_first_not_of(blank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blank) - begin + 1);
}

class ClocksReader {
 public:
  ClocksReader(const std::string& name, const ReadOptions& options)
      : name_(name), options_(options), log_(name, options) {}

  [[nodiscard]] Expected<Reading> read(std::string_view text);

 private:
  [[nodiscard]] Expected<void> read_event(std::string_view line);
  [[nodiscard]] Expected<HostIndex> read_process(std::string_view pid) const;
  [[nodiscard]] Expected<void> check_width(std::size_t entries);
  [[nodiscard]] tl::unexpected<Error> fail(std::string what, std::string hint) const {
    return failure(std::move(what), name_, line_, std::move(hint));
  }

  const std::string& name_;
  const ReadOptions& options_;
  ClockLog log_;
  std::uint64_t line_ = 0;
  std::uint64_t first_line_ = 0;  // which has set the number of processes
  std::vector<HostIndex> hosts_;
};

Expected<Reading> ClocksReader::read(std::string_view text) {
  constexpr std::uint64_t between_reports = 1 << 14;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    ++line_;
    if (options_.progress && line_ % between_reports == 0) {
      options_.progress("reading", at, text.size());
    }
    const std::string_view line = trimmed(text.substr(at, end - at));
    at = end + 1;
    if (line.empty()) continue;
    if (auto ok = read_event(line); !ok) return failure(ok.error());
  }
  return log_.build();
}

Expected<void> ClocksReader::read_event(std::string_view line) {
  const std::size_t colon = line.find(':');
  const std::string_view clock =
      colon == std::string_view::npos ? line : trimmed(line.substr(colon + 1));
  if (colon == std::string_view::npos || !clock.starts_with('(') || !clock.ends_with(')')) {
    return fail("this is not an event: " + std::string(line.substr(0, 80)),
                "an event of process 0 looks like 0:(1,0,0)");
  }
  std::string_view entries = clock.substr(1, clock.size() - 2);
  const auto commas = static_cast<std::size_t>(std::count(entries.begin(), entries.end(), ','));
  if (auto ok = check_width(commas + 1); !ok) return ok;
  const auto process = read_process(trimmed(line.substr(0, colon)));
  if (!process) return failure(process.error());
  log_.begin_event(*process, line_);
  for (const HostIndex host : hosts_) {
    const std::size_t comma = std::min(entries.find(','), entries.size());
    if (auto ok = log_.add_entry(host, trimmed(entries.substr(0, comma))); !ok) return ok;
    entries.remove_prefix(std::min(comma + 1, entries.size()));
  }
  return {};
}

Expected<void> ClocksReader::check_width(std::size_t entries) {
  if (hosts_.empty()) {
    first_line_ = line_;
    for (std::size_t p = 0; p < entries; ++p) hosts_.push_back(log_.declare(std::to_string(p)));
  }
  if (hosts_.size() == entries) return {};
  return fail("this clock has " + std::to_string(entries) + " entries, the one on line " +
                  std::to_string(first_line_) + " has " + std::to_string(hosts_.size()),
              "every clock has one entry per process");
}

Expected<HostIndex> ClocksReader::read_process(std::string_view pid) const {
  std::size_t process = 0;
  const auto [end, error] = std::from_chars(pid.data(), pid.data() + pid.size(), process);
  if (error == std::errc() && end == pid.data() + pid.size() && process < hosts_.size()) {
    return hosts_[process];
  }
  return fail("there is no process " + std::string(pid.substr(0, 80)),
              "with " + std::to_string(hosts_.size()) + " entries in a clock, processes are 0 to " +
                  std::to_string(hosts_.size() - 1));
}

[[nodiscard]] std::vector<std::string> notes_on(const Computation& computation) {
  std::vector<std::string> notes = lost_with_clocks(computation);
  if (!computation.attributes().labels.empty()) notes.emplace_back("Labels are left out.");
  if (!computation.attributes().text.empty()) notes.emplace_back("Texts are left out.");
  bool is_numbered = true;
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    is_numbered = is_numbered && computation.process_name(p) == std::to_string(p);
  }
  if (!is_numbered) notes.emplace_back("Process names have become numbers, in the same order.");
  return notes;
}

}  // namespace

Expected<Reading> read_clocks(std::string_view text, const std::string& name,
                              const ReadOptions& options) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const std::string_view whole = without_cut_line(text, options);
  return note_cut_line(ClocksReader(name, options).read(whole), whole.size() < text.size());
}

std::vector<std::string> write_clocks(const Computation& computation, OutputFile& file,
                                      const Progress& progress) {
  std::string out;
  for_each_clock(
      computation,
      [&](EventIndex e, std::span<const Rank> clock) {
        out = std::to_string(computation.process_of(e));
        out += ":(";
        for (std::size_t p = 0; p < clock.size(); ++p) {
          if (p > 0) out += ',';
          out += std::to_string(clock[p]);
        }
        out += ")\n";
        file.write(out);
      },
      progress);
  return notes_on(computation);
}

}  // namespace lightcone
