// Puts together what processes report, and what it means that they say nothing.
#include "replay_verdict.h"

#include <signal.h>

#include <algorithm>
#include <cerrno>

namespace lightcone::cli {
namespace {

using Why = RunReport::Why;
using Part = ReplayVerdict::Part;

[[nodiscard]] const RunReport* find_report(const std::vector<RunReport>& reports,
                                           const std::string& process) {
  const auto it = std::find_if(reports.begin(), reports.end(),
                               [&](const RunReport& report) { return report.process == process; });
  return it == reports.end() ? nullptr : &*it;
}

[[nodiscard]] bool is_alive(const RunReport& report) {
  return report.pid > 0 && (::kill(static_cast<pid_t>(report.pid), 0) == 0 || errno == EPERM);
}

/// What became of a process that was recorded. One that died without a word has crashed: that is
/// the same if it did not come to its end when it was recorded, either.
[[nodiscard]] Part part_of(const JournalSummary& recorded, const RunReport* report, bool over) {
  if (report == nullptr) {
    return {recorded.process, 0, Why::diverged, "was recorded, but did not take part"};
  }
  if (report->why != Why::runs || (!over && is_alive(*report))) {
    return {recorded.process, report->event, report->why, report->text};
  }
  if (recorded.ended) {
    return {recorded.process, report->event, Why::diverged,
            "recorded: it comes to its end; came: it died before"};
  }
  return {recorded.process, report->event, Why::recording_ended,
          "it died without a word, as it did when it was recorded"};
}

[[nodiscard]] int order_of(Why why) {
  if (why == Why::diverged) return 0;
  return why == Why::waits ? 1 : 2;
}

}  // namespace

ReplayVerdict ReplayVerdict::of(const std::vector<JournalSummary>& recorded,
                                const std::vector<RunReport>& reports, bool over) {
  ReplayVerdict verdict;
  for (const JournalSummary& journal : recorded) {
    verdict.parts.push_back(part_of(journal, find_report(reports, journal.process), over));
  }
  for (const RunReport& report : reports) {
    const bool known = std::any_of(recorded.begin(), recorded.end(), [&](const auto& journal) {
      return journal.process == report.process;
    });
    if (!known) verdict.parts.push_back({report.process, report.event, report.why, report.text});
  }
  std::stable_sort(verdict.parts.begin(), verdict.parts.end(),
                   [](const Part& a, const Part& b) { return order_of(a.why) < order_of(b.why); });
  const auto any = [&](Why why) {
    return std::any_of(verdict.parts.begin(), verdict.parts.end(),
                       [&](const Part& part) { return part.why == why; });
  };
  verdict.is_cut_off = any(Why::recording_ended);
  verdict.same = !any(Why::diverged) && (!any(Why::waits) || verdict.is_cut_off);
  return verdict;
}

Standing standing_of(const std::vector<JournalSummary>& recorded,
                     const std::vector<RunReport>& reports) {
  bool waits = false, for_good = false, doubtful = false, runs = false;
  for (const JournalSummary& journal : recorded) {
    const RunReport* report = find_report(reports, journal.process);
    if (report == nullptr || (report->why == Why::runs && !is_alive(*report))) {
      doubtful = true;
    } else {
      runs = runs || report->why == Why::runs;
      waits = waits || report->why == Why::waits;
    }
  }
  for (const RunReport& report : reports) {
    for_good = for_good ||
               (report.why != Why::runs && report.why != Why::waits && report.why != Why::ended);
  }
  if (!waits && !for_good) return Standing::no;
  if (runs) return for_good ? Standing::stuck : Standing::no;
  if (doubtful) return Standing::doubtful;
  return waits ? Standing::waiting : Standing::surely;
}

}  // namespace lightcone::cli
