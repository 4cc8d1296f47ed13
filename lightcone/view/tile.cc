// Lists or counts events, lists or bundles messages.
#include <lightcone/view/tile.h>

#include <tsl/robin_map.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace lightcone {
namespace {

/// The ends of the messages of a bundle: processes, and groups of columns counted from the left end
/// of the tile.
struct BundleEnds {
  ProcessIndex from = 0, to = 0;
  std::int64_t sent = 0, received = 0;
  friend auto operator<=>(const BundleEnds&, const BundleEnds&) = default;
};

struct BundleEndsHash {
  std::size_t operator()(const BundleEnds& ends) const {
    std::uint64_t hash = 0;
    for (const std::uint64_t part :
         {std::uint64_t{ends.from}, std::uint64_t{ends.to}, static_cast<std::uint64_t>(ends.sent),
          static_cast<std::uint64_t>(ends.received)}) {
      hash = (hash ^ part) * 0x9E3779B97F4A7C15U;
      hash ^= hash >> 29;
    }
    return hash;
  }
};

class TileMaker {
 public:
  TileMaker(const SpaceTime& space_time, const TileQuery& query)
      : computation_(space_time.computation()),
        axis_(space_time.axis(query.axis)),
        query_(query),
        processes_(query.processes),
        is_seen_(computation_.process_count(), query.processes.empty()),
        columns_(0) {
    for (const ProcessIndex p : processes_) is_seen_[p] = true;
    if (processes_.empty()) {
      processes_.resize(computation_.process_count());
      std::iota(processes_.begin(), processes_.end(), ProcessIndex{0});
    }
    columns_ = column_count();
    width_ = (query.to - query.from) / columns_;
  }

  [[nodiscard]] Tile make() {
    add_events();
    add_messages();
    return std::move(tile_);
  }

 private:
  using Bundles = tsl::robin_map<BundleEnds, std::uint64_t, BundleEndsHash>;

  [[nodiscard]] std::uint32_t column_count() const {
    const std::size_t room = most_counts / std::max<std::size_t>(1, processes_.size());
    return static_cast<std::uint32_t>(
        std::clamp<std::size_t>(query_.columns, 1, std::max<std::size_t>(1, room)));
  }

  void add_events() {
    for (const ProcessIndex p : processes_) {
      tile_.events += axis_.events_between(p, query_.from, query_.to).size();
    }
    tile_.lists_events = tile_.events <= query_.most_events;
    if (tile_.lists_events) {
      for (const ProcessIndex p : processes_) {
        const auto events = axis_.events_between(p, query_.from, query_.to);
        tile_.listed.insert(tile_.listed.end(), events.begin(), events.end());
      }
    } else {
      count_events();
    }
  }

  /// Column c holds what stands right of its left edge, or on it, and left of its right edge.
  void count_events() {
    tile_.columns = columns_;
    tile_.density.assign(std::size_t{columns_} * processes_.size(), 0);
    std::size_t at = 0;
    for (const ProcessIndex p : processes_) {
      const auto events = axis_.events_between(p, query_.from, query_.to);
      auto next = events.begin();
      for (std::uint32_t c = 0; c < columns_; ++c) {
        const double edge = query_.from + (c + 1) * width_;
        const auto begin = next;
        const bool is_last = c + 1 == columns_;
        next = is_last ? events.end() : first_from(next, events.end(), edge);
        tile_.density[at++] = static_cast<std::uint32_t>(next - begin);
      }
    }
  }

  /// The first event that stands at the edge or right of it. It is near, so steps grow from 1.
  template <class Iterator>
  [[nodiscard]] Iterator first_from(Iterator begin, Iterator end, double edge) const {
    std::ptrdiff_t step = 1;
    auto left = begin;
    while (end - left > step && axis_.position(left[step]) < edge) {
      left += step;
      step *= 2;
    }
    const auto right = end - left > step ? left + step : end;
    return std::lower_bound(left, right, edge,
                            [&](EventIndex e, double x) { return axis_.position(e) < x; });
  }

