// Cuts of one size after the other, each in the worker that owns it.
#include <lightcone/lattice/workers/avoidance_on_workers.h>

#include <lightcone/error.h>
#include <lightcone/lattice/workers/lattice_wire.h>

#include <xxhash.h>

#include <bit>

namespace lightcone {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t cuts_between_looks = 256;

/// Worker 0, which has cuts of its own.
class AvoidanceLeader {
 public:
  AvoidanceLeader(Workers& workers, const Level& level, const Condition& condition, Budget& budget)
      : post_(workers), level_(level), budget_(budget), own_(post_, level, condition) {
    WireWriter writer = begin_letter(LetterKind::avoid);
    write(writer, level);
    writer.number(1);
    write(writer, condition);
    post_.send_to_others(finished(writer));
  }

  [[nodiscard]] Avoidance run() {
    const std::uint64_t steps = size_of(level_.top()) - size_of(level_.bottom());
    StepReport all{.cuts = 1};
    for (std::uint64_t i = 0; i < steps; ++i) {
      if (!budget_.spend_states(all.cuts)) return {std::nullopt, {}};
      all = step();
      if (!all.has_room) (void)budget_.may_hold(budget_.limits().bytes + 1);
      if (!all.in_time || !all.has_room) return {std::nullopt, {}};
      if (all.cuts == 0) return {false, {}};
    }
    return {true, all.keeps_all ? way_back(steps) : std::vector<std::uint32_t>()};
  }

 private:
  /// All workers together.
  [[nodiscard]] StepReport step() {
    const StepLimits limits{budget_.left().seconds, budget_.limits().bytes};
    WireWriter writer = begin_letter(LetterKind::step);
    write(writer, limits);
    post_.send_to_others(finished(writer));
    StepReport all = own_.step(limits);
    for (std::size_t i = 1; i < post_.workers().size(); ++i) {
      const Workers::Letter letter = post_.wait_for(LetterKind::report);
      WireReader reader = content_of(letter);
      const StepReport report = read_step_report(reader);
      LIGHTCONE_ASSERT(!reader.failed());
      all.cuts += report.cuts;
      all.in_time = all.in_time && report.in_time;
      all.has_room = all.has_room && report.has_room;
      all.keeps_all = all.keeps_all && report.keeps_all;
    }
    if (!budget_.has_time()) all.in_time = false;
    return all;
  }

  /// From the greatest cut: one of those before it that was reached.
  [[nodiscard]] std::vector<std::uint32_t> way_back(std::uint64_t steps) {
    std::vector<std::uint32_t> way(steps);
    Cut cut = level_.top();
    for (std::uint64_t i = steps; i-- > 0;) {
      way[i] = step_before(i, cut);
      --cut[way[i]];
    }
    return way;
  }

  /// The first chain whose last event can be taken back, as on one worker.
  [[nodiscard]] std::uint32_t step_before(std::uint64_t steps, const Cut& cut) {
    std::vector<std::vector<std::uint32_t>> chains(post_.workers().size());  // by who knows
    std::vector<WireWriter> questions(chains.size());
    std::uint32_t found = none;
    for (std::uint32_t c = 0; c < cut.size() && found == none; ++c) {
      if (cut[c] == level_.bottom()[c]) continue;
      Cut before = cut;
      --before[c];
      const std::size_t owner = own_.owner(before);
      if (owner == post_.workers().number()) {
        if (own_.has_reached(steps, before)) found = c;
        continue;
      }
      chains[owner].push_back(c);
      write(questions[owner], before);
    }
    const std::size_t asked = ask(steps, chains, questions);
    found = std::min(found, first_reached(chains, asked));
    LIGHTCONE_ASSERT(found != none);
    return found;
  }

  /// Returns how many workers were asked.
  [[nodiscard]] std::size_t ask(std::uint64_t steps,
                                const std::vector<std::vector<std::uint32_t>>& chains,
                                std::vector<WireWriter>& questions) {
    std::size_t asked = 0;
    for (std::size_t worker = 0; worker < chains.size(); ++worker) {
      if (chains[worker].empty()) continue;
      WireWriter writer = begin_letter(LetterKind::ask);
      writer.number(steps);
      writer.number(chains[worker].size());
      writer.bytes() += questions[worker].bytes();
      post_.workers().send(worker, finished(writer));
      ++asked;
    }
    return asked;
  }

  [[nodiscard]] std::uint32_t first_reached(const std::vector<std::vector<std::uint32_t>>& chains,
                                            std::size_t asked) {
    std::uint32_t found = none;
    for (; asked > 0; --asked) {
      const Workers::Letter letter = post_.wait_for(LetterKind::reply);
      WireReader reader = content_of(letter);
      for (const std::uint32_t c : chains[letter.from]) {
        if (reader.number() != 0) found = std::min(found, c);
      }
      LIGHTCONE_ASSERT(!reader.failed());
    }
    return found;
  }

