// Reads ahead as far as the answer that is asked for.
//
// Versions 1 and 2 had no entries for MPI. A match was a received message from a sender named
// `SOURCE TAG`; a branch of very many alternatives said how many older wildcards were open, or that
// a call was refused; the numbers of cancelled receives were in a file beside the journal.
#include <lightcone/run/answers/mpi_replayer.h>

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <utility>

namespace lightcone {
namespace {

using Why = Standstill::Why;
using What = KeptContents::What;

// Alternatives in journals of versions 1 and 2 that stand for something else.
constexpr std::uint64_t later_match = std::uint64_t{1} << 40, refused_call = later_match + 1,
                        more_kinds = later_match + 2;
constexpr std::string_view cancelled_name = "cancelled";

[[nodiscard]] MpiReplayer::Match match_named(std::string_view name) {
  if (name == cancelled_name) return {MpiReplayer::Match::What::cancelled};
  MpiReplayer::Match match{MpiReplayer::Match::What::message};
  const char* const end = name.data() + name.size();
  const auto source = std::from_chars(name.data(), end, match.source);
  if (source.ptr != end) std::from_chars(source.ptr + 1, end, match.tag);
  return match;
}

[[nodiscard]] std::string_view words_of(What what) {
  switch (what) {
    case What::fetched: return "values are fetched from a window";
    case What::received: return "a receive is complete";
    case What::probed: return "a probe finds a message";
    case What::collective: return "a collective operation is complete";
    case What::communicator: return "a communicator is made";
    case What::window: return "others change a window";
    case What::told: return "a question about the machine";
    case What::began: return "it begins";
    case What::awaited: return "a receive that began earlier";
    case What::failed: return "a call that completes several requests fails";
  }
  return "contents";
}

}  // namespace

Expected<MpiReplayer> MpiReplayer::open(const std::string& path, bool alone) {
  auto journal = Journal::open(path);
  if (!journal) return failure(journal.error());
  auto events = RecordedEvents::open(path);
  if (!events) return failure(events.error());
  return MpiReplayer(std::move(*journal), std::move(*events), path, alone);
}

/// In a journal of races matches come by the numbers of their wildcards. Each says how many before
/// it are left out.
std::uint64_t MpiReplayer::take_open(std::uint64_t older) {
  if (journal_.header().kind == JournalKind::full) return open_.take(older);
  settled_ += older + 1;
  return settled_ - 1;
}

void MpiReplayer::read(const JournalEntry& entry) {
  if (is_old()) return read_old(entry);
  if (const auto* match = std::get_if<WildcardMatch>(&entry)) {
    const std::uint64_t choice = take_open(match->older);
    if (match->is_left_out()) return;
    matches_.emplace(choice, Match{Match::What::message, match->source, match->tag});
  } else if (const auto* cancelled = std::get_if<WildcardCancelled>(&entry)) {
    matches_.emplace(take_open(cancelled->older), Match{Match::What::cancelled});
  } else if (const auto* result = std::get_if<PollResult>(&entry)) {
    answers_.emplace_back(*result);
  } else if (const auto* choice = std::get_if<RequestChoice>(&entry)) {
    answers_.emplace_back(*choice);
  } else if (const auto* count = std::get_if<RequestCount>(&entry)) {
    answers_.emplace_back(*count);
  } else if (std::holds_alternative<CallRefused>(entry)) {
    answers_.emplace_back(CallRefused{});
  } else if (const auto* value = std::get_if<ClockValue>(&entry)) {
    answers_.emplace_back(*value);
  } else if (const auto* kept = std::get_if<KeptContents>(&entry)) {
    const bool has_number = kept->what == What::awaited || kept->what == What::failed;
    if (has_number || (!alone_ && kept->what != What::fetched)) return;
    answers_.emplace_back(Kept{kept->what, kept->detail, std::string(kept->bytes)});
  }
}

void MpiReplayer::read_old(const JournalEntry& entry) {
  if (const auto* message = std::get_if<ReceivedMessage>(&entry)) {
    const std::uint64_t choice = take_open(std::exchange(older_, 0));
    matches_.emplace(choice, match_named(journal_.sender(message->sender)));
  } else if (const auto* branch = std::get_if<BranchTaken>(&entry)) {
    if (branch->of == later_match) {
      older_ = branch->which;
    } else if (branch->of == refused_call) {
      answers_.emplace_back(CallRefused{});
    } else {
      answers_.emplace_back(*branch);
    }
  } else if (const auto* polls = std::get_if<EmptyPolls>(&entry)) {
    answers_.emplace_back(PollResult{false, polls->count});
  } else if (const auto* reading = std::get_if<ClockReading>(&entry)) {
    answers_.emplace_back(*reading);
  } else if (const auto* bytes = std::get_if<BytesRead>(&entry)) {
    answers_.emplace_back(Kept{What::fetched, 0, std::string(bytes->bytes)});
  }
}

/// Reads one entry, or goes to the next block; false after the last.
bool MpiReplayer::read_more() {
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

MpiReplayer::ScriptAnswer* MpiReplayer::front() {
  while (answers_.empty() && read_more()) {
  }
  return answers_.empty() ? nullptr : &answers_.front();
}

Prompted<MpiReplayer::Match> MpiReplayer::match(std::uint64_t choice) {
  auto place = matches_.find(choice);
  while (place == matches_.end() && choice >= settled_ && read_more()) {
    place = matches_.find(choice);
  }
  if (place == matches_.end()) {
    return choice < settled_ ? Match{Match::What::follows} : Match{};
  }
  const Match match = place->second;
  matches_.erase(place);
  return match;
}

/// Whether a receive is cancelled must be known before it begins, and how a call fails before it is
/// made. So all of the journal is read once, if there are such receives or calls at all.
void MpiReplayer::find_numbered() {
  cancelled_.emplace();
  if (is_old()) {
    std::ifstream file(std::filesystem::path(path_).replace_extension(".cancelled"));
    for (std::uint64_t number = 0; file >> number;) cancelled_->insert(number);
    return;
  }
  auto journal = Journal::open(path_);
  if (!journal) return;
  for (auto there = journal->next_block(); there && *there; there = journal->next_block()) {
    for (; journal->peek() != nullptr; journal->pop()) {
      const auto* one = std::get_if<NamedCancelled>(journal->peek());
      if (one != nullptr) cancelled_->insert(one->number);
      const auto* kept = std::get_if<KeptContents>(journal->peek());
      if (kept == nullptr || kept->what != What::failed) continue;
      failed_.insert_or_assign(kept->detail, std::string(kept->bytes));
    }
  }
}

bool MpiReplayer::was_cancelled() {
  if (!cancelled_) find_numbered();
  return cancelled_->contains(++named_);
}

std::optional<std::string> MpiReplayer::how_it_failed() {
  if (!cancelled_) find_numbered();
  const auto place = failed_.find(++completions_);
  return place == failed_.end() ? std::nullopt : std::optional(place->second);
}

std::string MpiReplayer::next_recorded() const {
  if (answers_.empty()) return journal_.ended() ? "no more questions of this kind" : "nothing more";
  struct Words {
    std::string operator()(const PollResult& result) const {
      return result.found ? "a poll finds something" : "a poll finds nothing";
    }
    std::string operator()(const RequestChoice& choice) const {
      return fmt::format("one of {} completes", choice.of);
    }
    std::string operator()(const RequestCount& count) const {
      return fmt::format("some of {} complete", count.of);
    }
    std::string operator()(const CallRefused&) const { return "a call that the MPI refuses"; }
    std::string operator()(const ClockValue&) const { return "a look at a clock"; }
    std::string operator()(const Kept& kept) const { return std::string(words_of(kept.what)); }
    std::string operator()(const BranchTaken& branch) const {
      if (branch.of == more_kinds) return "a value of a kind that is kept";
      if (branch.of == 1) return "a poll finds something";
      return fmt::format("one of {} completes", branch.of - 1);
    }
    std::string operator()(const ClockReading&) const { return "a look at a clock"; }
  };
  return std::visit(Words(), answers_.front());
}

tl::unexpected<Standstill> MpiReplayer::diverged(std::string_view asked) const {
  return standstill(Why::diverged, fmt::format("recorded: {}; came: {}", next_recorded(), asked));
}

template <class T>
Prompted<T> MpiReplayer::next(std::string_view asked) {
  ScriptAnswer* const answer = front();
  if (answer == nullptr && !damage_.empty()) return standstill(Why::recording_ended, damage_);
  if (answer == nullptr && !journal_.ended()) {
    return standstill(Why::recording_ended, "the recording ends here: the process was cut off");
  }
  if (answer == nullptr || !std::holds_alternative<T>(*answer)) return diverged(asked);
  T taken = std::move(std::get<T>(*answer));
  answers_.pop_front();
  return taken;
}

bool MpiReplayer::take_mark(std::uint64_t of) {
  const ScriptAnswer* const answer = front();
  const auto* branch = answer == nullptr ? nullptr : std::get_if<BranchTaken>(answer);
  if (branch == nullptr || branch->of != of) return false;
  answers_.pop_front();
  return true;
}

bool MpiReplayer::keeps_more() { return !is_old() || take_mark(more_kinds); }

bool MpiReplayer::refused() {
  const ScriptAnswer* const answer = front();
  if (answer == nullptr || !std::holds_alternative<CallRefused>(*answer)) return false;
  answers_.pop_front();
  return true;
}

Prompted<bool> MpiReplayer::poll(std::string_view asked) {
  if (take_mark(1)) return true;
  ScriptAnswer* const answer = front();
  auto* const result = answer == nullptr ? nullptr : std::get_if<PollResult>(answer);
  if (result != nullptr && !result->found) {
    if (--result->count == 0) answers_.pop_front();
    return false;
  }
  return next<PollResult>(asked).map([](const PollResult& found) { return found.found; });
}

Prompted<std::uint64_t> MpiReplayer::choose(std::uint64_t of, std::string_view asked) {
  if (is_old()) {
    const auto branch = next<BranchTaken>(asked);
    if (!branch) return tl::unexpected(branch.error());
    if (branch->of == of + 1) return branch->which;
    answers_.emplace_front(*branch);
    return diverged(asked);
  }
  const auto choice = next<RequestChoice>(asked);
  if (!choice) return tl::unexpected(choice.error());
  if (choice->of == of) return choice->which;
  answers_.emplace_front(*choice);
  return diverged(asked);
}

Prompted<std::uint64_t> MpiReplayer::count(std::uint64_t of, std::string_view asked) {
  if (is_old()) return choose(of + 1, asked);
  const auto count = next<RequestCount>(asked);
  if (!count) return tl::unexpected(count.error());
  if (count->of == of) return count->count;
  answers_.emplace_front(*count);
  return diverged(asked);
}

Prompted<std::uint64_t> MpiReplayer::read_clock(std::int32_t clock) {
  constexpr std::string_view asked = "a look at a clock", another = "a look at another clock";
  if (is_old()) {
    return next<ClockReading>(asked).map([](const ClockReading& old) { return old.value; });
  }
  const auto reading = next<ClockValue>(asked);
  if (!reading) return tl::unexpected(reading.error());
  if (reading->clock == clock) return reading->value;
  answers_.emplace_front(*reading);
  return diverged(another);
}

Prompted<MpiReplayer::Kept> MpiReplayer::take(What what, std::string_view asked) {
  auto kept = next<Kept>(asked);
  if (!kept || kept->what == what) return kept;
  answers_.emplace_front(std::move(*kept));
  return diverged(asked);
}

std::optional<MpiReplayer::Kept> MpiReplayer::take_if_next(What what) {
  ScriptAnswer* const answer = front();
  auto* const kept = answer == nullptr ? nullptr : std::get_if<Kept>(answer);
  if (kept == nullptr || kept->what != what) return std::nullopt;
  Kept taken = std::move(*kept);
  answers_.pop_front();
  return taken;
}

Prompted<void> MpiReplayer::end() {
  static_cast<void>(front());
  if (answers_.empty() && matches_.empty()) return events_.end("MPI_Finalize");
  const std::string recorded = answers_.empty() ? "one more receive" : next_recorded();
  return standstill(Why::diverged, fmt::format("recorded: {}; came: MPI_Finalize", recorded));
}

Prompted<void> MpiReplayer::break_off(const std::string& came) {
  if (has_end()) {
    return standstill(Why::diverged, fmt::format("recorded: it ends; came: {}", came));
  }
  return events_.end(came);
}

}  // namespace lightcone
