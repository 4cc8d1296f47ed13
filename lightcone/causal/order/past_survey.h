// How large each past is, and what senders know of receivers, without a table of all timestamps.
#pragma once

#include <lightcone/causality.h>
#include <lightcone/progress.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lightcone {

/// What one walk through a computation finds out.
struct PastSurvey {
  /// Of each event: how many events of the chosen processes are in its past, itself included.
  std::vector<std::uint32_t> sizes;
  /// Of each entry of `Columns::takes`: the rank of the receiver's last event in the past of the
  /// send; 0 where the receiver was not chosen.
  std::vector<Rank> known_of_receiver;
  /// The same of each message that was never received and of its addressee.
  std::vector<Rank> known_of_addressee;
};

/// What to find out.
struct PastQuestions {
  std::span<const ProcessIndex> processes;  ///< those whose events count; each once
  std::span<const Unreceived> addressees = {};
  bool sizes = false;
};

/// The memory that clocks may take on each core, unless told otherwise.
inline constexpr std::size_t default_clock_bytes = std::size_t{1} << 28;

/// Walks through the events in causal order with vector clocks. The clock of a process is the only
/// one it has, and that of a message is kept until the last of its receives. So the memory grows
/// with the messages that are on their way at the same time, not with the events. Some columns of
/// the clocks are computed at a time, on all cores; they do not depend on each other.
[[nodiscard]] PastSurvey survey_pasts(const Computation& computation,
                                      const PastQuestions& questions, const Progress& progress = {},
                                      std::size_t clock_bytes = default_clock_bytes);

/// All processes of a computation.
[[nodiscard]] std::vector<ProcessIndex> all_processes(const Computation& computation);

}  // namespace lightcone
