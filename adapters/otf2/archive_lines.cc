// Matches sends with receives, and the parts of collective operations with each other.
#include "archive_lines.h"

#include <fmt/format.h>
#include <lightcone/base/json_text.h>

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>

namespace lightcone::otf2 {
namespace {

using Kind = ArchiveEvent::Kind;

/// Who waits for whose data in a collective operation.
enum class DataFlow : std::uint8_t { all, from_root, to_root, upward };

struct Operation {
  std::string_view name;
  DataFlow flow;
};

/// Indexed by OTF2's numbers of operations.
constexpr std::array<Operation, 23> operations{{
    {"MPI_Barrier", DataFlow::all},
    {"MPI_Bcast", DataFlow::from_root},
    {"MPI_Gather", DataFlow::to_root},
    {"MPI_Gatherv", DataFlow::to_root},
    {"MPI_Scatter", DataFlow::from_root},
    {"MPI_Scatterv", DataFlow::from_root},
    {"MPI_Allgather", DataFlow::all},
    {"MPI_Allgatherv", DataFlow::all},
    {"MPI_Alltoall", DataFlow::all},
    {"MPI_Alltoallv", DataFlow::all},
    {"MPI_Alltoallw", DataFlow::all},
    {"MPI_Allreduce", DataFlow::all},
    {"MPI_Reduce", DataFlow::to_root},
    {"MPI_Reduce_scatter", DataFlow::all},
    {"MPI_Scan", DataFlow::upward},
    {"MPI_Exscan", DataFlow::upward},
    {"MPI_Reduce_scatter_block", DataFlow::all},
    {"create handle", DataFlow::all},
    {"destroy handle", DataFlow::all},
    {"allocate", DataFlow::all},
    {"deallocate", DataFlow::all},
    {"create handle and allocate", DataFlow::all},
    {"destroy handle and deallocate", DataFlow::all},
}};

/// Messages of one communicator, sender, receiver and tag come in the order in which they were
/// sent.
using Channel = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;

class LineMaker {
 public:
  LineMaker(const Archive& archive, const std::function<void(std::string_view)>& write)
      : archive_(archive), write_(write) {
    for (const auto& [self, communicator] : archive.communicators) {
      for (std::size_t rank = 0; rank < communicator.members.size(); ++rank) {
        const Location member = communicator.members[rank];
        ranks_[{self, member}] = static_cast<std::uint32_t>(rank);
        const auto place = archive.locations.find(member);
        if (place == archive.locations.end()) continue;
        ranks_of_groups_[{self, place->second.group}] = static_cast<std::uint32_t>(rank);
      }
    }
  }

  [[nodiscard]] Expected<void> make() {
    if (auto ok = number_receives(); !ok) return ok;
    std::string header = R"({"lightcone": 1, "processes": [)";
    for (const auto& [location, events] : archive_.events) {
      if (header.back() != '[') header += ", ";
      header += json_string(name(location));
    }
    write_(header + "]}");
    for (const auto& [location, events] : archive_.events) {
      if (auto ok = make_lines(location, events); !ok) return ok;
    }
    return {};
  }

 private:
  [[nodiscard]] std::string name(Location location) const {
    const auto found = archive_.locations.find(location);
    return found == archive_.locations.end() ? fmt::format("location {}", location)
                                             : found->second.name;
  }

  /// The rank of a location, or of another thread of its process.
  [[nodiscard]] Expected<std::uint32_t> rank(std::uint32_t communicator, Location location) const {
    if (const auto found = ranks_.find({communicator, location}); found != ranks_.end()) {
      return found->second;
    }
    const auto place = archive_.locations.find(location);
    if (place != archive_.locations.end()) {
      const auto found = ranks_of_groups_.find({communicator, place->second.group});
      if (found != ranks_of_groups_.end()) return found->second;
    }
    return failure(fmt::format("{} communicates in communicator {}, of which it is no member",
                               name(location), communicator));
  }

