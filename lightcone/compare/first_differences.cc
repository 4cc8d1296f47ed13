// Walks both runs once in causal order and sees which differences reach which.
//
// A difference precedes another if it is in its past in run A or in run B. Each run alone has no
// cycle, but both together may: p receives from q in A, and q from p in B. So the first differences
// are the components without a predecessor of the graph of all differences, taken as sets of
// differences that precede each other. Nearly always these are single ones, which two walks find.
// What those do not reach lies in or behind a cycle, and is looked at closer, 64 at a time.
#include <lightcone/compare/first_differences.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace lightcone {
namespace {

using Mask = std::uint64_t;

/// From which rank on the events of a process carry which marks.
struct Seed {
  Rank rank = none;
  Mask marks = 0;
};

constexpr Mask of_difference = 1, of_unknown = 2;

class DifferenceGraph {
 public:
  DifferenceGraph(const ComparedRun& a, const ComparedRun& b,
                  const std::vector<AlignedProcess>& processes)
      : processes_(processes), runs_{&a, &b} {
    for (std::size_t run = 0; run < runs_.size(); ++run) {
      pair_of_[run].resize(runs_[run]->computation->process_count());
    }
    for (std::size_t i = 0; i < processes.size(); ++i) {
      if (processes[i].in_a) pair_of_[0][*processes[i].in_a] = i;
      if (processes[i].in_b) pair_of_[1][*processes[i].in_b] = i;
    }
  }

  [[nodiscard]] std::vector<FirstPlace> first() {
    const std::vector<Mask> before = reach(seeds_of_all());
    std::vector<bool> is_first(processes_.size(), false);
    for (std::size_t i = 0; i < processes_.size(); ++i) {
      is_first[i] = processes_[i].differs_at && (before[i] & of_difference) == 0;
    }
    add_cycles(is_first);
    std::vector<FirstPlace> places;
    for (std::size_t i = 0; i < processes_.size(); ++i) {
      if (is_first[i]) places.push_back({i, (before[i] & of_unknown) == 0});
    }
    return places;
  }

 private:
  /// Every difference, and the events that have nothing to be compared with.
  [[nodiscard]] std::vector<Seed> seeds_of_all() const {
    std::vector<Seed> seeds;
    for (const AlignedProcess& process : processes_) {
      seeds.push_back(process.differs_at ? Seed{*process.differs_at, of_difference}
                                         : Seed{process.alike + 1, of_unknown});
    }
    return seeds;
  }

  /// For each difference, the marks in its past in either run.
  [[nodiscard]] std::vector<Mask> reach(const std::vector<Seed>& seeds) const {
    std::vector<Mask> found(processes_.size(), 0);
    for (std::size_t run = 0; run < runs_.size(); ++run) reach(run, seeds, found);
    return found;
  }

  void reach(std::size_t run, const std::vector<Seed>& seeds, std::vector<Mask>& found) const {
    const Computation& c = *runs_[run]->computation;
    std::vector<Mask> of_process(c.process_count(), 0), of_message(c.message_count(), 0);
    for (ProcessIndex p = 0; p < c.process_count(); ++p) {
      const Seed& seed = seeds[pair_of_[run][p]];
      if (seed.rank == 0) of_process[p] = seed.marks;
    }
    for (const EventIndex e : c.order()) {
      const ProcessIndex p = c.process_of(e);
      const Rank rank = c.rank_of(e);
      if (rank > runs_[run]->known_events(p)) continue;
      const std::size_t pair = pair_of_[run][p];
      Mask marks = of_process[p];
      for (const MessageIndex m : c.takes(e)) marks |= of_message[m];
      if (processes_[pair].differs_at == rank) found[pair] |= marks;
      if (seeds[pair].rank == rank) marks |= seeds[pair].marks;
      of_process[p] = marks;
      if (const MessageIndex m = c.sends(e); m != none) of_message[m] = marks;
    }
    // A run that ends before the difference has come to its last event.
    for (ProcessIndex p = 0; p < c.process_count(); ++p) {
      const std::size_t pair = pair_of_[run][p];
      const auto differs_at = processes_[pair].differs_at;
      if (differs_at && *differs_at > runs_[run]->known_events(p)) found[pair] |= of_process[p];
    }
  }

  /// Differences that those found so far do not reach.
  [[nodiscard]] std::vector<std::size_t> unreached(std::vector<bool> reached) const {
    for (bool grows = true; grows;) {
      grows = false;
      std::vector<Seed> seeds(processes_.size());
      for (std::size_t i = 0; i < processes_.size(); ++i) {
        if (reached[i]) seeds[i] = {*processes_[i].differs_at, of_difference};
      }
      const std::vector<Mask> before = reach(seeds);
      for (std::size_t i = 0; i < processes_.size(); ++i) {
        if (before[i] == 0 || reached[i]) continue;
        reached[i] = true;
        grows = true;
      }
    }
    std::vector<std::size_t> rest;
    for (std::size_t i = 0; i < processes_.size(); ++i) {
      if (processes_[i].differs_at && !reached[i]) rest.push_back(i);
    }
    return rest;
  }

  /// Adds those that are preceded only by such as they precede.
  void add_cycles(std::vector<bool>& is_first) {
    const auto differs = [](const AlignedProcess& process) {
      return process.differs_at.has_value();
    };
    const auto count = std::ranges::count_if(processes_, differs);
    if (std::count(is_first.begin(), is_first.end(), true) == count) return;
    const std::vector<std::size_t> rest = unreached(is_first);
    if (rest.empty()) return;
    const auto before = closure(rest);
    for (std::size_t j = 0; j < rest.size(); ++j) {
      bool is_source = true;
      for (std::size_t i = 0; i < rest.size(); ++i) {
        is_source = is_source && (!has(before[j], i) || has(before[i], j));
      }
      if (is_source) is_first[rest[j]] = true;
    }
  }

  /// A set of the differences that are looked at, one bit each.
  using Set = std::vector<Mask>;
  static constexpr std::size_t bits = 64;
  [[nodiscard]] static bool has(const Set& set, std::size_t i) {
    return ((set[i / bits] >> (i % bits)) & 1) != 0;
  }

  /// For each of them, those that precede it, at once or by others.
  [[nodiscard]] std::vector<Set> closure(const std::vector<std::size_t>& rest) const {
    std::vector<Set> before(rest.size(), Set((rest.size() + bits - 1) / bits, 0));
    for (std::size_t begin = 0; begin < rest.size(); begin += bits) {
      std::vector<Seed> seeds(processes_.size());
      for (std::size_t i = begin; i < std::min(begin + bits, rest.size()); ++i) {
        seeds[rest[i]] = {*processes_[rest[i]].differs_at, Mask{1} << (i - begin)};
      }
      const std::vector<Mask> found = reach(seeds);
      for (std::size_t j = 0; j < rest.size(); ++j) before[j][begin / bits] = found[rest[j]];
    }
    for (std::size_t via = 0; via < rest.size(); ++via) {
      for (Set& set : before) {
        if (!has(set, via)) continue;
        for (std::size_t word = 0; word < set.size(); ++word) set[word] |= before[via][word];
      }
    }
    return before;
  }

  const std::vector<AlignedProcess>& processes_;
  std::array<const ComparedRun*, 2> runs_;
  std::array<std::vector<std::size_t>, 2> pair_of_;  // indexed by process
};

}  // namespace

std::vector<FirstPlace> first_differences(const ComparedRun& a, const ComparedRun& b,
                                          const std::vector<AlignedProcess>& processes) {
  return DifferenceGraph(a, b, processes).first();
}

}  // namespace lightcone
