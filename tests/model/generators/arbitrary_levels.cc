// Chooses events, rules and tables from a seed.
#include "model/generators/arbitrary_levels.h"

#include <algorithm>
#include <set>

namespace lightcone::arbitrary {
namespace {

using Form = Condition::Form;
using Relation = Condition::Relation;

/// Whether the first row was not within the second; now it is.
[[nodiscard]] bool join_into(const std::uint32_t* row, std::uint32_t* joined, std::uint32_t size) {
  bool changed = false;
  for (std::uint32_t x = 0; x < size; ++x) {
    changed = changed || row[x] > joined[x];
    joined[x] = std::max(joined[x], row[x]);
  }
  return changed;
}

/// Closes rows under each other: what a row includes brings its own row along.
void close(const Level& level, TimestampTable& rows) {
  const std::uint32_t n = level.chains();
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t c = 0; c < n; ++c) {
      for (Rank k = 1; k <= level.length(c); ++k) {
        std::uint32_t* row = rows.row(level.index(c, k));
        if (k > 1) changed |= join_into(rows.row(level.index(c, k - 1)), row, n);
        for (std::uint32_t d = 0; d < n; ++d) {
          if (row[d] > 0) changed |= join_into(rows.row(level.index(d, row[d])), row, n);
        }
      }
    }
  }
}

[[nodiscard]] Cut random_cut(const Level& level, std::mt19937_64& random) {
  Cut cut = level.bottom();
  for (std::uint32_t c = 0; c < level.chains(); ++c) {
    cut[c] += static_cast<Rank>(random() % (level.top()[c] - level.bottom()[c] + 1));
  }
  return closure(level, cut);
}

[[nodiscard]] Condition random_local(const Level& level, std::mt19937_64& random) {
  const auto chain = static_cast<std::uint32_t>(random() % level.chains());
  Condition::Local table{level.process(chain), {}, none};
  for (Rank k = 0; k <= level.length(chain); ++k) table.values.push_back(random() % 2);
  return local_condition(std::move(table));
}

[[nodiscard]] Condition any_condition(const Level& level, std::mt19937_64& random, int depth) {
  switch (random() % (depth > 0 ? 4 : 2)) {
    case 0: return random_local(level, random);
    case 1: {
      const std::int64_t spread = 1 + std::int64_t(random() % 3) * std::int64_t(random() % 10);
      const auto number = [&] { return std::int64_t(random() % (2 * spread + 1)) - spread; };
      return sum_condition(random_sum(level, random, number), Relation(random() % 3),
                           number() + number());
    }
    default: break;
  }
  std::vector<Condition> parts;
  for (std::uint64_t i = 2 + random() % 2; i > 0; --i) {
    parts.push_back(any_condition(level, random, depth - 1));
  }
  return joined(random() % 2 == 0 ? Form::all : Form::any, std::move(parts));
}

}  // namespace

Selection few_events(const Computation& computation, std::uint32_t most, std::mt19937_64& random) {
  std::vector<bool> chosen(computation.event_count());
  for (std::uint32_t i = 0; i < std::min(most, computation.event_count()); ++i) {
    chosen[random() % computation.event_count()] = true;
  }
  return {computation, [&](EventIndex e) { return chosen[e]; }};
}

Level random_slice(const Level& level, std::mt19937_64& random) {
  TimestampTable rows(level.events(), level.chains());
  for (std::uint32_t c = 0; c < level.chains(); ++c) {
    for (Rank k = 1; k <= level.length(c); ++k) {
      std::copy_n(level.past(c, k).data(), rows.stride(), rows.row(level.index(c, k)));
    }
  }
  for (std::uint64_t rules = level.chains() == 0 ? 0 : random() % 4; rules > 0; --rules) {
    const auto c = static_cast<std::uint32_t>(random() % level.chains());
    const auto d = static_cast<std::uint32_t>(random() % level.chains());
    Rank& entry = rows.row(level.index(c, 1 + Rank(random() % level.length(c))))[d];
    entry = std::max(entry, Rank(random() % (level.length(d) + 1)));
  }
  close(level, rows);
  // The ends must be cuts of the slice themselves.
  TimestampTable copy(level.events(), level.chains());
  std::copy_n(rows.row(0), level.events() * rows.stride(), copy.row(0));
  const Level whole(level, std::move(rows), level.bottom(), level.top());
  const Cut a = random_cut(whole, random);
  const Cut b = random_cut(whole, random);
  const bool bounded = random() % 2 == 0;
  return {level, std::move(copy), bounded ? meet(a, b) : level.bottom(),
          bounded ? join(a, b) : level.top()};
}

std::vector<Cut> all_cuts(const Level& level) {
  std::vector<Cut> cuts;
  Cut cut = level.bottom();
  while (true) {
    if (is_consistent(level, cut)) cuts.push_back(cut);
    std::uint32_t c = 0;
    for (; c < level.chains() && cut[c] == level.top()[c]; ++c) cut[c] = level.bottom()[c];
    if (c == level.chains()) return cuts;
    ++cut[c];
  }
}

std::vector<Condition::Summand> random_sum(const Level& level, std::mt19937_64& random,
                                           const std::function<std::int64_t()>& number) {
  std::vector<Condition::Summand> sum;
  for (std::uint32_t c = 0; c < level.chains(); ++c) {
    if (random() % 5 == 0) continue;
    Condition::Summand& summand = sum.emplace_back();
    summand.process = level.process(c);
    summand.chain = c;
    for (Rank k = 0; k <= level.length(c); ++k) summand.values.push_back(number());
  }
  return sum;
}

Condition random_condition(const Level& level, std::mt19937_64& random) {
  if (level.chains() == 0) return constant_condition(random() % 2 == 0);
  Condition condition = any_condition(level, random, 2);
  place_on(level, condition);
  return condition;
}

}  // namespace lightcone::arbitrary
