// Coupling from the past (Propp and Wilson), on the lattice of cuts.
#include <lightcone/lattice/count/cut_coupling.h>

#include <algorithm>
#include <vector>

namespace lightcone {
namespace {

// A step moves one chain of a cut to a random one of the positions that the other chains allow,
// all equally likely. If all cuts were equally likely before, they are so afterwards. Steps that
// went on since forever would leave a uniformly random cut. To know that cut, it suffices to go
// back so far that all cuts, moved by the same random numbers, have become one by now. Positions
// that others allow grow with the cut, and the position chosen grows with their bounds. So steps
// keep the order of cuts, and all cuts have become one when the least and the greatest have. If
// they have not, one begins further back, and must use the same random numbers for the same times.
class Coupling {
 public:
  Coupling(const Futures& futures, const Interval& interval)
      : futures_(futures), interval_(interval), moving_(moving_chains(interval)) {}

  [[nodiscard]] std::optional<Cut> run(RandomBits& bits,
                                       std::chrono::steady_clock::time_point deadline) {
    std::vector<std::uint64_t> seeds;  // block i has 2^i sweeps; the first is the last in time
    for (;;) {
      seeds.push_back(bits());
      Cut least = interval_.lower;
      Cut greatest = interval_.upper;
      for (std::size_t block = seeds.size(); block-- > 0;) {
        RandomBits random(seeds[block]);
        for (std::uint64_t sweep = 0; sweep < std::uint64_t{1} << block; ++sweep) {
          if (std::chrono::steady_clock::now() >= deadline) return std::nullopt;
          move_all(least, greatest, random);
        }
      }
      if (least == greatest) return least;
    }
  }

 private:
  void move_all(Cut& least, Cut& greatest, RandomBits& random) const {
    for (const std::uint32_t c : moving_) {
      const std::uint64_t number = random();
      move(least, c, number);
      move(greatest, c, number);
    }
  }
  void move(Cut& cut, std::uint32_t chain, std::uint64_t number) const {
    Rank first = interval_.lower[chain];
    Rank last = interval_.upper[chain];
    for (const std::uint32_t d : moving_) {
      if (d == chain) continue;
      if (cut[d] > interval_.lower[d]) {
        first = std::max(first, futures_.level().past(d, cut[d])[chain]);
      }
      if (cut[d] < interval_.upper[d]) {
        last = std::min(last, futures_.without(d, cut[d] + 1)[chain]);
      }
    }
    const DoubleWord choices = DoubleWord{last} - first + 1;
    cut[chain] = first + static_cast<Rank>(choices * number >> 64);
  }

  const Futures& futures_;
  const Interval& interval_;
  std::vector<std::uint32_t> moving_;
};

}  // namespace

std::optional<Cut> coupled_cut(const Futures& futures, const Interval& interval, RandomBits& bits,
                               std::chrono::steady_clock::time_point deadline) {
  return Coupling(futures, interval).run(bits, deadline);
}

}  // namespace lightcone