  WorkerPost post_;
  const Level& level_;
  Budget& budget_;
  OwnedCuts own_;
};

}  // namespace

OwnedCuts::OwnedCuts(WorkerPost& post, const Level& level, const Condition& condition)
    : post_(post),
      level_(level),
      condition_(condition),
      packing_(level.bottom(), level.top()),
      reached_(1, CutSet(packing_)) {
  if (owner(level.bottom()) == post.workers().number()) reached_[0].insert(level.bottom());
}

StepReport OwnedCuts::step(const StepLimits& limits) {
  StepReport report;
  std::vector<CutSet> next(post_.workers().size(), CutSet(packing_));
  expand(limits, next, report);
  exchange(next);
  reached_.push_back(std::move(next[post_.workers().number()]));
  if (keeps_all_ && bytes_held() > limits.bytes / 2) {
    for (std::size_t i = 0; i + 1 < reached_.size(); ++i) reached_[i] = CutSet(packing_);
    keeps_all_ = false;
  }
  if (!keeps_all_) reached_[reached_.size() - 2] = CutSet(packing_);
  report.cuts = reached_.back().size();
  report.has_room = report.has_room && bytes_held() <= limits.bytes;
  report.keeps_all = keeps_all_;
  return report;
}

bool OwnedCuts::has_reached(std::uint64_t steps, const Cut& cut) const {
  return reached_[steps].contains(cut);
}

std::size_t OwnedCuts::owner(const Cut& cut) const {
  return (XXH3_64bits(cut.data(), cut.size() * sizeof cut[0]) >> 32) % post_.workers().size();
}

void OwnedCuts::expand(const StepLimits& limits, std::vector<CutSet>& next, StepReport& report) {
  const CutSet& here = reached_.back();
  const auto begin = Clock::now();
  Cut cut = level_.bottom();
  for (std::size_t i = 0; i < here.size() && report.in_time && report.has_room; ++i) {
    here.get(i, cut);
    for (std::uint32_t c = 0; c < level_.chains(); ++c) {
      if (!can_advance(level_, cut, c)) continue;
      ++cut[c];
      if (!condition_.holds(cut)) next[owner(cut)].insert(cut);
      --cut[c];
    }
    if (i % cuts_between_looks != 0) continue;
    const std::chrono::duration<double> taken = Clock::now() - begin;
    report.in_time = taken.count() <= limits.seconds;
    std::size_t bytes = here.bytes();
    for (const CutSet& some : next) bytes += some.bytes();
    report.has_room = bytes <= limits.bytes;
  }
}

/// One letter to each of the others, and one from each.
void OwnedCuts::exchange(std::vector<CutSet>& next) {
  const std::size_t self = post_.workers().number();
  Cut cut = level_.bottom();
  for (std::size_t worker = 0; worker < next.size(); ++worker) {
    if (worker == self) continue;
    WireWriter writer = begin_letter(LetterKind::cuts);
    writer.number(next[worker].size());
    for (std::size_t i = 0; i < next[worker].size(); ++i) {
      next[worker].get(i, cut);
      for (const Rank k : cut) writer.number(k);
    }
    post_.workers().send(worker, finished(writer));
    next[worker] = CutSet(packing_);
  }
  for (std::size_t i = 1; i < next.size(); ++i) {
    const Workers::Letter letter = post_.wait_for(LetterKind::cuts);
    WireReader reader = content_of(letter);
    for (std::uint64_t left = reader.number(); left > 0; --left) {
      for (Rank& k : cut) k = static_cast<Rank>(reader.number());
      next[self].insert(cut);
    }
    LIGHTCONE_ASSERT(!reader.failed());
  }
}

std::size_t OwnedCuts::bytes_held() const {
  std::size_t bytes = 0;
  for (const CutSet& cuts : reached_) bytes += cuts.bytes();
  return bytes;
}

void write(WireWriter& writer, const StepLimits& limits) {
  writer.fixed(std::bit_cast<std::uint64_t>(limits.seconds), 8);
  writer.number(limits.bytes);
}

StepLimits read_step_limits(WireReader& reader) {
  StepLimits limits;
  limits.seconds = std::bit_cast<double>(reader.fixed(8));
  limits.bytes = reader.number();
  return limits;
}

void write(WireWriter& writer, const StepReport& report) {
  writer.number(report.cuts);
  for (const bool flag : {report.in_time, report.has_room, report.keeps_all}) {
    writer.number(flag ? 1 : 0);
  }
}

StepReport read_step_report(WireReader& reader) {
  StepReport report;
  report.cuts = reader.number();
  for (bool* flag : {&report.in_time, &report.has_room, &report.keeps_all}) {
    *flag = reader.number() != 0;
  }
  return report;
}

Avoidance avoid_on_workers(Workers& workers, const Level& level, const Condition& condition,
                           Budget& budget) {
  return AvoidanceLeader(workers, level, condition, budget).run();
}

}  // namespace lightcone
