// Witnesses are what they say they are: real paths with the right word, true facts, real causes.
#include <lightcone/riders/witness.h>

#include "model/definitions/definitions.h"
#include "model/definitions/property_definitions.h"
#include "model/generators/arbitrary.h"
#include "model/generators/arbitrary_properties.h"

#include <gtest/gtest.h>
#include <lightcone/causality.h>
#include <lightcone/property/language/check_names.h>
#include <lightcone/property/language/parser.h>
#include <lightcone/trace.h>

#include <algorithm>
#include <random>
#include <string>

namespace lightcone {
namespace {

/// A property file, compiled for a computation and asked of it.
struct Asked {
  Asked(const Computation& computation, Properties properties)
      : compiled(CompiledProperties::compile(std::move(properties), event_labels(computation))),
        inspection(compiled, computation) {}
  Asked(const Computation& computation, const std::string& text)
      : Asked(computation, parse(text)) {}

  static Properties parse(const std::string& text) {
    auto parsed = parse_property_syntax(text, "test");
    if (!parsed) throw std::runtime_error(parsed.error().text() + "\n" + text);
    return std::move(*parsed);
  }

  CompiledProperties compiled;
  Inspection inspection;
};

Computation read(const std::string& trace) {
  auto reading = read_trace_text(trace, "test", Format::jsonl);
  if (!reading) throw std::runtime_error(reading.error().text());
  return std::move(reading->computation);
}

definition::State state_of(const Computation& c, Row row) {
  if (row >= c.event_count()) return {row - c.event_count(), 0};
  return {c.process_of(row), c.rank_of(row)};
}

bool is_step(const Computation& c, Row from, Row to) {
  const auto [process, rank] = state_of(c, to);
  if (rank == 0) return false;
  if (state_of(c, from) == definition::State(process, rank - 1)) return true;
  const auto takes = c.takes(to);
  return std::any_of(takes.begin(), takes.end(),
                     [&](MessageIndex m) { return c.sent_by(m) == from; });
}

/// The definitions, asked about one flow property.
class FlowJudge {
 public:
  FlowJudge(const Asked& asked, const CompiledFlow& flow)
      : asked_(asked),
        flow_(flow),
        c_(asked.inspection.computation()),
        before_(c_),
        observed_(c_, [&](EventIndex e) { return is_labelled(e); }) {
    const Properties& properties = asked.compiled.source();
    const auto& question = std::get<Flow>(properties.properties[flow.property].question);
    words_ = definition::words_of(properties, question, c_);
  }

  void judge(Row row) const {
    const auto witness = flow_witness(asked_.inspection, flow_, row);
    RC_ASSERT(witness.has_value());
    const std::vector<Row>& path = witness->path;
    RC_ASSERT(!path.empty());
    RC_ASSERT(path.back() == row);
    RC_ASSERT(witness->turns.size() == path.size());
    RC_ASSERT(begins_as_it_must(path.front()));
    for (std::size_t i = 1; i < path.size(); ++i) {
      const bool linked = flow_.longest
                              ? definition::covers(c_, before_, observed_, path[i], path[i - 1])
                              : is_step(c_, path[i - 1], path[i]);
      RC_ASSERT(linked);
    }
    judge_word(row, *witness);
  }

 private:
  [[nodiscard]] bool is_labelled(Row row) const {
    return asked_.inspection.observer().holds(asked_.inspection.scene(row), flow_.labelled);
  }
  [[nodiscard]] bool begins_as_it_must(Row row) const {
    if (!flow_.longest) return row >= c_.event_count();
    for (EventIndex e = 0; e < c_.event_count(); ++e) {
      if (observed_.contains(e) && before_(e, row)) return false;
    }
    return observed_.contains(row);
  }
  void judge_word(Row row, const FlowWitness& witness) const {
    definition::Word word;
    std::vector<std::uint64_t> letters;
    const Observer& observer = asked_.inspection.observer();
    for (const Row at : witness.path) {
      if (!is_labelled(at)) continue;
      word.push_back(state_of(c_, at));
      letters.push_back(letter(flow_.automaton, observer, asked_.inspection.scene(at)));
    }
    const bool matches = flow_.automaton.accepts(letters) != flow_.every;
    RC_ASSERT(witness.matches == matches);
    RC_ASSERT(witness.matches == asked_.inspection.answer(flow_.property)->found_at(row));
    if (!words_) return;
    const auto mine = std::find_if(words_->begin(), words_->end(), [&](const auto& entry) {
      return entry.first == state_of(c_, row);
    });
    RC_ASSERT(mine != words_->end());
    RC_ASSERT(mine->second.contains(word));
    // A longest flow is told by its labelled events; other paths may differ in silent states.
    RC_ASSERT(witness.flows >= mine->second.size());
    if (flow_.longest) RC_ASSERT(witness.flows == mine->second.size());
  }

