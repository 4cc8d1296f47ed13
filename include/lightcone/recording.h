// A recording: the directory that `record` writes, how a program is told to make or follow one, and
// how its processes ended.
#pragma once

#include <lightcone/error.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
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

/// Recording: the world answers, and journals keep it.
struct RecordOrders {
  JournalKind journal = JournalKind::full;     ///< which receives are journalled
  bool journal_only = false;                   ///< no traces
  bool digests = false;                        ///< traces have digests of the contents of messages
  bool backtrace = false;                      ///< MPI calls are traced with the place of the call
  std::vector<std::string> contents = {};      ///< these are to replay without the others
  std::chrono::milliseconds checkpoints = {};  ///< how often; 0: never
  std::string watch = {};                      ///< properties to watch, a file; MPI only
  /// From when on checkpoints are counted, in nanoseconds as Process::time() gives them; nothing:
  /// each process from its own start.
  std::optional<std::uint64_t> began = {};
  std::string lost_writes = {};  ///< where to tell what could not be written

  /// Returns whether the messages of one process to another are recorded with contents: from
  /// outside of the set to inside.
  [[nodiscard]] bool keeps_contents(std::string_view sender, std::string_view receiver) const;
};

/// Replaying: journals answer.
struct ReplayOrders {
  /// Where a process stops: after this event, counted from 1.
  struct Stop {
    std::string process;
    std::uint64_t event = 0;
  };
  std::vector<std::string> only = {};  ///< these alone run; empty: all
  std::optional<Stop> until = {};      ///< who stops where, and waits for a debugger
  std::uint64_t from = 0;              ///< the checkpoint to begin at; 0: the beginning
  std::string traces = {};             ///< the directory for new traces; empty: none
  std::string reports = {};            ///< the directory where processes leave reports
  /// How long a process waits for a message before it says that it does.
  std::chrono::milliseconds patience = std::chrono::seconds(10);
  bool unbuffered = false;  ///< sends that may be buffered wait for their receives, too
  bool digests = false;     ///< contents are compared, and new traces have digests of them

  /// Returns whether a process takes part.
  [[nodiscard]] bool runs(std::string_view process) const;
};

/// Exploring: a controller answers, and journals keep it.
struct ExploreOrders {
  std::string controller = {};    ///< the socket where to ask
  std::string checker = {};       ///< where a simulation asks what is wrong with an execution
  std::string first = {};         ///< the recording of the first execution; empty: any
  std::uint64_t most_runs = 0;    ///< the most executions of a simulation; 0: all
  std::uint32_t empty_polls = 1;  ///< in a row, of a process in a simulation
  std::string failures = {};      ///< where a simulation leaves recordings; empty: nowhere
  std::string reports = {};       ///< the directory where a simulation leaves its report
  bool acknowledges = false;      ///< receivers tell senders when they take a message
  bool unbuffered = false;        ///< sends that may be buffered wait for their receives, too
};

/// How a program is to be run. It comes through the environment, as JSON in one variable, so that
/// it reaches every process, however it is started.
struct RunOrders {
  std::string directory;  ///< the recording: to be written, or to be followed
  std::variant<RecordOrders, ReplayOrders, ExploreOrders> how = {};

  /// Returns the orders of one kind, or null if the program is to be run another way.
  [[nodiscard]] const RecordOrders* record() const { return std::get_if<RecordOrders>(&how); }
  [[nodiscard]] const ReplayOrders* replay() const { return std::get_if<ReplayOrders>(&how); }
  [[nodiscard]] const ExploreOrders* explore() const { return std::get_if<ExploreOrders>(&how); }
  /// Returns whether a process takes part: in a replay some may not.
  [[nodiscard]] bool runs(std::string_view process) const {
    return replay() == nullptr || replay()->runs(process);
  }
  /// Returns the directory where processes leave reports; empty: they leave none.
  [[nodiscard]] std::string_view reports() const;
  /// Returns whether sends that may be buffered wait for their receives, too.
  [[nodiscard]] bool unbuffered() const;
  /// Returns whether traces have digests of the contents of messages.
  [[nodiscard]] bool digests() const;

  /// The variable of the environment.
  static constexpr const char* variable = "LIGHTCONE_RUN";
  /// What the environment says; nothing where it says nothing.
  [[nodiscard]] static Expected<std::optional<RunOrders>> from_environment();
  [[nodiscard]] static Expected<RunOrders> parse(std::string_view text);
  [[nodiscard]] std::string text() const;
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
