// Programs on a simulated network that take snapshots, and that are known entirely.
#pragma once

#include <lightcone/live/snapshot/snapshot_part.h>
#include <lightcone/riders/clocks/snapshot_rider.h>
#include <lightcone/simulation.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// How news of a snapshot travels.
enum class SnapshotMethod : std::uint8_t {
  markers,        ///< on FIFO channels; messages carry nothing
  coloured_fifo,  ///< the same, and messages carry colours
  colours,        ///< on messages, and whoever begins a snapshot tells all
  colours_alone,  ///< on messages only: not everyone may hear of a snapshot
};

class SnapshotProgram {
 public:
  struct Event {
    bool send = false;
    std::uint32_t peer = 0;    ///< receiver or sender
    std::uint64_t number = 0;  ///< of the message, among its sender's
  };
  struct Member {
    std::string name;
    Peers peers;
    SnapshotRider rider;
    std::vector<Event> history = {};
    std::vector<std::string> contents = {};           ///< of what it sent, by number - 1
    std::map<std::uint64_t, std::size_t> saved = {};  ///< length of the history, by snapshot
    std::optional<std::size_t> ended = {};            ///< length of the history
    std::set<std::pair<std::uint32_t, std::uint64_t>> taken = {};
  };
  struct Taken {
    std::uint32_t sender = 0;
    std::string contents;
  };

  SnapshotProgram(SimulationOptions options, std::uint32_t processes, SnapshotMethod method);

  void spawn(std::uint32_t process, std::function<void()> body);
  void send(std::uint32_t from, std::uint32_t to, std::string contents);
  /// The next message, if it comes soon enough. Its safe point is here.
  [[nodiscard]] std::optional<Taken> take(std::uint32_t process, SimulatedTime patience);
  void begin(std::uint32_t process);
  /// The process takes nothing more.
  void end(std::uint32_t process);

  [[nodiscard]] SimulatedNetwork& network() { return network_; }
  [[nodiscard]] bool fifo() const { return method_ <= SnapshotMethod::coloured_fifo; }
  [[nodiscard]] const std::vector<Member>& members() const { return members_; }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// Messages that were sent and not taken.
  [[nodiscard]] std::uint64_t in_transit() const { return in_transit_; }
  /// The last snapshot that anyone knows.
  [[nodiscard]] std::uint64_t last_snapshot() const;
  /// On FIFO channels: the last snapshot that a process has closed all its channels of.
  [[nodiscard]] std::uint64_t closed(std::uint32_t process) const;

  std::function<std::string(std::uint32_t process)> state;
  std::function<void(const std::string& bytes)> on_part;

 private:
  void save(std::uint32_t process, const SnapshotRange& snapshots);
  void tell_all(std::uint32_t process);
  [[nodiscard]] std::optional<Taken> handle(std::uint32_t process, const Parcel& parcel);

  SnapshotMethod method_;
  std::vector<std::string> names_;
  std::vector<std::uint32_t> indices_;
  std::vector<Member> members_;
  std::uint64_t in_transit_ = 0;
  SimulatedNetwork network_;
};

}  // namespace lightcone
