// The paths to a state, as far as a pattern with `within` tells them apart.
#pragma once

#include <lightcone/computation.h>
#include <lightcone/property/automata/compiled.h>
#include <lightcone/riders/rider.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace lightcone {

/// What decides whether a difference of two times is small enough: what is certain, what the
/// clocks allow, or nothing at all.
enum class TimeMode : std::uint8_t { certain, possible, whatever };

/// A time by the clock of a process, in seconds.
struct ClockTime {
  std::uint32_t process = 0;
  double seconds = 0;
};

/// A flow with `within`, and what all that follow it share.
struct TimedFlows {
  const CompiledFlow& flow;
  const Observer& observer;
  std::optional<double> clocks_within = {};
  bool compares_processes = false;  ///< times of two processes were compared without a bound

  [[nodiscard]] bool is_letter(Scene scene) const { return observer.holds(scene, flow.labelled); }
};

/// Returns whether the second time is at most `within` after the first. If they cannot be compared,
/// the flow is told.
[[nodiscard]] bool is_in_time(TimedFlows& flows, ClockTime first, ClockTime second, double within,
                              TimeMode mode);

/// The runs of the timed automaton along all paths to a state.
///
/// Two events of one process compare exactly. Of two processes, a difference d counts as at most D
/// for certain if d + B <= D, and perhaps if d - B <= D, where B is the bound on clocks.
///
/// `some`: a later anchor is at least as good for every limit that follows, if it is of the same
/// process. So for each position and process of the anchor, the latest is enough.
/// `every`: a path is the set of its runs, reduced in the same way. Of two such sets, one of which
/// has for each run of its own a later one in the other, only the smaller can show a path that does
/// not match. There can be many that do not compare. Beyond a limit the answer is not known.
class TimedPaths {
 public:
  /// A run of the automaton: its position and its anchor.
  struct Strand {
    std::uint32_t position = 0;
    std::uint32_t process = none;  ///< of the anchor; none where it does not matter
    double time = 0;
    friend bool operator==(const Strand&, const Strand&) = default;
  };
  using Strands = std::vector<Strand>;  ///< sorted by position and process; the latest of each
  static constexpr std::size_t most_sets = 128;

  /// No path at all.
  TimedPaths() = default;
  /// What was read from elsewhere.
  TimedPaths(std::vector<Strands> sets, bool is_cut) : sets_(std::move(sets)), is_cut_(is_cut) {}
  /// The path that has read nothing yet.
  [[nodiscard]] static TimedPaths start() { return {{{Strand{}}}, false}; }

  void join(const TimedFlows& flows, const TimedPaths& other);
  /// All paths go on with a letter, at an event of this process.
  void read_letter(TimedFlows& flows, const Step& step, std::uint32_t process, TimeMode mode);
  /// Returns whether one path matches (`some`), or all of them do (`every`).
  [[nodiscard]] bool accepts(const CompiledFlow& flow) const;
  /// Returns whether what `accepts` says is so, although there were too many kinds of paths.
  [[nodiscard]] bool is_known(const CompiledFlow& flow) const {
    return !is_cut_ || (flow.every && !accepts(flow));
  }
  /// The same without runs whose anchors are of this process.
  [[nodiscard]] TimedPaths without(std::uint32_t process) const;
  [[nodiscard]] const std::vector<Strands>& sets() const { return sets_; }
  [[nodiscard]] bool is_cut() const { return is_cut_; }
  friend bool operator==(const TimedPaths&, const TimedPaths&) = default;

 private:
  void add_set(bool every, Strands runs);

  std::vector<Strands> sets_ = {};  // `some`: one; `every`: one for each kind of path
  bool is_cut_ = false;             // there were too many kinds
};

/// The paths in both ways of telling times apart.
struct TimedState {
  TimedPaths certain = {}, possible = {};

  [[nodiscard]] static TimedState start() { return {TimedPaths::start(), TimedPaths::start()}; }
  void join(const TimedFlows& flows, const TimedState& other) {
    certain.join(flows, other.certain);
    possible.join(flows, other.possible);
  }
  void read_letter(TimedFlows& flows, const Step& step, std::uint32_t process) {
    certain.read_letter(flows, step, process, TimeMode::certain);
    possible.read_letter(flows, step, process, TimeMode::possible);
  }
  [[nodiscard]] TimedState without(std::uint32_t process) const {
    return {certain.without(process), possible.without(process)};
  }
  /// Whether the flow is found; nothing where clocks cannot tell.
  [[nodiscard]] std::optional<bool> found(const CompiledFlow& flow) const {
    if (certain.accepts(flow) && certain.is_known(flow)) return true;
    if (!possible.accepts(flow) && possible.is_known(flow)) return false;
    return std::nullopt;
  }
  friend bool operator==(const TimedState&, const TimedState&) = default;
};

}  // namespace lightcone
