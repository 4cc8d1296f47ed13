// A recording: the directory that `record` writes, how a program is told to make or follow one, and
// how its processes ended.
#pragma once

#include <lightcone/error.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// Which receives a journal holds.
enum class JournalKind : std::uint8_t {
  full,  ///< every one (Curtis and Wittie)
  races  ///< those that race, and those with contents; what lies between is implied (Netzer,
         ///< Miller)
};

/// What a recording says of itself, in its file `recording.json`.
struct Recording {
  std::vector<std::string> command;  ///< what was run
  JournalKind journal = JournalKind::full;
  bool journal_only = false;          ///< there are no traces
  std::vector<std::string> contents;  ///< whose messages from others were recorded with contents
  bool unbuffered = false;            ///< sends that may be buffered waited for their receives
  bool digests = false;               ///< the traces have digests of the contents of messages
  std::string failed = {};            ///< of an explored run: why it failed; empty: not known
  std::string folder = {};            ///< the current directory where it was run; empty: not known
  std::string signature = {};  ///< by the user who made it, over `description()`; may be empty

  /// An error names the member of the file that is not as it should be.
  [[nodiscard]] static Expected<Recording> read(const std::string& directory);
  [[nodiscard]] Expected<void> write(const std::string& directory) const;
  /// All that the file says but the signature, the same text for the same recording.
  [[nodiscard]] std::string description() const;

  /// Makes an empty directory for a recording: one that holds a recording loses it, one that holds
  /// anything else is refused.
  [[nodiscard]] static Expected<void> make_room(const std::string& directory);

  /// The files of a process. Whatever its name is, they lie in the directory.
  [[nodiscard]] static std::string journal_path(const std::string& directory,
                                                std::string_view process);
  [[nodiscard]] static std::string trace_path(const std::string& directory,
                                              std::string_view process);
  [[nodiscard]] static std::string checkpoints_path(const std::string& directory,
                                                    std::string_view process);
  /// The processes that have a journal there, sorted by name.
  [[nodiscard]] static Expected<std::vector<std::string>> processes(const std::string& directory);
  /// Returns whether all of them came to their end: none was cut off, and no journal is empty.
  [[nodiscard]] static Expected<bool> is_complete(const std::string& directory);
};

/// A name as a name of files: letters, digits, `.`, `-` and `_` stay, other bytes become `%` and
/// two digits. Long ones are cut, and told apart by a hash.
[[nodiscard]] std::string file_name_of(std::string_view name);

/// How a program is to be run. It comes through the environment, as JSON in one variable, so that
/// it reaches every process, however it is started.
struct RunOrders {
  enum class Mode : std::uint8_t {
    record,   ///< the world answers, and journals keep it
    replay,   ///< journals answer
    explore,  ///< a controller answers, and journals keep it
  };
  /// Where a process stops: after this event, counted from 1.
  struct Stop {
    std::string process;
    std::uint64_t event = 0;
  };

  Mode mode = Mode::record;
  std::string directory;  ///< the recording: to be written, or to be followed

  JournalKind journal = JournalKind::full;  ///< record: which receives are journalled
  bool journal_only = false;                ///< record: no traces
  bool digests = false;                     ///< traces have digests of the contents of messages
  bool backtrace = false;  ///< record: MPI calls are traced with the place of the call
  std::vector<std::string> contents = {};      ///< record: these are to replay without the others
  std::chrono::milliseconds checkpoints = {};  ///< record: how often; 0: never
  std::string watch = {};                      ///< record: properties to watch, a file; MPI only
  /// Record: from when on checkpoints are counted, in nanoseconds as Process::time() gives them;
  /// nothing: each process from its own start.
  std::optional<std::uint64_t> began = {};
  std::string lost_writes = {};  ///< record: where to tell what could not be written

  std::vector<std::string> only = {};  ///< replay: these alone run; empty: all
  std::optional<Stop> until = {};      ///< replay: who stops where, and waits for a debugger
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

/// The latest report of a replayed process.
struct RunReport {
  enum class Why : std::uint8_t {
    ended,            ///< it came to its end
    diverged,         ///< it did not do what was recorded
    waits,            ///< it waits for a message that has not come so far
    recording_ended,  ///< it did all that was recorded, and was cut off there
    until,            ///< it has stopped for a debugger
    stopped,          ///< its prompter ended it
    runs,             ///< it has started, and reported nothing else yet
    breaks_off,       ///< it ends all processes, or crashes, where its recording breaks off, too
  };
  std::string process;
  Why why = Why::ended;
  std::uint64_t event = 0;  ///< how many events it has made so far
  std::string text = {};    ///< what was recorded, and what came instead
  std::int64_t pid = 0;     ///< its number in the operating system

  /// As in `recording ended`.
  [[nodiscard]] static std::string_view name_of(Why why);
  /// Writes the report to a directory. It replaces an earlier report of the process.
  [[nodiscard]] Expected<void> write(const std::string& directory) const;
  /// All reports in a directory, by the name of the process.
  [[nodiscard]] static std::vector<RunReport> read_all(const std::string& directory);
};

}  // namespace lightcone
