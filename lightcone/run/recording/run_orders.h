// What `record`, `replay` and `explore` tell the processes of the program that they run.
#pragma once

#include <lightcone/error.h>
#include <lightcone/run/journal/journal_entry.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// How a program is to be run. It comes through the environment, as JSON in one variable, so that
/// it reaches every process, however it is started.
struct RunOrders {
  enum class Mode : std::uint8_t {
    record,   ///< the world answers, and journals keep it
    replay,   ///< journals answer
    explore,  ///< a controller answers, and journals keep it
  };
  /// A process and one of its events, counted from 1.
  struct Place {
    std::string process;
    std::uint64_t event = 0;
  };

  Mode mode = Mode::record;
  std::string directory;  ///< the recording: to be written, or to be followed

  JournalKind journal = JournalKind::full;     ///< record: which receives are journalled
  bool journal_only = false;                   ///< record: no traces
  std::vector<std::string> contents = {};      ///< record: these are to replay without the others
  std::chrono::milliseconds checkpoints = {};  ///< record: how often; 0: never
  std::string watch = {};                      ///< record: properties to watch, a file; MPI only
  /// Record: from when on checkpoints are counted, in nanoseconds as Process::time() gives them;
  /// nothing: each process from its own start.
  std::optional<std::uint64_t> began = {};
  std::string lost_writes = {};  ///< record: where to tell what could not be written

  std::vector<std::string> only = {};  ///< replay: these alone run; empty: all
  std::optional<Place> until = {};     ///< replay: who stops where, and waits for a debugger
  std::uint64_t from = 0;              ///< replay: the checkpoint to begin at; 0: the beginning
  /// Replay: the directory for new traces; empty: none. Explore: where a simulation leaves the
  /// recordings of executions that fail.
  std::string traces = {};
  std::string reports = {};  ///< replay: the directory where processes leave reports
  /// Replay: how long a process waits for a message before it says that it does.
  std::chrono::milliseconds patience = std::chrono::seconds(10);

  std::string controller = {};    ///< explore: the socket where to ask
  std::string checker = {};       ///< explore: where a simulation asks what is wrong with a run
  std::string first = {};         ///< explore: the recording of the first execution; empty: any
  std::uint64_t most_runs = 0;    ///< explore: the most executions of a simulation; 0: all
  std::uint32_t empty_polls = 1;  ///< explore: in a row, of a process in a simulation
  bool acknowledges = false;      ///< explore: receivers tell senders when they take a message
  bool unbuffered = false;        ///< sends that may be buffered wait for their receives, too

  /// The variable of the environment.
  static constexpr const char* variable = "LIGHTCONE_RUN";
  /// What the environment says; nothing where it says nothing.
  [[nodiscard]] static Expected<std::optional<RunOrders>> from_environment();
  [[nodiscard]] static Expected<RunOrders> parse(std::string_view text);
  [[nodiscard]] std::string text() const;

  /// Returns whether a process takes part in a replay.
  [[nodiscard]] bool runs(std::string_view process) const;
  /// Returns whether the messages of one process to another are recorded with contents: from
  /// outside of the set to inside.
  [[nodiscard]] bool keeps_contents(std::string_view sender, std::string_view receiver) const;
};

}  // namespace lightcone