  [[nodiscard]] bool is_seen(const MessageEdge& edge) const {
    return is_seen_[computation_.process_of(edge.send)] ||
           is_seen_[computation_.process_of(edge.receive)];
  }

  /// Messages are bundled in the same pass as soon as they are too many to be listed.
  void add_messages() {
    Bundles widest;
    axis_.for_each_edge(query_.from, query_.to, [&](const MessageEdge& edge) {
      if (!is_seen(edge)) {
        ++tile_.unseen_messages;
      } else if (++tile_.messages <= query_.most_messages) {
        tile_.edges.push_back(edge);
      } else {
        for (const MessageEdge& earlier : tile_.edges) ++widest[ends_of(earlier, most_doublings)];
        tile_.edges.clear();
        ++widest[ends_of(edge, most_doublings)];
      }
    });
    tile_.lists_messages = tile_.messages <= query_.most_messages;
    if (!tile_.lists_messages) bundle_messages(std::move(widest));
  }

  /// The width of groups that have become twice as wide so often.
  [[nodiscard]] double group_width(int doublings) const {
    return width_ * std::max(1U, query_.bundle_columns) * (1 << doublings);
  }

  [[nodiscard]] BundleEnds ends_of(const MessageEdge& edge, int doublings) const {
    const double width = group_width(0);
    const auto group = [&](EventIndex e) {
      const double place = std::floor((axis_.position(e) - query_.from) / width);
      return static_cast<std::int64_t>(place) >> doublings;
    };
    return {computation_.process_of(edge.send), computation_.process_of(edge.receive),
            group(edge.send), group(edge.receive)};
  }

  /// Groups are as narrow as they can be without too many bundles. With many messages only the
  /// widest ones can be: these come first. They are not so wide that all positions look the same.
  void bundle_messages(Bundles bundles) {
    int doublings = most_doublings;
    for (; doublings > 0 && bundles.size() <= query_.most_bundles; --doublings) {
      Bundles narrower;
      axis_.for_each_edge(query_.from, query_.to, [&](const MessageEdge& edge) {
        if (is_seen(edge)) ++narrower[ends_of(edge, doublings - 1)];
      });
      if (narrower.size() > query_.most_bundles) break;
      bundles = std::move(narrower);
    }
    keep_thickest(bundles, group_width(doublings));
  }

  void keep_thickest(const Bundles& bundles, double size) {
    std::vector<std::pair<BundleEnds, std::uint64_t>> all(bundles.begin(), bundles.end());
    const auto shown = static_cast<std::ptrdiff_t>(std::min(all.size(), query_.most_bundles));
    std::partial_sort(all.begin(), all.begin() + shown, all.end(),
                      [](const auto& a, const auto& b) {
                        return std::tie(b.second, a.first) < std::tie(a.second, b.first);
                      });
    const auto middle = [&](std::int64_t group) {
      return query_.from + (static_cast<double>(group) + 0.5) * size;
    };
    for (const auto& [ends, count] : all) {
      if (tile_.bundles.size() < query_.most_bundles) {
        tile_.bundles.push_back(
            {ends.from, ends.to, middle(ends.sent), middle(ends.received), count});
      } else {
        ++tile_.thin_bundles;
        tile_.thin_messages += count;
      }
    }
  }

  const Computation& computation_;
  const SpaceTimeAxis& axis_;
  const TileQuery& query_;
  std::vector<ProcessIndex> processes_;  // that are seen
  std::vector<bool> is_seen_;            // of each process
  std::uint32_t columns_;
  double width_ = 0;  // of a column
  Tile tile_;
};

}  // namespace

Tile tile(const SpaceTime& space_time, const TileQuery& query) {
  return TileMaker(space_time, query).make();
}

}  // namespace lightcone
