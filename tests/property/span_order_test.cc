// Spans become the computation that the rules define, on thousands of random forests.
#include "model/definitions/definitions.h"
#include "model/definitions/span_definitions.h"
#include "model/generators/arbitrary.h"

#include <gtest/gtest.h>
#include <lightcone/base/random.h>
#include <lightcone/trace.h>
#include <lightcone/trace/span_files.h>
#include <lightcone/trace/spans/span_executions.h>

#include <array>
#include <map>
#include <numeric>
#include <string>

namespace lightcone {
namespace {

using definition::HappenedBefore;
using definition::order_of_spans;
using definition::SpanOrder;

constexpr std::array ways{ProcessBy::service, ProcessBy::instance, ProcessBy::thread,
                          ProcessBy::span};

/// Spans of one trace: with parents that are missing, in a cycle or themselves, with ids that occur
/// twice, links to anything, times that are equal or run backwards.
class RandomSpans {
 public:
  explicit RandomSpans(std::uint64_t seed) : random_(seed) {}

  SpanTable make() {
    const std::uint32_t resources = 1 + random_.below(4);
    for (std::uint32_t i = 0; i < resources; ++i) add_resource();
    const std::uint32_t spans = 1 + random_.below(9);
    last_id_ = spans + 1;
    unit_ = random_.below(3) == 0 ? 1 : random_.below(2) == 0 ? 1'000'000 : 250'000;
    is_tame_ = random_.below(2) == 0;
    for (std::uint32_t i = 0; i < spans; ++i) add_span(i);
    return std::move(table_);
  }

 private:
  void add_resource() {
    const std::size_t begin = table_.attributes.size();
    constexpr std::array<std::string_view, 2> services{"a", "b"};
    constexpr std::array<std::string_view, 3> instances{"1", "2", "3"};
    table_.add_attribute("service.name", services[random_.below(2)]);
    if (random_.below(3) > 0) {
      table_.add_attribute("service.instance.id", instances[random_.below(3)]);
    } else if (random_.below(2) == 0) {
      table_.add_attribute("host.name", std::string_view("h"));
      table_.add_attribute("process.pid", std::int64_t{random_.below(2)});
    }
    table_.resources.push_back(table_.attributes_since(begin));
  }

  std::uint64_t time() { return random_.below(8) * unit_; }

  void add_span(std::uint32_t number) {
    Span span;
    span.trace = {1, 2};
    span.id = random_.below(8) == 0 ? 1 + random_.below(last_id_) : number + 1;
    span.shared = random_.below(10) == 0;
    // A tame parent is an earlier span, so that there are not only cycles.
    const std::uint32_t parent = is_tame_ ? random_.below(number + 1) : random_.below(last_id_ + 1);
    span.parent = random_.below(12) == 0 ? 77 : parent;
    span.start = time() + (random_.below(6) == 0 ? 1 : 0);
    span.end = random_.below(6) == 0 ? time() : span.start + random_.below(4) * unit_ / 2;
    const bool calls = random_.below(3) > 0;
    span.kind = calls ? (number % 2 == 0 ? SpanKind::client : SpanKind::server)
                      : static_cast<SpanKind>(random_.below(5));
    span.name = table_.names.intern("s" + std::to_string(number));
    span.resource = random_.below(static_cast<std::uint32_t>(table_.resources.size()));
    const std::size_t begin = table_.attributes.size();
    if (random_.below(2) == 0) table_.add_attribute("thread.id", std::int64_t{random_.below(2)});
    span.attributes = table_.attributes_since(begin);
    span.events.begin = static_cast<std::uint32_t>(table_.events.size());
    for (std::uint32_t i = random_.below(6); i >= 4; --i) {
      table_.events.push_back(
          {time(), table_.names.intern("e"), table_.attributes_since(table_.attributes.size())});
    }
    span.events.end = static_cast<std::uint32_t>(table_.events.size());
    span.links.begin = static_cast<std::uint32_t>(table_.links.size());
    for (std::uint32_t i = random_.below(8); i >= 5; --i) {
      table_.links.push_back({{1, random_.below(8) == 0 ? 3U : 2U}, random_.below(last_id_ + 1)});
    }
    span.links.end = static_cast<std::uint32_t>(table_.links.size());
    table_.spans.push_back(span);
  }

