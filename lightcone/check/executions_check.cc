// Checks many executions, as many at a time as there are cores, and counts what became of them.
#include <lightcone/check.h>

#include <fmt/format.h>
#include <lightcone/base/parallel.h>
#include <lightcone/base/wording.h>
#include <lightcone/check/recorded_check.h>
#include <lightcone/check/verdicts.h>
#include <lightcone/property/automata/compiled.h>
#include <lightcone/property/language/check_names.h>
#include <tsl/robin_set.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>

namespace lightcone {
namespace {

/// What is kept of a check of one execution.
struct CheckedExecution {
  std::vector<Verdict> verdicts;  // by property
  std::vector<bool> found;
  std::uint64_t events = 0;
  std::string note;  // the first one
  std::optional<Error> error;
};

/// The names that some execution has.
class CollectedNames {
 public:
  void add(const TraceNames& names) {
    const std::lock_guard guard(lock_);
    labels_.insert(names.labels.begin(), names.labels.end());
    variables_.insert(names.variables.begin(), names.variables.end());
    processes_.insert(names.processes.begin(), names.processes.end());
    texts_.insert(names.texts.begin(), names.texts.end());
    has_times_ = has_times_ || names.has_times;
  }
  [[nodiscard]] TraceNames all() const {
    return {sorted(labels_), sorted(variables_), sorted(processes_), sorted(texts_), has_times_};
  }

 private:
  using NameSet = tsl::robin_set<std::string>;
  [[nodiscard]] static std::vector<std::string> sorted(const NameSet& names) {
    std::vector<std::string> all(names.begin(), names.end());
    std::ranges::sort(all);
    return all;
  }

  std::mutex lock_;
  NameSet labels_, variables_, processes_, texts_;
  bool has_times_ = false;
};

class ExecutionsCheck {
 public:
  ExecutionsCheck(const PropertyFile& properties, const Executions& executions,
                  const CheckOptions& options)
      : properties_(properties),
        executions_(executions),
        options_(options),
        checked_(executions.size()) {}

  [[nodiscard]] Expected<ExecutionsReport> run() {
    for_each_part(executions_.size(), [&](std::size_t i) { check_one(i); });
    for (std::size_t i = 0; i < checked_.size(); ++i) {
      if (checked_[i].error) return failure(named(std::move(*checked_[i].error), i));
    }
    if (!checked_.empty()) {
      if (auto ok = check_all_names(); !ok) return failure(std::move(ok.error()));
    }
    return report();
  }

 private:
  void check_one(std::size_t i) {
    CheckedExecution& result = checked_[i];
    const auto reading = executions_.read(i);
    if (!reading) {
      result.error = reading.error();
      return;
    }
    names_.add(names_of(reading->computation));
    RecordedOptions options{options_};
    options.check.progress = {};
    options.check.most_places = 0;
    const auto checked = RecordedCheck::run(compiled_for(reading->computation), *reading, options);
    if (!checked) {
      result.error = checked.error();
      return;
    }
    for (const PropertyReport& property : checked->report().properties) {
      result.verdicts.push_back(property.verdict);
      result.found.push_back(property.found);
    }
    keep_common(checked->report().warnings);
    result.events = checked->report().events;
    if (!reading->notes.empty()) result.note = reading->notes.front();
    tell_progress();
  }

  /// The properties, compiled once for all executions that have the same labels among those that
  /// the file declares: nothing else that they are compiled for depends on a trace.
  [[nodiscard]] std::shared_ptr<const CompiledProperties> compiled_for(
      const Computation& computation) {
    const Properties& syntax = properties_.syntax();
    std::vector<std::string> labels;
    if (!syntax.labels.empty()) labels = event_labels(computation);
    std::erase_if(labels, [&](const std::string& label) { return !syntax.find_label(label); });
    std::ranges::sort(labels);
    const std::lock_guard guard(compiling_);
    auto& compiled = compiled_[labels];
    if (compiled == nullptr) {
      compiled = std::make_shared<CompiledProperties>(CompiledProperties::compile(syntax, labels));
    }
    return compiled;
  }

  [[nodiscard]] Error named(Error error, std::size_t i) const {
    if (executions_.size() > 1) {
      error.what = fmt::format("execution {}: {}", executions_.id(i), error.what);
    }
    return error;
  }

  /// Keeps the warnings that hold of all executions.
  void keep_common(const std::vector<std::string>& warnings) {
    const std::lock_guard guard(lock_);
    const std::set<std::string> all(warnings.begin(), warnings.end());
    if (!has_warnings_) {
      warnings_ = all;
    } else if (!warnings_.empty()) {
      std::erase_if(warnings_, [&](const std::string& known) { return !all.contains(known); });
    }
    has_warnings_ = true;
  }

  void tell_progress() {
    const std::uint64_t done = ++done_;
    if (!options_.progress) return;
    const std::lock_guard guard(lock_);
    options_.progress("checking", done, executions_.size());
  }

  /// All executions together must have the names of the properties.
  [[nodiscard]] Expected<void> check_all_names() {
    auto warnings = check_names(properties_.syntax(), names_.all());
    if (!warnings) return failure(std::move(warnings.error()));
    warnings_.insert(warnings->begin(), warnings->end());
    return {};
  }

