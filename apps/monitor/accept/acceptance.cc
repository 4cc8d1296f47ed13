// Counts the events of each process, and holds those that came before their turn.
#include "accept/acceptance.h"

#include <fmt/format.h>
#include <lightcone/trace/digest.h>

#include <algorithm>
#include <charconv>

namespace lightcone::service {

void Acceptance::accept(const Arrival& arrival, const Take& take) {
  if (arrival.source->is_refused) return;
  // It may have waited for long since it came. That is not the fault of its execution.
  now_ = std::max(arrival.time, std::chrono::steady_clock::now());
  if (std::holds_alternative<Heading>(arrival.content)) {
    accept_heading(arrival, take);
  } else if (std::holds_alternative<std::shared_ptr<SpanBatch>>(arrival.content)) {
    accept_spans(arrival, take);
  } else {
    accept_piece(arrival, take);
  }
}

void Acceptance::accept_piece(const Arrival& arrival, const Take& take) {
  const auto& piece = std::get<std::shared_ptr<LinePiece>>(arrival.content);
  AcceptedItem item{.execution = piece->execution,
                    .piece = piece,
                    .client = arrival.source->client,
                    .time = arrival.time};
  const auto flush = [&] {
    if (!item.lines.empty()) take(item);
    item.lines.clear();
  };
  for (std::uint32_t i = 0; i < piece->lines.lines.size(); ++i) {
    const JsonlLine& line = piece->lines.lines[i];
    if (line.kind == JsonlLine::Kind::header) continue;  // one that does not begin as headings do
    const auto own = execution_in(line);
    const std::string& execution = own ? *own : piece->execution;
    const Fate fate = accept_line(arrival, line, execution, piece->text_of(line));
    if (arrival.source->is_refused) break;
    if (fate == Fate::dropped) continue;
    item.lines.push_back(i);
    if (fate == Fate::accepted) continue;
    flush();
    auto followers = std::make_shared<LinePiece>();
    followers->execution = execution;
    followers->original = released(execution, line.process);
    followers->parse();
    AcceptedItem more{.execution = execution,
                      .piece = followers,
                      .client = arrival.source->client,
                      .time = arrival.time};
    for (std::uint32_t k = 0; k < followers->lines.lines.size(); ++k) more.lines.push_back(k);
    take(std::move(more));
  }
  flush();
}

std::optional<std::uint64_t> Acceptance::rank_of(LineSource& source, const JsonlLine& line,
                                                 const std::string& execution) {
  if (!line.extra.empty()) {
    const std::string_view text = member_text(line.extra, "rank");
    std::uint64_t rank = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), rank);
    const bool is_whole = read.ptr == text.data() + text.size();
    if (!text.empty() && read.ec == std::errc() && is_whole) return rank;
  }
  if (source.cursors.empty()) return std::nullopt;
  const auto cursor = source.cursors.find({execution, std::string(line.process)});
  if (cursor == source.cursors.end()) return std::nullopt;
  return line.kind == JsonlLine::Kind::initial ? 0 : cursor->second++;
}

Acceptance::Fate Acceptance::accept_line(const Arrival& arrival, const JsonlLine& line,
                                         const std::string& execution, std::string_view text) {
  LineSource& source = *arrival.source;
  OpenExecution* const open_one = open(execution, &source);
  if (open_one == nullptr) {
    if (source.wants_answers) note_answer(arrival.source, execution, line.process);
    return Fate::dropped;
  }
  ProcessProgress* const process = process_of(*open_one, line.process, &source);
  if (process == nullptr) return Fate::dropped;
  open_one->heard = process->heard = now_;
  note_speaker(*process, arrival.source);
  const auto rank = rank_of(source, line, execution);
  if (source.wants_answers && (process != noted_process_ || &source != noted_source_)) {
    note_answer(arrival.source, execution, line.process);
    noted_process_ = process;
    noted_source_ = &source;
  }
  if (line.kind == JsonlLine::Kind::initial) {
    if (rank && process->has_spoken) {
      ++counts_.duplicates;
      return Fate::dropped;
    }
    process->has_spoken = true;
    return Fate::accepted;
  }
  const std::uint64_t next = process->events + 1;
  if (rank && *rank < next) {
    ++counts_.duplicates;
    return Fate::dropped;
  }
  if (rank && *rank > next) return hold(source, *rank, text, *process);
  process->has_spoken = true;
  ++process->events;
  ++counts_.accepted;
  const bool held_one_is_next =
      !process->held.empty() && process->held.begin()->first <= process->events + 1;
  return held_one_is_next ? Fate::held_ones_follow : Fate::accepted;
}

