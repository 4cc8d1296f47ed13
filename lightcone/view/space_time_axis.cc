// Computes positions, and finds events and messages by position.
#include <lightcone/view/space_time_axis.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace lightcone {

SpaceTimeAxis::SpaceTimeAxis(const Computation& computation, std::span<const MessageEdge> edges,
                             AxisKind kind)
    : computation_(&computation), edges_(edges), positions_(computation.event_count(), 0) {
  switch (kind) {
    case AxisKind::depth: place_by_depth(); break;
    case AxisKind::time: place_by_time(); break;
    case AxisKind::order: place_by_order(); break;
  }
  sort_events();
  make_blocks();
}

void SpaceTimeAxis::place_by_depth() {
  double deepest = 0;
  for (const EventIndex e : computation_->order()) {
    double depth = computation_->rank_of(e) > 1 ? positions_[e - 1] : 0;
    for (const MessageIndex m : computation_->takes(e)) {
      depth = std::max(depth, positions_[computation_->sent_by(m)]);
    }
    positions_[e] = depth + 1;
    deepest = std::max(deepest, depth + 1);
  }
  end_ = deepest + 1;
}

void SpaceTimeAxis::place_by_order() {
  double place = 0;
  for (const EventIndex e : computation_->order()) positions_[e] = ++place;
  end_ = place + 1;
}

void SpaceTimeAxis::place_by_time() {
  constexpr double never = std::numeric_limits<double>::infinity();
  const auto time_of = [&](EventIndex e) {
    const double time = computation_->time(e).value_or(never);
    return std::isfinite(time) ? time : never;
  };
  double earliest = never, latest = -never;
  for (EventIndex e = 0; e < computation_->event_count(); ++e) {
    if (time_of(e) == never) continue;
    earliest = std::min(earliest, time_of(e));
    latest = std::max(latest, time_of(e));
  }
  if (earliest == never) earliest = latest = 0;
  for (ProcessIndex p = 0; p < computation_->process_count(); ++p) {
    double known = earliest;
    for (EventIndex e = computation_->first_event(p); e < computation_->end_event(p); ++e) {
      if (time_of(e) == never) continue;
      known = time_of(e);
      break;
    }
    for (EventIndex e = computation_->first_event(p); e < computation_->end_event(p); ++e) {
      if (time_of(e) == never) {
        ++without_time_;
      } else {
        known = time_of(e);
      }
      positions_[e] = known - earliest;
    }
  }
  const double span = latest - earliest;
  const double beside = span > 0 && std::isfinite(span) ? span / 64 : 1;
  begin_ = -beside;
  end_ = span + beside;
  origin_ = earliest;
}

void SpaceTimeAxis::sort_events() {
  sorted_.resize(positions_.size());
  std::iota(sorted_.begin(), sorted_.end(), EventIndex{0});
  goes_backward_.assign(computation_->process_count(), false);
  const auto stands_left = [&](EventIndex e, EventIndex f) {
    return positions_[e] < positions_[f];
  };
  for (ProcessIndex p = 0; p < computation_->process_count(); ++p) {
    const auto begin = sorted_.begin() + computation_->first_event(p);
    const auto end = sorted_.begin() + computation_->end_event(p);
    goes_backward_[p] = !std::is_sorted(begin, end, stands_left);
    if (goes_backward_[p]) std::stable_sort(begin, end, stands_left);
  }
}

void SpaceTimeAxis::make_blocks() {
  blocks_.reserve(edges_.size() / block_edges + 1);
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    const Extent extent = extent_of(edges_[i]);
    if (i % block_edges == 0) blocks_.push_back(extent);
    blocks_.back().left = std::min(blocks_.back().left, extent.left);
    blocks_.back().right = std::max(blocks_.back().right, extent.right);
  }
}

std::span<const EventIndex> SpaceTimeAxis::events_between(ProcessIndex p, double from,
                                                          double to) const {
  const auto begin = sorted_.begin() + computation_->first_event(p);
  const auto end = sorted_.begin() + computation_->end_event(p);
  const auto stands_before = [&](EventIndex e, double position) {
    return positions_[e] < position;
  };
  const auto first = std::lower_bound(begin, end, from, stands_before);
  const auto last = std::lower_bound(first, end, to, stands_before);
  return {first, last};
}

Rank SpaceTimeAxis::rank_at(ProcessIndex p, double position) const {
  const auto begin = positions_.begin() + computation_->first_event(p);
  const auto end = positions_.begin() + computation_->end_event(p);
  const auto first_right =
      goes_backward_[p] ? std::find_if(begin, end, [&](double other) { return other > position; })
                        : std::upper_bound(begin, end, position);
  return static_cast<Rank>(first_right - begin);
}

std::optional<EventIndex> SpaceTimeAxis::nearest(ProcessIndex p, double position) const {
  const auto begin = sorted_.begin() + computation_->first_event(p);
  const auto end = sorted_.begin() + computation_->end_event(p);
  if (begin == end) return std::nullopt;
  const auto first_from = [&](double at) {
    return std::lower_bound(begin, end, at,
                            [&](EventIndex e, double x) { return positions_[e] < x; });
  };
  const auto right = first_from(position);
  if (right == begin) return *right;
  const double left_position = positions_[*std::prev(right)];
  if (right != end && positions_[*right] - position < position - left_position) return *right;
  return *first_from(left_position);
}

}  // namespace lightcone
