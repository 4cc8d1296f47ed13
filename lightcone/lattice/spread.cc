// Rank 0 keeps what is still to be visited, and the others ask for nothing but work.
#include <lightcone/lattice/spread.h>

#include <lightcone/causal/error.h>
#include <lightcone/lattice/exploration.h>
#include <lightcone/lattice/lattice_wire.h>
#include <lightcone/lattice/rank_share.h>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <deque>
#include <future>

namespace lightcone {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

/// What a letter from rank 0 is; others send reports only.
enum class Order : std::uint8_t { search, work, leave };

constexpr double shortest_moment = 0.005, longest_moment = 0.25;  // seconds
constexpr double moment_share = 1.0 / 32;                         // of the time so far
constexpr std::size_t parts_a_rank = 16;  // to begin with, and whenever they run out
constexpr std::uint64_t least_states = 64;

[[nodiscard]] std::size_t threads_of(const Ranks& ranks) {
  return std::max<std::size_t>(cores() / ranks.neighbours(), 1);
}

void send(Ranks& ranks, std::size_t to, WireWriter& writer) {
  ranks.send(to, std::make_shared<const std::string>(std::move(writer.bytes())));
}

[[nodiscard]] std::shared_ptr<const std::string> search_letter(const Level& level,
                                                               const Condition* condition) {
  WireWriter writer;
  writer.number(static_cast<std::uint64_t>(Order::search));
  write(writer, level);
  writer.number(condition != nullptr ? 1 : 0);
  if (condition != nullptr) write(writer, *condition);
  return std::make_shared<const std::string>(std::move(writer.bytes()));
}

void write(WireWriter& writer, const std::vector<Interval>& intervals) {
  writer.number(intervals.size());
  for (const Interval& interval : intervals) write(writer, interval);
}
[[nodiscard]] std::vector<Interval> read_intervals(WireReader& reader) {
  std::vector<Interval> intervals(reader.number());
  for (Interval& interval : intervals) interval = read_interval(reader);
  return intervals;
}

void write(WireWriter& writer, const RankShare& share) {
  writer.number(static_cast<std::uint64_t>(Order::work));
  writer.number(share.states);
  writer.fixed(std::bit_cast<std::uint64_t>(share.seconds), 8);
  write(writer, share.intervals);
}
[[nodiscard]] RankShare read_share(WireReader& reader) {
  RankShare share;
  share.states = reader.number();
  share.seconds = std::bit_cast<double>(reader.fixed(8));
  share.intervals = read_intervals(reader);
  return share;
}

void write(WireWriter& writer, const RankReport& report) {
  writer.number(report.states);
  write(writer, report.left);
  writer.number(report.found ? 1 : 0);
  if (report.found) write(writer, *report.found);
}
[[nodiscard]] RankReport read_report(WireReader& reader) {
  RankReport report;
  report.states = reader.number();
  report.left = read_intervals(reader);
  if (reader.number() != 0) report.found = read_cut(reader);
  return report;
}

/// A letter, without keeping a core busy until it comes.
[[nodiscard]] Ranks::Letter wait_for_letter(Ranks& ranks) {
  for (auto pause = 20us;; pause = std::min<std::chrono::microseconds>(2 * pause, 500us)) {
    if (auto letter = ranks.poll()) return std::move(*letter);
    std::this_thread::sleep_for(pause);
  }
}

/// What rank 0 does during a visit. Its own share is worked on by other threads, so that letters
/// are answered meanwhile.
class Spreading {
 public:
  Spreading(Ranks& ranks, const Futures& futures, const Condition* condition, const Limits& limits)
      : ranks_(ranks), futures_(futures), condition_(condition), limits_(limits) {
    const auto letter = search_letter(futures.level(), condition);
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
      if (rank != ranks.rank()) ranks.send(rank, letter);
      idle_.push_back(rank);
    }
  }

  [[nodiscard]] SpreadVisit run(const Interval& interval, const Progress& progress,
                                const std::function<bool()>& is_enough) {
    todo_.push_back(interval);
    while (true) {
      const bool goes_on = !found_ && seconds() < limits_.seconds && !(is_enough && is_enough());
      if (goes_on) hand_out();
      if (idle_.size() == ranks_.size()) break;
      take_report();
      tell(progress);
    }
    SpreadVisit visit{visited_, Ending::complete, std::move(found_)};
    if (visit.found) {
      visit.ending = Ending::stopped;
    } else if (!todo_.empty()) {
      visit.ending = Ending::limited;
    }
    return visit;
  }

