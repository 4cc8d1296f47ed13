// Collects racing pairs by their first reception.
#include <lightcone/view/race_alternatives.h>

#include <algorithm>
#include <map>
#include <utility>

namespace lightcone {

RacingReceptions racing_receptions(const Computation& computation, std::size_t most_pairs) {
  std::map<std::pair<EventIndex, MessageIndex>, std::vector<MessageIndex>> others;
  std::size_t pairs = 0;
  const auto add = [&](Reception first, MessageIndex other) {
    if (pairs == most_pairs) return false;
    ++pairs;
    others[{first.event, first.message}].push_back(other);
    return true;
  };
  RacingReceptions found;
  found.complete = for_each_racing_pair(computation,
                                        [&](Reception first, Reception second) {
                                          return add(first, second.message);
                                        }) &&
                   for_each_unreceived_pair(computation, [&](Reception first, Unreceived second) {
                     return add(first, second.message);
                   });
  for (auto& [reception, messages] : others) {
    std::sort(messages.begin(), messages.end());
    messages.erase(std::unique(messages.begin(), messages.end()), messages.end());
    found.receptions.push_back({{reception.first, reception.second}, std::move(messages)});
  }
  return found;
}

}  // namespace lightcone
