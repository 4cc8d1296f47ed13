// What programs give that JSON has no words for: it is written so that it can be read.
#include <gtest/gtest.h>
#include <lightcone/base/utf8.h>
#include <lightcone/causal/builder.h>
#include <lightcone/trace.h>
#include <lightcone/trace/lct/lct_block.h>
#include <lightcone/trace/lct/lct_rows.h>

#include <array>
#include <cmath>
#include <limits>

namespace lightcone {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

[[nodiscard]] Reading read(std::string_view bytes, Format format) {
  auto reading = read_trace_text(bytes, "t", format, {});
  EXPECT_TRUE(reading) << reading.error().text();
  return reading ? std::move(*reading) : Reading{};
}

/// Two processes, two messages and two variables whose names differ in bytes that are not UTF-8.
[[nodiscard]] Computation with_bad_texts() {
  Builder builder;
  const ProcessIndex p = builder.process("p\xff");
  const ProcessIndex q = builder.process("p\xfe");
  const auto event = [&](ProcessIndex process, Kind kind, MessageIndex sends, MessageIndex takes) {
    const std::array taken{takes};
    builder.add(
        {process, kind, 0, takes == none ? std::span<const MessageIndex>() : taken, sends, false});
  };
  event(p, Kind::send, builder.message(std::string_view("m\xe9")), none);
  builder.assign(builder.name("x\xff"), std::int64_t{1});
  builder.assign(builder.name("x\xfe"), builder.name("caf\xe9"));
  const std::array labels{builder.name("l\xff"), builder.name("l\xfe")};
  builder.set_labels(builder.name_set(labels));
  const std::array to{builder.name("p\xfe")};
  builder.set_to(builder.name_set(to));
  builder.set_text(builder.name("\xe2\x82"));
  builder.set_extra(builder.name("\"k\": \"\xff\""));
  event(p, Kind::send, builder.message(std::string_view("m\xe8")), none);
  event(q, Kind::receive, none, builder.message(std::string_view("m\xe9")));
  event(q, Kind::receive, none, builder.message(std::string_view("m\xe8")));
  return builder.build().value();
}

TEST(BadValues, TextsThatAreNotUtf8AreWrittenSoThatTheyCanBeRead) {
  const Computation computation = with_bad_texts();
  std::vector<std::string> written;
  for (const Format format : {Format::jsonl, Format::lct}) {
    const Reading reading = read(write_trace_text(computation, format), format);
    EXPECT_TRUE(reading.notes.empty());
    const Computation& c = reading.computation;
    ASSERT_EQ(c.process_count(), 2U);
    EXPECT_EQ(c.process_name(0), as_utf8_name("p\xff"));
    EXPECT_EQ(c.process_name(1), as_utf8_name("p\xfe"));
    EXPECT_EQ(c.message_count(), 2U);
    ASSERT_EQ(c.assignments(0).size(), 2U);
    EXPECT_EQ(c.names()[std::get<NameIndex>(c.assignments(0)[1].value)], "caf\xEF\xBF\xBD");
    EXPECT_EQ(c.names()[c.labels(0)[0]], "l\xEF\xBF\xBD");
    EXPECT_EQ(c.extra(0), "\"k\": \"\xEF\xBF\xBD\"");
    written.push_back(write_trace_text(c, Format::jsonl));
  }
  EXPECT_EQ(written[0], written[1]);
  for (const Format format : {Format::shiviz, Format::clocks}) {
    (void)read(write_trace_text(computation, format), format);
  }
}

[[nodiscard]] Computation with_reals(std::initializer_list<double> reals) {
  Builder builder;
  const ProcessIndex p = builder.process("p");
  for (const double real : reals) {
    builder.add({p, Kind::internal, 0, {}, none, false});
    builder.assign(builder.name("x"), real);
    builder.set_time(real);
  }
  return builder.build().value();
}

TEST(BadValues, RealsThatAreNotFiniteStayWhatTheyAre) {
  const Computation computation = with_reals({std::nan(""), infinity, -infinity, 1.5});
  for (const Format format : {Format::jsonl, Format::lct}) {
    const Computation c = read(write_trace_text(computation, format), format).computation;
    const auto value = [&](EventIndex e) { return std::get<double>(c.assignments(e)[0].value); };
    EXPECT_TRUE(std::isnan(value(0)));
    EXPECT_EQ(value(1), infinity);
    EXPECT_EQ(value(2), -infinity);
    EXPECT_EQ(value(3), 1.5);
    EXPECT_FALSE(c.time(0));  // that is no time
    EXPECT_EQ(c.time(3), 1.5);
  }
}

TEST(BadValues, JsonLinesSayTheirVersionWhereItMatters) {
  const std::string usual = write_trace_text(with_reals({1.5}), Format::jsonl);
  EXPECT_TRUE(usual.starts_with(R"({"lightcone": 1, )"));
  const std::string unusual = write_trace_text(with_reals({-infinity}), Format::jsonl);
  EXPECT_TRUE(unusual.starts_with(R"({"lightcone": 2, )"));
  EXPECT_NE(unusual.find(R"("vars": {"x": {"real": "-Infinity"}})"), std::string::npos);
}

TEST(BadValues, NullOfOlderFilesIsReadAndCounted) {
  const Reading reading = read(R"({"process": "p", "kind": "init", "vars": {"x": 1}}
{"process": "p", "kind": "internal", "vars": {"x": null, "y": null}, "time": null}
)",
                               Format::jsonl);
  EXPECT_EQ(reading.notes, (std::vector<std::string>{
                               "2 values of variables read as not-a-number: null in the file",
                               "1 time left out: null in the file"}));
  EXPECT_TRUE(std::isnan(std::get<double>(reading.computation.assignments(0)[0].value)));
}

