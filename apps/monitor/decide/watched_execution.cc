// Drives the growing check of one execution.
#include "decide/watched_execution.h"

#include <fmt/format.h>
#include <lightcone/check/verdicts.h>
#include <lightcone/property/language/syntax.h>

namespace lightcone::service {

WatchedExecution::WatchedExecution(std::string name, const PropertyFile& properties,
                                   ExecutionLimits limits, Tell tell, Refuse refuse)
    : name_(std::move(name)),
      properties_(properties),
      limits_(limits),
      tell_(std::move(tell)),
      refuse_(std::move(refuse)) {
  check_.emplace(properties_, options());
  lines_.emplace(*check_);
}

MonitorOptions WatchedExecution::options() {
  MonitorOptions options;
  options.check.most_places = 0;  // they are told when they are found
  options.check.limits = limits_.decision;
  options.redelivery_bytes = limits_.redelivery_bytes;
  options.on_sighting = [this](const Sighting& sighting) {
    ToldVerdict told =
        verdict_on(sighting.property, verdict_at_a_place(properties_.verb(sighting.property)));
    told.process = sighting.process;
    told.rank = sighting.rank;
    told.labels.assign(sighting.labels.begin(), sighting.labels.end());
    this->tell(std::move(told));
  };
  options.on_global = [this](const GlobalSighting& sighting) {
    ToldVerdict told =
        verdict_on(sighting.property, verdict_of_global(properties_.verb(sighting.property), true));
    for (std::size_t i = 0; i < sighting.ranks.size(); ++i) {
      told.cut.emplace_back(sighting.processes[i], sighting.ranks[i]);
    }
    told.needs_all = sighting.needs_all;
    this->tell(std::move(told));
  };
  return options;
}

ToldVerdict WatchedExecution::verdict_on(std::size_t property, Verdict verdict) const {
  ToldVerdict told;
  told.property = properties_.name(property);
  told.verdict = verdict;
  told.execution = name_;
  return told;
}

void WatchedExecution::tell(ToldVerdict verdict) {
  if (verdict.verdict == Verdict::fail) has_failed_ = true;
  verdict.refused.assign(refused_.begin(), refused_.end());
  tell_(verdict);
}

void WatchedExecution::add(const JsonlLines& lines, const JsonlLine& line) {
  if (!check_ || (!refused_.empty() && refused_.contains(line.process))) {
    ++ignored_;
    return;
  }
  ++events_;
  if (auto possible = lines_->add(lines, line); !possible) {
    --events_;
    return lose(std::string(line.process), possible.error().what);
  }
  if (check_->waiting() > limits_.waiting) {
    give_up(fmt::format("more than {} events wait for messages", limits_.waiting));
  } else if (check_->messages_kept() > limits_.messages) {
    give_up(fmt::format("more than {} messages may still be received", limits_.messages));
  }
}

void WatchedExecution::name_processes(const std::vector<std::string>& names) {
  if (!check_) return;
  for (const std::string& name : names) check_->add_process(name);
  check_->close_processes();
}

void WatchedExecution::lose(const std::string& process, const std::string& why) {
  if (!refused_.insert(process).second) return;
  refuse_(process, why);
}

void WatchedExecution::give_up(const std::string& why) {
  if (!check_) return;
  for (std::size_t i = 0; i < properties_.size(); ++i) {
    ToldVerdict told = verdict_on(i, Verdict::unknown);
    told.is_final = true;
    told.why = why;
    tell(std::move(told));
  }
  lines_.reset();
  check_.reset();
}

void WatchedExecution::end() {
  if (!check_) return;
  // Whoever was refused may have had more to say, and so may those who wait for its messages.
  const bool is_cut_off = !refused_.empty() || check_->waiting() > 0;
  const auto report = check_->finish({.cut_off = is_cut_off, .lenient = false, .is_told = true});
  if (!report) return give_up(report.error().what);
  for (std::size_t i = 0; i < report->properties.size(); ++i) {
    const PropertyReport& property = report->properties[i];
    ToldVerdict told = verdict_on(i, property.verdict);
    told.is_final = true;
    told.found = property.is_global ? (property.found ? 1 : 0) : property.found_count;
    if (property.verdict == Verdict::unknown) told.why = property.method;
    for (std::size_t k = 0; k < property.cut.size() && k < report->processes.size(); ++k) {
      told.cut.emplace_back(report->processes[k], property.cut[k]);
    }
    tell(std::move(told));
  }
  lines_.reset();
  check_.reset();
}

std::size_t WatchedExecution::bytes() const {
  constexpr std::size_t of_itself = 1 << 10, of_check = 48 << 10;  // with its compiled properties
  return check_ ? of_check + check_->bytes_kept() : of_itself;
}

std::vector<MonitorWait> WatchedExecution::waits() const {
  return check_ ? check_->waits() : std::vector<MonitorWait>();
}

}  // namespace lightcone::service
