// Playing scripts: a simulation that decides nothing by itself.
#include "model/generators/arbitrary.h"

#include <gtest/gtest.h>
#include <lightcone/causal/builder.h>
#include <lightcone/trace.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <random>

namespace lightcone::arbitrary {
namespace {

struct PlannedEvent {
  Kind kind = Kind::internal;
  std::vector<std::string> takes;
  std::string sends;
  bool duplicate = false;
  std::uint8_t choice = 0, decoration = 0;
};

struct PlannedMessage {
  std::string name;
  int receiver;  // -1: anyone
  std::vector<bool> received_by;
};

/// Names of every shape that split_name knows.
std::string message_name(std::size_t index, std::uint8_t choice) {
  const std::string number = std::to_string(index);
  switch (choice % 6) {
    case 0: return "x00" + number;
    case 1: return number + "-é";
    case 2: return "12345678901234567890" + number;
    case 3: return number;
    default: return "m" + number;
  }
}

class Simulation {
 public:
  explicit Simulation(const Script& script)
      : processes_(script.processes), events_(script.processes) {}

  void step(const Script::Step& step) {
    const std::size_t p = step.process % processes_;
    PlannedEvent event;
    event.choice = step.choice;
    event.decoration = step.decoration;
    switch (step.action % 8) {
      case 0:
      case 1: break;
      case 2:
      case 3:
        event.kind = Kind::send;
        event.sends = send(p, step.choice);
        break;
      case 6: redeliver(p, step.choice, event); break;
      default:
        receive(p, step.choice, event);
        if (step.action % 8 == 7 && event.kind == Kind::receive) {
          event.sends = send(p, step.choice);
        }
    }
    order_.push_back(p);
    events_[p].push_back(std::move(event));
  }

  /// The events with, for each line of the trace, the process whose next event it is.
  std::vector<std::vector<PlannedEvent>> events() && { return std::move(events_); }
  [[nodiscard]] const std::vector<std::size_t>& order() const { return order_; }

 private:
  std::string send(std::size_t from, std::uint8_t choice) {
    const int to = choice % 7 == 0 ? -1 : static_cast<int>((from + choice) % processes_);
    messages_.push_back(
        {message_name(messages_.size(), choice), to, std::vector<bool>(processes_, false)});
    return messages_.back().name;
  }

  void receive(std::size_t p, std::uint8_t choice, PlannedEvent& event) {
    for (int batch = choice % 5 == 0 ? 2 : 1; batch > 0; --batch) {
      std::vector<PlannedMessage*> waiting;
      for (PlannedMessage& message : messages_) {
        const bool for_us = message.receiver < 0 || message.receiver == static_cast<int>(p);
        if (for_us && !message.received_by[p]) waiting.push_back(&message);
      }
      if (waiting.empty()) return;
      PlannedMessage& taken = *waiting[choice % waiting.size()];
      taken.received_by[p] = true;
      event.kind = Kind::receive;
      event.takes.push_back(taken.name);
    }
  }

  void redeliver(std::size_t p, std::uint8_t choice, PlannedEvent& event) {
    std::vector<PlannedMessage*> known;
    for (PlannedMessage& message : messages_) {
      if (message.received_by[p]) known.push_back(&message);
    }
    if (known.empty()) return;
    event.kind = Kind::receive;
    event.duplicate = true;
    event.takes.push_back(known[choice % known.size()]->name);
  }

