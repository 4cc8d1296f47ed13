// Each process of the computation gets its own riders; all that passes between them is bytes.
#include "model/programs/live_replay.h"

#include <lightcone/causal/order/timestamps.h>
#include <lightcone/live/watch/watcher.h>
#include <lightcone/property/language/check_names.h>
#include <lightcone/property/language/parser.h>
#include <rapidcheck.h>

#include <memory>

namespace lightcone::live_replay {
namespace {

class Replay {
 public:
  Replay(const Computation& c, const std::string& properties, const Options& options)
      : c_(c), options_(options), tags_(c.message_count()), takers_(c.message_count()) {
    for (EventIndex e = 0; e < c.event_count(); ++e) {
      for (const MessageIndex m : c.takes(e)) {
        takers_[m].insert(std::string(c.process_name(c.process_of(e))));
      }
    }
    ProcessOptions process;
    for (ProcessIndex p = 0; p < options.members; ++p) {
      process.members.emplace_back(c.process_name(p));
    }
    process.labels = event_labels(c);
    process.clocks = options.clocks;
    process.channels = options.fifo ? Channels::fifo : Channels::any;
    for (ProcessIndex p = 0; p < c.process_count(); ++p) {
      process.name = c.process_name(p);
      auto parsed = parse_property_syntax(properties, "random");
      auto compiled = CompiledProperties::compile(std::move(*parsed), event_labels(c));
      for (const Undecided& property : compiled.undecided()) {
        detected_.undecided.insert(compiled.source().properties[property.property].name);
      }
      watchers_.push_back(std::make_unique<Watcher>(std::move(compiled), 7, process));
      const Content content(c, c.initial_row(p));
      watchers_[p]->start(content.state());
      collect(p, 0);
    }
  }

  void step(EventIndex e) {
    const ProcessIndex p = c_.process_of(e);
    Watcher& watcher = *watchers_[p];
    const Content content(c_, e);
    const bool sends = c_.sends(e) != none;
    if (c_.kind(e) == Kind::receive) {
      std::vector<Envelope> envelopes;
      for (const MessageIndex m : c_.takes(e)) {
        auto envelope = watcher.open(tags_[m]);
        if (!envelope) RC_FAIL("refused: " + envelope.error().text());
        envelopes.push_back(std::move(*envelope));
      }
      watcher.receive(envelopes, content.state(), sends);
    } else {
      watcher.event(sends ? Kind::send : c_.kind(e), content.state());
    }
    if (sends) tags_[c_.sends(e)] = watcher.send(receivers(c_.sends(e)), c_.sends(e));
    collect(p, c_.rank_of(e));
  }

  void compare_clock(EventIndex e, const Timestamps& timestamps) const {
    const Watcher& watcher = *watchers_[c_.process_of(e)];
    std::map<std::string, std::uint32_t> clock;
    for (std::uint32_t k = 0; k < watcher.clock().size(); ++k) {
      clock[watcher.peer_name(k)] = watcher.clock()[k];
    }
    for (ProcessIndex p = 0; p < c_.process_count(); ++p) {
      // A process that has only been heard of by hash has that for a name.
      std::uint32_t known = clock[std::string(c_.process_name(p))];
      if (known == 0) known = clock[hash_name(c_.process_name(p))];
      if (known != timestamps.at(e, p)) RC_FAIL("a clock is not the event's timestamp");
    }
  }

  [[nodiscard]] Detected& detected() { return detected_; }

 private:
  [[nodiscard]] static std::string hash_name(std::string_view name) {
    Peers peers({});
    return peers.name(*peers.find_or_add(Peers::hash_of(name), 0));
  }

  [[nodiscard]] std::vector<std::string_view> receivers(MessageIndex m) const {
    if (!options_.receivers_known && !options_.fifo) return {};
    return {takers_[m].begin(), takers_[m].end()};
  }

  void collect(ProcessIndex p, Rank rank) {
    for (const Detection& detection : watchers_[p]->detections()) {
      detected_.told[detection.property].insert({p, rank});
      if (detection.each.empty()) continue;
      detected_.told_of_values[{detection.property, detection.value}].insert({p, rank});
    }
    watchers_[p]->detections().clear();
  }

  const Computation& c_;
  Options options_;
  std::vector<std::unique_ptr<Watcher>> watchers_;
  std::vector<std::string> tags_;
  std::vector<std::set<std::string>> takers_;
  Detected detected_;
};

}  // namespace

Detected replay(const Computation& c, const std::string& properties,
                std::span<const EventIndex> order, const Options& options) {
  Replay replay(c, properties, options);
  const Timestamps timestamps = lightcone::timestamps(c);
  for (const EventIndex e : order) {
    replay.step(e);
    if (options.clocks) replay.compare_clock(e, timestamps);
  }
  return std::move(replay.detected());
}

std::set<definition::State> places_told(const definition::Answer& answer, Verb verb) {
  if (verb != Verb::require) return {answer.found.begin(), answer.found.end()};
  std::set<definition::State> missing(answer.asked.begin(), answer.asked.end());
  for (const definition::State& state : answer.found) missing.erase(state);
  return missing;
}

bool is_fifo(const Computation& c) {
  std::vector<ProcessIndex> receiver(c.message_count(), none);
  for (EventIndex e = 0; e < c.event_count(); ++e) {
    for (const MessageIndex m : c.takes(e)) {
      if (receiver[m] != none) return false;
      receiver[m] = c.process_of(e);
    }
  }
  std::map<std::pair<ProcessIndex, ProcessIndex>, std::vector<MessageIndex>> sent, taken;
  for (EventIndex e = 0; e < c.event_count(); ++e) {
    const ProcessIndex p = c.process_of(e);
    const MessageIndex m = c.sends(e);
    if (m != none && receiver[m] != none) sent[{p, receiver[m]}].push_back(m);
    for (const MessageIndex t : c.takes(e)) taken[{c.process_of(c.sent_by(t)), p}].push_back(t);
  }
  return sent == taken;
}

}  // namespace lightcone::live_replay
