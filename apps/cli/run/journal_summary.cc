// Reads journals and counts what they hold.
#include "run/journal_summary.h"

#include <lightcone/recording.h>
#include <lightcone/run/journal/journal.h>

#include <filesystem>
#include <system_error>
#include <variant>

namespace lightcone::cli {
namespace {

[[nodiscard]] Expected<JournalSummary> summarize(const std::string& directory,
                                                 const std::string& process) {
  const std::string path = Recording::journal_path(directory, process);
  auto journal = Journal::open(path);
  if (!journal) return failure(journal.error());
  JournalSummary summary{.process = process};
  std::error_code unknown;
  summary.bytes = std::filesystem::file_size(path, unknown);
  for (;;) {
    const auto there = journal->next_block();
    if (!there) summary.damage = there.error().text();
    if (!there || !*there) break;
    for (; journal->peek() != nullptr; journal->pop()) {
      if (std::holds_alternative<ReceivedMessage>(*journal->peek())) ++summary.entered;
    }
    summary.events = journal->facts().events;
    summary.receives = journal->facts().receives;
  }
  summary.ended = journal->ended();
  return summary;
}

}  // namespace

Expected<std::vector<JournalSummary>> summarize_journals(const std::string& directory) {
  const auto processes = Recording::processes(directory);
  if (!processes) return failure(processes.error());
  std::vector<JournalSummary> summaries;
  for (const std::string& process : *processes) {
    auto summary = summarize(directory, process);
    if (!summary) return failure(summary.error());
    summaries.push_back(std::move(*summary));
  }
  return summaries;
}

}  // namespace lightcone::cli
