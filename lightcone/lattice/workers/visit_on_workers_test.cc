// Visits spread over workers against those of one: the same states, each once, on random
// computations.
#include <lightcone/lattice/workers/visit_on_workers.h>

#include <gtest/gtest.h>
#include <lightcone/causal/random/random_computation.h>
#include <lightcone/lattice/count/count.h>
#include <lightcone/lattice/visit/enumeration.h>
#include <lightcone/lattice/workers/avoidance_on_workers.h>
#include <lightcone/lattice/workers/lattice_wire.h>
#include <lightcone/lattice/workers/worker_service.h>
#include <lightcone/lattice/workers/worker_share.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

#include "model/generators/arbitrary.h"
#include "model/generators/arbitrary_globals.h"
#include "model/generators/arbitrary_levels.h"

namespace lightcone {
namespace {

/// Workers that are threads.
class ThreadWorkers {
 public:
  explicit ThreadWorkers(std::size_t size) : boxes_(size) {
    for (std::size_t worker = 0; worker < size; ++worker)
      ends_.push_back(std::make_unique<End>(*this, worker));
    for (std::size_t worker = 1; worker < size; ++worker) {
      servants_.emplace_back([this, worker] { EXPECT_EQ(serve(*ends_[worker]), 7); });
    }
  }
  ThreadWorkers(const ThreadWorkers&) = delete;
  ThreadWorkers& operator=(const ThreadWorkers&) = delete;
  ~ThreadWorkers() { dismiss(*ends_[0], 7); }

  [[nodiscard]] Workers& first() { return *ends_[0]; }

 private:
  struct Box {
    std::mutex lock;
    std::deque<Workers::Letter> letters;
  };

  class End final : public Workers {
   public:
    End(ThreadWorkers& all, std::size_t worker) : all_(all), number_(worker) {}
    [[nodiscard]] std::size_t number() const override { return number_; }
    [[nodiscard]] std::size_t size() const override { return all_.boxes_.size(); }
    [[nodiscard]] std::size_t neighbours() const override { return size(); }
    void send(std::size_t to, std::shared_ptr<const std::string> bytes) override {
      const std::lock_guard lock(all_.boxes_[to].lock);
      all_.boxes_[to].letters.push_back({number_, *bytes});
    }
    [[nodiscard]] std::optional<Letter> poll() override {
      Box& box = all_.boxes_[number_];
      const std::lock_guard lock(box.lock);
      if (box.letters.empty()) return std::nullopt;
      Letter letter = std::move(box.letters.front());
      box.letters.pop_front();
      return letter;
    }

   private:
    ThreadWorkers& all_;
    std::size_t number_;
  };