 private:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - begin_).count();
  }

  void hand_out() {
    while (!idle_.empty() && !todo_.empty() && taken_ < limits_.states) {
      refine();
      const std::size_t to = idle_.back();
      idle_.pop_back();
      give(to, next_share());
    }
  }

  /// Has enough parts for all.
  void refine() {
    if (todo_.size() >= 2 * ranks_.size()) return;
    const auto parts = split(futures_, {todo_.begin(), todo_.end()}, parts_a_rank * ranks_.size(),
                             log_of_few_cuts);
    todo_.assign(parts.begin(), parts.end());
  }

  [[nodiscard]] RankShare next_share() {
    RankShare share;
    const std::size_t count = std::max<std::size_t>(todo_.size() / (2 * ranks_.size()), 1);
    for (; share.intervals.size() < count; todo_.pop_front()) {
      share.intervals.push_back(std::move(todo_.front()));
    }
    const std::uint64_t states = limits_.states - taken_;
    share.states = std::min(states, std::max(states / (2 * ranks_.size()), least_states));
    const double moment = std::clamp(seconds() * moment_share, shortest_moment, longest_moment);
    share.seconds = std::max(std::min(moment, limits_.seconds - seconds()), 0.0);
    return share;
  }

  void give(std::size_t to, RankShare share) {
    taken_ += share.states;
    given_[to] = share.states;
    if (to == ranks_.rank()) {
      own_ = std::async(std::launch::async, [this, mine = std::move(share)]() mutable {
        return work_on(std::move(mine), futures_, condition_, threads_of(ranks_));
      });
      return;
    }
    WireWriter writer;
    write(writer, share);
    send(ranks_, to, writer);
  }

  /// Waits for one that is done.
  void take_report() {
    for (auto pause = 20us;; pause = std::min<std::chrono::microseconds>(2 * pause, 200us)) {
      if (const auto letter = ranks_.poll()) {
        WireReader reader(letter->bytes);
        RankReport report = read_report(reader);
        LIGHTCONE_ASSERT(!reader.failed());
        return take(letter->from, std::move(report));
      }
      if (!own_.valid()) {
        std::this_thread::sleep_for(pause);
      } else if (own_.wait_for(pause) == std::future_status::ready) {
        return take(ranks_.rank(), own_.get());
      }
    }
  }

  void take(std::size_t from, RankReport report) {
    idle_.push_back(from);
    visited_ += report.states;
    taken_ -= given_[from] - report.states;
    for (Interval& interval : report.left) todo_.push_front(std::move(interval));
    if (report.found && (!found_ || *report.found < *found_)) found_ = std::move(report.found);
  }

  void tell(const Progress& progress) {
    if (!progress || Clock::now() - told_ < 100ms) return;
    told_ = Clock::now();
    progress(fmt::format("{} states visited, {:.1f} M/s on {} ranks", visited_,
                         static_cast<double>(visited_) / seconds() / 1e6, ranks_.size()),
             0, 0);
  }

  Ranks& ranks_;
  const Futures& futures_;
  const Condition* condition_;
  const Limits limits_;
  const Clock::time_point begin_ = Clock::now();
  Clock::time_point told_ = begin_;
  std::deque<Interval> todo_;  // nobody works on
  std::vector<std::size_t> idle_;
  std::vector<std::uint64_t> given_ = std::vector<std::uint64_t>(ranks_.size(), 0);
  std::uint64_t taken_ = 0;  // states that were visited or may be, by those who work
  std::uint64_t visited_ = 0;
  std::optional<Cut> found_;
  std::future<RankReport> own_;
};

/// What another rank knows of the search it works for.
class Service {
 public:
  explicit Service(Ranks::Letter letter)
      : letter_(std::move(letter)),
        reader_(std::string_view(letter_.bytes).substr(1)),  // after the order
        level_(read_level(reader_)),
        futures_(level_) {
    if (reader_.number() != 0) condition_ = read_condition(reader_);
    LIGHTCONE_ASSERT(!reader_.failed());
  }

  [[nodiscard]] RankReport work(RankShare share, std::size_t threads) const {
    return work_on(std::move(share), futures_, condition_ ? &*condition_ : nullptr, threads);
  }

 private:
  Ranks::Letter letter_;  // with the condition's texts
  WireReader reader_;
  Level level_;
  Futures futures_;
  std::optional<Condition> condition_;
};

}  // namespace

SpreadVisit spread(Ranks& ranks, const Futures& futures, const Interval& interval,
                   const Condition* condition, const Limits& limits, const Progress& progress,
                   const std::function<bool()>& is_enough) {
  return Spreading(ranks, futures, condition, limits).run(interval, progress, is_enough);
}

int serve(Ranks& ranks) {
  std::unique_ptr<const Service> service;
  while (true) {
    Ranks::Letter letter = wait_for_letter(ranks);
    WireReader reader(letter.bytes);
    const auto order = static_cast<Order>(reader.number());
    if (order == Order::leave) return static_cast<int>(reader.number());
    if (order == Order::search) {
      service.reset();
      service = std::make_unique<const Service>(std::move(letter));
      continue;
    }
    LIGHTCONE_ASSERT(order == Order::work && service != nullptr);
    WireWriter writer;
    write(writer, service->work(read_share(reader), threads_of(ranks)));
    send(ranks, 0, writer);
  }
}

void dismiss(Ranks& ranks, int number) {
  WireWriter writer;
  writer.number(static_cast<std::uint64_t>(Order::leave));
  writer.number(static_cast<std::uint64_t>(number));
  const auto letter = std::make_shared<const std::string>(std::move(writer.bytes()));
  for (std::size_t rank = 1; rank < ranks.size(); ++rank) ranks.send(rank, letter);
}

}  // namespace lightcone
