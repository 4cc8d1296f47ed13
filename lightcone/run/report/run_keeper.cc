// Compares what a process does with what was recorded of it.
#include <lightcone/run/report/run_keeper.h>

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace lightcone {

namespace {

[[nodiscard]] inline std::uint32_t with_text(std::uint32_t digest, std::string_view text) {
  return static_cast<std::uint32_t>(XXH3_64bits_withSeed(text.data(), text.size(), digest));
}

}  // namespace

void EventDigest::add(std::string_view text) { value = with_text(value, text); }

void EventDigest::add(std::uint32_t number, std::string_view text, std::uint32_t second_number,
                      std::string_view second_text) {
  add(number);
  value = with_text(value, text);
  add(second_number);
  value = with_text(value, second_text);
}

Expected<std::optional<Standstill>> RunKeeper::unrecorded(const RunOrders& orders,
                                                          const std::string& process) {
  std::error_code unknown;
  const std::string path = Recording::journal_path(orders.directory, process);
  if (std::filesystem::file_size(path, unknown) != 0 && !unknown) return std::nullopt;
  const auto complete = Recording::is_complete(orders.directory);
  if (!complete) return failure(complete.error());
  if (!*complete) return Standstill{Standstill::Why::recording_ended, "it had not started yet"};
  return Standstill{Standstill::Why::diverged, "recorded: no such process; came: it starts"};
}

Expected<void> RunKeeper::open_progress() {
  if (orders.reports().empty()) return {};
  auto made = RunProgress::create(std::string(orders.reports()), process);
  if (!made) return failure(made.error());
  progress.emplace(std::move(*made));
  return {};
}

void RunKeeper::open_rows(std::uint64_t rows) {
  auto opened = RecordedRows::open(Recording::trace_path(orders.directory, process));
  if (!opened) return;
  recorded.emplace(std::move(*opened));
  for (std::uint64_t i = 0; i < rows && recorded->next(); ++i) {
  }
}

Prompted<void> RunKeeper::compare_row(const std::function<RowWords()>& words,
                                      const std::function<RowWords()>& other) {
  if (!recorded) return {};
  const auto row = recorded->next();
  if (!row) {
    recorded.reset();
    return {};
  }
  const RowWords came = words();
  if (row->is_like(came) || (other && row->is_like(other()))) return {};
  return lightcone::standstill(Standstill::Why::diverged,
                               fmt::format("recorded: {}; came: {}", row->line(), came.line()));
}

Prompted<void> RunKeeper::compare_end(Prompted<void> done, std::string_view came) {
  const auto row = recorded ? recorded->next() : std::nullopt;
  if (!row) return done;
  return lightcone::standstill(Standstill::Why::diverged,
                               fmt::format("recorded: {}; came: {}", row->line(), came));
}

bool RunKeeper::stops_after(std::uint64_t events) const {
  const ReplayOrders* const replay = orders.replay();
  return replay != nullptr && replay->until && replay->until->event == events &&
         replay->until->process == process;
}

RunReport RunKeeper::report(RunReport::Why why, std::uint64_t events, std::string text) const {
  return {process, why, events, std::move(text), ::getpid()};
}

Expected<void> RunKeeper::say(RunReport::Why why, std::uint64_t events, std::string text) const {
  if (orders.reports().empty()) return {};
  return report(why, events, std::move(text)).write(std::string(orders.reports()));
}

RunReport::Why RunKeeper::why_of(const Standstill& standstill) {
  constexpr std::array<RunReport::Why, 3> reports = {
      RunReport::Why::diverged, RunReport::Why::recording_ended, RunReport::Why::stopped};
  return reports[static_cast<std::size_t>(standstill.why)];
}

}  // namespace lightcone
