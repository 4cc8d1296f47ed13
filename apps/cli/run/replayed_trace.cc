// A replay that writes traces into a folder of its own.
#include "run/replayed_trace.h"

#include <lightcone/base/working_folder.h>
#include <lightcone/recording.h>

#include <chrono>
#include <cmath>
#include <filesystem>

#include "options/trace_arguments.h"
#include "run/replay_run.h"

namespace lightcone::cli {
namespace {

namespace fs = std::filesystem;

[[nodiscard]] Expected<WorkingFolder> temporary_folder() {
  return WorkingFolder::make((fs::temp_directory_path() / "lightcone-").string());
}

[[nodiscard]] Expected<ReplayPlan> plan_of(const std::string& directory,
                                           const std::vector<std::string>& command,
                                           double patience) {
  const auto recording = Recording::read(directory);
  if (!recording) return failure(recording.error());
  auto journals = summarize_journals(directory);
  if (!journals) return failure(journals.error());
  if (journals->empty()) return failure("has no journal: nothing was recorded", directory);
  ReplayPlan plan;
  plan.command = command;
  plan.recorded = std::move(*journals);
  plan.keep_output = true;
  plan.directory = fs::absolute(directory).lexically_normal().string();
  plan.orders.unbuffered = recording->unbuffered;
  plan.orders.digests = recording->digests;
  plan.orders.patience = std::chrono::milliseconds(std::llround(patience * 1000));
  return plan;
}

}  // namespace

Expected<ReplayedTrace> replay_traced(const std::string& recording,
                                      const std::vector<std::string>& command, double patience) {
  auto plan = plan_of(recording, command, patience);
  if (!plan) return failure(plan.error());
  const auto reports = temporary_folder();
  if (!reports) return failure(reports.error());
  const auto traces = temporary_folder();
  if (!traces) return failure(traces.error());
  plan->orders.reports = reports->path();
  plan->orders.traces = traces->path();
  const auto outcome = run_replay(*plan);
  if (!outcome) return failure(outcome.error());
  if (outcome->interrupted) return failure("was interrupted", command.front());
  ReadOptions options;
  options.cut_off = !outcome->verdict.same || outcome->verdict.is_cut_off;
  options.lost_processes = options.cut_off;
  auto reading = read_trace(traces->path(), Format::lct, options);
  if (!reading) return failure(reading.error());
  return ReplayedTrace{std::move(*reading), outcome->verdict};
}

}  // namespace lightcone::cli