Acceptance::Fate Acceptance::hold(LineSource& source, std::uint64_t rank, std::string_view text,
                                  ProcessProgress& process) {
  if (held_bytes_ + text.size() > limits_.held_bytes) {
    refuse_for_now(source,
                   fmt::format("event {} came where event {} is missing, and there is no room to "
                               "wait for it: send again from there",
                               rank, process.events + 1));
    return Fate::dropped;
  }
  ++counts_.too_early;
  std::string line(text);
  if (!line.ends_with('\n')) line += '\n';
  const auto [place, is_new] = process.held.emplace(rank, std::move(line));
  if (is_new) {
    held_bytes_ += place->second.size();
  } else {
    ++counts_.duplicates;
  }
  return Fate::dropped;
}

/// The lines whose turn it is now, one after the other.
std::string Acceptance::released(const std::string& execution, std::string_view name) {
  OpenExecution* const open_one = open(execution, nullptr);
  ProcessProgress& process = *process_of(*open_one, name, nullptr);
  std::string lines;
  while (!process.held.empty() && process.held.begin()->first <= process.events + 1) {
    const auto first = process.held.begin();
    held_bytes_ -= first->second.size();
    if (first->first == process.events + 1) {
      lines += first->second;
      ++process.events;
      ++counts_.accepted;
    } else {
      ++counts_.duplicates;
    }
    process.held.erase(first);
  }
  return lines;
}

Acceptance::OpenExecution* Acceptance::open(const std::string& execution, LineSource* source) {
  if (last_ != nullptr && last_name_ == execution) return last_;
  auto found = executions_.find(execution);
  if (found == executions_.end()) {
    if (has_ended_.contains(digest_of(execution))) {
      ++counts_.late;
      return nullptr;
    }
    if (executions_.size() >= limits_.executions) {
      refuse_for_now(*source, fmt::format("more than {} executions at a time", limits_.executions));
      return nullptr;
    }
    found = executions_.emplace(execution, std::make_unique<OpenExecution>()).first;
    found->second->opener = source->client;
  }
  last_ = found->second.get();
  last_name_ = execution;
  return last_;
}

ProcessProgress* Acceptance::process_of(OpenExecution& execution, std::string_view name,
                                        LineSource* source) {
  auto found = execution.processes.find(name);
  if (found == execution.processes.end()) {
    if (execution.processes.size() >= limits_.processes) {
      refuse(*source, fmt::format("more than {} processes of one execution", limits_.processes));
      return nullptr;
    }
    found =
        execution.processes.emplace(std::string(name), std::make_unique<ProcessProgress>()).first;
  }
  ProcessProgress& process = *found->second;
  if (source == nullptr) return &process;
  if (process.owner.empty()) process.owner = source->client;
  if (process.owner == source->client) return &process;
  refuse(*source, fmt::format("client `{}` speaks for process `{}`, which is of client `{}`",
                              source->client, name, process.owner));
  return nullptr;
}

void Acceptance::accept_heading(const Arrival& arrival, const Take& take) {
  const auto& heading = std::get<Heading>(arrival.content);
  LineSource& source = *arrival.source;
  if (heading.wants_answers) source.wants_answers = true;
  if (heading.is_quiet && traces_.erase(heading.execution)) {
    take({.what = AcceptedItem::What::quiet, .names = {heading.execution}, .time = arrival.time});
  }
  const bool is_about_execution =
      heading.is_end || heading.is_lost || heading.from != 0 || !heading.processes.empty();
  if (!is_about_execution) return;
  const bool only_ends = !heading.is_lost && heading.from == 0 && heading.processes.empty();
  if (only_ends && !source.may_end_all && !is_open(heading.execution)) {
    // Whoever takes part in it later is not to find it ended.
    if (source.wants_answers) note_answer(arrival.source, heading.execution, heading.process);
    return;
  }
  OpenExecution* const open_one = open(heading.execution, &source);
  if (open_one == nullptr) {
    if (source.wants_answers) note_answer(arrival.source, heading.execution, heading.process);
    return;
  }
  open_one->heard = now_;
  AcceptedItem item{.execution = heading.execution, .client = source.client, .time = arrival.time};
  if (!heading.processes.empty()) {
    for (const std::string& name : heading.processes) {
      // Whom nobody speaks for yet belongs to nobody.
      if (process_of(*open_one, name, open_one->processes.contains(name) ? nullptr : &source) ==
          nullptr) {
        return;
      }
      ProcessProgress& named = *open_one->processes[name];
      if (!named.has_spoken) named.owner.clear();
      if (named.heard == ArrivalTime()) named.heard = now_;
    }
    item.what = AcceptedItem::What::processes;
    item.names = heading.processes;
    take(item);
  }
  if (heading.from != 0) {
    if (process_of(*open_one, heading.process, &source) == nullptr) return;
    source.cursors[{heading.execution, heading.process}] = heading.from;
    note_counting(*open_one, arrival.source);
    if (source.wants_answers) note_answer(arrival.source, heading.execution, heading.process);
  }
  if (heading.is_lost) {
    if (process_of(*open_one, heading.process, &source) == nullptr) return;
    item.what = AcceptedItem::What::lost;
    item.names = {heading.process};
    take(item);
  }
  if (!heading.is_end) return;
  if (!may_end(*open_one, source)) {
    return refuse(source, fmt::format("client `{}` ends execution `{}`, in which it has no part",
                                      source.client, heading.execution));
  }
  end(heading.execution, "its end was told", take);
}

