// Hands accepted items to their executions.
#include "decide/decider.h"

#include <fmt/format.h>
#include <lightcone/trace/digest.h>

#include <algorithm>
#include <functional>

namespace lightcone::service {
namespace {

constexpr std::size_t most_saved_ends = AcceptanceLimits().ended;

}  // namespace

Decider::Decider(PropertyFile properties, ExecutionLimits limits, VerdictLog& verdicts, Note note)
    : properties_(std::move(properties)),
      limits_(limits),
      verdicts_(verdicts),
      note_(std::move(note)) {
  if (!note_) note_ = [](const std::string&) {};
  counts_.verdicts.resize(properties_.size());
  for (std::size_t i = 0; i < properties_.size(); ++i) {
    property_index_.emplace(properties_.name(i), i);
  }
}

Decider::~Decider() {
  if (memory_) memory_->end_share(bytes_);
}

void Decider::count_memory_in(std::shared_ptr<ExecutionMemory> memory) {
  memory_ = std::move(memory);
  memory_->begin_share();
}

Decider::OpenOne& Decider::open(const std::string& execution, std::uint64_t file) {
  const auto found = executions_.find(execution);
  if (found != executions_.end()) return found->second;
  ++open_in_[file];
  auto watched = std::make_unique<WatchedExecution>(
      execution, properties_, limits_,
      [this](const ToldVerdict& verdict) {
        count(verdict);
        verdicts_.tell(verdict);
      },
      [this, execution](const std::string& process, const std::string& why) {
        ++counts_.refused_processes;
        note_(fmt::format("execution `{}`: nothing more of process `{}` is used: {}", execution,
                          process, why));
      });
  OpenOne& added = executions_.emplace(execution, OpenOne{std::move(watched), file}).first->second;
  count_memory(added);
  return added;
}

void Decider::change_memory(std::size_t& counted, std::size_t now) {
  if (!memory_) return;
  memory_->change(counted, now);
  bytes_ += now;
  bytes_ -= counted;
  counted = now;
}

void Decider::count_memory(OpenOne& open) {
  change_memory(open.bytes, open.watched && !open.leaves ? open.watched->bytes() : 0);
}

/// Traces that will be given up count as if they took nothing.
void Decider::count_span_memory() {
  if (!spans_) return;
  std::size_t leaving = 0;
  for (const auto& [trace, bytes] : leaving_traces_) leaving += bytes;
  change_memory(span_bytes_, spans_->bytes() - std::min(leaving, spans_->bytes()));
}

AcceptedItem Decider::leaving(const std::string& name) const {
  return {.what = AcceptedItem::What::given_up,
          .execution = name,
          .names = {memory_->why()},
          .time = std::chrono::steady_clock::now()};
}

std::vector<AcceptedItem> Decider::to_give_up(const MayBe& may_be) {
  std::vector<AcceptedItem> items;
  const std::lock_guard lock(mutex_);
  if (!memory_ || !memory_->is_over(bytes_)) return items;
  if (span_bytes_ > bytes_ / 2) leave_spans(may_be, items);
  std::vector<std::pair<std::size_t, const std::string*>> largest;
  for (const auto& [name, one] : executions_) {
    if (one.watched->is_followed() && may_be(name)) largest.emplace_back(one.bytes, &name);
  }
  std::ranges::sort(largest, std::greater());
  for (const auto& [bytes, name] : largest) {
    if (!memory_->is_over(bytes_)) break;
    OpenOne& one = executions_.find(*name)->second;
    one.leaves = true;
    count_memory(one);
    items.push_back(leaving(*name));
  }
  return items;
}

/// A quarter of them at a time, so that this is not done for each batch.
void Decider::leave_spans(const MayBe& may_be, std::vector<AcceptedItem>& items) {
  const std::size_t enough = span_bytes_ - span_bytes_ / 4;
  for (const auto& [trace, bytes] : spans_->dispensable()) {
    if (span_bytes_ <= enough) break;
    if (!may_be(trace) || !leaving_traces_.emplace(trace, bytes).second) continue;
    change_memory(span_bytes_, span_bytes_ - std::min(bytes, span_bytes_));
    items.push_back(leaving(trace));
  }
}

void Decider::give_up(const AcceptedItem& item) {
  leaving_traces_.erase(item.execution);
  if (trace_files_.contains(item.execution) && spans_) {
    spans_->give_up(item.execution);
    return count_span_memory();
  }
  const auto found = executions_.find(item.execution);
  if (found == executions_.end()) return;
  const std::string why = item.names.empty() ? "it was given up" : item.names.front();
  found->second.leaves = false;
  found->second.watched->give_up(why);
  count_memory(found->second);
  far_ahead_.erase(item.execution);
  note_(fmt::format("execution `{}` is given up: {}", item.execution, why));
}

void Decider::decide(const AcceptedItem& item, std::uint64_t file) {
  const std::lock_guard lock(mutex_);
  if (positions_.empty() || positions_.rbegin()->first != file) begin_file(file);
  switch (item.what) {
    case AcceptedItem::What::lines: decide_lines(item, file); break;
    case AcceptedItem::What::processes:
      open(item.execution, file).watched->name_processes(item.names);
      break;
    case AcceptedItem::What::lost:
      open(item.execution, file).watched->lose(item.names.front(), "its later events were lost");
      break;
    case AcceptedItem::What::end: end(item.execution); break;
    case AcceptedItem::What::given_up: give_up(item); break;
    case AcceptedItem::What::spans: add_spans(item, file); break;
    case AcceptedItem::What::quiet:
      for (const std::string& trace : item.names) {
        if (spans_) spans_->decide(trace);
      }
      count_span_memory();
      break;
  }
}

void Decider::count(const ToldVerdict& verdict) {
  ++counts_.verdicts[property_index_.find(verdict.property)->second]
                    [static_cast<std::size_t>(verdict.verdict)];
  if (kept_) kept_->tell(verdict.execution, json_of(verdict).dump());
}

void Decider::decide_spans_by(const SpanDeciderMaker& maker) {
  const auto tell = [this](const ToldVerdict& verdict) {
    count(verdict);
    // Of traces, which are many, only what is remarkable is told.
    const bool is_found = verdict.verdict == Verdict::info && verdict.found > 0;
    const bool is_bad = verdict.verdict == Verdict::fail || verdict.verdict == Verdict::unknown;
    if (is_found || is_bad) verdicts_.tell(verdict);
  };
  const auto keep = [this](const std::string& trace, const Computation& computation) {
    if (kept_) kept_->keep(trace, computation);
  };
  const auto forget = [this](const std::string& trace) {
    const auto found = trace_files_.find(trace);
    if (found == trace_files_.end()) return;
    close_in(found->second);
    trace_files_.erase(found);
    if (kept_) kept_->end(trace, false);
    if (forgotten_) forgotten_(trace);
  };
  spans_ = maker(properties_, {tell, keep, forget});
}

void Decider::add_spans(const AcceptedItem& item, std::uint64_t file) {
  if (!spans_) return;
  for (const std::string& trace : item.spans->traces) {
    if (trace_files_.try_emplace(trace, file).second) ++open_in_[file];
  }
  spans_->add(*item.spans);
  count_span_memory();
}

void Decider::ignore_trace(const std::string& trace) {
  if (spans_) spans_->ignore(trace);
}

void Decider::forget_trace(const std::string& trace) {
  const std::lock_guard lock(mutex_);
  if (spans_) spans_->forget(trace);
  count_span_memory();
}

void Decider::close_in(std::uint64_t file) {
  const auto began = open_in_.find(file);
  if (began != open_in_.end() && --began->second == 0) open_in_.erase(began);
}

SpanCounts Decider::span_counts() const {
  const std::lock_guard lock(mutex_);
  return spans_ ? spans_->counts() : SpanCounts();
}

void Decider::decide_lines(const AcceptedItem& item, std::uint64_t file) {
  constexpr std::uint64_t count_every = 64;  // lines that come by themselves
  const JsonlLines& lines = item.piece->lines;
  OpenOne* of_piece = nullptr;
  for (const std::uint32_t index : item.lines) {
    const JsonlLine& line = lines.lines[index];
    OpenOne* one = of_piece;
    if (!line.extra.empty()) {
      one = &open(execution_in(line).value_or(item.execution), file);
    } else if (one == nullptr) {
      one = of_piece = &open(item.execution, file);
    }
    one->watched->add(lines, line);
    if (kept_) kept_->add(one->watched->name(), item.piece->text_of(line));
    if (line.kind != JsonlLine::Kind::initial) ++counts_.events;
    if (one == of_piece) continue;
    look_who_is_ahead(*one->watched);
    if (++one->lines % count_every == 0) count_memory(*one);
  }
  if (of_piece == nullptr) return;
  look_who_is_ahead(*of_piece->watched);
  count_memory(*of_piece);
}

/// Who is far ahead stays so until half of it is caught up with.
void Decider::look_who_is_ahead(const WatchedExecution& watched) {
  const std::size_t most = std::min(limits_.far_ahead, limits_.waiting / 2);
  if (watched.waiting() > most) {
    far_ahead_.insert(watched.name());
  } else if (!far_ahead_.empty() && watched.waiting() <= most / 2) {
    far_ahead_.erase(watched.name());
  }
}

void Decider::end(const std::string& execution) {
  // One that was decided before the log begins ends nevertheless.
  ended_.add(digest_of(execution));
  const auto found = executions_.find(execution);
  if (found == executions_.end()) return;
  WatchedExecution& watched = *found->second.watched;
  watched.end();
  counts_.ignored += watched.ignored();
  if (watched.has_failed()) ++counts_.failing_executions;
  if (kept_) kept_->end(execution, watched.has_failed());
  close_in(found->second.file);
  far_ahead_.erase(execution);
  found->second.watched.reset();
  count_memory(found->second);
  executions_.erase(found);
}

void Decider::begin_file(std::uint64_t file) {
  // Of files before this one, those in which nothing open began are never needed.
  std::erase_if(positions_, [&](const auto& entry) { return !open_in_.contains(entry.first); });
  LogPosition position{file, verdicts_.sequence()};
  for (const auto& [name, execution] : executions_) position.decided.push_back(name);
  for (const auto& [name, first] : trace_files_) position.decided.push_back(name);
  positions_.emplace(file, FileBeginning{std::move(position), ended_.count()});
}

std::uint64_t Decider::position_file() const {
  const std::lock_guard lock(mutex_);
  if (positions_.empty()) return 1;
  const std::uint64_t last = positions_.rbegin()->first;
  return open_in_.empty() ? last : std::min(last, open_in_.begin()->first);
}

LogPosition Decider::position() {
  const std::uint64_t file = position_file();
  const std::lock_guard lock(mutex_);
  const auto found = positions_.find(file);
  if (found == positions_.end()) return {};
  positions_.erase(positions_.begin(), found);
  LogPosition position = found->second.position;
  position.ended = ended_.first(found->second.ended, most_saved_ends);
  return position;
}

DeciderCounts Decider::counts() const {
  const std::lock_guard lock(mutex_);
  DeciderCounts counts = counts_;
  for (const auto& [name, execution] : executions_) counts.ignored += execution.watched->ignored();
  return counts;
}

std::vector<WaitingExecution> Decider::waiting() const {
  const std::lock_guard lock(mutex_);
  std::vector<WaitingExecution> all;
  for (const auto& [name, execution] : executions_) {
    if (execution.watched->waiting() == 0) continue;
    all.push_back({name, execution.watched->waiting(), execution.watched->waits()});
  }
  return all;
}

std::vector<WaitingExecution> Decider::far_ahead() const {
  const std::lock_guard lock(mutex_);
  std::vector<WaitingExecution> all;
  for (const std::string& name : far_ahead_) {
    const WatchedExecution& watched = *executions_.find(name)->second.watched;
    all.push_back({name, watched.waiting(), watched.waits()});
  }
  return all;
}

std::size_t Decider::messages_kept() const {
  const std::lock_guard lock(mutex_);
  std::size_t kept = 0;
  for (const auto& [name, execution] : executions_) kept += execution.watched->messages();
  return kept;
}

}  // namespace lightcone::service
