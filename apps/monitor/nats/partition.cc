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
      if (!reading.client_.empty()) client = reading.client_;
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
      silence_(options_.silent),
      next_(state.next),
      first_needed_(state.first_needed()),
      ended_(std::move(state.ended)),
      told_(std::move(told_later)) {
  if (!options_.keep.empty()) {
    decider_.keep_in(
        std::make_unique<KeptExecutions>(options_.keep, options_.keep_bytes, options_.note));
  }
  verdicts_.number_by([this](const ToldVerdict& verdict) { return number_of(verdict); });
  for (const auto& [name, execution] : state.open) {
    open_[name] = {execution.first, std::chrono::steady_clock::now()};
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
  LineCutter cutter(nullptr, "default", options_.lines);
  const auto take = [&](const Arrival& arrival) { accept(reading, arrival); };
  auto cut = cutter.add(message.bytes, take);
  if (cut) cut = cutter.finish(take);
  const std::string why = !cut ? cut.error().text() : reading.refusal;
  if (!why.empty()) {
    if (!is_again) ++counts_.bad;
    note(fmt::format("message {} of partition {}: {}", message.sequence, options_.number, why),
         is_again);
  }
  static_cast<void>(verdicts_.flush());  // there is no file that could fail
  if (is_again) return;
  ++counts_.messages;
  next_ = message.sequence + 1;
  while (!ended_in_order_.empty() &&
         ended_in_order_.begin()->first + remembered_messages < message.sequence) {
    ended_.erase(ended_in_order_.begin()->second);
    ended_in_order_.erase(ended_in_order_.begin());
  }
}

void Partition::accept(MessageReading& reading, const Arrival& arrival) {
  const auto* heading = std::get_if<Heading>(&arrival.content);
  if (heading == nullptr) {
    return accept_piece(reading, std::get<std::shared_ptr<LinePiece>>(arrival.content));
  }
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
  acceptance_.accept(arrival, [&](const AcceptedItem& item) {
    decider_.decide(item, 1);
    if (item.what == AcceptedItem::What::end) end(item.execution, reading.sequence);
  });
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
    state.open[name] = {execution.first, std::max(counted == counted_.end() ? 0 : counted->second,
                                                  told == told_.end() ? 0 : told->second)};
  }
  return state;
}

std::vector<std::string> Partition::quiet(ArrivalTime now, std::chrono::milliseconds patience) {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  for (auto& [name, execution] : open_) {
    if (execution.is_said_quiet || now - execution.heard < patience) continue;
    execution.is_said_quiet = true;
    names.push_back(name);
  }
  return names;
}

std::vector<std::string> Partition::news_of_silence(ArrivalTime now) {
  const auto waiting = decider_.waiting();
  const std::lock_guard lock(mutex_);
  return silence_.news(silence_.silent(acceptance_, waiting, now));
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
  return open_.size();
}

}  // namespace lightcone::service
