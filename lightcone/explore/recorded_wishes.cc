// Matches are entered when they are known. So each says how many older wildcards had none by then.
#include <lightcone/explore/recorded_wishes.h>

#include <lightcone/run/answers/open_wildcards.h>
#include <lightcone/run/journal/journal.h>

#include <iterator>
#include <variant>

namespace lightcone {

Expected<RecordedWishes> RecordedWishes::read(const std::string& path) {
  auto journal = Journal::open(path);
  if (!journal) return failure(journal.error());
  if (journal->header().kind != JournalKind::full) {
    return failure("has only the messages that raced", path, 0,
                   "record with --journal full to explore from there");
  }
  constexpr std::uint32_t first_with_types = 3;
  if (journal->header().version < first_with_types) {
    return failure("was recorded by an earlier version", path, 0, "record the program again");
  }
  RecordedWishes wishes;
  OpenWildcards wildcards;
  for (;;) {
    const auto entry = journal->next();
    if (!entry) return failure(entry.error());
    if (*entry == nullptr) return wishes;
    if (const auto* const match = std::get_if<WildcardMatch>(*entry)) {
      wishes.matches_[wildcards.take(match->older)] = {match->source, match->tag};
    } else if (const auto* const cancelled = std::get_if<WildcardCancelled>(*entry)) {
      static_cast<void>(wildcards.take(cancelled->older));
    } else if (const auto* const polls = std::get_if<PollResult>(*entry)) {
      wishes.polls_[wishes.poll_count_] = polls->found;
      wishes.poll_count_ += polls->count;
    } else if (const auto* const request = std::get_if<RequestChoice>(*entry)) {
      wishes.requests_.push_back(request->which);
    }
  }
}

std::optional<RecordedWishes::Match> RecordedWishes::match(std::uint64_t wildcard) const {
  const auto found = matches_.find(wildcard);
  return found == matches_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<bool> RecordedWishes::poll(std::uint64_t number) const {
  if (number >= poll_count_) return std::nullopt;
  return std::prev(polls_.upper_bound(number))->second;
}

std::optional<std::uint64_t> RecordedWishes::request(std::uint64_t number) const {
  return number < requests_.size() ? std::optional(requests_[number]) : std::nullopt;
}

}  // namespace lightcone
