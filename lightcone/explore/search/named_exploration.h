// An exploration of a program whose processes and mailboxes have names, or a part of one.
#pragma once

#include <lightcone/explore/search/exploration.h>
#include <lightcone/explore/search/explored_names.h>
#include <lightcone/guide.h>

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lightcone {

/// An exploration, and the names of what it knows as numbers.
class NamedExploration {
 public:
  /// Where the executions of a part are among those of all parts: places are in the order in which
  /// an exploration that is not split would come to them.
  using PartPlace = std::vector<std::uint32_t>;

  explicit NamedExploration(const ExplorationOptions& options = {}, const NamedGuide& first = {});

  [[nodiscard]] Exploration& exploration() { return *exploration_; }
  [[nodiscard]] const Exploration& exploration() const { return *exploration_; }
  [[nodiscard]] ExploredNames& names() { return *names_; }
  /// The choices of the execution that runs, or ended last.
  [[nodiscard]] NamedGuide guide() const;
  /// Why the exploration cannot go on, for people; empty if it can.
  [[nodiscard]] std::string trouble() const;

  /// Gives away a part of the executions that have not begun, if there are any: right after an
  /// execution was begun.
  [[nodiscard]] std::optional<NamedExploration> split();
  [[nodiscard]] const PartPlace& place() const { return place_; }

 private:
  NamedExploration(std::unique_ptr<Exploration> exploration, std::shared_ptr<ExploredNames> names,
                   PartPlace place)
      : exploration_(std::move(exploration)), names_(std::move(names)), place_(std::move(place)) {}

  std::unique_ptr<Exploration> exploration_;
  std::shared_ptr<ExploredNames> names_;
  PartPlace place_;
  std::uint32_t parts_left_ = 0xffffffff;
};

}  // namespace lightcone
