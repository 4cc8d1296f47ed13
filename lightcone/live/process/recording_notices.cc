// Tells `record` by datagrams, since disks may be full.
#include <lightcone/live/process/recording_notices.h>

#include <lightcone/run/recording/lost_writes.h>

#include <utility>

namespace lightcone {
namespace {

/// Returns where `record` listens; empty if nobody does.
[[nodiscard]] std::string listener_of(const std::optional<RunDoor>& door) {
  const RecordOrders* const orders = door ? door->orders.record() : nullptr;
  return orders == nullptr ? std::string() : orders->lost_writes;
}

}  // namespace

bool RecordingNotices::is_new(const Error& error) { return errors_.insert(error.text()).second; }

void RecordingNotices::tell_of_lost_writes() {
  const std::string address = listener_of(door_);
  if (address.empty()) return;
  const auto tell_of = [&](const auto& writer) {
    if (!writer.error() || !is_recorded(writer.path())) return;
    if (!lost_writes_.insert(writer.path()).second) return;
    LostWrite{options_.name, writer.path(), writer.kept_events(), writer.error()->what}.tell(
        address);
  };
  for (const LiveTrace& trace : traces_) tell_of(trace.appender());
  if (door_->recorder) tell_of(door_->recorder->writer());
}

void RecordingNotices::tell_of_unasked_receive(std::uint64_t event) {
  if (!door_ || std::exchange(told_of_unasked_, true)) return;
  UnaskedReceive{options_.name, event}.tell(listener_of(door_));
}

bool RecordingNotices::is_recorded(const std::string& path) const {
  return door_ && door_->recorder && path.starts_with(door_->orders.directory + '/');
}

}  // namespace lightcone
