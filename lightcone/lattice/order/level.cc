// Timestamps that count relevant events only, kept for relevant events only.
#include <lightcone/lattice/order/level.h>

#include <algorithm>

namespace lightcone {

Level::Level(const Computation& computation, const Selection& relevant, std::size_t working_bytes)
    : computation_(&computation), chain_of_(computation.process_count(), none) {
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    if (relevant.count(p) == 0) continue;
    chain_of_[p] = chains();
    processes_.push_back(p);
    for (EventIndex e = computation.first_event(p); e < computation.end_event(p); ++e) {
      if (relevant.contains(e)) events_.push_back(e);
    }
    first_.push_back(static_cast<std::uint32_t>(events_.size()));
    bottom_.push_back(0);
    top_.push_back(relevant.count(p));
  }
  fill(relevant, working_bytes);
}

Level::Level(const Level& whole, TimestampTable pasts, Cut bottom, Cut top)
    : computation_(whole.computation_),
      processes_(whole.processes_),
      chain_of_(whole.chain_of_),
      first_(whole.first_),
      events_(whole.events_),
      table_(std::move(pasts)),
      bottom_(std::move(bottom)),
      top_(std::move(top)) {}

Level::Level(const Level& whole, const Cut& lower, const Cut& upper)
    : computation_(whole.computation_),
      processes_(whole.processes_),
      chain_of_(whole.chain_of_),
      table_(size_of(upper) - size_of(lower), whole.chains()),
      bottom_(whole.chains(), 0) {
  for (std::uint32_t c = 0; c < chains(); ++c) {
    for (Rank k = lower[c] + 1; k <= upper[c]; ++k) {
      const std::uint32_t* past = whole.row(c, k);
      std::uint32_t* row = table_.row(events_.size());
      std::fill_n(row, table_.stride(), 0);
      for (std::uint32_t d = 0; d < chains(); ++d) row[d] = std::max(past[d], lower[d]) - lower[d];
      events_.push_back(whole.event(c, k));
    }
    first_.push_back(static_cast<std::uint32_t>(events_.size()));
    top_.push_back(upper[c] - lower[c]);
  }
}

Level::Level(std::span<const Rank> lengths, TimestampTable pasts, Cut bottom, Cut top)
    : processes_(lengths.size(), none),
      table_(std::move(pasts)),
      bottom_(std::move(bottom)),
      top_(std::move(top)) {
  for (const Rank length : lengths) first_.push_back(first_.back() + length);
}

/// Entries of one process do not depend on those of another, so that a range of columns can be
/// computed for all events, and copied for the relevant ones, at a time. Where most events are
/// relevant, that range is all, and is kept as it is.
void Level::fill(const Selection& relevant, std::size_t working_bytes) {
  constexpr std::size_t lanes = TimestampTable::lanes;
  const std::size_t column_bytes = std::max<std::size_t>(computation_->event_count(), 1) * 4;
  const std::size_t fitting = std::max(working_bytes / column_bytes / lanes * lanes, lanes);
  row_an_event_ = events_.size() * 2 >= computation_->event_count() && chains() <= fitting;
  if (!row_an_event_) table_ = TimestampTable(events_.size(), chains());
  for (std::uint32_t begin = 0; begin < chains();) {
    const auto end = static_cast<std::uint32_t>(std::min<std::size_t>(chains(), begin + fitting));
    std::vector<std::uint32_t> column_of(computation_->process_count(), none);
    for (std::uint32_t c = begin; c < end; ++c) column_of[processes_[c]] = c - begin;
    TimestampTable part = timestamp_table(*computation_, end - begin, column_of, &relevant);
    if (row_an_event_) {
      table_ = std::move(part);
      return;
    }
    // The last part brings the zeros behind the last column along.
    const std::size_t width = end == chains() ? part.stride() : end - begin;
    for (std::size_t i = 0; i < events_.size(); ++i) {
      std::copy_n(part.row(events_[i]), width, table_.row(i) + begin);
    }
    begin = end;
  }
}

std::size_t bytes_of_level(const Computation& computation, const Selection& relevant) {
  constexpr std::size_t lanes = TimestampTable::lanes;
  std::size_t chains = 0;
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    chains += relevant.count(p) > 0 ? 1 : 0;
  }
  return relevant.count() * ((chains + lanes - 1) / lanes * lanes) * sizeof(Rank);
}

}  // namespace lightcone