  const Asked& asked_;
  const CompiledFlow& flow_;
  const Computation& c_;
  definition::HappenedBefore before_;
  Selection observed_;
  std::optional<std::vector<std::pair<definition::State, definition::Words>>> words_;
};

TEST(Witness, OfAFlowIsARealPathWithTheRightWord) {
  int judged = 0;
  arbitrary::for_all_computations("flow witnesses", 300, [&](const Computation& c) {
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    const Asked asked(c, random_properties(random, arbitrary::property_options(c)));
    for (const CompiledFlow& flow : asked.compiled.flows()) {
      const FlowJudge judge(asked, flow);
      for (Row row = 0; row < c.event_count(); ++row) {
        if (random() % 4 != 0 || !asked.inspection.is_asked(flow.property, row)) continue;
        judge.judge(row);
        ++judged;
      }
    }
  });
  EXPECT_GT(judged, 1000 / arbitrary::one_in);
}

/// The definitions, asked about one logic block: the rider's own values of all its variables, and
/// each fact as a block of its own.
class LogicJudge {
 public:
  LogicJudge(const Computation& c, std::string text, const Properties& properties,
             std::uint32_t property)
      : c_(c), text_(std::move(text)), variables_(c, one_a_variable(properties, property)) {}

  void judge(const std::vector<LogicReason>& reasons) {
    for (const LogicReason& reason : reasons) {
      for (Row row = reason.row;; row = before(row)) {
        RC_ASSERT(variables_.inspection.answer(reason.variable)->found_at(row) == reason.value);
        for (const std::string& fact : reason.facts) RC_ASSERT(is_true(fact, row));
        if (row == reason.since) break;
      }
      RC_ASSERT(reason.by.size() == reason.because.size());
      for (std::size_t j = 0; j < reason.because.size(); ++j) {
        const std::size_t i = reason.because[j];
        RC_ASSERT(i < reasons.size());
        if (reason.by[j] != none) RC_ASSERT(knows(c_.sent_by(reason.by[j]), reasons[i].row));
        RC_ASSERT(knows(reason.since, reasons[i].row));
        const bool is_new = reasons[i].row != reason.row || reasons[i].variable < reason.variable;
        RC_ASSERT(is_new);
      }
    }
  }

 private:
  static Properties one_a_variable(Properties properties, std::uint32_t property) {
    const Property original = properties.properties[property];
    properties.properties.clear();
    const std::size_t count = std::get<Logic>(original.question).equations.size();
    for (std::uint32_t v = 0; v < count; ++v) {
      properties.properties.push_back(original);
      std::get<Logic>(properties.properties.back().question).detected = v;
    }
    return properties;
  }
  [[nodiscard]] Row before(Row row) const {
    const auto [process, rank] = state_of(c_, row);
    RC_ASSERT(rank > 0U);
    return definition::row_of(c_, {process, rank - 1});
  }
  [[nodiscard]] bool knows(Row row, Row other) const {
    const auto [process, rank] = state_of(c_, other);
    if (row >= c_.event_count()) return row == other;
    return causal_past(c_, row)[process] >= rank;
  }
  [[nodiscard]] bool is_true(const std::string& fact, Row row) const {
    if (fact == "nothing before it") return row >= c_.event_count();
    if (fact == "no message received") return row >= c_.event_count() || c_.takes(row).empty();
    const Asked asked(c_, text_ + "\nwatch fact_ : logic { fact_ := " + fact + " }");
    const auto last = static_cast<std::uint32_t>(asked.compiled.source().properties.size() - 1);
    return asked.inspection.answer(last)->found_at(row);
  }

