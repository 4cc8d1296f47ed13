// Tables first: each cut then takes one walk through them.
#include <lightcone/lattice/count/cut_sampler.h>

#include <lightcone/error.h>
#include <lightcone/lattice/count/cut_coupling.h>

#include <algorithm>

namespace lightcone {
namespace {

using Clock = std::chrono::steady_clock;

[[nodiscard]] Clock::time_point after_seconds(double seconds) {
  constexpr double most = 1e6;
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(
                            std::chrono::duration<double>(std::min(seconds, most)));
}

}  // namespace

CutSampler::CutSampler(const Futures& futures, const Limits& limits, std::uint64_t seed)
    : futures_(futures),
      interval_(all_of(futures.level())),
      deadline_(after_seconds(limits.seconds)),
      bits_(seed) {
  LIGHTCONE_ASSERT(futures.is_order());
  if (limits.seconds <= 0) return;
  constexpr double most_bytes = 4e9;
  constexpr double most_work = 1e9;
  graph_.emplace(futures, DirectCauses(futures.level()), interval_);
  elimination_ = eliminate(*graph_, {.draws = true,
                                     .bytes = std::min(double(limits.bytes), most_bytes) / 2,
                                     .work = most_work,
                                     .deadline = after_seconds(limits.seconds / 2)});
}

std::optional<Cut> CutSampler::draw() {
  if (Clock::now() >= deadline_) return std::nullopt;
  if (elimination_ == nullptr) return coupled_cut(futures_, interval_, bits_, deadline_);
  Cut cut = interval_.lower;
  elimination_->draw(cut, bits_);
  return cut;
}

}  // namespace lightcone
