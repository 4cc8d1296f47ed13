// A snapshot of all processes, made from the parts of each process.
#pragma once

#include <lightcone/live/snapshot/snapshot_part.h>

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace lightcone {

/// The states of all processes and the messages in transit between them, at one consistent cut.
/// It is complete when every process that it has heard of has given its state, and each channel
/// holds as many messages as its sender has sent and its receiver has not taken (SnapshotRider has
/// the theorem). Parts may arrive in any order. A part that arrives twice has no effect.
class GlobalSnapshot {
 public:
  using Messages = std::map<std::uint64_t, std::shared_ptr<const InTransitPart>>;  ///< by number
  /// What is known about the messages from one process to another.
  struct Channel {
    std::uint64_t sent = 0, received = 0;  ///< 0 as long as it is not known
    Messages in_transit = {};
  };
  /// By the names of sender and receiver.
  using Channels = std::map<std::pair<std::string, std::string>, Channel>;
  using States = std::map<std::string, std::shared_ptr<const LocalPart>, std::less<>>;

  /// The processes that belong to it even if nothing is sent to them.
  GlobalSnapshot(std::uint64_t number, std::span<const std::string> processes);

  /// Adds a part. It is refused, without effect, if it contradicts other parts.
  [[nodiscard]] Expected<void> add(const std::shared_ptr<const LocalPart>& part);
  [[nodiscard]] Expected<void> add(const std::shared_ptr<const InTransitPart>& part);

  [[nodiscard]] std::uint64_t number() const { return number_; }
  [[nodiscard]] bool complete() const { return missing_states_ == 0 && open_channels_ == 0; }
  /// By the name of the process; null if the state is missing.
  [[nodiscard]] const States& states() const { return states_; }
  /// Those that were ever used, and perhaps others.
  [[nodiscard]] const Channels& channels() const { return channels_; }
  /// The messages in transit from one process to another, in the order in which they were sent.
  [[nodiscard]] const Messages& in_transit(std::string_view sender,
                                           std::string_view receiver) const;
  /// About how much memory it takes.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  [[nodiscard]] Expected<void> check(const LocalPart& part) const;
  [[nodiscard]] tl::unexpected<Error> contradiction(std::string_view process,
                                                    std::string_view why) const;
  std::shared_ptr<const LocalPart>& mention(const std::string& process);
  template <class Change>
  void change(const std::string& sender, const std::string& receiver, const Change& how);

  std::uint64_t number_;
  States states_;
  Channels channels_;
  std::uint64_t missing_states_ = 0, open_channels_ = 0, bytes_ = 0;
};

}  // namespace lightcone
