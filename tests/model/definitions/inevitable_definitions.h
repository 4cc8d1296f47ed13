// Inevitable global states by their definitions: all tuples of local states, tried one by one.
#pragma once

#include <lightcone/causal/order/timestamps.h>
#include <lightcone/causality.h>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace lightcone::definition {

/// Whether processes are taken to start and end together (RR-2194, 3.3: H⁰ and Hˡᵃˢᵗ).
enum class Ends { together, physical };

/// The local states of a group of processes, and all that is said of them in RR-2194.
class GroupStates {
 public:
  GroupStates(const Computation& computation, const Selection& relevant,
              std::vector<ProcessIndex> group, Ends ends);

  /// The last state of each process of the group.
  [[nodiscard]] std::span<const Rank> last() const { return last_; }
  /// s(i, x) →w s(j, y), also for s∞, which is y = last + 1. Processes are counted in the group.
  [[nodiscard]] bool began_before(std::uint32_t i, Rank x, std::uint32_t j, Rank y) const {
    return began_before_[row(i, x)][row(j, y)];
  }
  /// How many tuples of local states there are.
  [[nodiscard]] std::uint64_t tuples() const;

  /// The consistent states that are the only ones of their size: each observation has one of each.
  [[nodiscard]] std::vector<std::vector<Rank>> only_of_their_size() const;
  /// All states with s(i) →w next(s(j)) for all i and j.
  [[nodiscard]] std::vector<std::vector<Rank>> satisfying_igs() const;
  /// What the paper's monitor finds.
  [[nodiscard]] std::vector<std::vector<Rank>> found_by_monitor() const;

 private:
  [[nodiscard]] std::size_t row(std::uint32_t i, Rank x) const { return first_row_[i] + x; }
  [[nodiscard]] bool begins_before(LocalState s, LocalState t, bool t_is_end, Ends ends) const;
  [[nodiscard]] bool is_consistent(const std::vector<Rank>& state) const;
  [[nodiscard]] bool is_inevitable(const std::vector<Rank>& state) const;
  void for_all_tuples(const std::function<void(const std::vector<Rank>&)>& visit) const;

  const Computation& computation_;
  const Selection& relevant_;
  Timestamps known_;
  Precedence precedence_;
  std::vector<ProcessIndex> group_;
  std::vector<Rank> last_;
  std::vector<std::size_t> first_row_;
  std::vector<std::vector<bool>> began_before_, over_before_;
};

}  // namespace lightcone::definition
