// Cuts of parts that follow each other add up, those of independent parts multiply, the rest is
// eliminated.
#include <lightcone/lattice/count/count.h>

#include <lightcone/lattice/count/cut_counter.h>

#include <utility>

namespace lightcone {

Count count_of(const NaturalNumber& number, bool exact) {
  return {.decimal = number.decimal(), .number = number.small(), .exact = exact};
}

Count count_cuts(const Futures& futures, const Interval& interval, const Limits& limits,
                 const Progress& progress, Workers* workers) {
  CutCounter counter(futures, limits, progress, workers);
  const NaturalNumber value = counter.count(interval);
  Count count = count_of(value, counter.exact());
  count.method = counter.method();
  count.width = counter.width();
  return count;
}

// Sizes are kept apart in the digits of one number: as many limbs each as the number of all cuts
// has, so that no digit overflows.
std::optional<std::vector<NaturalNumber>> count_cuts_by_size(const Futures& futures,
                                                             const Interval& interval,
                                                             const Limits& limits,
                                                             const Progress& progress) {
  CutCounter counter(futures, limits, progress, nullptr);
  const std::size_t limbs = counter.count(interval).limbs().size();
  if (!counter.exact()) return std::nullopt;
  CutCounter by_size(futures, counter.left(), progress, nullptr, static_cast<std::uint32_t>(limbs));
  const NaturalNumber digits = by_size.count(interval);
  if (!by_size.exact()) return std::nullopt;
  std::vector<NaturalNumber> counts;
  for (std::uint64_t m = 0; m <= size_of(interval.upper) - size_of(interval.lower); ++m) {
    std::vector<std::uint64_t> digit;
    for (std::size_t i = m * limbs; i < (m + 1) * limbs && i < digits.limbs().size(); ++i) {
      digit.push_back(digits.limbs()[i]);
    }
    counts.emplace_back(std::move(digit));
  }
  return counts;
}

}  // namespace lightcone
