// What is kept of a process that is recorded, replayed or explored, whatever its transport: the
// digest of its events, what they are compared with, and what it reports.
#pragma once

#include <lightcone/error.h>
#include <lightcone/recording.h>
#include <lightcone/run/answers/prompter.h>
#include <lightcone/run/report/run_progress.h>
#include <lightcone/trace/row_words.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace lightcone {

/// A digest of events, which a journal has for each of its blocks.
struct EventDigest {
  std::uint32_t value = 0;

  void add(std::uint32_t number) { value = value * 31 + number; }
  void add(std::string_view text);
  /// The same as to add these one after the other.
  void add(std::uint32_t number, std::string_view text, std::uint32_t second_number,
           std::string_view second_text);
};

/// Keeps these things for one process.
struct RunKeeper {
  RunOrders orders = {};
  std::string process = {};
  std::optional<RecordedRows> recorded = {};  ///< what the events are compared with
  std::optional<RunProgress> progress = {};   ///< for the replay
  std::uint32_t digest = 0;                   ///< of the events so far
  std::optional<Standstill> standstill = {};  ///< why the process can go no further

  /// In a replay: a process without a journal was not there. Or the program was killed before it
  /// could begin: then it is not to begin now. Returns nothing for a process that has a journal.
  [[nodiscard]] static Expected<std::optional<Standstill>> unrecorded(const RunOrders& orders,
                                                                      const std::string& process);
  /// In a replay: begins to report progress, unless reports go elsewhere.
  [[nodiscard]] Expected<void> open_progress();
  /// In a replay: opens the recorded trace, where there is one, after so many rows.
  void open_rows(std::uint64_t rows);

  /// The process has made so many events.
  void made(std::uint64_t events) {
    if (progress) progress->made(events);
  }
  /// Compares an event with the row of the recorded trace, where there is one. A row may be written
  /// in another way, too, if `other` says so.
  [[nodiscard]] Prompted<void> compare_row(const std::function<RowWords()>& words,
                                           const std::function<RowWords()>& other = {});
  /// The process ends, as `came` says. Returns whether no more events were recorded; else what
  /// `done` says.
  [[nodiscard]] Prompted<void> compare_end(Prompted<void> done, std::string_view came);
  /// Returns whether the process is to stop for a debugger after so many events.
  [[nodiscard]] bool stops_after(std::uint64_t events) const;
  [[nodiscard]] RunReport report(RunReport::Why why, std::uint64_t events, std::string text) const;
  /// Writes it where the replay reads it.
  [[nodiscard]] Expected<void> say(RunReport::Why why, std::uint64_t events,
                                   std::string text) const;
  /// What a report says of a standstill.
  [[nodiscard]] static RunReport::Why why_of(const Standstill& standstill);
};

}  // namespace lightcone
