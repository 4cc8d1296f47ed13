// Live processes that live through a given computation, on any network inside this program.
#pragma once

#include "model/definitions/property_definitions.h"
#include "model/programs/live_replay.h"

#include <gtest/gtest.h>
#include <lightcone/computation.h>
#include <lightcone/network.h>
#include <lightcone/process.h>
#include <lightcone/property/automata/compiled.h>
#include <lightcone/property/language/check_names.h>

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace lightcone {

/// Where each property was told of.
using Told = std::map<std::string, std::set<definition::State>>;

/// What processes shall live through.
struct PlannedLives {
  const Computation& computation;
  std::string properties;
  std::string folder;  ///< for the traces that they leave behind
};

/// Lets random computations be lived, with random properties. Fails unless each property was told
/// of where brute force finds it, and the traces are the computation.
void for_all_lives(const std::string& what, int cases,
                   const std::function<Told(const PlannedLives&, std::mt19937_64& random)>& live);

/// Lets each process of the computation live on a network, wherever `live` is called for it.
template <Network N>
class Lives {
 public:
  Lives(const PlannedLives& plan, N& network)
      : c_(plan.computation), plan_(plan), network_(network), receivers_(c_.message_count()) {
    for (EventIndex e = 0; e < c_.event_count(); ++e) {
      for (const MessageIndex m : c_.takes(e)) receivers_[m].insert(c_.process_of(e));
    }
  }

  void live(ProcessIndex p) {
    ProcessOptions options;
    options.name = c_.process_name(p);
    options.properties = plan_.properties;
    options.labels = event_labels(c_);
    options.trace = plan_.folder + "/" + std::to_string(p) + ".lct";
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

  /// Where each property was told of.
  Told told() {
    EXPECT_EQ(errors_, 0);
    return std::move(told_);
  }

 private:
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
  const PlannedLives& plan_;
  N& network_;
  std::vector<std::set<ProcessIndex>> receivers_;
  std::mutex mutex_;
  Told told_;
  std::atomic<int> errors_ = 0;
};

}  // namespace lightcone
