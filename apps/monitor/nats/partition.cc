// Feeds acceptance and decisions with the messages of one partition.
#include "nats/partition.h"

#include <fmt/format.h>
#include <lightcone/trace/digest.h>

#include <algorithm>

#include "nats/partition_names.h"

namespace lightcone::service {
namespace {

/// Ended executions are remembered here, by messages instead of by their number.
[[nodiscard]] AcceptanceLimits without_ends(AcceptanceLimits limits) {
  limits.ended = 0;
  return limits;
}

}  // namespace

/// One message while it is read. What is wrong with one execution concerns no other: a monitor that
/// takes over reads the message again without those that have ended.
class Partition::MessageReading {
 public:
  MessageReading(const StreamMessage& message, bool again)
      : sequence(message.sequence), is_again(again), client_(message.client) {}

  /// Whoever sent the message, as far as this execution is concerned.
  [[nodiscard]] const std::shared_ptr<LineSource>& source_of(const std::string& execution) {
    auto& source = sources_[execution];
    if (!source) source = std::make_shared<MessageSource>(*this);
    return source;
  }

  std::uint64_t sequence;
  bool is_again;  ///< it has been decided before
  std::string refusal = {};

 private:
  /// It is not answered: the stream has what it sent.
  class MessageSource final : public LineSource {
   public:
    explicit MessageSource(MessageReading& reading) : reading_(reading) {
      // Of a message that names no client NATS knows who may publish it.
      may_end_all = reading.client_.empty();
      if (!may_end_all) client = reading.client_;
    }
    void stored(const std::string&, const std::map<std::string, std::uint64_t>&) override {}
    void refused(const std::string& why) override { reading_.refusal = why; }

   private:
    MessageReading& reading_;
  };

