// Collects snapshots from their parts while a program runs, in bounded memory.
#pragma once

#include <lightcone/live/snapshot/global_snapshot.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

struct CollectorOptions {
  /// The processes that belong to every snapshot; others do when they or others speak of them.
  std::vector<std::string> processes = {};
  /// Called with each snapshot as soon as it is complete; must not add parts itself.
  std::function<void(GlobalSnapshot)> on_complete = {};
  /// How many snapshots may go on at the same time: what is that far behind the latest is given up.
  std::uint64_t window = 64;
  /// About how much memory they may take: beyond that, the oldest is given up.
  std::uint64_t most_bytes = std::uint64_t{1} << 30;
};

/// Takes the parts of all processes in any order, of several snapshots at a time. It forgets those
/// that are complete or given up, and takes no notice of parts of them that still come.
class SnapshotCollector {
 public:
  explicit SnapshotCollector(CollectorOptions options);

  /// Adds a part to the snapshots it belongs to. Refused where it contradicts other parts.
  [[nodiscard]] Expected<void> add(SnapshotPart part);
  /// The same for bytes that anyone may have sent.
  [[nodiscard]] Expected<void> add_bytes(std::string_view bytes);

  /// The snapshots that parts have come of and that are not complete.
  [[nodiscard]] std::vector<const GlobalSnapshot*> open() const;
  [[nodiscard]] std::uint64_t completed() const { return completed_; }
  [[nodiscard]] std::uint64_t given_up() const { return given_up_; }

 private:
  using Open = std::map<std::uint64_t, std::optional<GlobalSnapshot>>;

  template <class Part>
  [[nodiscard]] Expected<void> add_to_all(const std::shared_ptr<const Part>& part);
  [[nodiscard]] Expected<void> remember_end(const std::shared_ptr<const LocalPart>& part);
  void advance(std::uint64_t newest);
  [[nodiscard]] std::optional<GlobalSnapshot>& find_or_open(std::uint64_t number);
  void give_up(std::optional<GlobalSnapshot>& snapshot);
  void free_memory();

  CollectorOptions options_;
  Open open_;  // nothing: complete or given up
  std::map<std::string, std::shared_ptr<const LocalPart>> ended_;
  std::uint64_t newest_ = 0, bytes_ = 0, ended_bytes_ = 0, completed_ = 0, given_up_ = 0;
};

}  // namespace lightcone
