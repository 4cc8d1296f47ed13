// `for each` of a flow or of logic, while a computation grows.
#pragma once

#include <lightcone/check/growing/first_places.h>
#include <lightcone/check/growing/growing_tag.h>
#include <lightcone/check/verdicts.h>
#include <lightcone/property/states/value_slice.h>
#include <lightcone/riders/slices/sliced_rider.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// What may be kept of values.
struct ValueLimits {
  std::uint64_t most_values = 100'000;              ///< beyond these, values are not asked about
  std::size_t most_places = SIZE_MAX;               ///< that are listed for each
  static constexpr std::size_t most_open = 10'000;  ///< values whose verdict can still change
  static constexpr std::size_t kept_after_verdict = 256;  ///< before some are forgotten
};

/// Asks one question of the slices of all values.
///
/// What is found in the background is found for every value, but where a value is in the past and
/// the answer is another one. So for each value only these differences are counted.
///
/// The verdict of a value cannot change any more when something forbidden or expected was found, or
/// something required is missing. If there are many values, those are forgotten.
class GrowingValues {
 public:
  /// Called when the verdict of a value has become certain, with the place that made it so.
  using Decided = std::function<void(const ReportedValue& value, EventPlace place)>;

  /// `names` must outlive this, and have all names of `alone`, and the variable.
  GrowingValues(CompiledProperties alone, std::uint32_t property, const Names& names,
                ValueLimits limits, Decided decided);

  void add_process(std::string_view name);
  void start(ProcessIndex process, const StateContent& initial);
  /// The next event of a process. If something is lost in its past, it is not exact.
  void step(EventPlace place, const StateContent& state, std::span<const SlicedTag* const> taken,
            bool is_exact);
  [[nodiscard]] SlicedTag tag(ProcessIndex process) const { return riders_[process].tag(); }

  /// Returns about how much memory the values take.
  [[nodiscard]] std::size_t bytes() const;
  /// What became of the property.
  [[nodiscard]] PropertyReport report(const Wholeness& wholeness);
  [[nodiscard]] const LocalExpressions& expressions() const {
    return rules_.property.observer().expressions();
  }
  /// Returns whether times of two processes were compared without a bound.
  [[nodiscard]] bool compares_processes() const {
    const TimedFlows* timed = rules_.property.timed();
    return timed != nullptr && timed->compares_processes;
  }

 private:
  /// How often something was asked, found, and so on; the first places. Of a value: how much more
  /// often than in the background, and at which other places.
  struct Tally {
    explicit Tally(std::size_t most)
        : at(most),
          missing(most),
          undecided_at(most),
          not_at(most),
          not_missing(most),
          not_undecided_at(most) {}
    std::int64_t asked = 0, found = 0, undecided = 0;
    FirstPlaces at, missing, undecided_at;  // of the background, or in addition
    // Of a value: those of the background that it has not.
    FirstPlaces not_at, not_missing, not_undecided_at;
    bool is_decided = false;
    std::optional<PlaceFinding> last = {};  // of a value that was forgotten
  };

  [[nodiscard]] const Property& property() const {
    return rules_.property.compiled().source().properties[index_];
  }
  [[nodiscard]] std::optional<std::uint32_t> value_of(const StateContent& state);
  [[nodiscard]] SlicedRider::AskedHere certain(SlicedRider::AskedHere answer, bool is_exact) const;
  void count(Tally& tally, const SlicedRider::AskedHere& answer, EventPlace place, int sign) const;
  void note(ProcessIndex process, EventPlace place, bool is_exact);
  void decide(std::uint32_t value, EventPlace place);
  [[nodiscard]] bool decides(const SlicedRider::AskedHere& answer) const;
  void forget_some();
  [[nodiscard]] PlaceFinding finding(const Tally& tally) const;

  std::uint32_t index_;
  const Names& names_;
  NameIndex variable_;
  ValueLimits limits_;
  Decided decided_;
  SlicedRules rules_;
  std::deque<SlicedRider> riders_;  // by process
  ValueNumbers values_;
  Tally background_;
  std::optional<EventPlace> decides_all_;  // where the background first decides
  std::deque<Tally> tallies_;              // by value
  std::vector<std::uint32_t> kept_;        // decided, and not forgotten
  std::size_t open_ = 0;
  bool is_over_ = false;
};

}  // namespace lightcone