  const std::string& client_;
  std::map<std::string, std::shared_ptr<LineSource>, std::less<>> sources_;
};

Partition::Partition(const PropertyFile& properties, PartitionOptions options, PartitionState state,
                     Told told_later)
    : options_(std::move(options)),
      verdicts_([this](const VerdictLog::Line& line) { out_.push_back(line); }),
      decider_(properties, options_.execution, verdicts_, options_.note),
      acceptance_(without_ends(options_.acceptance)),
      silence_(options_.silent, false),
      cutter_(nullptr, "default", options_.lines),
      next_(state.next),
      first_needed_(state.first_needed()),
      ended_(std::move(state.ended)),
      told_(std::move(told_later)) {
  if (!options_.keep.empty()) {
    decider_.keep_in(
        std::make_unique<KeptExecutions>(options_.keep, options_.keep_bytes, options_.note));
  }
  if (options_.span_decider) decider_.decide_spans_by(options_.span_decider);
  if (options_.memory) decider_.count_memory_in(options_.memory);
  decider_.on_forgotten([this](const std::string& trace) { forgotten_.push_back(trace); });
  verdicts_.number_by([this](const ToldVerdict& verdict) { return number_of(verdict); });
  for (const auto& [name, execution] : state.open) {
    open_[name] = {execution.first, std::chrono::steady_clock::now()};
    open_[name].is_trace = execution.is_trace;
    open_[name].given_up = execution.given_up;
    if (execution.given_up != 0) to_repeat_.emplace(execution.given_up, name);
    if (execution.is_trace) traces_.emplace(execution.first, name);
    told_[name] += execution.told;
  }
  for (const auto& [digest, message] : ended_) ended_in_order_.emplace(message, digest);
}

std::optional<std::uint64_t> Partition::number_of(const ToldVerdict& verdict) {
  const std::uint64_t number = ++counted_[verdict.execution];
  const auto told = told_.find(verdict.execution);
  if (told != told_.end() && number <= told->second) return std::nullopt;
  return number;
}

void Partition::note(const std::string& what, bool is_again) const {
  if (!is_again && options_.note) options_.note(what);
}

void Partition::take(const StreamMessage& message) {
  const std::lock_guard lock(mutex_);
  const bool is_again = message.sequence < next_;
  MessageReading reading(message, is_again);
  if (message.is_spans) {
    accept_spans(reading, message.bytes);
  } else {
    accept_lines(reading, message.bytes);
  }
  forget_traces(message.sequence);
  while (!to_repeat_.empty() && to_repeat_.begin()->first <= message.sequence) {
    give_up(to_repeat_.begin()->second);
    to_repeat_.erase(to_repeat_.begin());
  }
  if (!reading.refusal.empty()) {
    if (!is_again) ++counts_.bad;
    note(fmt::format("message {} of partition {}: {}", message.sequence, options_.number,
                     reading.refusal),
         is_again);
  }
  static_cast<void>(verdicts_.flush());  // there is no file that could fail
  if (is_again) return;
  ++counts_.messages;
  next_ = message.sequence + 1;
  while (!ended_in_order_.empty() &&
         (ended_in_order_.begin()->first + remembered_messages < message.sequence ||
          ended_in_order_.size() > most_ended)) {
    ended_.erase(ended_in_order_.begin()->second);
    ended_in_order_.erase(ended_in_order_.begin());
  }
}

/// While messages are read again nothing more is given up: what was told of them would be told in
/// another order.
bool Partition::plan_to_give_up() {
  const std::lock_guard lock(mutex_);
  if (!to_repeat_.empty()) return false;
  const auto is_told_again = [&](const std::string& execution) {
    const auto told = told_.find(execution), counted = counted_.find(execution);
    return told != told_.end() && (counted == counted_.end() || counted->second < told->second);
  };
  const auto may_be = [&](const std::string& execution) {
    return open_.contains(execution) && !is_told_again(execution);
  };
  for (const AcceptedItem& item : decider_.to_give_up(may_be)) {
    to_give_up_.push_back(item.execution);
    open_[item.execution].given_up = next_ - 1;
  }
  return !to_give_up_.empty();
}

void Partition::give_up() {
  const std::lock_guard lock(mutex_);
  for (const std::string& execution : std::exchange(to_give_up_, {})) give_up(execution);
  static_cast<void>(verdicts_.flush());
}

void Partition::give_up(const std::string& execution) {
  AcceptedItem item{.what = AcceptedItem::What::given_up, .execution = execution};
  if (options_.memory) item.names = {options_.memory->why()};
  decider_.decide(item, 1);
}

void Partition::accept_lines(MessageReading& reading, const std::string& bytes) {
  cutter_.begin_anew("default");
  const auto take = [&](const Arrival& arrival) { accept(reading, arrival); };
  auto cut = cutter_.add(bytes, take);
  if (cut) cut = cutter_.finish(take);
  if (!cut) reading.refusal = cut.error().text();
}

/// Of too many traces the oldest are decided as they are. Which ones these are must not depend on
/// when somebody reads the messages, so their numbers are the times.
void Partition::accept_spans(MessageReading& reading, const std::string& bytes) {
  if (!options_.span_decider) return;
  auto batch = std::make_shared<SpanBatch>();
  batch->bytes = bytes;
  if (auto read = read_batch(*batch); !read) {
    reading.refusal = read.error().text();
    return;
  }
  std::erase_if(batch->traces, [&](const std::string& trace) {
    return !is_wanted(trace, reading.sequence, reading.is_again, true);
  });
  if (batch->traces.empty()) return;
  for (const std::string& trace : batch->traces) {
    const auto [place, is_new] = open_.try_emplace(trace, OpenExecution{reading.sequence});
    if (is_new) traces_.emplace(reading.sequence, trace);
    place->second.heard = std::chrono::steady_clock::now();
    place->second.is_trace = true;
    place->second.is_said_quiet = place->second.is_decided = false;
  }
  const ArrivalTime time{ArrivalTime::duration(static_cast<std::int64_t>(reading.sequence))};
  decide(reading, {reading.source_of(batch->traces.front()), batch, time});
}

void Partition::accept_quiet(MessageReading& reading, const Heading& heading) {
  if (!is_wanted(heading.execution, reading.sequence, reading.is_again, false)) return;
  decide(reading,
         {reading.source_of(heading.execution), heading, std::chrono::steady_clock::now()});
}

void Partition::decide(const MessageReading& reading, const Arrival& arrival) {
  acceptance_.accept(arrival, [&](const AcceptedItem& item) {
    decider_.decide(item, 1);
    if (item.what == AcceptedItem::What::end) end(item.execution, reading.sequence);
    if (item.what != AcceptedItem::What::quiet) return;
    for (const std::string& trace : item.names) {
      if (const auto found = open_.find(trace); found != open_.end()) {
        found->second.is_decided = true;
      }
    }
  });
}

/// Decided traces do not keep the messages that came since forever.
void Partition::forget_traces(std::uint64_t sequence) {
  for (auto it = traces_.begin();
       it != traces_.end() && it->first + remembered_messages < sequence;) {
    const auto found = open_.find(it->second);
    const bool is_open = found != open_.end() && !found->second.is_decided;
    if (found != open_.end() && !is_open) decider_.forget_trace(it->second);
    it = is_open ? std::next(it) : traces_.erase(it);
  }
  for (const std::string& trace : std::exchange(forgotten_, {})) end(trace, sequence);
}

void Partition::accept(MessageReading& reading, const Arrival& arrival) {
  const auto* heading = std::get_if<Heading>(&arrival.content);
  if (heading == nullptr) {
    return accept_piece(reading, std::get<std::shared_ptr<LinePiece>>(arrival.content));
  }
  if (heading->is_quiet) return accept_quiet(reading, *heading);
  const bool is_about_lines = !heading->is_end && !heading->is_lost && heading->processes.empty();
  if (is_about_lines && heading->from == 0) return;
  if (!is_wanted(heading->execution, reading.sequence, reading.is_again, !is_about_lines)) return;
  Heading unanswered = *heading;
  unanswered.wants_answers = false;
  accept_of(reading, heading->execution, std::move(unanswered));
}

void Partition::accept_piece(MessageReading& reading, const std::shared_ptr<LinePiece>& piece) {
  std::map<std::string, std::string> lines;  // of each execution
  const auto execution_of = [&](const JsonlLine& line) {
    return execution_in(line).value_or(piece->execution);
  };
  const bool is_mixed = std::ranges::any_of(piece->lines.lines, [&](const JsonlLine& line) {
    return !line.extra.empty() && execution_of(line) != piece->execution;
  });
  if (is_mixed) {
    for (const JsonlLine& line : piece->lines.lines) {
      std::string& text = lines[execution_of(line)] += piece->text_of(line);
      if (!text.ends_with('\n')) text += '\n';
    }
  } else {
    lines[piece->execution];
  }
  for (auto& [execution, text] : lines) {
    if (!is_wanted(execution, reading.sequence, reading.is_again, true)) continue;
    auto of_one = piece;
    if (is_mixed) {
      of_one = std::make_shared<LinePiece>();
      of_one->execution = execution;
      of_one->original = std::move(text);
      of_one->parse();
    }
    accept_of(reading, execution, std::move(of_one));
  }
}

void Partition::accept_of(MessageReading& reading, const std::string& execution,
                          std::variant<std::shared_ptr<LinePiece>, Heading> content) {
  Arrival arrival{reading.source_of(execution), {}, std::chrono::steady_clock::now()};
  std::visit([&](auto& one) { arrival.content = std::move(one); }, content);
  decide(reading, arrival);
  touch(execution, reading.sequence);
}

bool Partition::is_wanted(const std::string& execution, std::uint64_t sequence, bool is_again,
                          bool counts) {
  if (is_again) {
    const auto found = open_.find(execution);
    return found != open_.end() && sequence >= found->second.first;
  }
  if (partition_of(execution, options_.partitions) != options_.number) {
    if (counts && counts_.misplaced++ == 0) {
      note(fmt::format("execution `{}` does not belong to partition {}, where it was published",
                       execution, options_.number),
           is_again);
    }
    return false;
  }
  if (!ended_.contains(digest_of(execution))) return true;
  if (counts) ++counts_.late;
  return false;
}

void Partition::touch(const std::string& execution, std::uint64_t sequence) {
  if (!acceptance_.is_open(execution)) return;
  const auto [place, is_new] = open_.try_emplace(execution, OpenExecution{sequence});
  place->second.heard = std::chrono::steady_clock::now();
  place->second.is_said_quiet = false;
}

void Partition::end(const std::string& execution, std::uint64_t sequence) {
  open_.erase(execution);
  told_.erase(execution);
  counted_.erase(execution);
  const std::uint64_t digest = digest_of(execution);
  ended_[digest] = sequence;
  ended_in_order_.emplace(sequence, digest);
}

std::vector<VerdictLog::Line> Partition::verdicts() {
  const std::lock_guard lock(mutex_);
  return std::exchange(out_, {});
}

PartitionState Partition::state(std::uint64_t last_verdict) const {
  const std::lock_guard lock(mutex_);
  PartitionState state;
  state.next = next_;
  state.verdicts = last_verdict;
  state.ended = ended_;
  for (const auto& [name, execution] : open_) {
    const auto counted = counted_.find(name), told = told_.find(name);
    // While messages are read again, not all that was told has been counted again.
    state.open[name] = {execution.first,
                        std::max(counted == counted_.end() ? 0 : counted->second,
                                 told == told_.end() ? 0 : told->second),
                        execution.is_trace, execution.given_up};
  }
  return state;
}

std::vector<Partition::QuietExecution> Partition::quiet(ArrivalTime now,
                                                        std::chrono::milliseconds patience,
                                                        std::chrono::milliseconds for_traces) {
  const std::lock_guard lock(mutex_);
  std::vector<QuietExecution> all;
  for (auto& [name, execution] : open_) {
    const auto longest = execution.is_trace ? for_traces : patience;
    if (longest.count() == 0 || execution.is_said_quiet || execution.is_decided) continue;
    if (now - execution.heard < longest) continue;
    execution.is_said_quiet = true;
    all.push_back({name, execution.is_trace});
  }
  return all;
}

std::vector<std::string> Partition::news_of_silence(ArrivalTime now) {
  const auto waiting = decider_.waiting();
  const std::lock_guard lock(mutex_);
  return silence_.news(acceptance_, waiting, now);
}

Partition::HeldUp Partition::held_up(ArrivalTime now) const {
  HeldUp all;
  all.waiting = decider_.waiting();
  const std::lock_guard lock(mutex_);
  all.silent = silence_.silent(acceptance_, all.waiting, now);
  all.waits = silence_.long_waits(now);
  return all;
}

PartitionCounts Partition::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

AcceptanceCounts Partition::accepted() const {
  const std::lock_guard lock(mutex_);
  return acceptance_.counts();
}

std::size_t Partition::open_executions() const {
  const std::lock_guard lock(mutex_);
  return acceptance_.open_executions();
}

void Partition::add_processes(const std::string& execution, Processes& to) const {
  const std::lock_guard lock(mutex_);
  acceptance_.for_each_process(
      [&](const std::string& name, const std::string& process, const ProcessProgress& progress) {
        if (execution.empty() || name == execution) to[name][process] = progress.owner;
      });
}

std::size_t Partition::open_traces() const {
  const std::lock_guard lock(mutex_);
  return acceptance_.open_traces();
}

}  // namespace lightcone::service
