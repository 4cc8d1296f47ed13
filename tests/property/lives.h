// Live processes that live through a given computation, on any network inside this program.
#pragma once

#include "property/live_replay.h"
#include "property/property_definitions.h"

#include <gtest/gtest.h>
#include <lightcone/causal/computation.h>
#include <lightcone/live/parcel.h>
#include <lightcone/live/process.h>
#include <lightcone/property/compiled.h>
#include <lightcone/property/syntax.h>

#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace lightcone {

/// Whether live processes can do this: one can receive or send in one event, not both.
[[nodiscard]] bool can_be_lived(const Computation& c);

/// Fails unless the traces that were left behind are the computation that was lived.
void expect_same_trace(const Computation& c, const std::string& folder);

/// Fails unless each property was told of where brute force finds it.
void expect_told(const Properties& properties, const Computation& c,
                 const std::map<std::string, std::set<definition::State>>& told);

/// Lets each process of the computation live on a network, wherever `live` is called for it.
template <Network N>
class Lives {
 public:
  Lives(const Computation& c, std::string properties, N& network, std::string folder)
      : c_(c), properties_(std::move(properties)), network_(network), folder_(std::move(folder)) {
    receivers_.resize(c.message_count());
    for (EventIndex e = 0; e < c.event_count(); ++e) {
      for (const MessageIndex m : c.takes(e)) receivers_[m].insert(c.process_of(e));
    }
  }

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

  /// Where each property was told of.
  std::map<std::string, std::set<definition::State>> told() {
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
  std::string properties_;
  N& network_;
  std::string folder_;
  std::vector<std::set<ProcessIndex>> receivers_;
  std::mutex mutex_;
  std::map<std::string, std::set<definition::State>> told_;
  std::atomic<int> errors_ = 0;
};

}  // namespace lightcone
