// Goes through the blocks of a journal for what they say of events.
#include <lightcone/run/answers/recorded_events.h>

#include <fmt/format.h>

#include <utility>

namespace lightcone {

using Why = Standstill::Why;

Expected<RecordedEvents> RecordedEvents::open(const std::string& path) {
  auto journal = Journal::open(path);
  if (!journal) return failure(journal.error());
  return RecordedEvents(std::move(*journal));
}

/// A damaged journal has no end: nothing is known of what follows.
bool RecordedEvents::next_block() {
  const std::uint64_t before = journal_.facts().events;
  const auto there = journal_.next_block();
  at_end_ = !there || !*there;
  if (!at_end_) events_before_ = before;
  return !at_end_;
}

Expected<void> RecordedEvents::skip(std::uint64_t blocks) {
  for (std::uint64_t i = 0; i < blocks; ++i) {
    if (!next_block()) return failure("the journal ends before the checkpoint");
  }
  made_ = journal_.facts().events;
  return {};
}

bool RecordedEvents::has_end() {
  while (!at_end_ && next_block()) {
  }
  return journal_.ended();
}

Prompted<void> RecordedEvents::made(std::uint64_t events, std::uint32_t digest,
                                    const std::function<std::string()>& words) {
  made_ = events;
  while (!at_end_ && journal_.facts().events < events && next_block()) {
  }
  const JournalFacts& recorded = journal_.facts();
  if (recorded.events < events) {
    if (!journal_.ended()) return {};  // it goes further than what was recorded
    return standstill(Why::diverged, fmt::format("recorded: its end, after event {}; came: {}",
                                                 recorded.events, words()));
  }
  if (events == 0 || recorded.events != events || recorded.digest == digest) return {};
  return standstill(Why::diverged, fmt::format("not what was recorded, at one of the events {} to "
                                               "{}",
                                               events_before_ + 1, events));
}

Prompted<void> RecordedEvents::end(const std::string& came) {
  const bool ended = has_end();
  const std::uint64_t recorded = journal_.facts().events;
  if (recorded <= made_) return {};
  return standstill(Why::diverged, fmt::format("recorded: {}{} events; came: {} after event {}",
                                               ended ? "" : "at least ", recorded, came, made_));
}

}  // namespace lightcone