/// Whoever takes part in it, or opened it.
bool Acceptance::may_end(const OpenExecution& execution, const LineSource& source) {
  if (source.may_end_all || execution.opener == source.client) return true;
  return std::ranges::any_of(
      execution.processes, [&](const auto& entry) { return entry.second->owner == source.client; });
}

void Acceptance::note_counting(OpenExecution& execution,
                               const std::shared_ptr<LineSource>& source) {
  auto& counting = execution.counting;
  counting.insert(source);
  if (counting.size() <= execution.most_counting) return;
  std::erase_if(counting, [](const auto& weak) { return weak.expired(); });
  execution.most_counting = 2 * counting.size() + 16;
}

void Acceptance::note_speaker(ProcessProgress& process, const std::shared_ptr<LineSource>& source) {
  const std::weak_ptr<LineSource>& before = process.speaker;
  if (source && !before.owner_before(source) && !source.owner_before(before)) return;
  if (const auto other = before.lock()) --other->processes;
  if (source) ++source->processes;
  process.speaker = source;
}

std::set<std::shared_ptr<LineSource>> Acceptance::far_ahead(
    const std::vector<WaitingExecution>& executions) const {
  struct Standing {
    std::size_t processes = 0, events = 0;  // that wait
  };
  using Standings = std::map<std::shared_ptr<LineSource>, Standing>;
  Standings all;
  std::vector<Standings> of_executions;
  for (const WaitingExecution& one : executions) {
    const auto open_one = executions_.find(one.execution);
    if (open_one == executions_.end()) continue;
    Standings& here = of_executions.emplace_back();
    for (const auto& [name, process] : open_one->second->processes) {
      if (const auto source = process->speaker.lock()) here[source];
    }
    for (const MonitorWait& wait : one.waits) {
      const auto process = open_one->second->processes.find(wait.process);
      if (process == open_one->second->processes.end()) continue;
      const auto source = process->second->speaker.lock();
      if (!source) continue;
      ++all[source].processes;
      here[source].events += wait.events;
    }
  }
  std::set<std::shared_ptr<LineSource>> ahead;
  for (const auto& [source, standing] : all) {
    if (standing.processes == source->processes) ahead.insert(source);
  }
  for (const Standings& here : of_executions) {
    const auto is_ahead = [&](const auto& entry) { return ahead.contains(entry.first); };
    if (here.empty() || !std::ranges::all_of(here, is_ahead)) continue;
    const auto least =
        std::ranges::min_element(here, {}, [](const auto& entry) { return entry.second.events; });
    ahead.erase(least->first);
  }
  return ahead;
}

void Acceptance::end(const std::string& execution, std::string why, const Take& take) {
  take({.what = AcceptedItem::What::end,
        .execution = execution,
        .names = {std::move(why)},
        .time = std::chrono::steady_clock::now()});
  forget(execution);
}

void Acceptance::forget(const std::string& execution) {
  const std::string name = execution;  // it may be a part of what goes
  if (const auto found = executions_.find(name); found != executions_.end()) {
    for (auto& [source, executions] : answers_) {
      if (const auto asked = executions.find(name); asked != executions.end()) {
        count_stored(*found->second, asked->second);
      }
    }
    for (const auto& [process, progress] : found->second->processes) {
      note_speaker(*progress, nullptr);
      for (const auto& [rank, line] : progress->held) held_bytes_ -= line.size();
    }
    for (const auto& weak : found->second->counting) {
      if (const auto source = weak.lock()) source->forget_cursors(name);
    }
    executions_.erase(found);
  }
  last_ = nullptr;
  noted_process_ = nullptr;  // another one may get its place in memory
  ++counts_.ended;
  remember_end(digest_of(name));
}

