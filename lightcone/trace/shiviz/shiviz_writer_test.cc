// What is written as a ShiViz log or as clocks keeps the order of events when it is read again.
#include <gtest/gtest.h>
#include <lightcone/causal/builder.h>
#include <lightcone/trace/clocks/clocks.h>
#include <lightcone/trace/shiviz/shiviz.h>

#include <string>
#include <vector>

#include "model/definitions/definitions.h"
#include "model/generators/arbitrary.h"

namespace lightcone {
namespace {

/// Events of one process with these texts.
Computation with_texts(const std::vector<std::string>& texts) {
  Builder builder;
  const ProcessIndex p = builder.process("a");
  for (const std::string& text : texts) {
    builder.add({.process = p});
    builder.set_text(builder.name(text));
  }
  return *builder.build();
}

Computation with_processes(const std::vector<std::string>& names) {
  Builder builder;
  for (const std::string& name : names) {
    builder.add({.process = builder.process(name)});
  }
  return *builder.build();
}

std::vector<std::string> read_texts(const std::string& log) {
  const auto reading = read_shiviz(log, "again");
  if (!reading) return {reading.error().text()};
  std::vector<std::string> texts;
  for (const EventIndex e : reading->computation.order()) {
    texts.emplace_back(reading->computation.text(e).value_or("(none)"));
  }
  return texts;
}

TEST(ShivizWriter, TheTextThenTheClock) {
  Builder builder;
  const ProcessIndex a = builder.process("a");
  const ProcessIndex b = builder.process("b\"");
  const MessageIndex m = builder.message("m");
  builder.add({.process = a, .kind = Kind::send, .sends = m});
  builder.add({.process = a});
  builder.add({.process = b, .kind = Kind::receive, .takes = {&m, 1}});
  builder.add({.process = b});
  const std::vector<NameIndex> labels{builder.name("enter"), builder.name("cs")};
  builder.set_labels(builder.name_set(labels));
  EXPECT_EQ(write_trace_text(*builder.build(), Format::shiviz), R"(send m
a {"a":1}
internal
a {"a":2}
receive m
b" {"b\"":1, "a":1}
enter cs
b" {"b\"":2, "a":1}
)");
}

TEST(ShivizWriter, TextsAreKept) {
  const std::vector<std::string> texts = {"",          "x",    " ", "a { b",
                                          "{\"a\":1}", "\t{}", "é", "=== ==="};
  EXPECT_EQ(read_texts(write_trace_text(with_texts(texts), Format::shiviz)), texts);
}

TEST(ShivizWriter, TextsThatLookLikeALogAreChangedALittle) {
  const std::vector<std::string> texts = {"(?<host>)(?<clock>)(?<event>)",
                                          "two\nlines\r\n",
                                          "b {\"b\":1}",
                                          " {}",
                                          "=== run ===",
                                          "=== {} ===",
                                          "(?<host>)(?<clock>)(?<event>)"};
  const std::vector<std::string> expected = {"(? <host>)(?<clock>)(?<event>)",
                                             "two lines  ",
                                             "b  {\"b\":1}",
                                             "  {}",
                                             " === run ===",
                                             " === {} ===",
                                             "(?<host>)(?<clock>)(?<event>)"};
  EXPECT_EQ(read_texts(write_trace_text(with_texts(texts), Format::shiviz)), expected);
}

TEST(ShivizWriter, HostsAreMadeReadableAndStayDifferent) {
  const auto written = with_processes({"a b", "a_b", "a\tb", "", "_", "x\xff", "x\xfe", "{}"});
  const auto reading = read_shiviz(write_trace_text(written, Format::shiviz), "again");
  ASSERT_TRUE(reading.has_value()) << reading.error().text();
  const Computation& c = reading->computation;
  std::vector<std::string> hosts;
  for (ProcessIndex p = 0; p < c.process_count(); ++p) hosts.emplace_back(c.process_name(p));
  EXPECT_EQ(hosts, (std::vector<std::string>{"a_b_2", "a_b", "a_b_3", "__2", "_", "x\xef\xbf\xbd",
                                             "x\xef\xbf\xbd_2", "{}"}));
}

TEST(ShivizWriter, SaysWhatItLeavesOut) {
  Builder builder;
  const ProcessIndex p = builder.process("a b");
  builder.process("silent");
  builder.add({.process = p, .kind = Kind::initial});
  builder.add({.process = p, .kind = Kind::send, .sends = builder.message("m")});
  builder.assign(builder.name("x"), std::int64_t{1});
  builder.set_time(1);
  builder.set_text(builder.name("text"));
  builder.set_source(builder.name("a.cc:1"));
  builder.set_extra(builder.name("\"k\": 1"));
  const std::vector<NameIndex> names{builder.name("b")};
  builder.set_labels(builder.name_set(names));
  builder.set_to(builder.name_set(names));
  const Computation computation = *builder.build();
  const std::vector<std::string> both = {
      "Message names are left out: a reader derives messages from the clocks.",
      "Variables are left out.",
      "Times are left out.",
      "Source lines are left out.",
      "The receivers that sends name are left out.",
      "Members that Lightcone does not know are left out.",
      "Initial states are left out."};
  OutputFile file = OutputFile::in_memory();
  std::vector<std::string> expected = both;
  expected.insert(expected.end(), {"Labels are kept only as the text of events that have none.",
                                   "Processes without events are left out.",
                                   "White space in process names has become _."});
  EXPECT_EQ(write_shiviz(computation, file), expected);
  expected = both;
  expected.insert(expected.end(), {"Labels are left out.", "Texts are left out.",
                                   "Process names have become numbers, in the same order."});
  EXPECT_EQ(write_clocks(computation, file), expected);
  EXPECT_TRUE(write_shiviz(with_texts({"x"}), file).empty());
  EXPECT_TRUE(write_clocks(with_processes({"0", "1"}), file).empty());
}

/// Fails unless both have the same events in the same order of happened-before.
void expect_same_order(const Computation& a, const Computation& b, bool by_name) {
  RC_ASSERT(a.event_count() == b.event_count());
  const definition::HappenedBefore before_a(a);
  const definition::HappenedBefore before_b(b);
  const auto in_b = [&](EventIndex e) {
    const ProcessIndex p = a.process_of(e);
    return b.event(by_name ? *b.find_process(a.process_name(p)) : p, a.rank_of(e));
  };
  for (EventIndex e = 0; e < a.event_count(); ++e) {
    for (EventIndex f = 0; f < a.event_count(); ++f) {
      RC_ASSERT(before_a(e, f) == before_b(in_b(e), in_b(f)));
    }
  }
}

TEST(ShivizWriter, HappenedBeforeComesBack) {
  arbitrary::for_all_computations("shiviz", 300, [](const Computation& c) {
    if (c.event_count() == 0) return;
    const auto reading = read_shiviz(write_trace_text(c, Format::shiviz), "again");
    if (!reading) RC_FAIL(reading.error().text());
    RC_ASSERT(reading->notes.empty());
    expect_same_order(c, reading->computation, true);
  });
}

TEST(ClocksWriter, HappenedBeforeComesBack) {
  arbitrary::for_all_computations("clocks", 300, [](const Computation& c) {
    const auto reading = read_clocks(write_trace_text(c, Format::clocks), "again");
    if (!reading) RC_FAIL(reading.error().text());
    if (c.event_count() > 0) RC_ASSERT(reading->computation.process_count() == c.process_count());
    expect_same_order(c, reading->computation, false);
  });
}

}  // namespace
}  // namespace lightcone