  std::size_t processes_;
  std::vector<std::vector<PlannedEvent>> events_;
  std::vector<std::size_t> order_;
  std::vector<PlannedMessage> messages_;
};

/// What the lower half of a decoration makes an event or initial state carry.
constexpr std::array<std::array<const char*, 3>, 16> label_sets{{{},
                                                                 {},
                                                                 {},
                                                                 {},
                                                                 {},
                                                                 {"a"},
                                                                 {"b"},
                                                                 {"c"},
                                                                 {"d-1"},
                                                                 {"a", "b"},
                                                                 {"b", "c"},
                                                                 {"a", "c"},
                                                                 {"a", "b", "c"},
                                                                 {"a"},
                                                                 {"b"},
                                                                 {"d-1", "a"}}};

/// What the upper half of a decoration says beside labels.
void say_more(Builder& builder, std::uint8_t decoration, std::uint8_t choice) {
  const auto assign = [&](const char* variable, Value value) {
    builder.assign(builder.name(variable), value);
  };
  switch (decoration >> 4) {
    case 1: return assign("x", std::int64_t{decoration} - 20);
    case 2: return assign("x", std::int64_t{choice % 2 == 0 ? INT64_MIN : INT64_MAX});
    case 3: return assign("y\n", decoration / 8.0);
    case 4: return assign("flag", choice % 2 == 0);
    case 5: return assign("name", builder.name("\"quoted\" \\ ü"));
    case 6:
      builder.set_digest(0x0123456789abcdefU + choice);
      return builder.set_time(decoration / 3.0);
    case 7: return builder.set_text(builder.name("some text\twith a tab"));
    case 8: return builder.set_source(builder.name("main.cc:12"));
    case 9: return builder.set_extra(builder.name(R"("k": [1, {"z": null}], "l": 1e-7)"));
    case 10: return assign("x", std::int64_t{choice % 4});
    case 11: return assign("y", choice % 16 / 4.0);
    case 12: return assign("name", builder.name(choice % 2 == 0 ? "ann" : ""));
    case 13: return assign("y", std::int64_t{choice % 3} - 1);
    case 14: return assign("x", builder.name("ann"));
    case 15: assign("x", std::int64_t{choice % 3}); return assign("flag", choice % 2 == 0);
    default: return;
  }
}

void decorate(Builder& builder, ProcessIndex, std::uint8_t decoration, std::uint8_t choice) {
  std::vector<NameIndex> labels;
  for (const char* label : label_sets[decoration % label_sets.size()]) {
    if (label != nullptr) labels.push_back(builder.name(label));
  }
  if (!labels.empty()) builder.set_labels(builder.name_set(labels));
  say_more(builder, decoration, choice);
}

/// Describes the initial states that have a decoration.
void add_starts(Builder& builder, const Script& script, const Decorate& decorated) {
  const std::size_t described = std::min<std::size_t>(script.processes, script.starts.size());
  for (std::size_t p = 0; p < described; ++p) {
    if (script.starts[p] == 0) continue;
    Arrival arrival;
    arrival.process = static_cast<ProcessIndex>(p);
    arrival.kind = Kind::initial;
    builder.add(arrival);
    decorated(builder, arrival.process, script.starts[p],
              static_cast<std::uint8_t>(script.starts[p] / 2));
  }
}

}  // namespace

rc::Gen<Script> script(std::size_t most_steps) {
  // RapidCheck's ranges grow with its size; only the number of steps is meant to.
  const auto whole = [](auto generator) { return rc::gen::resize(rc::kNominalSize, generator); };
  const auto byte = whole(rc::gen::arbitrary<std::uint8_t>());
  const auto step = rc::gen::build<Script::Step>(
      rc::gen::set(&Script::Step::process, byte), rc::gen::set(&Script::Step::action, byte),
      rc::gen::set(&Script::Step::choice, byte), rc::gen::set(&Script::Step::decoration, byte));
  const auto steps =
      rc::gen::mapcat(rc::gen::inRange<std::size_t>(0, most_steps + 1), [=](std::size_t count) {
        return rc::gen::container<std::vector<Script::Step>>(count, step);
      });
  return rc::gen::build<Script>(
      rc::gen::set(&Script::processes, whole(rc::gen::inRange<std::uint8_t>(1, 6))),
      rc::gen::set(&Script::steps, steps),
      rc::gen::set(&Script::starts, rc::gen::container<std::vector<std::uint8_t>>(5, byte)),
      rc::gen::set(&Script::shuffle, whole(rc::gen::inRange<std::uint64_t>(0, 8))));
}

Computation play(const Script& script) { return play(script, decorate); }

Computation play(const Script& script, const Decorate& decorated) {
  Simulation simulation(script);
  for (const Script::Step& step : script.steps) simulation.step(step);
  std::vector<std::size_t> order = simulation.order();
  const auto events = std::move(simulation).events();
  if (script.shuffle != 0) {
    std::mt19937_64 random(script.shuffle);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  }
  Builder builder("script");
  for (std::size_t p = 0; p < script.processes; ++p) {
    builder.process("p" + std::to_string(p + 1));
  }
  add_starts(builder, script, decorated);
  std::vector<std::size_t> next(script.processes, 0);
  std::uint32_t line = 0;
  std::vector<MessageIndex> takes;
  for (const std::size_t p : order) {
    const PlannedEvent& event = events[p][next[p]++];
    Arrival arrival;
    arrival.process = static_cast<ProcessIndex>(p);
    arrival.kind = event.kind;
    arrival.line = ++line;
    arrival.duplicate = event.duplicate;
    takes.clear();
    for (const std::string& name : event.takes) takes.push_back(builder.message(name));
    arrival.takes = takes;
    if (!event.sends.empty()) arrival.sends = builder.message(event.sends);
    builder.add(arrival);
    decorated(builder, arrival.process, event.decoration, event.choice);
  }
  auto built = builder.build();
  if (!built) RC_FAIL(built.error().text());
  return std::move(*built);
}

void for_all(const std::string& what, int cases, const std::function<void()>& property) {
  rc::detail::TestParams parameters;
  parameters.maxSuccess = cases / one_in;
  if (const char* seed = std::getenv("LIGHTCONE_SEED")) parameters.seed = std::stoull(seed);
  rc::detail::TestMetadata metadata;
  metadata.id = what;
  const auto result = rc::detail::checkTestable([&] { property(); }, metadata, parameters);
  if (result.template is<rc::detail::SuccessResult>()) return;
  std::ostringstream message;
  rc::detail::printResultMessage(result, message);
  ADD_FAILURE() << what << "\n" << message.str();
}

void for_all_computations(const std::string& what, int cases,
                          const std::function<void(const Computation&)>& property) {
  for_all(what, cases, [&] { property(play(*script())); });
}

std::ostream& operator<<(std::ostream& out, const Script& script) {
  return out << write_trace_text(play(script), Format::jsonl);
}

}  // namespace lightcone::arbitrary