void Acceptance::remember_end(std::uint64_t digest) {
  if (!has_ended_.insert(digest).second) return;
  ended_.push_back(digest);
  if (ended_.size() <= limits_.ended) return;
  has_ended_.erase(ended_.front());
  ended_.pop_front();
}

void Acceptance::end_quiet(ArrivalTime now, std::chrono::nanoseconds quiet, const Take& take) {
  std::vector<std::string> done;
  for (const auto& [name, execution] : executions_) {
    if (now - execution->heard >= quiet) done.push_back(name);
  }
  std::ranges::sort(done);
  for (const std::string& name : done) {
    end(name, quiet.count() == 0 ? "the input ended" : "it was quiet", take);
  }
}

void Acceptance::hear_of(const std::set<std::string>& names, ArrivalTime now) {
  for (const std::string& name : names) {
    if (const auto found = executions_.find(name); found != executions_.end()) {
      found->second->heard = now;
    }
    if (traces_.contains(name)) traces_.hear_of(name, now);
  }
}

void Acceptance::accept_spans(const Arrival& arrival, const Take& take) {
  AcceptedItem item{.what = AcceptedItem::What::spans,
                    .spans = std::get<std::shared_ptr<SpanBatch>>(arrival.content),
                    .client = arrival.source->client,
                    .time = arrival.time};
  for (const std::string& trace : item.spans->traces) traces_.hear_of(trace, now_);
  if (arrival.source->wants_answers) answers_[arrival.source][""];
  take(std::move(item));
  // Too many at a time: the oldest are decided as they are.
  while (traces_.size() > limits_.traces) {
    const std::string oldest = traces_.oldest().first;
    traces_.erase(oldest);
    take({.what = AcceptedItem::What::quiet, .names = {oldest}, .time = arrival.time});
  }
}

void Acceptance::decide_quiet(ArrivalTime now, std::chrono::nanoseconds quiet, const Take& take) {
  AcceptedItem item{.what = AcceptedItem::What::quiet, .time = now};
  while (traces_.size() > 0 && now - traces_.oldest().second >= quiet) {
    item.names.push_back(traces_.oldest().first);
    traces_.erase(item.names.back());
  }
  if (!item.names.empty()) take(std::move(item));
}

void Acceptance::repeat(const AcceptedItem& item) {
  const auto now = std::chrono::steady_clock::now();
  if (item.spans) {
    for (const std::string& trace : item.spans->traces) traces_.hear_of(trace, now);
  }
  if (item.what != AcceptedItem::What::quiet) return;
  for (const std::string& trace : item.names) traces_.erase(trace);
}

void Acceptance::note_answer(const std::shared_ptr<LineSource>& source,
                             const std::string& execution, std::string_view process) {
  answers_[source][execution].try_emplace(std::string(process), 0);
}

void Acceptance::count_stored(const OpenExecution& execution, StoredEvents& processes) {
  for (auto& [process, events] : processes) {
    const auto known = execution.processes.find(process);
    if (known != execution.processes.end()) events = known->second->events;
  }
}

void Acceptance::tell_clients() {
  for (auto& [source, executions] : answers_) {
    for (auto& [name, processes] : executions) {
      const auto execution = executions_.find(name);
      const bool has_ended = execution == executions_.end() && !processes.empty();  // not of spans
      if (execution != executions_.end()) count_stored(*execution->second, processes);
      const bool is_any_stored =
          std::ranges::any_of(processes, [](const auto& entry) { return entry.second > 0; });
      if (!has_ended || is_any_stored) source->stored(name, processes);
      if (has_ended) source->ended(name);
    }
  }
  answers_.clear();
  noted_process_ = nullptr;
}

void Acceptance::for_each_process(const std::function<void(const std::string&, const std::string&,
                                                           const ProcessProgress&)>& of) const {
  for (const auto& [name, execution] : executions_) {
    for (const auto& [process, progress] : execution->processes) of(name, process, *progress);
  }
}

bool Acceptance::begin_refusal(LineSource& source) {
  if (source.is_refused) return false;
  source.is_refused = true;
  ++counts_.refused;
  return true;
}

void Acceptance::refuse(LineSource& source, const std::string& why) {
  if (begin_refusal(source)) source.refused(why);
}

void Acceptance::refuse_for_now(LineSource& source, const std::string& why) {
  if (begin_refusal(source)) source.refused_for_now(why);
}

}  // namespace lightcone::service
