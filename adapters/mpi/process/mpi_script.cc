// Reads ahead as far as the answer that is asked for.
#include "process/mpi_script.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

namespace lightcone::mpi {
namespace {

using Why = Standstill::Why;

[[nodiscard]] MpiScript::Match match_named(std::string_view name) {
  if (name == cancelled_name) return {MpiScript::Match::What::cancelled};
  Channel channel;
  const char* const end = name.data() + name.size();
  const auto source = std::from_chars(name.data(), end, channel.source);
  if (source.ptr != end) std::from_chars(source.ptr + 1, end, channel.tag);
  return {MpiScript::Match::What::message, channel};
}

}  // namespace

Expected<MpiScript> MpiScript::open(const std::string& path) {
  auto journal = Journal::open(path);
  if (!journal) return failure(journal.error());
  auto events = RecordedEvents::open(path);
  if (!events) return failure(events.error());
  return MpiScript(std::move(*journal), std::move(*events));
}

/// Runs of numbers, since a journal can claim any number of wildcards in a few bytes.
std::uint64_t MpiScript::take_open(std::uint64_t older) {
  for (auto run = skipped_.begin(); run != skipped_.end(); ++run) {
    if (older >= run->end - run->begin) {
      older -= run->end - run->begin;
      continue;
    }
    const std::uint64_t choice = run->begin + older;
    const SkippedRange rest{choice + 1, run->end};
    run->end = choice;
    if (run->begin == run->end)
      run = skipped_.erase(run);
    else
      ++run;
    if (rest.begin != rest.end) skipped_.insert(run, rest);
    return choice;
  }
  if (older != 0) skipped_.push_back({untouched_, untouched_ + older});
  untouched_ += older + 1;
  return untouched_ - 1;
}

void MpiScript::read(const JournalEntry& entry) {
  if (const auto* message = std::get_if<ReceivedMessage>(&entry)) {
    const std::uint64_t choice = take_open(std::exchange(older_, 0));
    matches_.emplace(choice, match_named(journal_.sender(message->sender)));
  } else if (const auto* branch = std::get_if<BranchTaken>(&entry)) {
    if (branch->of == later_match) {
      older_ = branch->which;
    } else {
      answers_.emplace_back(*branch);
    }
  } else if (const auto* polls = std::get_if<EmptyPolls>(&entry)) {
    answers_.emplace_back(*polls);
  } else if (const auto* reading = std::get_if<ClockReading>(&entry)) {
    answers_.emplace_back(*reading);
  } else if (const auto* bytes = std::get_if<BytesRead>(&entry)) {
    answers_.emplace_back(std::string(bytes->bytes));
  }
}

/// Reads one entry, or goes to the next block; false after the last.
bool MpiScript::read_more() {
  if (at_end_) return false;
  if (const JournalEntry* entry = journal_.peek()) {
    read(*entry);
    journal_.pop();
    return true;
  }
  const auto there = journal_.next_block();
  if (!there) damage_ = there.error().text();
  at_end_ = !there || !*there;
  return !at_end_;
}

Prompted<MpiScript::Match> MpiScript::match(std::uint64_t choice) {
  auto place = matches_.find(choice);
  while (place == matches_.end() && read_more()) place = matches_.find(choice);
  if (place == matches_.end()) return Match{};
  const Match match = place->second;
  matches_.erase(place);
  return match;
}

std::string MpiScript::next_recorded() const {
  if (answers_.empty()) return journal_.ended() ? "no more questions of this kind" : "nothing more";
  struct Words {
    std::string operator()(const EmptyPolls&) const { return "a poll finds nothing"; }
    std::string operator()(const BranchTaken& branch) const {
      if (branch.of == refused_call) return "a call that the MPI refuses";
      if (branch.of == more_kinds) return "a value of a kind that is kept";
      if (branch.of == 1) return "a poll finds something";
      return fmt::format("one of {} completes", branch.of - 1);
    }
    std::string operator()(const ClockReading&) const { return "a look at a clock"; }
    std::string operator()(const std::string& bytes) const {
      return fmt::format("{} bytes are fetched from a window", bytes.size());
    }
  };
  return std::visit(Words(), answers_.front());
}

template <class T>
Prompted<T> MpiScript::next(std::string_view asked) {
  while (answers_.empty() && read_more()) {
  }
  if (answers_.empty() && !damage_.empty()) return standstill(Why::recording_ended, damage_);
  if (answers_.empty() && !journal_.ended()) {
    return standstill(Why::recording_ended, "the recording ends here: the process was cut off");
  }
  if (answers_.empty() || !std::holds_alternative<T>(answers_.front())) {
    return standstill(Why::diverged, fmt::format("recorded: {}; came: {}", next_recorded(), asked));
  }
  T answer = std::move(std::get<T>(answers_.front()));
  answers_.pop_front();
  return answer;
}

bool MpiScript::take_mark(std::uint64_t of) {
  while (answers_.empty() && read_more()) {
  }
  const auto* branch = answers_.empty() ? nullptr : std::get_if<BranchTaken>(&answers_.front());
  if (branch == nullptr || branch->of != of) return false;
  answers_.pop_front();
  return true;
}

Prompted<bool> MpiScript::poll(std::string_view asked) {
  while (answers_.empty() && read_more()) {
  }
  if (!answers_.empty()) {
    if (auto* polls = std::get_if<EmptyPolls>(&answers_.front())) {
      if (--polls->count == 0) answers_.pop_front();
      return false;
    }
  }
  const auto found = choose(1, asked);
  if (!found) return tl::unexpected(found.error());
  return true;
}

Prompted<std::uint64_t> MpiScript::choose(std::uint64_t of, std::string_view asked) {
  const auto branch = next<BranchTaken>(asked);
  if (!branch) return tl::unexpected(branch.error());
  if (branch->of == of) return branch->which;
  answers_.emplace_front(*branch);
  return standstill(Why::diverged, fmt::format("recorded: {}; came: {}", next_recorded(), asked));
}

Prompted<std::uint64_t> MpiScript::read_clock() {
  return next<ClockReading>("a look at a clock").map([](const ClockReading& reading) {
    return reading.value;
  });
}

Prompted<std::string> MpiScript::read_bytes() { return next<std::string>("a fetch"); }

Prompted<void> MpiScript::end() {
  while (answers_.empty() && read_more()) {
  }
  if (answers_.empty() && matches_.empty()) return events_.end("MPI_Finalize");
  const std::string recorded = answers_.empty() ? "one more receive" : next_recorded();
  return standstill(Why::diverged, fmt::format("recorded: {}; came: MPI_Finalize", recorded));
}

Prompted<void> MpiScript::break_off(const std::string& came) {
  if (has_end()) {
    return standstill(Why::diverged, fmt::format("recorded: it ends; came: {}", came));
  }
  return events_.end(came);
}

}  // namespace lightcone::mpi