  /// Receives take messages in the order in which they were posted.
  [[nodiscard]] Expected<void> number_receives() {
    struct Posted {
      std::uint64_t at;
      Location location;
      std::size_t event;
    };
    std::map<Channel, std::vector<Posted>> posted;
    for (const auto& [location, events] : archive_.events) {
      for (std::size_t i = 0; i < events.size(); ++i) {
        if (events[i].kind != Kind::receive) continue;
        const auto own = rank(events[i].communicator, location);
        if (!own) return failure(own.error());
        posted[{events[i].communicator, events[i].peer, *own, events[i].tag}].push_back(
            {events[i].posted_at, location, i});
      }
    }
    for (auto& [channel, receives] : posted) {
      std::ranges::stable_sort(receives, {}, &Posted::at);
      for (std::size_t k = 0; k < receives.size(); ++k) {
        receive_numbers_[{receives[k].location, receives[k].event}] = k + 1;
      }
    }
    return {};
  }

  [[nodiscard]] Expected<void> make_lines(Location location,
                                          const std::vector<ArchiveEvent>& events) {
    for (std::size_t i = 0; i < events.size(); ++i) {
      line_ = R"({"process": )" + json_string(name(location));
      if (auto ok = make_event(location, events, i); !ok) return ok;
      const double seconds =
          static_cast<double>(static_cast<std::int64_t>(events[i].time - archive_.first_tick)) /
          static_cast<double>(archive_.ticks_per_second);
      line_ += R"(, "time": )" + json_real(seconds) + "}";
      write_(line_);
    }
    return {};
  }

  [[nodiscard]] Expected<void> make_event(Location location,
                                          const std::vector<ArchiveEvent>& events, std::size_t i) {
    switch (events[i].kind) {
      case Kind::enter:
      case Kind::leave: make_region(events[i]); return {};
      case Kind::send:
      case Kind::receive: return make_message(location, events[i], i);
      case Kind::collective_begin: return make_begin(location, events, i);
      case Kind::collective_end: return make_end(location, events, i);
    }
    return {};
  }

  void make_region(const ArchiveEvent& event) {
    const auto region = archive_.regions.find(event.region);
    const std::string known =
        region == archive_.regions.end() ? fmt::format("region {}", event.region) : region->second;
    line_ += R"(, "kind": "internal", "labels": [)" +
             json_string(event.kind == Kind::enter ? known : "end " + known) + "]";
  }

  [[nodiscard]] std::string communicator_name(std::uint32_t communicator) const {
    const auto found = archive_.communicators.find(communicator);
    const bool has_name = found != archive_.communicators.end() && !found->second.name.empty();
    return has_name ? found->second.name : std::to_string(communicator);
  }

  /// Nothing in the world's communicator, in which most messages are.
  [[nodiscard]] std::string in_communicator(std::uint32_t communicator) const {
    return communicator_name(communicator) == "MPI_COMM_WORLD" ? std::string()
                                                               : fmt::format("@{}", communicator);
  }

  [[nodiscard]] Expected<void> make_message(Location location, const ArchiveEvent& event,
                                            std::size_t i) {
    const auto own = rank(event.communicator, location);
    if (!own) return failure(own.error());
    const bool sends = event.kind == Kind::send;
    const std::uint32_t from = sends ? *own : event.peer, to = sends ? event.peer : *own;
    const std::uint64_t number = sends ? ++sent_[{event.communicator, from, to, event.tag}]
                                       : receive_numbers_.at({location, i});
    line_ += fmt::format(R"(, "kind": "{}", "message": "{}>{}/{}{}:{}", )"
                         R"("labels": [{}, "tag:{}"], "vars": {{"bytes": {}}})",
                         sends ? "send" : "receive", from, to, event.tag,
                         in_communicator(event.communicator), number,
                         json_string("comm:" + communicator_name(event.communicator)), event.tag,
                         event.bytes);
    return {};
  }

  [[nodiscard]] static const Operation& operation_of(const ArchiveEvent& end) {
    static constexpr Operation unknown{"collective operation", DataFlow::all};
    return end.tag < operations.size() ? operations[end.tag] : unknown;
  }

