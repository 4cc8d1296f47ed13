// Live processes on a simulated network: they tell what brute force finds, and leave traces of what
// they did.
#include "model/generators/arbitrary.h"
#include "model/programs/lives.h"
#include "temporary_folder.h"

#include <gtest/gtest.h>
#include <lightcone/live/simulation/simulated_network.h>
#include <lightcone/trace.h>

#include <memory>

namespace lightcone {
namespace {

TEST(SimulationAgreement, LiveProcessesTellWhatBruteForceFinds) {
  for_all_lives("simulated processes", 1000, [](const PlannedLives& plan, std::mt19937_64& random) {
    SimulatedNetwork network({.seed = random(), .fifo = random() % 2 == 0, .duplicate_rate = 0.2});
    Lives lives(plan, network);
    for (ProcessIndex p = 0; p < plan.computation.process_count(); ++p) {
      network.spawn(std::string(plan.computation.process_name(p)), [&, p] { lives.live(p); });
    }
    const SimulationOutcome outcome = network.run();
    if (outcome.end != SimulationOutcome::End::finished) RC_FAIL(outcome.text());
    return lives.told();
  });
}

/// A program that does what its random numbers say, and writes down what it did: for each event of
/// each process, what it received, as the sender and the how manieth event of it that was.
class Wanderers {
 public:
  Wanderers(SimulationOptions options, std::string folder)
      : network_(std::move(options)), folder_(std::move(folder)) {
    for (const char* name : names) {
      network_.spawn(name, [this, name] { wander(name); });
    }
  }
  SimulationOutcome run() { return network_.run(); }
  [[nodiscard]] const std::map<std::string, std::vector<std::string>>& done() const {
    return done_;
  }
  static constexpr const char* names[] = {"a", "b", "c"};

 private:
  void wander(const std::string& name) {
    ProcessOptions options;
    options.name = name;
    if (!folder_.empty()) options.trace = folder_ + "/" + name + ".lct";
    options.on_error = [](const Error& error) { ADD_FAILURE() << error.text(); };
    const auto process = *Process::start(options);
    std::vector<std::string>& done = done_[name];
    for (int step = 0; step < 12; ++step) {
      const std::uint32_t what = network_.random().below(5);
      if (what == 0) {
        process->event();
        done.emplace_back();
      } else if (what <= 2) {
        const std::string to = names[network_.random().below(3)];
        const std::string tag = process->send(to);
        done.emplace_back();
        network_.send(to, {name, std::to_string(done.size()), tag});
      } else {
        receive(*process, what == 3 ? network_.try_receive(name)
                                    : network_.receive_within(std::chrono::milliseconds(2), name));
      }
    }
  }
  void receive(Process& process, const std::optional<Parcel>& parcel) {
    if (!parcel) return;
    process.receive(parcel->tag);
    done_[std::string(process.name())].push_back(parcel->from + parcel->content);
  }

  SimulatedNetwork network_;
  std::string folder_;
  std::map<std::string, std::vector<std::string>> done_;
};

/// What the traces say of the same.
[[nodiscard]] std::map<std::string, std::vector<std::string>> traced(const Computation& c) {
  std::map<std::string, std::vector<std::string>> done;
  for (EventIndex e = 0; e < c.event_count(); ++e) {
    std::string& event = done[std::string(c.process_name(c.process_of(e)))].emplace_back();
    for (const MessageIndex m : c.takes(e)) {
      const EventIndex sent = c.sent_by(m);
      event += std::string(c.process_name(c.process_of(sent))) + std::to_string(c.rank_of(sent));
    }
  }
  return done;
}

TEST(SimulationAgreement, TracesSayWhatRandomProgramsDid) {
  std::set<std::map<std::string, std::vector<std::string>>> different;
  constexpr std::uint64_t programs = 1000 / arbitrary::one_in;
  for (std::uint64_t seed = 0; seed < programs; ++seed) {
    SimulationOptions options = {.seed = seed, .fifo = seed % 2 == 0};
    if (seed % 3 == 0) options.loss_rate = options.duplicate_rate = 0.2;
    if (seed % 5 == 0) options.crashes = {{"b", seed % 8 + 1}};
    const TemporaryFolder folder(TemporaryFolder::in_memory());
    Wanderers first(options, folder.path()), second(options, {});
    const SimulationOutcome outcome = first.run();
    ASSERT_EQ(outcome.end, SimulationOutcome::End::finished) << outcome.text();
    ASSERT_EQ(second.run().text(), outcome.text());
    ASSERT_EQ(first.done(), second.done());
    const auto reading = read_trace(folder.path(), Format::lct);
    ASSERT_TRUE(reading) << reading.error().text();
    auto done = first.done();
    std::erase_if(done, [](const auto& process) { return process.second.empty(); });
    ASSERT_EQ(traced(reading->computation), done) << "seed " << seed;
    different.insert(done);
  }
  EXPECT_GT(different.size(), programs * 9 / 10);
}

}  // namespace
}  // namespace lightcone
