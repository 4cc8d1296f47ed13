// The lattice of global states: how many are visited in a second, beside Garg's lexical algorithm.
#include "ratio.h"

#include <lightcone/lattice/enumeration.h>
#include <lightcone/trace/trace.h>

#include <cstdlib>
#include <numeric>

namespace lightcone::bench {
namespace {

/// Chang and Garg's posets, with their known numbers of states.
[[nodiscard]] Computation poset(const std::string& name) {
  auto reading = read_trace(LIGHTCONE_TEST_DATA "/data/posets/" + name, Format::clocks);
  if (!reading) std::abort();
  return std::move(reading->computation);
}
constexpr std::uint64_t states_of_d300 = 42'695'907;

/// Reads every entry of every state.
struct Reader {
  std::uint64_t states = 0;
  Rank entries = 0;

  bool operator()(std::span<const Rank> cut) {
    ++states;
    for (const Rank entry : cut) entries ^= entry;
    return true;
  }
};

/// The next state in lexical order: the rightmost chain that can advance does, and those to its
/// right fall back to the least that all others then need (Garg, "Enumerating global states of a
/// distributed computation", 2003).
[[nodiscard]] bool next_lexical(const Level& level, Cut& cut) {
  const std::uint32_t n = level.chains();
  for (std::uint32_t c = n; c-- > 0;) {
    if (cut[c] == level.top()[c]) continue;
    const auto past = level.past(c, cut[c] + 1);
    if (!std::equal(past.begin(), past.begin() + c, cut.begin(), std::less_equal<>())) continue;
    ++cut[c];
    for (std::uint32_t d = c + 1; d < n; ++d) cut[d] = level.bottom()[d];
    for (std::uint32_t chosen = 0; chosen <= c; ++chosen) {
      if (cut[chosen] == 0) continue;
      const auto needs = level.past(chosen, cut[chosen]);
      for (std::uint32_t d = c + 1; d < n; ++d) cut[d] = std::max(cut[d], needs[d]);
    }
    return true;
  }
  return false;
}

[[nodiscard]] Reader read_lexically(const Level& level) {
  Reader reader;
  Cut cut = level.bottom();
  do {
    reader(cut);
  } while (next_lexical(level, cut));
  return reader;
}

[[nodiscard]] Reader read_all(const Level& level) {
  Reader reader;
  for_each_cut(Futures(level), all_of(level), reader);
  return reader;
}

void enumerating_on_one_core(benchmark::State& state) {
  const Computation computation = poset("d-300.txt");
  const Level level(computation, Selection::all(computation));
  compare(
      state,
      [&] {
        if (read_all(level).states != states_of_d300) std::abort();
      },
      [&] {
        if (read_lexically(level).states != states_of_d300) std::abort();
      },
      4, true);
  if (read_all(level).entries != read_lexically(level).entries) std::abort();
  state.counters["million_a_second"] = states_of_d300 / 1e3 / state.counters["ours_ms"];
}
BENCHMARK(enumerating_on_one_core)->UseManualTime()->Unit(benchmark::kMillisecond)->MinTime(1);

}  // namespace
}  // namespace lightcone::bench