  PortableRandom random_;
  SpanTable table_;
  std::uint32_t last_id_ = 0;
  std::uint64_t unit_ = 1;
  bool is_tame_ = false;
};

std::vector<std::uint32_t> all_spans(const SpanTable& table) {
  std::vector<std::uint32_t> all(table.spans.size());
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

/// The labels that the start, an event or the end of a span has.
std::vector<std::string> labels_of(const SpanTable& table, const SpanOrder::Event& event) {
  const Span& span = table.spans[event.span];
  if (event.part == 0) return {std::string(table.names[span.name])};
  if (event.part == span.events.size() + 1) return {"end " + std::string(table.names[span.name])};
  return {"e"};
}

void expect_defined_order(const SpanTable& table, ProcessBy by, SpanLosses& seen) {
  const SpanOrder wanted = order_of_spans(table, by);
  const auto reading = read_spans(table, all_spans(table), SpanProcesses(table, by), "random");
  ASSERT_TRUE(reading) << reading.error().text();
  const Computation& c = reading->computation;
  ASSERT_EQ(c.event_count(), wanted.events.size());
  std::vector<EventIndex> event_of;
  std::map<std::string, Rank> ranks;
  for (const SpanOrder::Event& event : wanted.events) {
    const auto p = c.find_process(event.process);
    ASSERT_TRUE(p) << event.process;
    event_of.push_back(c.event(*p, ++ranks[event.process]));
    std::vector<std::string> labels;
    for (const NameIndex label : c.labels(event_of.back())) {
      labels.emplace_back(c.names()[label]);
    }
    ASSERT_EQ(labels, labels_of(table, event));
  }
  const HappenedBefore before(c);
  for (std::size_t e = 0; e < event_of.size(); ++e) {
    for (std::size_t f = 0; f < event_of.size(); ++f) {
      ASSERT_EQ(before(event_of[e], event_of[f]), wanted.before[e][f]) << e << " " << f;
    }
  }
  const auto forest = SpanForest::make(table, all_spans(table), SpanProcesses(table, by));
  ASSERT_TRUE(forest);
  const SpanLosses& losses = forest->losses();
  EXPECT_EQ(losses.missing_parents, wanted.losses.missing_parents);
  EXPECT_EQ(losses.repeated_spans, wanted.losses.repeated_spans);
  EXPECT_EQ(losses.other_links, wanted.losses.other_links);
  EXPECT_EQ(losses.dropped_requests, wanted.losses.dropped_requests);
  EXPECT_EQ(losses.dropped_responses, wanted.losses.dropped_responses);
  seen.missing_parents += losses.missing_parents;
  seen.repeated_spans += losses.repeated_spans;
  seen.other_links += losses.other_links;
  seen.dropped_requests += losses.dropped_requests;
  seen.dropped_responses += losses.dropped_responses;
}

TEST(SpanOrder, IsTheClosureOfTheRules) {
  constexpr std::uint64_t cases = 4000;
  SpanLosses seen;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    const SpanTable table = RandomSpans(seed).make();
    for (const ProcessBy by : ways) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", by " + std::to_string(int(by)));
      expect_defined_order(table, by, seen);
      if (HasFatalFailure() || HasNonfatalFailure()) return;
    }
  }
  // All that can be lost has been.
  EXPECT_GT(seen.missing_parents, 100U);
  EXPECT_GT(seen.repeated_spans, 100U);
  EXPECT_GT(seen.other_links, 100U);
  EXPECT_GT(seen.dropped_requests, 100U);
  EXPECT_GT(seen.dropped_responses, 100U);
}

/// For each event that was written as a span, the event that its start was read as.
std::vector<EventIndex> starts_in(const Computation& again, const SpanTable& table, ProcessBy by) {
  const auto forest = SpanForest::make(table, all_spans(table), SpanProcesses(table, by));
  std::vector<EventIndex> starts(table.spans.size(), none);
  for (std::size_t p = 0; p < forest->processes().size(); ++p) {
    const auto process = again.find_process(forest->processes()[p]).value();
    for (std::uint32_t e = forest->first()[p]; e < forest->first()[p + 1]; ++e) {
      const SpanMoment moment = forest->moment(e);
      if (moment.part != 0) continue;
      const SpanId id = table.spans[forest->span(moment.span)].id;
      starts[id - 1] = again.event(process, e - forest->first()[p] + 1);
    }
  }
  return starts;
}

TEST(SpanOrder, OfAComputationThatWasWrittenIsItsOrder) {
  arbitrary::for_all_computations("written as OTLP", 1000, [](const Computation& c) {
    const std::string text = write_trace_text(c, Format::otlp);
    const HappenedBefore before(c);
    for (const ProcessBy by : {ProcessBy::instance, ProcessBy::span}) {
      ReadOptions options;
      options.process_by = by;
      const auto file = open_span_file(text, "written", Format::otlp, options);
      RC_ASSERT(file.has_value());
      if (c.event_count() == 0) continue;
      const auto reading = file->executions->read(0, options);
      RC_ASSERT(reading.has_value());
      const Computation& again = reading->computation;
      RC_ASSERT(again.event_count() == 2 * c.event_count());
      const auto starts = starts_in(again, file->executions->table(), by);
      const HappenedBefore after(again);
      for (EventIndex e = 0; e < c.event_count(); ++e) {
        for (EventIndex f = 0; f < c.event_count(); ++f) {
          RC_ASSERT(before(e, f) == after(starts[e], starts[f]));
        }
      }
      if (by == ProcessBy::span) continue;
      for (EventIndex e = 0; e < c.event_count(); ++e) {
        RC_ASSERT(c.process_name(c.process_of(e)) ==
                  again.process_name(again.process_of(starts[e])));
      }
    }
  });
}

}  // namespace
}  // namespace lightcone