  std::vector<Box> boxes_;
  std::vector<std::unique_ptr<End>> ends_;
  std::vector<std::jthread> servants_;
};

[[nodiscard]] Selection all_events(const Computation& computation) {
  return {computation, [](EventIndex) { return true; }};
}

[[nodiscard]] std::vector<Cut> first_cuts(const Futures& futures, const Interval& interval,
                                          std::size_t most) {
  std::vector<Cut> cuts;
  (void)for_each_cut(futures, interval, [&](std::span<const Rank> cut) {
    cuts.emplace_back(cut.begin(), cut.end());
    return cuts.size() < most;
  });
  return cuts;
}

TEST(RestOfAnInterval, HasWhatWasNotVisited) {
  arbitrary::for_all_computations("the rest", 300, [](const Computation& computation) {
    const Level level(computation, all_events(computation));
    const Futures futures(level);
    const Interval all = all_of(level);
    const auto cuts = first_cuts(futures, all, 400);
    if (cuts.size() == 400) return;
    const std::size_t at = *rc::gen::inRange<std::size_t>(0, cuts.size());
    std::vector<Cut> rest;
    for (const Interval& part : rest_of(futures, all, cuts[at])) {
      for (Cut& cut : first_cuts(futures, part, SIZE_MAX)) rest.push_back(std::move(cut));
    }
    std::sort(rest.begin(), rest.end());
    RC_ASSERT(rest == std::vector<Cut>(cuts.begin() + static_cast<std::ptrdiff_t>(at), cuts.end()));
  });
}

TEST(WorkerShares, LeaveExactlyWhatTheyDidNotVisit) {
  arbitrary::for_all_computations("shares", 200, [](const Computation& computation) {
    const Level level(computation, all_events(computation));
    const Futures futures(level);
    const std::uint64_t most = *rc::gen::inRange<std::uint64_t>(1, 3000);
    std::vector<Interval> left{all_of(level)};
    std::uint64_t visited = 0;
    for (int i = 0; i < 20 && !left.empty(); ++i) {
      WorkerReport report = work_on({std::move(left), most, 60}, futures, nullptr, 1 + i % 3);
      RC_ASSERT(report.states == most || report.left.empty());
      visited += report.states;
      left = std::move(report.left);
    }
    const Count all = count_cuts(futures, all_of(level));
    for (const Interval& part : left) visited += *count_cuts(futures, part).number;
    RC_ASSERT(all.number == visited);
  });
}

TEST(VisitLeader, CountsTheSameOnAnyNumberOfWorkers) {
  for (const std::size_t size : {2, 5}) {
    ThreadWorkers workers(size);
    arbitrary::for_all_computations("spread counts", 150, [&](const Computation& computation) {
      const Level level(computation, all_events(computation));
      const Futures futures(level);
      const Count count = count_cuts(futures, all_of(level), {.states = 1'000'000});
      if (!count.number || *count.number > 300'000) return;
      const WorkersVisit visit =
          visit_on_workers(workers.first(), futures, all_of(level), nullptr, {});
      RC_ASSERT(visit.ending == Ending::complete);
      RC_ASSERT(visit.states == *count.number);
      const std::uint64_t fewer = *rc::gen::inRange<std::uint64_t>(1, *count.number + 2);
      const WorkersVisit some =
          visit_on_workers(workers.first(), futures, all_of(level), nullptr, {.states = fewer});
      RC_ASSERT(some.states == std::min(fewer, *count.number));
      RC_ASSERT((some.ending == Ending::complete) == (fewer >= *count.number));
    });
  }
}

TEST(VisitLeader, FindsAStateWhereThereIsOne) {
  ThreadWorkers workers(3);
  arbitrary::for_all_computations("spread searches", 300, [&](const Computation& computation) {
    std::mt19937_64 random(computation.event_count());
    const Level level(computation, arbitrary::few_events(computation, 12, random));
    const Level slice = arbitrary::random_slice(level, random);
    for (const Level* each : {&level, &slice}) {
      const Level& it = *each;
      const Condition condition = arbitrary::random_condition(it, random);
      const auto cuts = arbitrary::all_cuts(it);
      const bool exists = std::any_of(cuts.begin(), cuts.end(),
                                      [&](const Cut& cut) { return condition.holds(cut); });
      const WorkersVisit visit = visit_on_workers(workers.first(), Futures(it), all_of(it),
                                                  &condition, {.states = cuts.size()});
      RC_ASSERT(visit.found.has_value() == exists);
      RC_ASSERT((visit.ending == Ending::complete) == !exists);
      RC_ASSERT(exists || visit.states == cuts.size());
      if (!exists) continue;
      RC_ASSERT(is_consistent(it, *visit.found));
      RC_ASSERT(condition.holds(*visit.found));
    }
  });
}

TEST(VisitLeader, EndsWhenItIsEnoughOrTooLong) {
  ThreadWorkers workers(2);
  RandomShape shape;
  shape.processes = 12;
  shape.events = 400;
  shape.message_rate = 0.1;
  const Computation computation = *random_computation(shape);
  const Level level(computation, all_events(computation));
  const Futures futures(level);
  const WorkersVisit late =
      visit_on_workers(workers.first(), futures, all_of(level), nullptr, {.seconds = 0.05});
  EXPECT_EQ(late.ending, Ending::limited);
  EXPECT_GT(late.states, 1000U);
  int asked = 0;
  const WorkersVisit enough = visit_on_workers(workers.first(), futures, all_of(level), nullptr, {},
                                               {}, [&] { return ++asked == 5; });
  EXPECT_EQ(enough.ending, Ending::limited);
}

TEST(AvoidanceOnWorkers, IsThatOfOne) {
  ThreadWorkers workers(3);
  arbitrary::for_all_computations("avoidance on workers", 300, [&](const Computation& computation) {
    std::mt19937_64 random(computation.event_count());
    const Level level(computation, arbitrary::few_events(computation, 10, random));
    const Condition condition = arbitrary::random_condition(level, random);
    if (condition.holds(level.bottom()) || condition.holds(level.top())) return;
    Budget one({}), all({});
    const Avoidance expected = avoid_by_level(level, condition, one);
    const Avoidance found = avoid_on_workers(workers.first(), level, condition, all);
    RC_ASSERT(found.exists == expected.exists);
    RC_ASSERT(found.steps == expected.steps);
    RC_ASSERT(all.states() == one.states());
    Budget too_few({.states = one.states() - 1});
    RC_ASSERT(!avoid_on_workers(workers.first(), level, condition, too_few).exists);
    RC_ASSERT(too_few.what_was_hit() == "states");
    Budget no_room({.bytes = 1000});
    const Avoidance without_way = avoid_on_workers(workers.first(), level, condition, no_room);
    RC_ASSERT(without_way.exists == expected.exists || no_room.what_was_hit() == "memory");
  });
}

TEST(LatticeWire, KeepsWhatHolds) {
  arbitrary::for_all_globals(
      "conditions as bytes", 300, [](const Computation& computation, const Properties& properties) {
        for (const Property& property : properties.properties) {
          const auto* global = std::get_if<Global>(&property.question);
          if (global == nullptr) continue;
          const GlobalPredicate predicate(computation, properties, global->expression);
          Question question = coarsened(condition_of(predicate), predicate.relevant(), computation);
          const Level level(computation, question.relevant);
          place_on(level, question.condition);
          WireWriter writer;
          write(writer, level);
          write(writer, question.condition);
          WireReader reader(writer.bytes());
          const Level same = read_level(reader);
          const Condition condition = read_condition(reader);
          RC_ASSERT(!reader.failed() && reader.left() == 0);
          const auto cuts = first_cuts(Futures(level), all_of(level), 200);
          RC_ASSERT(cuts == first_cuts(Futures(same), all_of(same), 200));
          for (const Cut& cut : cuts)
            RC_ASSERT(condition.holds(cut) == question.condition.holds(cut));
        }
      });
}

}  // namespace
}  // namespace lightcone
