// Numbers are given from the receive posted first to the last.
#include "calls/posted_receives.h"

#include <algorithm>
#include <utility>
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

bool PostedReceives::settle(Receive& receive) {
  if (receive.number != 0) return true;
  number_up_to(over_ == 0 ? &receive : nullptr);
  if (receive.number != 0) return true;
  if (!std::exchange(receive.over, true)) ++over_;
  return false;
}

/// Those after the last need not be looked at, unless one of them has been over for a while.
void PostedReceives::number_up_to(const Receive* last) {
  std::vector<const Receive*> open;
  for (const auto& posted : unnumbered_) {
    const bool known = posted->channel && std::none_of(open.begin(), open.end(), [&](auto* before) {
                         return before->may_take(*posted->channel);
                       });
    if (known) {
      posted->number = count(*posted->channel);
      if (posted->over) --over_;
    } else {
      open.push_back(posted.get());
    }
    if (posted.get() == last) break;
  }
  std::erase_if(unnumbered_, [](const auto& posted) { return posted->number != 0; });
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
  if (over_ > 0) number_up_to(nullptr);
}

}  // namespace lightcone::mpi
