// Reads the question for a snapshot, and takes it.
#include "snapshot/snapshot_question.h"

#include <fmt/format.h>
#include <lightcone/base/json.h>

#include <algorithm>

namespace lightcone::service {
namespace {

constexpr std::uint64_t longest_patience = 60'000;  // milliseconds

[[nodiscard]] WebAnswer refusal(int status, const std::string& why) {
  return {status, "text/plain", why + "\n"};
}

/// Some names, so that one can choose.
[[nodiscard]] std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 10;
  std::string text = fmt::format(
      "{}", fmt::join(names.begin(), names.begin() + std::min(names.size(), most), ", "));
  return names.size() > most ? text + ", ..." : text;
}

}  // namespace

/// A page of another site cannot send this type without asking first.
WebAnswer answer_question(SnapshotIntake& intake, const OpenExecutions& executions,
                          const WebRequest& request) {
  if (!request.type.starts_with("application/json")) {
    return refusal(415, "a question for a snapshot comes as application/json");
  }
  const auto question = Json::parse(request.body);
  std::string execution;
  std::uint64_t milliseconds = 5000;
  if (!question || !question->is_object() || !question->read("execution", execution) ||
      !question->read("milliseconds", milliseconds) || milliseconds > longest_patience) {
    return refusal(400, "a question is {\"execution\": NAME, \"milliseconds\": at most 60000}");
  }
  if (execution.empty()) {
    const auto known = executions();
    if (!known) return refusal(503, known.error().text());
    const std::vector<std::string>& open = *known;
    if (open.empty()) return refusal(404, "no program reports to this monitor");
    if (open.size() > 1) {
      return refusal(400, fmt::format("{} executions are open, so name one by --execution: {}",
                                      open.size(), some_of(open)));
    }
    execution = open.front();
  }
  const auto taken = intake.take(execution, std::chrono::milliseconds(milliseconds));
  if (!taken) return refusal(404, taken.error().text());
  return {200, "application/json", snapshot_document(*taken).dump() + "\n"};
}

}  // namespace lightcone::service
