// Aligns the processes of two runs, and finds where the runs part.
#include <lightcone/diff.h>

#include <lightcone/causal/consistent_prefix.h>
#include <lightcone/compare/event_comparison.h>
#include <lightcone/compare/first_differences.h>

#include <algorithm>
#include <unordered_map>

namespace lightcone {
namespace {

class RunComparison {
 public:
  RunComparison(const ComparedRun& a, const ComparedRun& b, const DiffOptions& options)
      : a_(a), b_(b), events_(*a.computation, *b.computation, options) {}

  [[nodiscard]] Comparison result() {
    result_.is_whole = a_.is_whole() && b_.is_whole();
    result_.digests_in_a = !a_.computation->attributes().digest.empty();
    result_.digests_in_b = !b_.computation->attributes().digest.empty();
    pair_processes();
    for (AlignedProcess& process : result_.processes) {
      if (process.in_a && process.in_b) {
        align(process);
      } else {
        miss(process);
      }
      result_.alike += process.alike;
      result_.is_whole = result_.is_whole && is_known(process);
    }
    for (const FirstPlace& place : first_differences(a_, b_, result_.processes)) {
      result_.first.push_back(difference_at(place));
    }
    return std::move(result_);
  }

 private:
  void pair_processes() {
    std::unordered_map<std::string_view, ProcessIndex> in_b;
    const Computation& a = *a_.computation;
    const Computation& b = *b_.computation;
    for (ProcessIndex p = 0; p < b.process_count(); ++p) in_b.emplace(b.process_name(p), p);
    for (ProcessIndex p = 0; p < a.process_count(); ++p) {
      AlignedProcess process{std::string(a.process_name(p)), p};
      process.events_a = a_.known_events(p);
      if (const auto same = in_b.find(a.process_name(p)); same != in_b.end()) {
        process.in_b = same->second;
        process.events_b = b_.known_events(same->second);
        in_b.erase(same);
      }
      result_.processes.push_back(std::move(process));
    }
    for (ProcessIndex p = 0; p < b.process_count(); ++p) {
      if (!in_b.contains(b.process_name(p))) continue;
      result_.processes.push_back(
          {std::string(b.process_name(p)), std::nullopt, p, 0, b_.known_events(p)});
    }
  }

  /// Returns whether both runs have all events of a process.
  [[nodiscard]] bool is_known(const AlignedProcess& process) const {
    return (!process.in_a || a_.ends(*process.in_a)) && (!process.in_b || b_.ends(*process.in_b));
  }

  /// The other run has no process of this name, if it is known that it has not.
  void miss(AlignedProcess& process) const {
    if ((process.in_a ? b_ : a_).lost_processes) return;
    process.differs_at = std::min<Rank>(1, std::max(process.events_a, process.events_b));
  }

  void align(AlignedProcess& process) {
    const Computation& a = *a_.computation;
    const Computation& b = *b_.computation;
    if (start_differs(*process.in_a, *process.in_b)) {
      process.differs_at = 0;
      return;
    }
    const Rank both = std::min(process.events_a, process.events_b);
    for (Rank rank = 1; rank <= both; ++rank) {
      const EventIndex in_a = a.event(*process.in_a, rank), in_b = b.event(*process.in_b, rank);
      if (events_.events(in_a, in_b).any()) {
        process.differs_at = rank;
        return;
      }
      result_.compared_contents += events_.compares_contents(in_a, in_b);
      process.alike = rank;
    }
    const bool is_missing = (process.events_a > both && b_.ends(*process.in_b)) ||
                            (process.events_b > both && a_.ends(*process.in_a));
    if (is_missing) process.differs_at = both + 1;
  }

  [[nodiscard]] bool start_differs(ProcessIndex in_a, ProcessIndex in_b) {
    const Computation& a = *a_.computation;
    const Computation& b = *b_.computation;
    if (a_.lost_start && !a.has_initial(in_a)) return false;
    if (b_.lost_start && !b.has_initial(in_b)) return false;
    return events_.attributes(a.initial_row(in_a), b.initial_row(in_b)).any();
  }

  [[nodiscard]] Difference difference_at(const FirstPlace& place) {
    const AlignedProcess& process = result_.processes[place.process];
    Difference difference{place.process, *process.differs_at};
    difference.is_past_known = place.is_past_known;
    const Rank rank = difference.rank;
    difference.is_in_a = process.in_a && process.events_a >= rank;
    difference.is_in_b = process.in_b && process.events_b >= rank;
    if (!difference.is_in_a || !difference.is_in_b) {
      difference.kind = DifferenceKind::missing;
      return difference;
    }
    const Computation& a = *a_.computation;
    const Computation& b = *b_.computation;
    difference.unlike =
        rank == 0 ? events_.attributes(a.initial_row(*process.in_a), b.initial_row(*process.in_b))
                  : events_.events(a.event(*process.in_a, rank), b.event(*process.in_b, rank));
    difference.kind = kind_of(difference.unlike);
    return difference;
  }

  [[nodiscard]] static DifferenceKind kind_of(const Unlike& unlike) {
    if (unlike.kind) return DifferenceKind::event;
    if (unlike.message) return DifferenceKind::message;
    const bool only_contents = !unlike.to && !unlike.labels && !unlike.variables && !unlike.text;
    return only_contents ? DifferenceKind::contents : DifferenceKind::event;
  }

  const ComparedRun& a_;
  const ComparedRun& b_;
  EventComparison events_;
  Comparison result_;
};

}  // namespace

ComparedRun ComparedRun::whole(const Computation& computation) {
  return {.computation = &computation};
}

ComparedRun ComparedRun::of(const Reading& reading) {
  ComparedRun run{.computation = &reading.computation};
  run.cut_off = reading.left_out.has_value() || reading.incomplete;
  run.lost_processes = reading.lost_processes;
  run.lost_start = reading.doubts.at_start;
  if (!reading.incomplete) return run;
  std::vector<EventPlace> doubtful = reading.doubts.receives;
  doubtful.insert(doubtful.end(), reading.doubts.gaps.begin(), reading.doubts.gaps.end());
  run.known = ranks_without(reading.computation, doubtful);
  return run;
}

std::string_view name_of(DifferenceKind kind) {
  switch (kind) {
    case DifferenceKind::message: return "message";
    case DifferenceKind::contents: return "contents";
    case DifferenceKind::event: return "event";
    case DifferenceKind::missing: return "missing";
  }
  return {};
}

std::vector<std::string_view> Unlike::names() const {
  std::vector<std::string_view> all;
  const auto add = [&](bool is_unlike, std::string_view name) {
    if (is_unlike) all.push_back(name);
  };
  add(kind, "kind");
  add(message, "message");
  add(to, "to");
  add(labels, "labels");
  add(variables, "vars");
  add(text, "text");
  add(contents, "contents");
  return all;
}

Comparison diff(const ComparedRun& a, const ComparedRun& b, const DiffOptions& options) {
  return RunComparison(a, b, options).result();
}

Comparison diff(const Computation& a, const Computation& b, const DiffOptions& options) {
  return diff(ComparedRun::whole(a), ComparedRun::whole(b), options);
}

}  // namespace lightcone
