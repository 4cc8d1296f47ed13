// Combines the reports of processes, and decides what a missing report means.
#include "run/replay_verdict.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <fstream>

#include "print/terminal.h"
#include "print/wording.h"

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

[[nodiscard]] bool any_says(const std::vector<RunReport>& reports, Why why) {
  return std::any_of(reports.begin(), reports.end(),
                     [&](const RunReport& report) { return report.why == why; });
}

/// One that has died and whose parent has not noticed is not alive.
[[nodiscard]] bool is_alive(const RunReport& report) {
  if (report.pid <= 0) return false;
  if (::kill(static_cast<pid_t>(report.pid), 0) != 0) return errno == EPERM;
  std::ifstream file(fmt::format("/proc/{}/stat", report.pid));
  std::string line;
  if (!std::getline(file, line)) return true;  // nothing more is known
  const std::size_t name_end = line.rfind(')');
  const char state = name_end + 2 < line.size() ? line[name_end + 2] : 'R';
  return state != 'Z' && state != 'X';
}

/// Whether a process has died, or was told to end, before its last recorded event.
struct Early {
  bool died = false, told = false;
};

[[nodiscard]] Early early_of(const JournalSummary& recorded, const RunReport& report, bool over) {
  const bool too_early = recorded.ended || report.event < recorded.events;
  const bool is_dead = over || !is_alive(report);
  return {report.why == Why::runs && is_dead && too_early, report.why == Why::stopped && too_early};
}

/// It died without a word, and not before the last event that its recording has.
[[nodiscard]] bool died_in_its_place(const JournalSummary& recorded, const RunReport& report,
                                     bool over) {
  return report.why == Why::runs && (over || !is_alive(report)) && !recorded.ended &&
         report.event >= recorded.events;
}

[[nodiscard]] Part begun_part(const JournalSummary& recorded, const RunReport& report) {
  return {recorded.process, report.event, report.why, report.text, recorded.events, recorded.ended};
}

/// Looks at all processes before it judges one: who dies takes others along.
class Judgement {
 public:
  Judgement(const std::vector<JournalSummary>& recorded, const std::vector<RunReport>& reports,
            ReplayEnd end)
      : reports_(reports),
        end_(end),
        over_(end == ReplayEnd::ended),
        someone_broke_off_(any_says(reports, Why::breaks_off)) {
    for (const JournalSummary& journal : recorded) {
      const RunReport* report = find_report(reports, journal.process);
      if (report == nullptr) continue;
      const bool is_candidate = journal.events > 0 && died_in_its_place(journal, *report, over_);
      if (is_candidate && first_to_die_.empty()) first_to_die_ = journal.process;
    }
  }

  [[nodiscard]] Part part_of(const JournalSummary& recorded, ReplayVerdict& verdict) const {
    const RunReport* report = find_report(reports_, recorded.process);
    if (report == nullptr) return absent_part(recorded);
    Part part = begun_part(recorded, *report);
    if (end_ == ReplayEnd::interrupted) return part;
    const Early early = early_of(recorded, *report, over_);
    if (early.died || early.told) {
      judge_early(part, early, verdict);
    } else if (died_in_its_place(recorded, *report, over_)) {
      part.why = Why::recording_ended;
      part.text = "it died without a message, after its last recorded event";
    }
    return part;
  }

 private:
  /// Whoever would start it may stand where the recording ends.
  [[nodiscard]] Part absent_part(const JournalSummary& recorded) const {
    const bool may_come = end_ == ReplayEnd::interrupted ||
                          (end_ == ReplayEnd::stands && any_says(reports_, Why::recording_ended));
    return {recorded.process,
            0,
            may_come ? Why::waits : Why::diverged,
            may_come ? "has not begun" : "was recorded, but did not start",
            recorded.events,
            recorded.ended};
  }

  void judge_early(Part& part, const Early& early, ReplayVerdict& verdict) const {
    const std::string least = part.has_end ? "" : "at least ";
    if (someone_broke_off_) {
      part.why = Why::stopped;
      part.text = fmt::format("of {}{}, when all were ended", least, grouped(part.recorded));
    } else if (early.told) {
      verdict.told_to_end = true;
    } else if (!first_to_die_.empty()) {
      verdict.is_known = false;
      part.text = fmt::format(
          "of {}{}: it died, and so did {}, where its recording ends; who was first is not known",
          least, grouped(part.recorded), printable(first_to_die_));
    } else {
      part.why = Why::diverged;
      part.text = fmt::format("recorded: {}{}{}; came: it died after event {}", least,
                              counted(part.recorded, "event"), part.has_end ? ", and its end" : "",
                              part.events);
    }
  }

