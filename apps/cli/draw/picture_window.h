// The part of a computation that a picture shows: the surroundings of a causal path or a cut.
#pragma once

#include <lightcone/computation.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lightcone::cli {

/// An event or initial state that is drawn.
struct ShownState {
  enum class Role : std::uint8_t {
    context,  ///< near the path
    passed,   ///< the path leads through it
    given,    ///< one of the states that the path is made of
  };
  Row row = 0;
  std::uint32_t line = 0;    ///< which of the window's processes
  Rank rank = 0;             ///< 0: the initial state
  std::uint32_t column = 0;  ///< greater than that of every shown state that happened before
  Rank hidden_before = 0;    ///< events of its process between it and the shown state before
  Role role = Role::context;
  bool marked = false;
  bool frontier = false;  ///< the last state of its process inside the cut
  std::string note = {};  ///< what stands above it, instead of its labels
};

/// A message with both ends drawn. The ends are indices of states.
struct ShownMessage {
  std::size_t from = 0, to = 0;
  MessageIndex message = none;
  bool on_path = false;
};

/// Two states that follow each other on the path as drawn; in between, events may be left out.
struct PathLeg {
  std::size_t from = 0, to = 0;
  bool whole = true;
};

/// Where the middle of a long path is left out.
struct Gap {
  std::uint32_t before_column = 0;
  std::size_t hidden = 0;  ///< events of the path
};

struct Window {
  std::vector<ProcessIndex> processes;  ///< those that take part, in their order
  std::vector<ShownState> states;       ///< by process, then by rank
  std::vector<ShownMessage> messages;
  std::vector<PathLeg> path;
  std::optional<Gap> gap;
  std::optional<std::uint32_t> cut_column = {};  ///< the first outside of the cut
  std::uint32_t columns = 0;
  std::size_t events = 0;        ///< how many are shown
  std::size_t marks_hidden = 0;  ///< states to mark that found no room
};

/// Chooses at most about 120 events: the path, led along real causes, or its beginning and end
/// where it is longer; the marked states; and what is near them. Without a path or marks it is
/// the beginning of the computation.
[[nodiscard]] Window picture_window(const Computation& computation, std::span<const Row> path,
                                    std::span<const Row> marked);

/// The surroundings of a consistent cut, given by the rank of each process's last event inside:
/// that event and the next one of each process, the marked states, and what is near them. Of many
/// processes, those that have something to show.
[[nodiscard]] Window cut_window(const Computation& computation, std::span<const Rank> cut,
                                std::span<const Row> marked);

}  // namespace lightcone::cli
