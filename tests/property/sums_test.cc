// The greatest and the least sum, what is between, and exact ones, against all consistent cuts.
#include <lightcone/lattice/predicate/sum_by_elimination.h>
#include <lightcone/lattice/predicate/greatest_sum.h>
#include <lightcone/lattice/predicate/intermediate_sum.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "model/generators/arbitrary.h"
#include "model/generators/arbitrary_levels.h"

namespace lightcone {
namespace {

using Sum = std::vector<Condition::Summand>;

void check_greatest(const Level& level, const std::vector<Cut>& cuts, const Sum& sum) {
  std::int64_t greatest = INT64_MIN;
  std::int64_t least = INT64_MAX;
  for (const Cut& cut : cuts) {
    greatest = std::max(greatest, sum_at(sum, cut));
    least = std::min(least, sum_at(sum, cut));
  }
  Cut first = level.top();
  Cut last = level.top();
  for (const Cut& cut : cuts) {
    if (sum_at(sum, cut) == greatest) first = meet(first, cut);
    if (sum_at(sum, cut) == least) last = meet(last, cut);
  }
  const ReachedSum high = greatest_sum(level, sum);
  RC_ASSERT(high.value == greatest);
  RC_ASSERT(high.cut == first);
  const ReachedSum low = least_sum(level, sum);
  RC_ASSERT(low.value == least);
  RC_ASSERT(low.cut == last);
  const std::int64_t middle = std::midpoint(least, greatest);
  const ReachedSum enough = greatest_sum(level, sum, middle);
  RC_ASSERT(enough.value >= middle);
  RC_ASSERT(enough.value == sum_at(sum, enough.cut));
  RC_ASSERT(is_consistent(level, enough.cut));
}

/// Every value between the least and the greatest has a cut, if steps are small.
void check_between(const Level& level, const Sum& sum) {
  const ReachedSum low = least_sum(level, sum);
  const ReachedSum high = greatest_sum(level, sum);
  const bool small = greatest_step(level, sum) <= 1;
  const std::int64_t stride = std::max<std::int64_t>(high.value / 16 - low.value / 16, 1);
  for (std::int64_t value = low.value; value <= high.value; value += stride) {
    const auto cut = intermediate_sum(level, sum, value, low.cut, high.cut);
    RC_ASSERT(cut.has_value() || !small);
    if (!cut) continue;
    RC_ASSERT(is_consistent(level, *cut));
    RC_ASSERT(sum_at(sum, *cut) == value);
  }
}

Sum walking_sum(const Level& level, std::mt19937_64& random) {
  Sum sum = arbitrary::random_sum(level, random, [&] { return std::int64_t(random() % 3) - 1; });
  for (Condition::Summand& summand : sum) {
    for (std::size_t k = 1; k < summand.values.size(); ++k) {
      summand.values[k] += summand.values[k - 1];
    }
  }
  return sum;
}

TEST(Sums, AreGreatestAndLeastAmongAllCuts) {
  arbitrary::for_all_computations("sums", 4000, [](const Computation& computation) {
    std::mt19937_64 random(computation.event_count());
    const Level level(computation, arbitrary::few_events(computation, 14, random));
    const std::vector<Cut> cuts = arbitrary::all_cuts(level);
    const auto random_sum = [&](std::int64_t low, std::int64_t high) {
      return arbitrary::random_sum(level, random, [&, low, high] {
        return low + std::int64_t(random() % std::uint64_t(high - low + 1));
      });
    };
    const Sum sums[] = {random_sum(-1000, 1000), random_sum(-1, 1), random_sum(0, 1),
                        walking_sum(level, random)};
    for (const Sum& sum : sums) {
      check_greatest(level, cuts, sum);
      check_between(level, sum);
    }
    const Level slice = arbitrary::random_slice(level, random);
    const std::vector<Cut> slice_cuts = arbitrary::all_cuts(slice);
    for (const Sum& sum : sums) check_greatest(slice, slice_cuts, sum);
  });
}

/// A value is reached exactly if some cut has it.
void check_exact(const Level& level, const std::vector<Cut>& cuts, const Sum& sum) {
  std::set<std::int64_t> values;
  for (const Cut& cut : cuts) values.insert(sum_at(sum, cut));
  std::set<std::int64_t> asked = values;
  for (const std::int64_t value : values) asked.insert({value - 1, value + 1});
  for (const std::int64_t value : asked) {
    Budget budget{Limits{}};
    const FoundState found = sum_by_elimination(level, sum, value, budget);
    RC_ASSERT(found.found == values.contains(value));
    if (!*found.found) continue;
    RC_ASSERT(is_consistent(level, found.cut));
    RC_ASSERT(sum_at(sum, found.cut) == value);
  }
}

TEST(Sums, AreExactIfSomeCutHasThem) {
  arbitrary::for_all_computations("exact sums", 1000, [](const Computation& computation) {
    std::mt19937_64 random(computation.event_count());
    const Level level(computation, arbitrary::few_events(computation, 10, random));
    const std::vector<Cut> cuts = arbitrary::all_cuts(level);
    const std::int64_t stride = 1 + std::int64_t(random() % 3);
    const Sum sum = arbitrary::random_sum(
        level, random, [&] { return stride * (std::int64_t(random() % 9) - 4); });
    check_exact(level, cuts, sum);
  });
}

TEST(Sums, MayBeAsLargeAsSumsCanBe) {
  arbitrary::for_all_computations("large sums", 300, [](const Computation& computation) {
    std::mt19937_64 random(computation.event_count());
    const Level level(computation, arbitrary::few_events(computation, 12, random));
    const std::int64_t most = (std::int64_t{1} << 62) / std::max(level.chains(), 1U);
    const Sum sum =
        arbitrary::random_sum(level, random, [&] { return random() % 2 == 0 ? most : -most; });
    check_greatest(level, arbitrary::all_cuts(level), sum);
  });
}

TEST(Sums, OfOneProcessInSeveralTablesAddUp) {
  arbitrary::for_all_computations("tables", 300, [](const Computation& computation) {
    std::mt19937_64 random(computation.event_count());
    const Level level(computation, arbitrary::few_events(computation, 10, random));
    const auto number = [&] { return std::int64_t(random() % 21) - 10; };
    Sum sum = arbitrary::random_sum(level, random, number);
    const Sum more = arbitrary::random_sum(level, random, number);
    sum.insert(sum.end(), more.begin(), more.end());
    sum.push_back({0, {7}, none});
    check_greatest(level, arbitrary::all_cuts(level), sum);
    check_between(level, sum);
  });
}

}  // namespace
}  // namespace lightcone