  [[nodiscard]] ExecutionsReport report() const {
    ExecutionsReport report;
    report.executions = executions_.size();
    report.warnings.assign(warnings_.begin(), warnings_.end());
    report.notes = executions_.notes();
    for (std::size_t p = 0; p < properties_.size(); ++p) {
      report.properties.push_back({.name = properties_.name(p), .verb = properties_.verb(p)});
    }
    std::uint64_t with_notes = 0;
    std::string first_note;
    for (std::size_t i = 0; i < checked_.size(); ++i) {
      const CheckedExecution& one = checked_[i];
      report.events += one.events;
      if (!one.note.empty() && with_notes++ == 0) {
        first_note = fmt::format("{} ({})", one.note, executions_.id(i));
      }
      for (std::size_t p = 0; p < report.properties.size(); ++p) {
        count(one.verdicts[p], one.found[p], i, report.properties[p]);
      }
    }
    if (with_notes > 0) {
      report.notes.push_back(fmt::format("{} with notes, the first: {}",
                                         counted(with_notes, "execution"), first_note));
    }
    for (ExecutionsProperty& property : report.properties) {
      const bool is_missed = report.executions == 0 && property.verb == Verb::expect;
      property.verdict = property.failed > 0 || is_missed ? Verdict::fail
                         : property.unknown > 0           ? Verdict::unknown
                         : property.verb == Verb::watch   ? Verdict::info
                                                          : Verdict::pass;
    }
    if (report.executions == 0) report.warnings.emplace_back("the trace has no executions");
    return report;
  }

  void count(Verdict verdict, bool found, std::size_t i, ExecutionsProperty& property) const {
    property.found += found;
    const auto list = [&](std::vector<std::string>& ids) {
      if (ids.size() < options_.most_executions) ids.push_back(executions_.id(i));
    };
    switch (verdict) {
      case Verdict::pass:
      case Verdict::info: ++property.passed; break;
      case Verdict::fail:
        ++property.failed;
        list(property.failing);
        break;
      case Verdict::unknown:
        ++property.unknown;
        list(property.undecided);
        break;
    }
  }

  const PropertyFile& properties_;
  const Executions& executions_;
  const CheckOptions& options_;
  std::vector<CheckedExecution> checked_;
  std::mutex compiling_;
  std::map<std::vector<std::string>, std::shared_ptr<const CompiledProperties>> compiled_;
  CollectedNames names_;
  std::mutex lock_;
  std::set<std::string> warnings_;
  bool has_warnings_ = false;
  std::atomic<std::uint64_t> done_ = 0;
};

constexpr std::size_t ids_shown = 2;

[[nodiscard]] std::uint64_t count_of(const ExecutionsReport& report, Verdict verdict) {
  return static_cast<std::uint64_t>(
      std::ranges::count(report.properties, verdict, &ExecutionsProperty::verdict));
}

/// `failed on 37 of 1,200 executions: 5b8e.., 77aa.., ...`
[[nodiscard]] std::string ids_text(std::string_view what, std::uint64_t count, std::uint64_t of,
                                   const std::vector<std::string>& ids) {
  std::string text = fmt::format("{} on {} of {}", what, grouped(count), counted(of, "execution"));
  for (std::size_t i = 0; i < std::min(ids.size(), ids_shown); ++i) {
    text += fmt::format("{} {}", i == 0 ? ":" : ",", printable(ids[i]));
  }
  return count > ids_shown ? text + ", ..." : text;
}

}  // namespace

Verdict ExecutionsReport::verdict() const {
  if (count_of(*this, Verdict::fail) > 0) return Verdict::fail;
  return count_of(*this, Verdict::unknown) > 0 ? Verdict::unknown : Verdict::pass;
}

std::string ExecutionsReport::finding(const ExecutionsProperty& property) const {
  switch (property.verdict) {
    case Verdict::fail: {
      if (executions == 0) return "found nowhere: there are no executions";
      const std::string failed = ids_text("failed", property.failed, executions, property.failing);
      if (property.unknown == 0) return failed;
      return fmt::format("{}; not known on {}", failed, grouped(property.unknown));
    }
    case Verdict::unknown:
      return ids_text("not known", property.unknown, executions, property.undecided);
    case Verdict::info:
      return fmt::format("found on {} of {}", grouped(property.found),
                         counted(executions, "execution"));
    case Verdict::pass: break;
  }
  return fmt::format("on all {}", counted(executions, "execution"));
}

std::string ExecutionsReport::summary() const {
  return fmt::format("{} on {} with {}.",
                     verdict_counts(count_of(*this, Verdict::fail),
                                    count_of(*this, Verdict::unknown), properties.size()),
                     counted(executions, "execution"), counted(events, "event"));
}

std::string ExecutionsReport::text() const {
  std::string all;
  for (const ExecutionsProperty& property : properties) {
    all += fmt::format("{:<7}  {} ({}): {}\n", name_of(property.verdict), printable(property.name),
                       name_of(property.verb), finding(property));
  }
  return all + summary() + '\n';
}

Expected<ExecutionsReport> check(const PropertyFile& properties, const Executions& executions,
                                 const CheckOptions& options) {
  return ExecutionsCheck(properties, executions, options).run();
}

}  // namespace lightcone
