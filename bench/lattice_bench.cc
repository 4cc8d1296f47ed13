// The lattice of global states: how many are visited in a second, beside Garg's lexical algorithm.
#include "ratio.h"

#include <lightcone/lattice/visit/enumeration.h>
#include <lightcone/lattice/visit/enumeration_by_size.h>
#include <lightcone/lattice/visit/parallel_visit.h>
#include <lightcone/trace.h>

#include <cstdlib>
#include <functional>

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
  std::uint64_t entries = 0;

  bool operator()(std::span<const Rank> cut) {
    ++states;
    Rank sum = 0;
    for (const Rank entry : cut) sum += entry;
    entries ^= sum;
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

[[nodiscard]] Reader read_lexically(const Futures& futures) {
  const Level& level = futures.level();
  Reader reader;
  Cut cut = level.bottom();
  do {
    reader(cut);
  } while (next_lexical(level, cut));
  return reader;
}

[[nodiscard]] Reader read_all(const Futures& futures) {
  Reader reader;
  for_each_cut(futures, all_of(futures.level()), reader);
  return reader;
}

[[nodiscard]] Reader read_all_by_size(const Futures& futures) {
  Reader reader;
  const Level& level = futures.level();
  for (std::uint64_t size = 0; size <= level.events(); ++size) {
    for_each_cut_of_size(futures, all_of(level), size, reader);
  }
  return reader;
}

[[nodiscard]] Reader read_all_on(std::size_t threads, const Futures& futures) {
  std::vector<Reader> readers(threads);
  visit_states(futures, all_of(futures.level()), std::span(readers));
  for (std::size_t i = 1; i < threads; ++i) {
    readers[0].states += readers[i].states;
    readers[0].entries ^= readers[i].entries;
  }
  return readers[0];
}

/// Both read all states of d-300, and the same; theirs may take so many times as long as ours.
template <class Ours, class Theirs>
void compare_on_d300(benchmark::State& state, double limit, const Ours& ours,
                     const Theirs& theirs) {
  const Computation computation = poset("d-300.txt");
  const Level level(computation, Selection::all(computation));
  const Futures futures(level);
  Reader by_us;
  Reader by_them;
  compare(
      state, [&] { by_us = ours(futures); }, [&] { by_them = theirs(futures); }, limit, true);
  if (by_us.states != states_of_d300 || by_them.states != states_of_d300) std::abort();
  if (by_us.entries != by_them.entries) std::abort();
  state.counters["million_a_second"] = states_of_d300 / 1e3 / state.counters["ours_ms"];
}

void enumerating_on_one_core(benchmark::State& state) {
  compare_on_d300(state, 4, read_all, read_lexically);
}
BENCHMARK(enumerating_on_one_core)->UseManualTime()->Unit(benchmark::kMillisecond)->MinTime(1);

void enumerating_by_size(benchmark::State& state) {
  compare_on_d300(state, 1, read_all_by_size, read_lexically);
}
BENCHMARK(enumerating_by_size)->UseManualTime()->Unit(benchmark::kMillisecond)->MinTime(1);

void enumerating_on_two_cores(benchmark::State& state) {
  compare_on_d300(
      state, 1.8, [](const Futures& futures) { return read_all_on(2, futures); }, read_all);
}
BENCHMARK(enumerating_on_two_cores)->UseManualTime()->Unit(benchmark::kMillisecond)->MinTime(1);

}  // namespace
}  // namespace lightcone::bench
