// Which monitor decides which partition: each takes its share, and that of those who died.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "nats/nats_link.h"

namespace lightcone::service {

/// What one monitor sees of the others.
struct ShareView {
  std::size_t partitions = 0;
  std::size_t monitors = 1;                 ///< that are alive, with this one
  std::set<std::uint32_t> mine = {};        ///< partitions of this one
  std::vector<std::uint32_t> unowned = {};  ///< whose monitor is gone
};
struct ShareChange {
  std::vector<std::uint32_t> take = {}, leave = {};
};
/// No monitor keeps more than its share, and whoever has less takes what is unowned.
[[nodiscard]] ShareChange fair_change(const ShareView& view);

/// The bucket says who is there and who owns what. A monitor is alive as long as its entry changes.
class PartitionShare {
 public:
  PartitionShare(NatsLink& link, std::string monitor, std::size_t partitions);

  /// Shows that this monitor is alive, and looks at the others. To be called at equal times.
  [[nodiscard]] Expected<ShareChange> look(const std::set<std::uint32_t>& mine);
  /// False: another one was faster.
  [[nodiscard]] Expected<bool> take(std::uint32_t partition);
  [[nodiscard]] Expected<void> leave(std::uint32_t partition);
  /// This monitor goes.
  [[nodiscard]] Expected<void> resign();
  [[nodiscard]] std::size_t monitors() const { return monitors_; }

  /// Who does not change for so many looks is dead.
  static constexpr int most_unchanged = 4;

 private:
  struct Other {
    std::uint64_t revision = 0;
    int unchanged = 0;
  };
  [[nodiscard]] Expected<std::set<std::string>> alive();

  NatsLink& link_;
  std::string monitor_;
  std::size_t partitions_;
  std::uint64_t looks_ = 0;
  std::size_t monitors_ = 1;
  std::map<std::string, Other> others_;
  std::map<std::uint32_t, std::uint64_t> revisions_;  // of the owners
};

}  // namespace lightcone::service
