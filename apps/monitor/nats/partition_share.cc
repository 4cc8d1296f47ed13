// Takes partitions and leaves them, one change of the bucket at a time.
#include "nats/partition_share.h"

#include <algorithm>
#include <iterator>

namespace lightcone::service {
namespace {

constexpr const char* nobody = "nobody";

}  // namespace

ShareChange fair_change(const ShareView& view) {
  const std::size_t monitors = std::max<std::size_t>(view.monitors, 1);
  const std::size_t fair = (view.partitions + monitors - 1) / monitors;
  ShareChange change;
  for (auto it = view.mine.rbegin(); it != view.mine.rend(); ++it) {
    if (view.mine.size() - change.leave.size() <= fair) break;
    change.leave.push_back(*it);
  }
  if (!change.leave.empty() || view.mine.size() >= fair) return change;
  const std::size_t wanted = std::min(fair - view.mine.size(), view.unowned.size());
  change.take.assign(view.unowned.begin(),
                     view.unowned.begin() + static_cast<std::ptrdiff_t>(wanted));
  return change;
}

PartitionShare::PartitionShare(NatsLink& link, std::string monitor, std::size_t partitions)
    : link_(link), monitor_(std::move(monitor)), partitions_(partitions) {}

Expected<std::set<std::string>> PartitionShare::alive() {
  const auto keys = link_.keys();
  if (!keys) return failure(keys.error());
  const std::string prefix = StreamNames::member_key("");
  std::set<std::string> names = {monitor_};
  std::map<std::string, Other> seen;
  for (const std::string& key : *keys) {
    if (!key.starts_with(prefix) || key == StreamNames::member_key(monitor_)) continue;
    const auto entry = link_.get(key);
    if (!entry) return failure(entry.error());
    if (!*entry) continue;
    Other& other = seen[key];
    const auto before = others_.find(key);
    const bool is_changed =
        before == others_.end() || before->second.revision != (*entry)->revision;
    other = {(*entry)->revision, is_changed ? 0 : before->second.unchanged + 1};
    if (other.unchanged < most_unchanged) {
      names.insert(key.substr(prefix.size()));
    } else if (auto removed = link_.remove(key); !removed) {
      return failure(removed.error());
    }
  }
  others_ = std::move(seen);
  return names;
}

Expected<ShareChange> PartitionShare::look(const std::set<std::uint32_t>& mine) {
  const auto shown = link_.put(StreamNames::member_key(monitor_), std::to_string(++looks_));
  const auto names = shown ? alive() : failure(shown.error());
  if (!names) {
    // As long as nothing is heard of them, nobody is thought dead.
    for (auto& [name, other] : others_) other.unchanged = 0;
    return failure(names.error());
  }
  monitors_ = names->size();
  ShareView view{.partitions = partitions_, .monitors = names->size(), .mine = mine};
  // Each begins somewhere else, so that they seldom want the same.
  const std::size_t begin = std::hash<std::string>()(monitor_) % partitions_;
  for (std::size_t i = 0; i < partitions_; ++i) {
    const auto partition = static_cast<std::uint32_t>((begin + i) % partitions_);
    const auto owner = link_.get(StreamNames::owner_key(partition));
    if (!owner) return failure(owner.error());
    revisions_[partition] = *owner ? (*owner)->revision : 0;
    const bool is_left = *owner && (*owner)->value == monitor_ && !mine.contains(partition);
    if (is_left) {
      // This monitor has stopped to decide it, and could not say so.
      if (auto left = leave(partition); !left) return failure(left.error());
      continue;
    }
    const bool is_owned = *owner && names->contains((*owner)->value);
    if (!is_owned) view.unowned.push_back(partition);
  }
  return fair_change(view);
}

Expected<bool> PartitionShare::take(std::uint32_t partition) {
  const auto taken =
      link_.put_after(StreamNames::owner_key(partition), monitor_, revisions_[partition]);
  if (!taken) return failure(taken.error());
  return taken->has_value();
}

Expected<void> PartitionShare::leave(std::uint32_t partition) {
  const std::string key = StreamNames::owner_key(partition);
  const auto owner = link_.get(key);
  if (!owner) return failure(owner.error());
  if (!*owner || (*owner)->value != monitor_) return {};
  const auto left = link_.put_after(key, nobody, (*owner)->revision);
  if (!left) return failure(left.error());
  return {};
}

Expected<void> PartitionShare::resign() { return link_.remove(StreamNames::member_key(monitor_)); }

}  // namespace lightcone::service
