// Answers a monitor, and saves the state of the process for it where that is possible.
#include <lightcone/live/report/monitored_process.h>

#include <lightcone/live/report/event_line.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

namespace lightcone {

void MonitoredProcess::report_by(std::unique_ptr<Reporter> reporter,
                                 std::function<void(const Reporter::SnapshotQuestion&)> answer) {
  reporter_ = std::move(reporter);
  if (reporter_) reporter_->answer_by(std::move(answer));
}

void MonitoredProcess::record(const LiveTrace::Row& row) {
  if (!reporter_) return;
  values_.set(row.state.variables);
  reporter_->add(counts_.events, event_line(options_.name, row));
}

/// Of more threads than these, it is not known whether they wait.
constexpr std::size_t most_threads = 256;

void MonitoredProcess::begin_wait() {
  if (waits_.size() <= most_threads) waits_[std::this_thread::get_id()] = true;
  reach_wanted();
}

void MonitoredProcess::end_wait() {
  const auto found = waits_.find(std::this_thread::get_id());
  if (found != waits_.end()) found->second = false;
}

std::size_t MonitoredProcess::waiting() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(waits_, [](const auto& thread) { return thread.second; }));
}

/// If some threads wait and others do not, those may have ended: then it is not known.
std::optional<Awaited> MonitoredProcess::told() const {
  if (!options_.waits_for || waits_.size() > most_threads) return std::nullopt;
  if (waiting() == 0) return Awaited();
  return waiting() == waits_.size() ? std::optional(options_.waits_for()) : std::nullopt;
}

void MonitoredProcess::reach_wanted() {
  if (!has_ended_ && wanted_ > snapshots_.colours().snapshot) snapshots_.reach(wanted_);
}

/// A program that saves its state does so where it asks for messages, and can be asked while it
/// waits there. Others have nothing to save.
void MonitoredProcess::answer(const Reporter::SnapshotQuestion& question) {
  constexpr std::uint64_t most_ahead = std::uint64_t{1} << 32;
  const std::uint64_t colour = snapshots_.colours().snapshot;
  if (question.reach == 0) {
    return reporter_->add_part(colour_line(options_.name, colour, snapshots_.makes_parts()));
  }
  if (question.reach > std::min(colour + most_ahead, SnapshotRange::most)) return;
  wanted_ = std::max(wanted_, question.reach);
  if (!options_.save || waiting() > 0) reach_wanted();
}

void MonitoredProcess::give(const SnapshotPart& part) {
  const auto* local = std::get_if<LocalPart>(&part);
  const bool is_end = local != nullptr && local->snapshots.last == SnapshotRange::for_ever;
  if (!reporter_ || (!is_end && !reporter_->wants_parts())) return;
  if (local == nullptr) return reporter_->add_part(part_line(std::get<InTransitPart>(part)));
  auto waits = is_end ? std::optional(Awaited{Awaited::For::no_one, {}}) : told();
  reporter_->add_part(part_line(*local, {counts_.events, values_, std::move(waits)}));
}

}  // namespace lightcone
