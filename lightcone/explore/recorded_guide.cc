// Reads the journals of a recording, entry by entry.
#include <lightcone/explore/recorded_guide.h>

#include <lightcone/recording.h>
#include <lightcone/run/journal/journal.h>

#include <algorithm>
#include <variant>

namespace lightcone {
namespace {

using Choice = Guide::Choice;

/// A process by its number in the guide; one that only sends gets a number, too.
[[nodiscard]] std::uint32_t number_of(NamedGuide& guide, const std::string& name) {
  const auto known = std::find(guide.names.begin(), guide.names.end(), name);
  const auto number = static_cast<std::uint32_t>(known - guide.names.begin());
  if (known == guide.names.end()) {
    guide.names.push_back(name);
    guide.guide.processes.emplace_back();
  }
  return number;
}

/// A journal can claim any number of empty polls in a few bytes.
constexpr std::uint64_t most_choices = 1 << 24;

/// False if there are too many.
[[nodiscard]] bool add(NamedGuide& guide, std::uint32_t process, const JournalEntry& entry,
                       const Journal& journal) {
  if (const auto* message = std::get_if<ReceivedMessage>(&entry)) {
    const std::uint32_t sender = number_of(guide, journal.sender(message->sender));
    guide.guide.processes[process].push_back({Choice::Kind::takes, sender, message->number});
  } else if (const auto* polls = std::get_if<EmptyPolls>(&entry)) {
    auto& choices = guide.guide.processes[process];
    if (polls->count > most_choices) return false;
    choices.insert(choices.end(), polls->count, {Choice::Kind::nothing, 0, 0});
  } else if (const auto* branch = std::get_if<BranchTaken>(&entry)) {
    guide.guide.processes[process].push_back({Choice::Kind::branch, 0, branch->which});
  }
  return guide.guide.processes[process].size() <= most_choices;
}

}  // namespace

Expected<NamedGuide> recorded_guide(const std::string& directory) {
  const auto names = Recording::processes(directory);
  if (!names) return failure(names.error());
  NamedGuide guide;
  for (const std::string& name : *names) static_cast<void>(number_of(guide, name));
  for (const std::string& name : *names) {
    auto journal = Journal::open(Recording::journal_path(directory, name));
    if (!journal) return failure(journal.error());
    if (journal->header().kind != JournalKind::full) {
      return failure("has only the messages that raced", directory, 0,
                     "record with --journal full to explore from there");
    }
    const std::uint32_t process = number_of(guide, name);
    for (;;) {
      const auto entry = journal->next();
      if (!entry) return failure(entry.error());
      if (*entry == nullptr) break;
      if (!add(guide, process, **entry, *journal)) {
        return failure(name + " made more than 16,777,216 choices", directory, 0,
                       "explore from a shorter recording");
      }
    }
  }
  return guide;
}

}  // namespace lightcone
