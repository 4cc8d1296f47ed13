// Worker 0 keeps what is still to be visited, and gives it to workers that have nothing to do.
#include <lightcone/lattice/workers/visit_on_workers.h>

#include <lightcone/error.h>
#include <lightcone/lattice/visit/parallel_visit.h>
#include <lightcone/lattice/workers/lattice_wire.h>
#include <lightcone/lattice/workers/worker_post.h>
#include <lightcone/lattice/workers/worker_share.h>

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <future>

namespace lightcone {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr double shortest_moment = 0.005, longest_moment = 0.25;  // seconds
constexpr double moment_share = 1.0 / 32;                         // of the time so far
constexpr std::size_t parts_per_worker = 16;  // to begin with, and whenever they run out
constexpr std::uint64_t least_states = 64;

/// What worker 0 does during a visit. Its own share is worked on by other threads, so that letters
/// are answered meanwhile.
class VisitLeader {
 public:
  VisitLeader(Workers& workers, const Futures& futures, const Condition* condition,
              const Limits& limits)
      : workers_(workers),
        post_(workers),
        futures_(futures),
        condition_(condition),
        limits_(limits) {
    WireWriter writer = begin_letter(LetterKind::search);
    write(writer, futures.level());
    writer.number(condition != nullptr ? 1 : 0);
    if (condition != nullptr) write(writer, *condition);
    post_.send_to_others(finished(writer));
    for (std::size_t worker = 0; worker < workers.size(); ++worker) idle_.push_back(worker);
  }

  [[nodiscard]] WorkersVisit run(const Interval& interval, const Progress& progress,
                                 const std::function<bool()>& is_enough) {
    todo_.push_back(interval);
    bool goes_on = true;
    while (true) {
      goes_on = goes_on && !found_ && seconds() < limits_.seconds && !(is_enough && is_enough());
      if (goes_on) hand_out();
      if (idle_.size() == workers_.size()) break;
      take_report();
      tell(progress);
    }
    WorkersVisit visit{visited_, Ending::complete, std::move(found_)};
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
    if (todo_.size() >= 2 * workers_.size()) return;
    const auto parts = split(futures_, {todo_.begin(), todo_.end()},
                             parts_per_worker * workers_.size(), log_of_few_cuts);
    todo_.assign(parts.begin(), parts.end());
  }

  [[nodiscard]] WorkerShare next_share() {
    WorkerShare share;
    const std::size_t count = std::max<std::size_t>(todo_.size() / (2 * workers_.size()), 1);
    for (; share.intervals.size() < count; todo_.pop_front()) {
      share.intervals.push_back(std::move(todo_.front()));
    }
    const std::uint64_t states = limits_.states - taken_;
    share.states = std::min(states, std::max(states / (2 * workers_.size()), least_states));
    const double moment = std::clamp(seconds() * moment_share, shortest_moment, longest_moment);
    share.seconds = std::max(std::min(moment, limits_.seconds - seconds()), 0.0);
    return share;
  }

  void give(std::size_t to, WorkerShare share) {
    taken_ += share.states;
    given_[to] = share.states;
    if (to == workers_.number()) {
      own_ = std::async(std::launch::async, [this, mine = std::move(share)]() mutable {
        return work_on(std::move(mine), futures_, condition_, threads_of(workers_));
      });
      return;
    }
    WireWriter writer = begin_letter(LetterKind::share);
    write(writer, share);
    workers_.send(to, finished(writer));
  }

  /// Waits for one that is done.
  void take_report() {
    for (auto pause = 20us;; pause = std::min<std::chrono::microseconds>(2 * pause, 200us)) {
      const auto is_report = [](LetterKind kind) { return kind == LetterKind::report; };
      if (const auto letter = post_.poll(is_report)) {
        WireReader reader = content_of(*letter);
        WorkerReport report = read_report(reader);
        LIGHTCONE_ASSERT(!reader.failed());
        return take(letter->from, std::move(report));
      }
      if (!own_.valid()) {
        std::this_thread::sleep_for(pause);
      } else if (own_.wait_for(pause) == std::future_status::ready) {
        return take(workers_.number(), own_.get());
      }
    }
  }

  void take(std::size_t from, WorkerReport report) {
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
                         static_cast<double>(visited_) / seconds() / 1e6, workers_.size()),
             0, 0);
  }

  Workers& workers_;
  WorkerPost post_;
  const Futures& futures_;
  const Condition* condition_;
  const Limits limits_;
  const Clock::time_point begin_ = Clock::now();
  Clock::time_point told_ = begin_;
  std::deque<Interval> todo_;  // not in work
  std::vector<std::size_t> idle_;
  std::vector<std::uint64_t> given_ = std::vector<std::uint64_t>(workers_.size(), 0);
  std::uint64_t taken_ = 0;  // states that were visited or may be, by those who work
  std::uint64_t visited_ = 0;
  std::optional<Cut> found_;
  std::future<WorkerReport> own_;
};

}  // namespace

WorkersVisit visit_on_workers(Workers& workers, const Futures& futures, const Interval& interval,
                              const Condition* condition, const Limits& limits,
                              const Progress& progress, const std::function<bool()>& is_enough) {
  return VisitLeader(workers, futures, condition, limits).run(interval, progress, is_enough);
}

}  // namespace lightcone
