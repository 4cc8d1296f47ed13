// Reads the journals of a recording, entry by entry.
#include <lightcone/explore/recorded_guide.h>

#include <lightcone/explore/search/explored_names.h>
#include <lightcone/recording.h>
#include <lightcone/run/journal/journal.h>

#include <utility>
#include <variant>

namespace lightcone {
namespace {

using Choice = Guide::Choice;

/// The choices of a process.
[[nodiscard]] std::vector<Choice>& choices_of(Guide& guide, std::uint32_t process) {
  if (process >= guide.processes.size()) guide.processes.resize(process + 1);
  return guide.processes[process];
}

/// A journal can claim any number of empty polls in a few bytes.
constexpr std::uint64_t most_choices = 1 << 24;

/// False if there are too many.
[[nodiscard]] bool add(std::vector<Choice>& choices, const JournalEntry& entry,
                       const Journal& journal, ExploredNames& names) {
  if (const auto* message = std::get_if<ReceivedMessage>(&entry)) {
    const std::uint32_t sender = names.process(journal.sender(message->sender));
    choices.push_back({Choice::Kind::takes, sender, message->number});
  } else if (const auto* polls = std::get_if<EmptyPolls>(&entry)) {
    if (polls->count > most_choices) return false;
    choices.insert(choices.end(), polls->count, {Choice::Kind::nothing, 0, 0});
  } else if (const auto* branch = std::get_if<BranchTaken>(&entry)) {
    choices.push_back({Choice::Kind::branch, 0, branch->which});
  }
  return choices.size() <= most_choices;
}

}  // namespace

Expected<NamedGuide> recorded_guide(const std::string& directory) {
  const auto names = Recording::processes(directory);
  if (!names) return failure(names.error());
  ExploredNames numbers;
  Guide guide;
  for (const std::string& name : *names)
    static_cast<void>(choices_of(guide, numbers.process(name)));
  for (const std::string& name : *names) {
    auto journal = Journal::open(Recording::journal_path(directory, name));
    if (!journal) return failure(journal.error());
    if (journal->header().kind != JournalKind::full) {
      return failure("has only the messages that raced", directory, 0,
                     "record with --journal full to explore from there");
    }
    std::vector<Choice>& choices = choices_of(guide, numbers.process(name));
    for (;;) {
      const auto entry = journal->next();
      if (!entry) return failure(entry.error());
      if (*entry == nullptr) break;
      if (!add(choices, **entry, *journal, numbers)) {
        return failure(name + " made more than 16,777,216 choices", directory, 0,
                       "explore from a shorter recording");
      }
    }
  }
  NamedGuide named{numbers.processes(), std::move(guide)};
  named.guide.processes.resize(named.names.size());  // some only send
  return named;
}

}  // namespace lightcone
