// A recording: the directory that `record` writes, and how its files are named.
#pragma once

#include <lightcone/error.h>
#include <lightcone/run/journal/journal_entry.h>

#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// What a recording says of itself, in its file `recording.json`.
struct Recording {
  std::vector<std::string> command;  ///< what was run
  JournalKind journal = JournalKind::full;
  bool journal_only = false;          ///< there are no traces
  std::vector<std::string> contents;  ///< whose messages from others were recorded with contents
  bool unbuffered = false;            ///< sends that may be buffered waited for their receives
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

}  // namespace lightcone