TEST(BadValues, AVariableThatIsAssignedTwiceIsWrittenOnce) {
  Builder builder;
  builder.add({builder.process("p"), Kind::internal, 0, {}, none, false});
  for (const std::int64_t value : {1, 2, 3}) builder.assign(builder.name("x"), value);
  builder.assign(builder.name("y"), true);
  const std::string text = write_trace_text(builder.build().value(), Format::jsonl);
  EXPECT_NE(text.find(R"("vars": {"x": 3, "y": true})"), std::string::npos) << text;
  (void)read(text, Format::jsonl);
}

/// A file as versions wrote it that checked nothing.
TEST(BadValues, OfOlderLctFilesAreReplacedAndCounted) {
  lct::Columns c;
  c.names = {"p\xff", "l\xff", "m", "x", "\"k\": \"\xff\"", "not json"};
  c.processes = {0};
  c.ranks_before = {0};
  c.event_process = {0, 0};
  const auto flags =
      static_cast<std::uint8_t>(static_cast<int>(Kind::internal) | Arrivals::labelled |
                                Arrivals::assigns | Arrivals::says_more);
  c.event_flags = {flags, flags};
  c.set_sizes = {1};
  c.set_members = {1};
  c.labels = {0, 0};
  c.variable_counts = {1, 1};
  c.variable_names = {3, 3};
  c.variable_types = {2, 2};
  c.variable_values = {std::bit_cast<std::uint64_t>(std::nan("")),
                       std::bit_cast<std::uint64_t>(.5)};
  c.more = {Arrivals::time | Arrivals::extra, Arrivals::time | Arrivals::extra};
  c.times = {std::bit_cast<std::uint64_t>(infinity), std::bit_cast<std::uint64_t>(2.0)};
  c.extras = {4, 5};
  const Reading reading = read(lct::file_header() + lct::seal(c, 0), Format::lct);
  EXPECT_EQ(reading.notes,
            (std::vector<std::string>{"3 texts not in UTF-8: invalid bytes are replaced by U+FFFD",
                                      "1 time left out: not a finite number",
                                      "1 unknown member left out: not JSON"}));
  const Computation& read_back = reading.computation;
  EXPECT_EQ(read_back.process_name(0), as_utf8_name("p\xff"));
  EXPECT_EQ(read_back.names()[read_back.labels(0)[0]], "l\xEF\xBF\xBD");
  EXPECT_FALSE(read_back.time(0));
  EXPECT_EQ(read_back.time(1), 2.0);
  EXPECT_EQ(read_back.extra(0), "\"k\": \"\xEF\xBF\xBD\"");
  EXPECT_EQ(read_back.extra(1), "");
}

}  // namespace
}  // namespace lightcone
