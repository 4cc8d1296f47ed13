// Reads each journal twice: once for its wildcards and their events, once to write it anew.
#include <lightcone/run/recording/race_journals.h>

#include <lightcone/base/wire.h>
#include <lightcone/base/working_folder.h>
#include <lightcone/causal/order/timestamps.h>
#include <lightcone/causal/races/races.h>
#include <lightcone/causal/races/racing_receives.h>
#include <lightcone/recording.h>
#include <lightcone/run/answers/open_wildcards.h>
#include <lightcone/run/journal/journal.h>
#include <lightcone/run/recording/recorded_end.h>
#include <lightcone/trace.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

namespace lightcone {
namespace {

/// A replay reads ahead to the next match, so one stands after so many that are left out.
constexpr std::uint64_t longest_gap = 1024;

/// What is known of a wildcard.
struct Wildcard {
  bool settled = false;  ///< it got a message, or was cancelled
  bool is_left_out = false;
  Rank begun = 0, event = 0;  ///< event 0: it is no receive that came to its end
};

/// The wildcards of a process, by their numbers.
using Wildcards = std::vector<Wildcard>;

/// Of more than these, nothing is left out.
constexpr std::uint64_t most_wildcards = std::uint64_t{1} << 28;

[[nodiscard]] tl::unexpected<Error> is_damaged(const std::string& path) {
  return failure("has too many receives with wildcards, or is damaged", path);
}

/// Calls `visit(entry)` for each entry, and `end_block(facts)` after each block.
template <class Visit, class EndBlock>
[[nodiscard]] Expected<void> for_each_entry(const std::string& path, Visit visit,
                                            EndBlock end_block) {
  auto journal = Journal::open(path);
  if (!journal) return failure(journal.error());
  for (;;) {
    const auto there = journal->next_block();
    if (!there) return failure(there.error());
    if (!*there) return {};
    for (; journal->peek() != nullptr; journal->pop()) {
      if (auto ok = visit(*journal->peek()); !ok) return ok;
    }
    if (auto ok = end_block(journal->facts()); !ok) return ok;
  }
}

/// Returns how many older wildcards were open, if the entry is about a wildcard.
[[nodiscard]] std::optional<std::uint64_t> older_of(const JournalEntry& entry) {
  if (const auto* match = std::get_if<WildcardMatch>(&entry)) return match->older;
  if (const auto* cancelled = std::get_if<WildcardCancelled>(&entry)) return cancelled->older;
  return std::nullopt;
}

[[nodiscard]] const KeptContents* awaited(const JournalEntry& entry) {
  const auto* kept = std::get_if<KeptContents>(&entry);
  return kept != nullptr && kept->what == KeptContents::What::awaited ? kept : nullptr;
}

[[nodiscard]] Expected<Wildcards> read_wildcards(const std::string& path) {
  Wildcards all;
  OpenWildcards open;
  const auto at = [&](std::uint64_t number) -> Wildcard* {
    if (number >= most_wildcards) return nullptr;
    if (number >= all.size()) all.resize(number + 1);
    return &all[number];
  };
  const auto visit = [&](const JournalEntry& entry) -> Expected<void> {
    if (const auto older = older_of(entry)) {
      Wildcard* const wildcard = at(open.take(*older));
      if (wildcard == nullptr) return is_damaged(path);
      wildcard->settled = true;
    } else if (const KeptContents* const note = awaited(entry)) {
      Wildcard* const wildcard = at(note->detail);
      WireReader wire(note->bytes);
      const std::uint64_t begun = wire.number(), event = wire.number();
      if (wildcard == nullptr || wire.failed() || event == 0 || event >= none || begun >= event) {
        return is_damaged(path);
      }
      wildcard->begun = static_cast<Rank>(begun);
      wildcard->event = static_cast<Rank>(event);
    }
    return {};
  };
  auto read = for_each_entry(path, visit, [](const JournalFacts&) { return Expected<void>(); });
  if (!read) return failure(read.error());
  return all;
}

/// Says which matches of a process are left out.
void choose_left_out(const Computation& computation, ProcessIndex p, const RacingReceives& others,
                     const Timestamps& known, Wildcards& wildcards) {
  // What comes after a wildcard that got nothing could not be told from it.
  const auto unsettled = std::find_if(wildcards.begin(), wildcards.end(),
                                      [](const Wildcard& each) { return !each.settled; });
  const bool at_end =
      std::none_of(unsettled, wildcards.end(), [](const Wildcard& each) { return each.settled; });
  if (!at_end) return;
  const Rank events = computation.end_event(p) - computation.first_event(p);
  std::vector<std::pair<BegunReceive, Wildcard*>> ended;
  for (Wildcard& each : wildcards) {
    if (each.event == 0 || each.event > events) continue;
    ended.push_back({{computation.first_event(p) + each.event - 1, each.begun}, &each});
  }
  std::sort(ended.begin(), ended.end(),
            [](const auto& a, const auto& b) { return a.first.event < b.first.event; });
  std::vector<BegunReceive> receives;
  receives.reserve(ended.size());
  for (const auto& [receive, wildcard] : ended) receives.push_back(receive);
  const std::vector<bool> could = others.of(p, receives, known);
  for (std::size_t i = 0; i < ended.size(); ++i) ended[i].second->is_left_out = !could[i];
}

/// Writes the entries of a journal anew, those of wildcards by their numbers.
class Rewriting {
 public:
  Rewriting(JournalWriter writer, const Wildcards& wildcards)
      : writer_(std::move(writer)), wildcards_(wildcards) {}

