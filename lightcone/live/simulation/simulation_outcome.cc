// The outcome of a simulated execution in words.
#include <lightcone/simulation.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lightcone {
namespace {

[[nodiscard]] std::string seconds(SimulatedTime time) {
  return fmt::format("{}.{:09} s", time.count() / 1'000'000'000, time.count() % 1'000'000'000);
}

[[nodiscard]] std::string ending(const SimulationOutcome& outcome) {
  switch (outcome.end) {
    case SimulationOutcome::End::finished: return "finished";
    case SimulationOutcome::End::deadlock: return "deadlock";
    case SimulationOutcome::End::failed:
      return fmt::format("{} failed: {}", outcome.failed, outcome.what);
    case SimulationOutcome::End::limit: return "limit of actions";
    case SimulationOutcome::End::stopped: return "stopped";
  }
  return {};
}

}  // namespace

std::string SimulationOutcome::why() const {
  if (end == End::finished) return {};
  if (end != End::deadlock) return ending(*this);
  std::vector<std::string> names;
  for (const Waiting& one : waiting) names.push_back(one.process);
  return fmt::format("deadlock: {} {} for a message that will never be sent",
                     fmt::join(names, ", "), names.size() == 1 ? "waits" : "wait");
}

std::string SimulationOutcome::text() const {
  std::string text =
      fmt::format("{} after {} actions, at {}", ending(*this), actions, seconds(time));
  if (lost != 0) text += fmt::format("; {} of {} parcels were lost", lost, sent);
  if (!crashed.empty()) text += fmt::format("; crashed: {}", fmt::join(crashed, ", "));
  for (const Waiting& one : waiting) {
    const std::string from = one.mailbox == one.process ? "" : " for " + one.mailbox;
    text += fmt::format("\n  {} waits for a parcel{} since {} [{}]", one.process, from,
                        seconds(one.since), one.source);
  }
  return text;
}

}  // namespace lightcone
