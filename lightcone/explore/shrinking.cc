// Delta debugging over choices (Zeller and Hildebrandt, IEEE TSE 28(2), 2002): leaves out parts of
// them, larger ones first, as long as the program still fails without.
#include <lightcone/explore/shrinking.h>

#include <algorithm>
#include <utility>

namespace lightcone {
namespace {

/// Which choice of which process.
struct ChoiceIndex {
  std::size_t process = 0, choice = 0;
};

class Shrinking {
 public:
  Shrinking(const NamedGuide& guide, const RunByGuide& run, std::uint64_t most_runs)
      : guide_(guide), run_(run), most_runs_(most_runs) {}

  [[nodiscard]] Expected<ShrunkFailure> shrink() {
    auto first = run_(guide_);
    if (!first) return failure(first.error());
    if (!*first || !follows((*first)->guide.guide, guide_.guide)) {
      return failure("the execution to shrink does not fail");
    }
    best_ = std::move(**first);
    std::vector<ChoiceIndex> kept = places();
    for (std::size_t parts = 1; !kept.empty() && runs_ < most_runs_;) {
      const auto fewer = without_a_part(kept, parts);
      if (!fewer) return failure(fewer.error());
      if (fewer->size() < kept.size()) {
        kept = *fewer;
        parts = std::max<std::size_t>(parts, 2) - 1;
      } else if (parts >= kept.size()) {
        break;
      }
      parts = std::clamp<std::size_t>(2 * parts, 1, std::max<std::size_t>(kept.size(), 1));
    }
    return ShrunkFailure{best_, only(kept), kept.size(), runs_};
  }

 private:
  [[nodiscard]] std::vector<ChoiceIndex> places() const {
    std::vector<ChoiceIndex> places;
    for (std::size_t p = 0; p < guide_.guide.processes.size(); ++p) {
      for (std::size_t k = 0; k < guide_.guide.processes[p].size(); ++k) places.push_back({p, k});
    }
    return places;
  }

  /// The guide with these choices alone.
  [[nodiscard]] NamedGuide only(const std::vector<ChoiceIndex>& places) const {
    NamedGuide named{guide_.names, {}};
    Guide& guide = named.guide;
    guide.processes.resize(guide_.guide.processes.size());
    for (const ChoiceIndex& place : places) {
      auto& choices = guide.processes[place.process];
      choices.resize(std::max(choices.size(), place.choice + 1));
      choices[place.choice] = guide_.guide.processes[place.process][place.choice];
    }
    return named;
  }

  /// Leaves out the first of so many equal parts that is not needed; all places if each is.
  [[nodiscard]] Expected<std::vector<ChoiceIndex>> without_a_part(
      const std::vector<ChoiceIndex>& places, std::size_t parts) {
    for (std::size_t part = 0; part < parts && runs_ < most_runs_; ++part) {
      std::vector<ChoiceIndex> fewer;
      for (std::size_t i = 0; i < places.size(); ++i) {
        if (i * parts / places.size() != part) fewer.push_back(places[i]);
      }
      const auto fails = still_fails(fewer);
      if (!fails) return failure(fails.error());
      if (*fails) return fewer;
    }
    return places;
  }

  [[nodiscard]] Expected<bool> still_fails(const std::vector<ChoiceIndex>& places) {
    ++runs_;
    auto execution = run_(only(places));
    if (!execution) return failure(execution.error());
    if (!*execution || (*execution)->why != best_.why) return false;
    best_ = std::move(**execution);
    return true;
  }

  const NamedGuide& guide_;
  const RunByGuide& run_;
  std::uint64_t most_runs_;
  FailedExecution best_;
  std::uint64_t runs_ = 0;
};

}  // namespace

Expected<ShrunkFailure> shrink_guide(const NamedGuide& guide, const RunByGuide& run,
                                     std::uint64_t most_runs) {
  return Shrinking(guide, run, most_runs).shrink();
}

}  // namespace lightcone
