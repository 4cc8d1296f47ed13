// Each process of the computation gets its own riders; all that passes between them is bytes.
#include "property/live_replay.h"

#include <lightcone/causal/timestamps.h>
#include <lightcone/live/watcher.h>
#include <lightcone/property/parser.h>
#include <rapidcheck.h>

#include <memory>

namespace lightcone::live_replay {
namespace {

/// What a row says, kept for the duration of a call.
struct Content {
  std::vector<std::string_view> labels;
  std::vector<std::pair<std::string_view, LiveValue>> variables;

  Content(const Computation& c, Row row) {
    for (const NameIndex label : c.labels(row)) labels.push_back(c.names()[label]);
    for (const Assignment& assignment : c.assignments(row)) {
      const std::string_view name = c.names()[assignment.variable];
      if (const auto* text = std::get_if<NameIndex>(&assignment.value)) {
        variables.emplace_back(name, c.names()[*text]);
      } else if (const auto* truth = std::get_if<bool>(&assignment.value)) {
        variables.emplace_back(name, *truth);
      } else if (const auto* integer = std::get_if<std::int64_t>(&assignment.value)) {
        variables.emplace_back(name, *integer);
      } else {
        variables.emplace_back(name, std::get<double>(assignment.value));
      }
    }
  }
  [[nodiscard]] LiveState state() const {
    return {.labels = std::span(labels), .variables = std::span(variables)};
  }
};

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
    process.clocks = options.clocks;
    for (ProcessIndex p = 0; p < c.process_count(); ++p) {
      process.name = c.process_name(p);
      auto parsed = parse_properties(properties, "random");
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
    return peers.name(*peers.find_or_add(Peers::hash_of(name)));
  }

  [[nodiscard]] std::vector<std::string_view> receivers(MessageIndex m) const {
    if (!options_.receivers_known) return {};
    return {takers_[m].begin(), takers_[m].end()};
  }

  void collect(ProcessIndex p, Rank rank) {
    for (const Detection& detection : watchers_[p]->detections()) {
      detected_.told[detection.property].insert({p, rank});
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

}  // namespace lightcone::live_replay