  const std::vector<RunReport>& reports_;
  ReplayEnd end_;
  bool over_;  // the program has ended by itself
  bool someone_broke_off_;
  std::string first_to_die_;  // without a word, where its recording ends
};

[[nodiscard]] int order_of(Why why) {
  if (why == Why::diverged) return 0;
  return why == Why::waits ? 1 : 2;
}

/// Returns whether it stands where its recording was cut off, or would wait for what comes after
/// that.
[[nodiscard]] bool is_at_cut(const Part& part) {
  if (part.why == Why::recording_ended || part.why == Why::breaks_off) return true;
  return part.why == Why::waits && !part.has_end && part.events >= part.recorded;
}

}  // namespace

ReplayVerdict ReplayVerdict::of(const std::vector<JournalSummary>& recorded,
                                const std::vector<RunReport>& reports, ReplayEnd end) {
  ReplayVerdict verdict;
  const Judgement judgement(recorded, reports, end);
  for (const JournalSummary& journal : recorded) {
    verdict.parts.push_back(judgement.part_of(journal, verdict));
    verdict.is_cut_off = verdict.is_cut_off || !journal.ended;
  }
  for (const RunReport& report : reports) {
    const bool known = std::any_of(recorded.begin(), recorded.end(), [&](const auto& journal) {
      return journal.process == report.process;
    });
    if (!known) verdict.parts.push_back({report.process, report.event, report.why, report.text});
  }
  auto& parts = verdict.parts;
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return order_of(a.why) < order_of(b.why); });
  const auto any = [&](Why why) {
    return std::any_of(parts.begin(), parts.end(), [&](const Part& p) { return p.why == why; });
  };
  const bool at_cut = std::any_of(parts.begin(), parts.end(), is_at_cut);
  verdict.is_cut_off = verdict.is_cut_off || at_cut;
  const bool interrupted = end == ReplayEnd::interrupted;
  const bool diverged = any(Why::diverged) || (any(Why::waits) && !at_cut && !interrupted);
  verdict.is_known = diverged || (verdict.is_known && !interrupted);
  verdict.told_to_end = verdict.told_to_end && !diverged && verdict.is_known;
  verdict.same = !diverged && verdict.is_known && !verdict.told_to_end;
  return verdict;
}

std::uint64_t ReplayVerdict::events() const {
  std::uint64_t sum = 0;
  for (const Part& part : parts) sum += part.events;
  return sum;
}

std::uint64_t ReplayVerdict::recorded_events() const {
  std::uint64_t sum = 0;
  for (const Part& part : parts) sum += std::min(part.events, part.recorded);
  return sum;
}

Standing standing_of(const std::vector<JournalSummary>& recorded,
                     const std::vector<RunReport>& reports) {
  bool waits = false, for_good = false, missing = false, died = false, runs = false;
  for (const JournalSummary& journal : recorded) {
    const RunReport* report = find_report(reports, journal.process);
    missing = missing || report == nullptr;
    if (report == nullptr) continue;
    const bool is_dying = report->why == Why::breaks_off || report->why == Why::stopped;
    const bool has_died = report->why == Why::runs && !is_alive(*report);
    died = died || has_died || is_dying;
    runs = runs || (report->why == Why::runs && !has_died);
    waits = waits || report->why == Why::waits;
  }
  for (const RunReport& report : reports) {
    for_good = for_good || report.why == Why::diverged || report.why == Why::recording_ended ||
               report.why == Why::until;
  }
  if (runs) return for_good ? Standing::stuck : Standing::no;
  if (!waits && !for_good) return died && !missing ? Standing::doubtful : Standing::no;
  if (missing || died) return Standing::doubtful;
  return waits ? Standing::waiting : Standing::surely;
}

std::string waited_for(const std::vector<JournalSummary>& recorded,
                       const std::vector<RunReport>& reports) {
  std::vector<std::string> parts;
  for (const JournalSummary& journal : recorded) {
    const std::string name = printable(journal.process);
    const RunReport* report = find_report(reports, journal.process);
    if (report == nullptr) parts.push_back(fmt::format("{} has not begun", name));
    if (report == nullptr || report->why != Why::runs) continue;
    parts.push_back(is_alive(*report) ? fmt::format("{} runs, pid {}", name, report->pid)
                                      : fmt::format("{} has died", name));
  }
  if (parts.empty()) return "all processes have ended or wait, but the command still runs";
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace lightcone::cli
