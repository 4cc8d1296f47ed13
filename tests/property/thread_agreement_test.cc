// Live processes in threads, over an unruly network, tell what brute force finds.
#include "property/arbitrary.h"
#include "property/arbitrary_properties.h"
#include "property/live_replay.h"
#include "property/property_definitions.h"
#include "temporary_folder.h"

#include <gtest/gtest.h>
#include <lightcone/live/process.h>
#include <lightcone/live/thread_network.h>
#include <lightcone/property/compiled.h>
#include <lightcone/property/parser.h>
#include <lightcone/trace/trace.h>

#include <atomic>
#include <mutex>
#include <set>
#include <thread>

namespace lightcone {
namespace {

using definition::State;

/// A process can receive or send in one event, not both.
[[nodiscard]] bool can_be_lived(const Computation& c) {
  for (EventIndex e = 0; e < c.event_count(); ++e) {
    if (c.sends(e) != none && c.kind(e) != Kind::send) return false;
  }
  return true;
}

/// Lets each process of the computation live in a thread of its own.
class Lives {
 public:
  Lives(const Computation& c, std::string properties, std::uint64_t seed, std::string folder)
      : c_(c), properties_(std::move(properties)), network_(seed), folder_(std::move(folder)) {
    receivers_.resize(c.message_count());
    for (EventIndex e = 0; e < c.event_count(); ++e) {
      for (const MessageIndex m : c.takes(e)) receivers_[m].insert(c.process_of(e));
    }
  }

  std::map<std::string, std::set<State>> run() {
    std::vector<std::jthread> threads;
    for (ProcessIndex p = 0; p < c_.process_count(); ++p)
      threads.emplace_back([this, p] { live(p); });
    threads.clear();
    EXPECT_EQ(errors_, 0);
    return std::move(told_);
  }

 private:
  void live(ProcessIndex p) {
    ProcessOptions options;
    options.name = c_.process_name(p);
    options.properties = properties_;
    options.labels = event_labels(c_);
    options.trace = folder_ + "/" + std::to_string(p) + ".lct";
    for (ProcessIndex q = 0; q < c_.process_count() / 2; ++q) {
      options.members.emplace_back(c_.process_name(q));
    }
    options.on_error = [&](const Error&) { ++errors_; };
    options.on_detection = [&, p](const Detection& detection) {
      const std::lock_guard lock(mutex_);
      told_[detection.property].insert({p, static_cast<Rank>(detection.event)});
    };
    const live_replay::Content initial(c_, c_.initial_row(p));
    auto process = Process::start(options, initial.state());
    ASSERT_TRUE(process) << process.error().text();
    std::map<MessageIndex, std::string> tags;  // of what has arrived
    for (EventIndex e = c_.first_event(p); e < c_.end_event(p); ++e) step(**process, e, tags);
  }

  void step(Process& process, EventIndex e, std::map<MessageIndex, std::string>& tags) {
    const live_replay::Content content(c_, e);
    if (c_.kind(e) == Kind::internal) return process.event(content.state());
    if (c_.kind(e) == Kind::send) return send(process, e, content);
    std::vector<std::string_view> taken;
    for (const MessageIndex m : c_.takes(e)) {
      while (!tags.contains(m)) {
        const auto parcel = network_.receive(process.name());
        tags[static_cast<MessageIndex>(std::stoul(parcel->content))] = parcel->tag;
      }
      taken.push_back(tags[m]);
    }
    process.receive(taken, content.state());
  }

  void send(Process& process, EventIndex e, const live_replay::Content& content) {
    const MessageIndex m = c_.sends(e);
    std::vector<std::string_view> to;
    for (const ProcessIndex q : receivers_[m]) to.push_back(c_.process_name(q));
    const std::string tag = process.send(to, content.state());
    for (const std::string_view receiver : to) {
      network_.send(receiver, {std::string(process.name()), std::to_string(m), tag});
    }
  }

  const Computation& c_;
  std::string properties_;
  ThreadNetwork network_;
  std::string folder_;
  std::vector<std::set<ProcessIndex>> receivers_;
  std::mutex mutex_;
  std::map<std::string, std::set<State>> told_;
  std::atomic<int> errors_ = 0;
};

/// The traces that were left behind are the computation that was lived.
void expect_same_trace(const Computation& c, const std::string& folder) {
  const auto reading = read_trace(folder, Format::lct);
  if (!reading) RC_FAIL(reading.error().text());
  const Computation& lived = reading->computation;
  RC_ASSERT(lived.event_count() == c.event_count());
  RC_ASSERT(lived.edge_count() == c.edge_count());
  for (ProcessIndex p = 0; p < c.process_count(); ++p) {
    const auto q = lived.find_process(c.process_name(p));
    RC_ASSERT(q.has_value());
    RC_ASSERT(lived.last_rank(*q) == c.last_rank(p));
    for (Rank k = 1; k <= c.last_rank(p); ++k) {
      RC_ASSERT(lived.kind(lived.event(*q, k)) == c.kind(c.event(p, k)));
      RC_ASSERT(lived.takes(lived.event(*q, k)).size() == c.takes(c.event(p, k)).size());
    }
  }
}

TEST(ThreadAgreement, LiveProcessesTellWhatBruteForceFinds) {
  int lived = 0;
  arbitrary::for_all_computations("processes in threads", 1000, [&](const Computation& c) {
    if (!can_be_lived(c)) return;
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    const std::string text = random_properties(random, arbitrary::property_options(c));
    const auto properties = parse_properties(text, "random");
    RC_ASSERT(properties.has_value());
    if (!CompiledProperties::compile(*properties, event_labels(c)).undecided().empty()) return;
    ++lived;
    const TemporaryFolder folder;
    const auto told = Lives(c, text, random(), folder.path()).run();
    for (const Property& property : properties->properties) {
      const auto expected = definition::answer(*properties, property, c);
      if (!expected) continue;
      const auto found = told.find(property.name);
      const std::set<State> places = found == told.end() ? std::set<State>() : found->second;
      if (places != live_replay::places_told(*expected, property.verb))
        RC_FAIL(property.name + "\n" + text);
    }
    expect_same_trace(c, folder.path());
  });
  EXPECT_GT(lived, 100 / arbitrary::one_in);
}

}  // namespace
}  // namespace lightcone
