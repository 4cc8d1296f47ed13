// Lists the edges of a computation, by receive and by message.
#include <lightcone/view/space_time.h>

#include <algorithm>
#include <cmath>

namespace lightcone {
namespace {

[[nodiscard]] bool any_time(const Computation& computation) {
  const auto& times = computation.attributes().time;
  const auto end = times.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(
                                       times.size(), computation.event_count()));
  return std::any_of(times.begin(), end, [](double time) { return std::isfinite(time); });
}

}  // namespace

SpaceTime::SpaceTime(const Computation& computation)
    : computation_(&computation),
      edges_begin_(computation.message_count() + std::size_t{1}, 0),
      has_times_(any_time(computation)) {
  edges_.reserve(computation.edge_count());
  for (EventIndex e = 0; e < computation.event_count(); ++e) {
    for (const MessageIndex m : computation.takes(e)) {
      edges_.push_back({computation.sent_by(m), e, m});
      ++edges_begin_[m + 1];
    }
  }
  for (std::size_t m = 1; m < edges_begin_.size(); ++m) edges_begin_[m] += edges_begin_[m - 1];
  by_message_.resize(edges_.size());
  std::vector<std::uint32_t> next(edges_begin_.begin(), edges_begin_.end() - 1);
  for (std::uint32_t i = 0; i < edges_.size(); ++i) by_message_[next[edges_[i].message]++] = i;
}

std::vector<MessageEdge> SpaceTime::edges_of(MessageIndex message) const {
  std::vector<MessageEdge> found;
  for (std::uint32_t i = edges_begin_[message]; i < edges_begin_[message + 1]; ++i) {
    found.push_back(edges_[by_message_[i]]);
  }
  return found;
}

const SpaceTimeAxis& SpaceTime::axis(AxisKind kind) const {
  const std::lock_guard lock(mutex_);
  auto& axis = axes_[static_cast<std::size_t>(kind)];
  if (!axis) axis = std::make_unique<const SpaceTimeAxis>(*computation_, edges_, kind);
  return *axis;
}

}  // namespace lightcone