  [[nodiscard]] static bool gives(DataFlow flow, std::uint32_t from, std::uint32_t to,
                                  std::uint32_t root) {
    switch (flow) {
      case DataFlow::all: return from != to;
      case DataFlow::from_root: return from == root && to != root;
      case DataFlow::to_root: return to == root && from != root;
      case DataFlow::upward: return from < to;
    }
    return false;
  }

  [[nodiscard]] std::string collective_message(std::uint32_t communicator, std::uint32_t from,
                                               std::uint64_t number) const {
    return fmt::format("{}>all{}:{}", from, in_communicator(communicator), number);
  }

  /// The begin does not say of what; the next end of its location does.
  [[nodiscard]] Expected<void> make_begin(Location location,
                                          const std::vector<ArchiveEvent>& events, std::size_t i) {
    const auto end = std::find_if(
        events.begin() + static_cast<std::ptrdiff_t>(i) + 1, events.end(), [](const auto& event) {
          return event.kind == Kind::collective_end || event.kind == Kind::collective_begin;
        });
    const bool ends = end != events.end() && end->kind == Kind::collective_end;
    const std::uint32_t size = ends ? members(*end) : 0;
    if (size == 0) {  // the trace ends here, or the communicator is not known
      line_ += R"(, "kind": "internal", "labels": ["collective operation"])";
      return {};
    }
    const auto own = rank(end->communicator, location);
    if (!own) return failure(own.error());
    const Operation& operation = operation_of(*end);
    bool is_waited_for = false;
    for (std::uint32_t to = 0; to < size; ++to) {
      is_waited_for = is_waited_for || gives(operation.flow, *own, to, end->peer);
    }
    const std::uint64_t number = ++begun_[{location, end->communicator}];
    const std::string message =
        is_waited_for ? fmt::format(R"("send", "message": "{}")",
                                    collective_message(end->communicator, *own, number))
                      : R"("internal")";
    line_ += fmt::format(R"(, "kind": {}, "labels": ["{}", {}])", message, operation.name,
                         json_string("comm:" + communicator_name(end->communicator)));
    return {};
  }

  [[nodiscard]] std::uint32_t members(const ArchiveEvent& end) const {
    const auto found = archive_.communicators.find(end.communicator);
    return found == archive_.communicators.end()
               ? 0
               : static_cast<std::uint32_t>(found->second.members.size());
  }

  [[nodiscard]] Expected<void> make_end(Location location, const std::vector<ArchiveEvent>& events,
                                        std::size_t i) {
    const ArchiveEvent& end = events[i];
    const Operation& operation = operation_of(end);
    const std::string labels =
        fmt::format(R"("labels": ["end {}", {}])", operation.name,
                    json_string("comm:" + communicator_name(end.communicator)));
    // Without a begin nothing shows when this location gave its data.
    const std::uint64_t number = ++ended_[{location, end.communicator}];
    const bool has_begin = begun_[{location, end.communicator}] >= number;
    std::string messages;
    if (has_begin && members(end) > 0) {
      const auto own = rank(end.communicator, location);
      if (!own) return failure(own.error());
      for (std::uint32_t from = 0; from < members(end); ++from) {
        if (!gives(operation.flow, from, *own, end.peer)) continue;
        if (!messages.empty()) messages += ", ";
        messages += "\"" + collective_message(end.communicator, from, number) + "\"";
      }
    }
    line_ += messages.empty() ? R"(, "kind": "internal", )" + labels
                              : R"(, "kind": "receive", "message": [)" + messages + "], " + labels;
    return {};
  }

  const Archive& archive_;
  const std::function<void(std::string_view)>& write_;
  std::map<std::pair<std::uint32_t, Location>, std::uint32_t> ranks_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> ranks_of_groups_;
  std::map<std::pair<Location, std::size_t>, std::uint64_t> receive_numbers_;
  std::map<Channel, std::uint64_t> sent_;
  // Collective operations by location and communicator.
  std::map<std::pair<Location, std::uint32_t>, std::uint64_t> begun_, ended_;
  std::string line_;
};

}  // namespace

Expected<void> write_lines(const Archive& archive,
                           const std::function<void(std::string_view)>& write) {
  return LineMaker(archive, write).make();
}

}  // namespace lightcone::otf2