  [[nodiscard]] Expected<void> add(const JournalEntry& entry) {
    if (awaited(entry) != nullptr) return {};
    const auto older = older_of(entry);
    if (!older) return writer_.add(entry);
    waiting_.emplace(open_.take(*older), entry);
    while (!waiting_.empty() && waiting_.begin()->first == next_) {
      const JournalEntry first = waiting_.begin()->second;
      waiting_.erase(waiting_.begin());
      if (auto ok = add_next(first); !ok) return ok;
    }
    return {};
  }
  [[nodiscard]] Expected<void> end_block(const JournalFacts& facts) {
    writer_.note(facts.events, facts.digest);
    return writer_.flush();
  }
  [[nodiscard]] Expected<void> end() {
    if (auto ok = end_gap(); !ok) return ok;
    return writer_.end();
  }

 private:
  [[nodiscard]] Expected<void> add_next(const JournalEntry& entry) {
    if (wildcards_[next_++].is_left_out) return ++gap_ < longest_gap ? Expected<void>() : end_gap();
    const std::uint64_t gap = std::exchange(gap_, 0);
    if (const auto* match = std::get_if<WildcardMatch>(&entry)) {
      return writer_.add(WildcardMatch{gap, match->source, match->tag});
    }
    return writer_.add(WildcardCancelled{gap});
  }
  /// Says of those that are left out that they are.
  [[nodiscard]] Expected<void> end_gap() {
    if (gap_ == 0) return {};
    const std::uint64_t before = std::exchange(gap_, 0) - 1;
    return writer_.add(WildcardMatch{before, WildcardMatch::left_out, WildcardMatch::left_out});
  }

  JournalWriter writer_;
  const Wildcards& wildcards_;
  OpenWildcards open_;                             // of the journal that is read
  std::map<std::uint64_t, JournalEntry> waiting_;  // for one with a smaller number
  std::uint64_t next_ = 0;                         // the wildcard that is written next
  std::uint64_t gap_ = 0;                          // left out since the last entry
};

/// Replaces a journal by one of races, which is made in a folder.
[[nodiscard]] Expected<void> replace(const std::string& path, const std::string& process,
                                     const Wildcards& wildcards, const std::string& folder) {
  const std::string made = folder + "/races";
  auto writer = JournalWriter::create(made, {process, JournalKind::races, false});
  if (!writer) return failure(writer.error());
  Rewriting races(std::move(*writer), wildcards);
  auto written = for_each_entry(
      path, [&](const JournalEntry& entry) { return races.add(entry); },
      [&](const JournalFacts& facts) { return races.end_block(facts); });
  if (written) written = races.end();
  if (!written) return written;
  std::error_code error;
  std::filesystem::rename(made, path, error);
  if (error) return failure("cannot be replaced: " + error.message(), path);
  return {};
}

}  // namespace

Expected<RaceJournals> leave_out_matches(const std::string& directory) {
  const auto processes = Recording::processes(directory);
  if (!processes) return failure(processes.error());
  const auto end = recorded_end(directory);
  if (!end || end->cut_off || end->lost_processes) return RaceJournals{"a process was cut off"};
  const auto reading = read_trace(directory, Format::lct);
  if (!reading) return RaceJournals{reading.error().text()};
  const Computation& computation = reading->computation;
  if (reading->incomplete || reading->left_out) return RaceJournals{"the traces lack events"};
  if (unaddressed_messages(computation) != 0) {
    return RaceJournals{"messages were never received whose receivers are not known"};
  }
  std::map<std::string, Wildcards, std::less<>> wildcards;
  for (const std::string& process : *processes) {
    auto read = read_wildcards(Recording::journal_path(directory, process));
    if (!read) return failure(read.error());
    wildcards.emplace(process, std::move(*read));
  }
  const RacingReceives others(computation);
  for_each_column_range(computation, [&](const Timestamps& known) {
    const ProcessRange columns = known.columns();
    for (ProcessIndex p = columns.first; p < columns.first + columns.count; ++p) {
      const auto own = wildcards.find(computation.process_name(p));
      if (own != wildcards.end()) choose_left_out(computation, p, others, known, own->second);
    }
  });
  const auto folder = WorkingFolder::make(directory + "/.replay-");  // a part of a recording
  if (!folder) return failure(folder.error());
  for (const auto& [process, own] : wildcards) {
    const bool has_notes =
        std::any_of(own.begin(), own.end(), [](const Wildcard& each) { return each.event != 0; });
    if (!has_notes) continue;
    const std::string path = Recording::journal_path(directory, process);
    auto done = replace(path, process, own, folder->path());
    if (!done) return failure(done.error());
  }
  return RaceJournals{};
}

}  // namespace lightcone
