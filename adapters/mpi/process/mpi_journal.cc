// Turns the answers that an MPI process got into entries of its journal.
#include "process/mpi_journal.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace lightcone::mpi {
namespace {

[[nodiscard]] JournalHeader header_of(std::string process) {
  return {std::move(process), JournalKind::full, false};
}

}  // namespace

Expected<MpiJournal> MpiJournal::create(const std::string& path, std::string process) {
  auto writer = JournalWriter::create(path, header_of(std::move(process)));
  if (!writer) return failure(writer.error());
  return MpiJournal(std::move(*writer));
}

MpiJournal MpiJournal::missing(const std::string& path, std::string process, Error why) {
  return MpiJournal(JournalWriter::missing(path, header_of(std::move(process)), std::move(why)));
}

void MpiJournal::close(std::uint64_t choice) {
  if (!open_.empty() && open_.front() == choice) {
    open_.pop_front();
    return;
  }
  const auto place = std::lower_bound(open_.begin(), open_.end(), choice);
  LIGHTCONE_ASSERT(place != open_.end() && *place == choice);
  static_cast<void>(
      writer_.add(BranchTaken{static_cast<std::uint64_t>(place - open_.begin()), later_match}));
  open_.erase(place);
}

void MpiJournal::enter(Sender& sender) {
  static_cast<void>(
      writer_.add(ReceivedMessage{sender.index, ++sender.entries, ++receives_, {}}, 0));
}

void MpiJournal::matched(std::uint64_t choice, const Channel& channel) {
  close(choice);
  auto place = senders_.find(channel.key());
  if (place == senders_.end()) {
    const auto index = writer_.sender(fmt::format("{} {}", channel.source, channel.tag));
    if (!index) return;
    place = senders_.emplace(channel.key(), Sender{*index}).first;
  }
  enter(place.value());
}

void MpiJournal::cancelled(std::uint64_t choice) {
  close(choice);
  if (!cancelled_) {
    const auto index = writer_.sender(cancelled_name);
    if (!index) return;
    cancelled_ = Sender{*index};
  }
  enter(*cancelled_);
}

void MpiJournal::polled(bool found) {
  if (found) return chose(0, 1);
  static_cast<void>(writer_.add(EmptyPolls{.receive = receives_ + 1, .count = 1}));
}

void MpiJournal::chose(std::uint64_t which, std::uint64_t of) {
  static_cast<void>(writer_.add(BranchTaken{which, of}));
}

void MpiJournal::read_clock(std::uint64_t value) {
  static_cast<void>(writer_.add(ClockReading{value}));
}

void MpiJournal::read_bytes(std::string_view bytes) {
  static_cast<void>(writer_.add(BytesRead{bytes}));
}

}  // namespace lightcone::mpi
