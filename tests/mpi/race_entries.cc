// A journal counts what it leaves out, so that wildcards have their numbers.
#include "mpi/race_entries.h"

#include <lightcone/recording.h>
#include <lightcone/run/journal/journal.h>
#include <lightcone/trace.h>

#include <algorithm>
#include <cstdint>
#include <variant>

namespace lightcone {
namespace {

using Numbers = std::set<std::uint64_t>;

/// Returns which wildcards the journal has, by their numbers from 0.
[[nodiscard]] Expected<Numbers> entered(const std::string& path) {
  auto journal = Journal::open(path);
  if (!journal) return failure(journal.error());
  const bool is_full = journal->header().kind != JournalKind::races;
  Numbers numbers;
  for (std::uint64_t next = 0;;) {
    const auto there = journal->next_block();
    if (!there) return failure(there.error());
    if (!*there) return numbers;
    for (; journal->peek() != nullptr; journal->pop()) {
      const auto* match = std::get_if<WildcardMatch>(journal->peek());
      if (match == nullptr) continue;
      if (is_full) return failure("is no journal of races", path);
      next += match->older;
      if (!match->is_left_out()) numbers.insert(next);
      ++next;
    }
  }
}

[[nodiscard]] bool is_wildcard(const Computation& computation, EventIndex e) {
  return computation.kind(e) == Kind::receive &&
         std::ranges::any_of(computation.labels(e), [&](NameIndex label) {
           const std::string_view name = computation.names()[label];
           return name == "any_source" || name == "any_tag";
         });
}

}  // namespace

std::set<std::string> messages_in_race_journals(const std::string& recording) {
  const auto reading = read_trace(recording, Format::lct);
  if (!reading) return {reading.error().text()};
  const Computation& computation = reading->computation;
  std::set<std::string> messages;
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    const std::string process(computation.process_name(p));
    const auto numbers = entered(Recording::journal_path(recording, process));
    if (!numbers) return {numbers.error().text()};
    std::uint64_t number = 0;
    for (EventIndex e = computation.first_event(p); e < computation.end_event(p); ++e) {
      if (!is_wildcard(computation, e) || !numbers->contains(number++)) continue;
      for (const MessageIndex m : computation.takes(e)) {
        messages.insert(std::string(computation.message_name(m)));
      }
    }
  }
  return messages;
}

}  // namespace lightcone
