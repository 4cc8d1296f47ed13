// Flows with `within`: which words match in time, as far as clocks can tell.
#pragma once

#include <lightcone/property/automata/compiled.h>
#include <lightcone/riders/inspection.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace lightcone {

/// Follows the runs of a timed automaton along all paths of a recorded computation.
///
/// Two events of one process compare exactly. Of two processes, a difference d counts as at most D
/// for certain if d + B <= D, and perhaps if d - B <= D, where B is the bound on clocks. So
/// everything is done twice, with what is certain and with what is possible.
///
/// `some`: a later anchor is at least as good for every limit that follows, if it is of the same
/// process. So for each position and process of the anchor, the latest is enough.
/// `every`: a path is the set of its runs, reduced in the same way. Of two such sets, one of which
/// has for each run of its own a later one in the other, only the smaller can show a path that does
/// not match. There can be many that do not compare. Beyond a limit the answer is not known.
class TimedFlow {
 public:
  /// The inspection must outlive this.
  TimedFlow(const Inspection& inspection, const CompiledFlow& flow,
            std::optional<double> clocks_within)
      : inspection_(inspection), flow_(flow), bound_(clocks_within) {}

  /// Calls `answer(row, found)` for all events (`longest`: for all that are letters). Nothing is
  /// found where that is not known.
  void for_each_answer(const std::function<void(Row, std::optional<bool>)>& answer);
  /// Returns whether times of two processes were compared without a bound.
  [[nodiscard]] bool compares_processes() const { return compares_processes_; }

 private:
  enum class Mode : std::uint8_t { certain, possible };
  /// A run of the automaton: its position and its anchor.
  struct Strand {
    std::uint32_t position = 0;
    ProcessIndex process = none;  // of the anchor; none where it does not matter
    double time = 0;
    friend bool operator==(const Strand&, const Strand&) = default;
  };
  using Strands = std::vector<Strand>;  // sorted by position and process; the latest of each
  /// What is known of the paths to a state.
  struct Paths {
    std::vector<Strands> sets;  // `some`: one; `every`: one for each kind of path
    bool is_cut = false;        // there were too many kinds
  };
  static constexpr std::size_t most_sets = 128;

  void follow_states(Mode mode, std::vector<bool>& found, std::vector<bool>& is_known);
  void follow_letters(Mode mode, std::vector<bool>& found, std::vector<bool>& is_known);
  [[nodiscard]] Paths start() const;
  void join(Paths& into, const Paths& from) const;
  void read_letter(Paths& paths, Row row, Mode mode);
  [[nodiscard]] Strands step(const Strands& runs, Row row, Mode mode);
  [[nodiscard]] bool is_in_time(const Strand& run, double within, Row row, Mode mode);
  [[nodiscard]] static bool is_below(const Strands& a, const Strands& b);
  static void add(Strands& runs, const Strand& run);
  void add_set(Paths& paths, Strands runs) const;
  [[nodiscard]] bool accepts(const Paths& paths) const;
  [[nodiscard]] bool is_letter(Row row) const;

  const Inspection& inspection_;
  const CompiledFlow& flow_;
  std::optional<double> bound_;
  bool compares_processes_ = false;
};

}  // namespace lightcone