  const Computation& c_;
  std::string text_;
  Asked variables_;
};

TEST(Witness, OfLogicHasTrueFactsAndRealCauses) {
  std::size_t judged = 0;
  arbitrary::for_all_computations("logic witnesses", 150, [&](const Computation& c) {
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    arbitrary::PropertyOptions options = arbitrary::property_options(c);
    options.flows = 0;
    const std::string text = random_properties(random, options);
    const Asked asked(c, text);
    for (const CompiledLogic& logic : asked.compiled.logics()) {
      LogicJudge judge(c, text, asked.compiled.source(), logic.property);
      const Row row = static_cast<Row>(random() % c.row_count());
      const std::size_t most = 1 + random() % 12;
      const auto reasons = logic_witness(asked.inspection, logic, row, most);
      RC_ASSERT(reasons.has_value());
      RC_ASSERT(!reasons->empty());
      RC_ASSERT(reasons->size() <= most);
      RC_ASSERT(reasons->front().row == row);
      RC_ASSERT(reasons->front().variable == logic.logic->detected);
      judge.judge(*reasons);
      judged += reasons->size();
    }
  });
  EXPECT_GT(judged, 300U / arbitrary::one_in);
}

constexpr const char* relay = R"(
{"lightcone": 1, "processes": ["p1", "p2"]}
{"process": "p1", "kind": "internal", "labels": ["a"]}
{"process": "p1", "kind": "send", "message": "m1", "labels": ["b"]}
{"process": "p2", "kind": "internal", "labels": ["a"]}
{"process": "p2", "kind": "internal"}
{"process": "p2", "kind": "receive", "message": "m1"}
{"process": "p2", "kind": "internal", "labels": ["c"]})";

TEST(Witness, StaysInItsProcessWhereItCan) {
  const Computation c = read(relay);
  const Row last = c.event(1, 4);
  const Asked asked(c, std::string("watch x : some flow contains a -> c\n"
                                   "watch y : some flow contains b -> c\n"
                                   "watch z : some flow contains d"));
  const auto& flows = asked.compiled.flows();
  const std::vector<Row> local{c.initial_row(1), c.event(1, 1), c.event(1, 2), c.event(1, 3), last};
  EXPECT_EQ(flow_witness(asked.inspection, flows[0], last)->path, local);
  EXPECT_EQ(
      flow_witness(asked.inspection, flows[1], last)->path,
      (std::vector<Row>{c.initial_row(0), c.event(0, 1), c.event(0, 2), c.event(1, 3), last}));
  const std::vector<bool> turns{false, true, false, false, true};
  EXPECT_EQ(flow_witness(asked.inspection, flows[0], last)->turns, turns);
  const auto missing = flow_witness(asked.inspection, flows[2], last);
  EXPECT_EQ(missing->path, local);
  EXPECT_FALSE(missing->matches);
  EXPECT_EQ(missing->flows, 2U);
}

TEST(Witness, GoesStraightToWhereAValueComesFrom) {
  const Computation c = read(relay);
  const Asked asked(c, std::string("watch x : logic { seen := b or any seen\n x := c and seen }"));
  const auto reasons =
      logic_witness(asked.inspection, asked.compiled.logics()[0], c.event(1, 4), 9).value();
  ASSERT_EQ(reasons.size(), 3U);
  EXPECT_EQ(reasons[0].facts, std::vector<std::string>{"c"});
  EXPECT_EQ(reasons[1].row, c.event(1, 3)) << "the state that heard of it";
  EXPECT_EQ(reasons[2].row, c.event(0, 2));
  EXPECT_EQ(reasons[2].facts, std::vector<std::string>{"b"});
}

TEST(Witness, TellsALongAbsenceOnce) {
  const Computation c = read(relay);
  const Asked asked(c, std::string("watch x : logic { x := d or prev x }"));
  const auto reasons =
      logic_witness(asked.inspection, asked.compiled.logics()[0], c.event(1, 4), 9).value();
  ASSERT_EQ(reasons.size(), 1U);
  EXPECT_FALSE(reasons[0].value);
  EXPECT_EQ(reasons[0].since, c.initial_row(1));
  EXPECT_EQ(reasons[0].facts, std::vector<std::string>{"not d"});
}

TEST(Witness, KeepsToItsMost) {
  const Computation c = read(relay);
  const Asked asked(c, std::string("watch x : logic { x := d or any x }"));
  const CompiledLogic& logic = asked.compiled.logics()[0];
  const auto all = logic_witness(asked.inspection, logic, c.event(1, 4), 9).value();
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].since, c.event(1, 3)) << "where it could have heard of one";
  EXPECT_EQ(all[0].by[1], c.takes(c.event(1, 3))[0]);
  const auto cut = logic_witness(asked.inspection, logic, c.event(1, 4), 2).value();
  ASSERT_EQ(cut.size(), 2U);
  EXPECT_TRUE(cut[0].is_cut);
  EXPECT_FALSE(cut[1].is_cut);
}

TEST(Witness, KeepsToItsBudget) {
  const Computation c = read(relay);
  const Asked asked(c, std::string("watch x : some flow contains a\n"
                                   "watch y : logic { x := d or prev x\n y := x }"));
  EXPECT_FALSE(flow_witness(asked.inspection, asked.compiled.flows()[0], c.event(1, 4), 8));
  EXPECT_FALSE(logic_witness(asked.inspection, asked.compiled.logics()[0], c.event(1, 4), 9, 1));
}

}  // namespace
}  // namespace lightcone
