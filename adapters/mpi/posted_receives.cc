// Numbers are given from the receive posted first to the last.
#include "posted_receives.h"

#include <algorithm>
#include <vector>

namespace lightcone::mpi {

void PostedReceives::post(const std::shared_ptr<Receive>& receive) {
  if (!receive->is_wildcard()) receive->channel = Channel{receive->source, receive->tag};
  if (receive->channel && unnumbered_.empty()) {
    receive->number = count(*receive->channel);
  } else {
    receive->listed = true;
    unnumbered_.push_back(receive);
  }
}

std::uint64_t PostedReceives::count(const Channel& channel) { return ++counts_[channel.key()]; }

bool PostedReceives::settle(Receive& receive) {
  if (receive.number != 0) return true;
  std::vector<const Receive*> open;
  for (const auto& posted : unnumbered_) {
    const auto may_come_first = [&](const Receive* before) {
      return before->channel ? *before->channel == *posted->channel
                             : before->accepts(*posted->channel);
    };
    const bool known = posted->channel && std::none_of(open.begin(), open.end(), may_come_first);
    if (known) {
      posted->number = count(*posted->channel);
    } else {
      open.push_back(posted.get());
    }
    if (posted.get() == &receive) break;
  }
  std::erase_if(unnumbered_, [](const auto& posted) { return posted->number != 0; });
  return receive.number != 0;
}

Receive* PostedReceives::in_the_way_of(const Receive& receive) const {
  for (const auto& posted : unnumbered_) {
    if (posted.get() == &receive) return nullptr;
    if (!posted->channel && posted->accepts(*receive.channel)) return posted.get();
  }
  return nullptr;
}

void PostedReceives::forget(const Receive& receive) {
  std::erase_if(unnumbered_, [&](const auto& posted) { return posted.get() == &receive; });
}

}  // namespace lightcone::mpi
