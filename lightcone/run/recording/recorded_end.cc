// Reads the journals of a recording to their ends.
#include <lightcone/run/recording/recorded_end.h>

#include <lightcone/recording.h>
#include <lightcone/run/journal/journal.h>

#include <filesystem>
#include <system_error>

namespace lightcone {
namespace {

namespace fs = std::filesystem;

/// Returns whether there is a file that has at least one byte.
[[nodiscard]] bool says_something(const fs::path& path) {
  std::error_code unknown;
  return fs::is_regular_file(path, unknown) && fs::file_size(path, unknown) > 0 && !unknown;
}

/// A journal that cannot be read to its end mark is one that was cut off.
void read_journal(const fs::path& path, RecordedEnd& end) {
  auto journal = Journal::open(path.string());
  if (!journal) {
    end.cut_off = true;
    return;
  }
  for (auto there = journal->next_block(); there && *there;) there = journal->next_block();
  end.cut_off = end.cut_off || !journal->ended();
  end.events[journal->header().process] = journal->facts().events;
}

}  // namespace

std::optional<RecordedEnd> recorded_end(const std::string& directory) {
  const auto recording = Recording::read(directory);
  if (!recording) return std::nullopt;
  RecordedEnd end;
  std::error_code error;
  for (fs::directory_iterator it(directory, error), past_end; !error && it != past_end;
       it.increment(error)) {
    std::error_code unknown;
    if (it->path().extension() != ".journal" || !it->is_regular_file(unknown)) continue;
    read_journal(it->path(), end);
    const bool has_trace = says_something(fs::path(it->path()).replace_extension(".lct"));
    if (has_trace || recording->journal_only) continue;
    end.cut_off = end.lost_processes = true;
  }
  return end;
}

}  // namespace lightcone
