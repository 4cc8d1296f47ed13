// How what goes over NATS is called, and which partition an execution is in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lightcone::service {

/// Returns the partition of an execution: the FNV-1a hash of its name, of 32 bits, modulo the
/// number of partitions. Whoever publishes events computes the same.
[[nodiscard]] std::uint32_t partition_of(std::string_view execution, std::size_t partitions);

/// Names of streams, subjects, consumers and keys. All begin with the name of the group of
/// monitors.
class StreamNames {
 public:
  explicit StreamNames(std::string group = "lightcone") : group_(std::move(group)) {}

  [[nodiscard]] std::string events() const { return group_ + "-events"; }
  [[nodiscard]] std::string verdicts() const { return group_ + "-verdicts"; }
  [[nodiscard]] const std::string& bucket() const { return group_; }
  [[nodiscard]] std::string all_events() const { return group_ + ".events.*"; }
  [[nodiscard]] std::string all_verdicts() const { return group_ + ".verdicts.*"; }
  [[nodiscard]] std::string events_of(std::uint32_t partition) const {
    return group_ + ".events." + std::to_string(partition);
  }
  [[nodiscard]] std::string verdicts_of(std::uint32_t partition) const {
    return group_ + ".verdicts." + std::to_string(partition);
  }
  /// What monitors ask each other for snapshots, and where one of them hears the answers.
  [[nodiscard]] std::string snapshots() const { return group_ + ".snapshots"; }
  [[nodiscard]] std::string snapshots_of(const std::string& monitor) const {
    return group_ + ".snapshots." + monitor;
  }
  [[nodiscard]] static std::string consumer_of(std::uint32_t partition) {
    return "partition-" + std::to_string(partition);
  }
  [[nodiscard]] static std::string owner_key(std::uint32_t partition) {
    return "owner." + std::to_string(partition);
  }
  [[nodiscard]] static std::string state_key(std::uint32_t partition) {
    return "state." + std::to_string(partition);
  }
  [[nodiscard]] static std::string member_key(const std::string& monitor) {
    return "monitor." + monitor;
  }

 private:
  std::string group_;
};

/// Whether streams, buckets and subjects may begin with this name.
[[nodiscard]] bool is_group_name(std::string_view name);

}  // namespace lightcone::service
