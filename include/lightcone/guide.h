// A guide says what each process of an execution chose: enough to make that execution happen again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lightcone {

/// The sender of messages that were there before the execution began.
inline constexpr std::uint32_t outside = 0xffffffff;

/// For each process its choices, in their order. Beginning and waking up are no choices.
struct Guide {
  struct Choice {
    enum class Kind : std::uint8_t {
      any,      ///< left open
      takes,    ///< it takes a message
      nothing,  ///< its poll finds nothing, or its waiting ends without a message
      branch,   ///< the program takes one of several alternatives
    };
    Kind kind = Kind::any;
    std::uint32_t sender = 0;  ///< takes: a process, or `outside`
    std::uint64_t value = 0;   ///< takes: the number of the sender's message; branch: which, from 0
    friend bool operator==(const Choice&, const Choice&) = default;
  };
  std::vector<std::vector<Choice>> processes;
  friend bool operator==(const Guide&, const Guide&) = default;

  /// Returns what a process chooses after so many choices, or an open choice if the guide says
  /// nothing.
  [[nodiscard]] Choice at(std::size_t process, std::size_t choices) const {
    if (process >= processes.size() || choices >= processes[process].size()) return {};
    return processes[process][choices];
  }
};

/// Returns whether an execution made all the choices that a guide asks for.
[[nodiscard]] inline bool follows(const Guide& execution, const Guide& guide) {
  for (std::size_t p = 0; p < guide.processes.size(); ++p) {
    for (std::size_t k = 0; k < guide.processes[p].size(); ++k) {
      const Guide::Choice& wanted = guide.processes[p][k];
      if (wanted.kind != Guide::Choice::Kind::any && execution.at(p, k) != wanted) return false;
    }
  }
  return true;
}

/// A guide, and the names of the processes in it.
struct NamedGuide {
  std::vector<std::string> names = {};
  Guide guide = {};
  friend bool operator==(const NamedGuide&, const NamedGuide&) = default;
};

/// An execution that failed: a process threw or died, processes wait for each other without end, a
/// limit was hit before the end, or what it did is wrong.
struct FailedExecution {
  std::uint64_t execution = 0;  ///< its number, counted from 1; 0: none of them
  std::string why;
  NamedGuide guide;
  std::optional<std::uint64_t> flips = {};  ///< how many choices make it fail, if that is known
};

/// A failure that was made simpler.
struct ShrunkFailure {
  FailedExecution failure;
  NamedGuide flips;         ///< the choices that differ from the first alternative
  std::uint64_t count = 0;  ///< the number of flips
  std::uint64_t runs = 0;   ///< the number of runs that were needed
};

}  // namespace lightcone
