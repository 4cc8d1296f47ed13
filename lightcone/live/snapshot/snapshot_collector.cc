// The latest snapshots, each open until it is complete, too old or too large.
#include <lightcone/snapshot.h>

#include <lightcone/live/snapshot/snapshot_part.h>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace lightcone {
namespace {

[[nodiscard]] bool has_ended(const SnapshotPart& part) {
  const auto* state = std::get_if<LocalPart>(&part);
  return state != nullptr && state->snapshots.last == SnapshotRange::for_ever;
}

}  // namespace

SnapshotCollector::SnapshotCollector(CollectorOptions options) : options_(std::move(options)) {
  LIGHTCONE_ASSERT(options_.window > 0);
}

Expected<void> SnapshotCollector::add_bytes(std::string_view bytes) {
  auto part = decode_snapshot_part(bytes);
  if (!part) return failure(std::move(part.error()));
  return add(*std::move(part));
}

Expected<void> SnapshotCollector::add(SnapshotPart part) {
  SnapshotRange range = std::visit([](const auto& of) { return of.snapshots; }, part);
  const bool ends = has_ended(part);
  if (ends) range.last = range.first;
  if (!range.is_proper()) return failure("a part must belong to a snapshot");
  if (auto* message = std::get_if<InTransitPart>(&part)) {
    return add_to_all(std::make_shared<const InTransitPart>(std::move(*message)));
  }
  const auto state = std::make_shared<const LocalPart>(std::get<LocalPart>(std::move(part)));
  if (ends) {
    if (auto remembered = remember_end(state); !remembered) return remembered;
  }
  return add_to_all(state);
}

/// The last state of a process stands for it in all snapshots to come.
Expected<void> SnapshotCollector::remember_end(const std::shared_ptr<const LocalPart>& part) {
  const auto [place, is_new] = ended_.try_emplace(part->process, part);
  if (!is_new && *place->second != *part) {
    return failure(fmt::format("{} has ended before, otherwise", part->process));
  }
  if (is_new &&
      (ended_.size() > Peers::most || ended_bytes_ + part->bytes() > options_.most_bytes)) {
    ended_.erase(place);
    return failure("too many processes have ended, or with too large states");
  }
  if (is_new) ended_bytes_ += part->bytes();
  return {};
}

template <class Part>
Expected<void> SnapshotCollector::add_to_all(const std::shared_ptr<const Part>& part) {
  const SnapshotRange& range = part->snapshots;
  advance(range.last == SnapshotRange::for_ever ? range.first - 1 : range.last);
  Expected<void> result;
  const std::uint64_t oldest = newest_ - std::min(newest_, options_.window) + 1;
  for (std::uint64_t k = std::max(range.first, oldest); k <= std::min(range.last, newest_); ++k) {
    std::optional<GlobalSnapshot>& snapshot = find_or_open(k);
    if (!snapshot) continue;
    bytes_ -= snapshot->bytes();
    auto added = snapshot->add(part);
    bytes_ += snapshot->bytes();
    if (!added && result) result = std::move(added);
    if (!snapshot->complete()) continue;
    bytes_ -= snapshot->bytes();
    ++completed_;
    GlobalSnapshot complete = *std::exchange(snapshot, std::nullopt);
    if (options_.on_complete) options_.on_complete(std::move(complete));
  }
  free_memory();
  return result;
}

void SnapshotCollector::advance(std::uint64_t newest) {
  newest_ = std::max(newest_, newest);
  while (!open_.empty() && open_.begin()->first + options_.window <= newest_) {
    give_up(open_.begin()->second);
    open_.erase(open_.begin());
  }
}

std::optional<GlobalSnapshot>& SnapshotCollector::find_or_open(std::uint64_t number) {
  const auto [place, is_new] = open_.try_emplace(number);
  std::optional<GlobalSnapshot>& snapshot = place->second;
  if (!is_new) return snapshot;
  snapshot.emplace(number, options_.processes);
  for (const auto& [process, part] : ended_) {
    // What contradicts another end leaves the snapshot incomplete.
    if (part->snapshots.contains(number)) static_cast<void>(snapshot->add(part));
  }
  bytes_ += snapshot->bytes();
  return snapshot;
}

void SnapshotCollector::give_up(std::optional<GlobalSnapshot>& snapshot) {
  if (!snapshot) return;
  bytes_ -= snapshot->bytes();
  snapshot.reset();
  ++given_up_;
}

void SnapshotCollector::free_memory() {
  for (auto& [number, snapshot] : open_) {
    if (bytes_ + ended_bytes_ <= options_.most_bytes) return;
    give_up(snapshot);
  }
}

std::vector<const GlobalSnapshot*> SnapshotCollector::open() const {
  std::vector<const GlobalSnapshot*> open;
  for (const auto& [number, snapshot] : open_) {
    if (snapshot) open.push_back(&*snapshot);
  }
  return open;
}

}  // namespace lightcone
