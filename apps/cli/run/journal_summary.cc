// Reads journals and counts what they hold.
#include "run/journal_summary.h"

#include <lightcone/base/wire.h>
#include <lightcone/recording.h>
#include <lightcone/run/journal/journal.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <variant>

namespace lightcone::cli {
namespace {

/// The words of a command line, as the system gives them: each ends with a zero.
[[nodiscard]] std::vector<std::string> words_of(std::string_view bytes) {
  std::vector<std::string> words;
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\0'), bytes.size());
    words.emplace_back(bytes.substr(0, end));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return words;
}

/// Counts what a journal of races of an MPI process leaves out before an entry.
void count_left_out(const JournalEntry& entry, JournalSummary& summary) {
  if (const auto* match = std::get_if<WildcardMatch>(&entry)) {
    summary.receives += match->older;
    if (match->is_left_out()) --summary.entered;
  } else if (const auto* cancelled = std::get_if<WildcardCancelled>(&entry)) {
    summary.receives += cancelled->older;
  }
}

void count(const JournalEntry& entry, JournalKind kind, JournalSummary& summary) {
  const bool is_match = std::holds_alternative<WildcardMatch>(entry) ||
                        std::holds_alternative<WildcardCancelled>(entry);
  if (is_match || std::holds_alternative<ReceivedMessage>(entry)) ++summary.entered;
  if (is_match && kind == JournalKind::races) count_left_out(entry, summary);
  const auto* kept = std::get_if<KeptContents>(&entry);
  if (kept == nullptr || kept->what != KeptContents::What::began) return;
  WireReader wire(kept->bytes);
  summary.mpi = wire.text(kept->bytes.size());
  summary.words = words_of(wire.text(kept->bytes.size()));
}

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
      count(*journal->peek(), journal->header().kind, summary);
    }
    summary.events = journal->facts().events;
  }
  summary.receives += journal->facts().receives;
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
