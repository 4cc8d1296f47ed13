// Takes numbers out of runs.
#include <lightcone/run/answers/open_wildcards.h>

namespace lightcone {

std::uint64_t OpenWildcards::take(std::uint64_t older) {
  for (auto run = skipped_.begin(); run != skipped_.end(); ++run) {
    if (older >= run->end - run->begin) {
      older -= run->end - run->begin;
      continue;
    }
    const std::uint64_t taken = run->begin + older;
    const SkippedRange rest{taken + 1, run->end};
    run->end = taken;
    if (run->begin == run->end)
      run = skipped_.erase(run);
    else
      ++run;
    if (rest.begin != rest.end) skipped_.insert(run, rest);
    return taken;
  }
  if (older != 0) skipped_.push_back({untouched_, untouched_ + older});
  untouched_ += older + 1;
  return untouched_ - 1;
}

}  // namespace lightcone
