// Turns a tile into arrays, one per field.
#include "view/tile_bytes.h"

#include <string_view>
#include <unordered_map>

#include "view/packed_arrays.h"

namespace lightcone::cli {
namespace {

constexpr std::size_t longest_caption = 80;

[[nodiscard]] std::uint8_t marks_of(const SpaceTime& space_time, EventIndex e) {
  const Computation& computation = space_time.computation();
  unsigned marks = 0;
  const auto add = [&](EventMark mark) { marks |= static_cast<unsigned>(mark); };
  if (const MessageIndex m = computation.sends(e); m != none) {
    add(EventMark::sends);
    if (!space_time.is_received(m)) add(EventMark::in_transit);
  }
  if (!computation.labels(e).empty()) add(EventMark::labelled);
  if (!computation.assignments(e).empty()) add(EventMark::assigns);
  return static_cast<std::uint8_t>(marks);
}

/// Each caption once; 0 is none.
class Captions {
 public:
  [[nodiscard]] std::uint32_t add(const std::string& caption) {
    if (caption.empty()) return 0;
    const auto [at, is_new] = numbers_.emplace(caption, list_.items().size() + 1);
    if (is_new) list_.push_back(caption);
    return static_cast<std::uint32_t>(at->second);
  }
  [[nodiscard]] const Json& list() const { return list_; }

 private:
  std::unordered_map<std::string, std::size_t> numbers_;
  Json list_ = Json::array();
};

class TilePacker {
 public:
  TilePacker(const SpaceTime& space_time, const SpaceTimeAxis& axis)
      : space_time_(space_time), computation_(space_time.computation()), axis_(axis) {}

  [[nodiscard]] std::string pack(const Tile& tile, std::uint64_t version) {
    if (tile.lists_events) {
      add_events(tile);
    } else {
      arrays_.add("density", tile.density);
    }
    if (tile.lists_messages) {
      add_edges(tile);
    } else {
      add_bundles(tile);
    }
    return arrays_.bytes({{"version", version},
                          {"events", tile.events},
                          {"messages", tile.messages},
                          {"lists_events", tile.lists_events},
                          {"lists_messages", tile.lists_messages},
                          {"columns", tile.columns},
                          {"thin_bundles", tile.thin_bundles},
                          {"thin_messages", tile.thin_messages},
                          {"unseen_messages", tile.unseen_messages},
                          {"captions", captions_.list()}});
  }

 private:
  void add_events(const Tile& tile) {
    std::vector<std::uint32_t> processes, ranks, captions;
    std::vector<double> positions;
    std::vector<std::uint8_t> kinds, marks;
    for (const EventIndex e : tile.listed) {
      processes.push_back(computation_.process_of(e));
      ranks.push_back(computation_.rank_of(e));
      positions.push_back(axis_.position(e));
      kinds.push_back(static_cast<std::uint8_t>(computation_.kind(e)));
      marks.push_back(marks_of(space_time_, e));
      captions.push_back(captions_.add(caption_of(computation_, e)));
    }
    arrays_.add("process", processes);
    arrays_.add("rank", ranks);
    arrays_.add("x", positions);
    arrays_.add("kind", kinds);
    arrays_.add("marks", marks);
    arrays_.add("caption", captions);
  }

  void add_edges(const Tile& tile) {
    std::vector<std::uint32_t> from, from_rank, to, to_rank;
    std::vector<double> sent, received;
    for (const MessageEdge& edge : tile.edges) {
      from.push_back(computation_.process_of(edge.send));
      from_rank.push_back(computation_.rank_of(edge.send));
      sent.push_back(axis_.position(edge.send));
      to.push_back(computation_.process_of(edge.receive));
      to_rank.push_back(computation_.rank_of(edge.receive));
      received.push_back(axis_.position(edge.receive));
    }
    arrays_.add("from", from);
    arrays_.add("from_rank", from_rank);
    arrays_.add("sent", sent);
    arrays_.add("to", to);
    arrays_.add("to_rank", to_rank);
    arrays_.add("received", received);
  }

  void add_bundles(const Tile& tile) {
    std::vector<std::uint32_t> from, to;
    std::vector<double> sent, received, counts;
    for (const MessageBundle& bundle : tile.bundles) {
      from.push_back(bundle.from);
      sent.push_back(bundle.sent);
      to.push_back(bundle.to);
      received.push_back(bundle.received);
      counts.push_back(static_cast<double>(bundle.messages));
    }
    arrays_.add("from", from);
    arrays_.add("sent", sent);
    arrays_.add("to", to);
    arrays_.add("received", received);
    arrays_.add("count", counts);
  }

  const SpaceTime& space_time_;
  const Computation& computation_;
  const SpaceTimeAxis& axis_;
  Captions captions_;
  PackedArrays arrays_;
};

}  // namespace

std::string caption_of(const Computation& computation, Row row) {
  std::string caption;
  for (const NameIndex label : computation.labels(row)) {
    if (!caption.empty()) caption += ", ";
    caption += computation.names()[label];
  }
  if (caption.empty()) caption = computation.text(row).value_or(std::string_view());
  if (caption.size() <= longest_caption) return caption;
  std::size_t end = longest_caption;
  while (end > 0 && (static_cast<unsigned char>(caption[end]) & 0xC0U) == 0x80U) --end;
  return caption.substr(0, end) + "…";
}

std::string tile_bytes(const SpaceTime& space_time, const TileQuery& query, std::uint64_t version) {
  const Tile made = tile(space_time, query);
  return TilePacker(space_time, space_time.axis(query.axis)).pack(made, version);
}

}  // namespace lightcone::cli
