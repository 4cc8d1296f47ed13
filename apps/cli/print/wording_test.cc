// Numbers, sentences, tables and spelling as people read them.
#include "print/wording.h"

#include <gtest/gtest.h>
#include <lightcone/base/spelling.h>

#include "options/rates.h"
#include "print/progress_bar.h"
#include "print/table.h"

namespace lightcone::cli {
namespace {

TEST(Wording, NumbersInATextAreGrouped) {
  EXPECT_EQ(with_grouped_numbers(""), "");
  EXPECT_EQ(with_grouped_numbers("no number"), "no number");
  EXPECT_EQ(with_grouped_numbers("12345 states, 7 of 1000"), "12,345 states, 7 of 1,000");
}

TEST(Wording, NumbersOfAnySize) {
  EXPECT_EQ(short_number("7"), "7");
  EXPECT_EQ(short_number("590976"), "590,976");
  EXPECT_EQ(short_number("18446744073709551616"), "18,446,744,073,709,551,616");
  EXPECT_EQ(short_number("107" + std::string(299, '1')), "1.07 * 10^301");
}

TEST(Wording, Numbers) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(UINT64_MAX), "18,446,744,073,709,551,615");
  EXPECT_EQ(counted(1, "event"), "1 event");
  EXPECT_EQ(counted(0, "event"), "0 events");
  EXPECT_EQ(counted(2, "process", "processes"), "2 processes");
  EXPECT_EQ(roughly(999), "999");
  EXPECT_EQ(roughly(999.9), "1.00 k");
  EXPECT_EQ(roughly(12345), "12.3 k");
  EXPECT_EQ(byte_size(27'693'692), "27.7 MB");
  EXPECT_EQ(byte_size(1), "1 byte");
}

TEST(Wording, PercentNeverLies) {
  EXPECT_EQ(percent(0, 10), "0%");
  EXPECT_EQ(percent(1, 10000), "<1%");
  EXPECT_EQ(percent(9999, 10000), ">99%");
  EXPECT_EQ(percent(10000, 10000), "100%");
  EXPECT_EQ(percent(1, 0), "0%");
}

TEST(Wording, WrappedKeepsToItsWidth) {
  EXPECT_EQ(wrapped("one two three", 7), "one two\nthree");
  EXPECT_EQ(wrapped("one two three", 9, 4), "one\n    two\n    three");
  EXPECT_EQ(wrapped("a\n\nb c", 80), "a\n\nb c");
  EXPECT_EQ(wrapped("unbreakable", 3), "unbreakable");
  EXPECT_EQ(wrapped("", 10), "");
}

TEST(Wording, Bars) {
  EXPECT_EQ(bar(1, 2, 8, false), "####");
  EXPECT_EQ(bar(3, 16, 8, true), "█▌");
  EXPECT_EQ(bar(0, 0, 8, true), "");
}

TEST(Terminal, PrintableIsSafeAndShort) {
  EXPECT_EQ(printable("a\033[31mb\n"), "a?[31mb?");
  EXPECT_EQ(printable("abcdef", 4), "ab~f");
  EXPECT_EQ(printable("abcdef", 1), "~");
  EXPECT_EQ(printable("kv-node-of-the-west-10", 11), "kv-no~st-10");
  EXPECT_EQ(printable("äöüé", 4), "äöüé");
  EXPECT_EQ(printable("äöüéx", 4), "äö~x");
  EXPECT_EQ(display_width("ä\033[1mb\033[0m"), 2U);
}

TEST(Terminal, WideCharactersTakeTwoColumns) {
  EXPECT_EQ(display_width("中文"), 4U);
  EXPECT_EQ(display_width("a\033[1m😀\033[0m"), 3U);
  EXPECT_EQ(display_width("e\u0301"), 1U) << "an accent stands on the letter before";
  EXPECT_EQ(display_width("\xC3"), 1U);
  EXPECT_EQ(display_width("\033["), 0U);
  EXPECT_EQ(printable("中文字", 6), "中文字");
  EXPECT_EQ(printable("中文字", 5), "中~字");
  EXPECT_EQ(printable("中文字", 4), "中~");
  EXPECT_EQ(printable("ae\u0301xyz", 4), "ae\u0301~z");
  EXPECT_EQ(printable("abcde\u0301", 4), "ab~e\u0301");
}

TEST(Wording, ShortNamesDiffer) {
  const std::vector<std::string> names{"worker-in-rack-17-slot-3", "worker-in-rack-18-slot-3",
                                       "short", "worker-in-rack-18-slot-3"};
  EXPECT_EQ(distinct_name(names[2], 8, names), "short");
  EXPECT_EQ(distinct_name(names[0], 30, names), names[0]);
  EXPECT_NE(distinct_name(names[0], 12, names), distinct_name(names[1], 12, names));
  EXPECT_EQ(distinct_name(names[1], 12, names), distinct_name(names[3], 12, names));
  EXPECT_LT(distinct_name("another-name-of-many-letters", 12, names).size(), 13U);
}

TEST(Table, AlignsAndLeavesOutEmptyColumns) {
  Table table({{"Name"}, {"N", Table::Align::right}, {"Never"}});
  table.add({"äb", "10", ""});
  table.add({"c", "5"});
  EXPECT_EQ(table.text(Paint(false)), "  Name   N\n  äb    10\n  c      5\n");
}

TEST(Table, AlignsWideCharacters) {
  Table table({{"Name"}, {"N", Table::Align::right}});
  table.add({"店", "10"});
  table.add({"cafe\u0301", "5"});
  EXPECT_EQ(table.text(Paint(false)), "  Name   N\n  店    10\n  cafe\u0301   5\n");
}

TEST(ProgressLine, SaysHowFarAndHowLong) {
  const std::string line = progress_line("reading", 500'000, 1'000'000, 2, 80, false);
  EXPECT_EQ(line, "reading  [############............]  50%  250 k/s  2 s left");
  EXPECT_EQ(progress_line("reading", 500, 0, 1, 80, false), "reading  500  500/s");
  EXPECT_LT(display_width(progress_line("reading", 1, 9, 1, 30, true)), 30U);
  EXPECT_NE(progress_line("x", 20, 10, 1, 80, false).find("100%"), std::string::npos);
}

TEST(Spelling, FindsWhatWasMeant) {
  EXPECT_EQ(edit_distance("info", "inof"), 1U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  const std::vector<std::string> known = {"info", "convert", "races", "generate"};
  EXPECT_EQ(nearest_word("rases", known), "races");
  EXPECT_EQ(nearest_word("gen", known), "generate");
  EXPECT_EQ(nearest_word("xyzzy", known), std::nullopt);
  EXPECT_EQ(nearest_word("a", {"b"}), std::nullopt)
      << "all names of one letter are one letter apart";
}

TEST(Rates, CountsAndNames) {
  EXPECT_EQ(parse_count("250").value(), 250U);
  EXPECT_EQ(parse_count("2.5M").value(), 2'500'000U);
  EXPECT_EQ(parse_count("4G").value(), 4'000'000'000U);
  for (const char* bad : {"", "k", "-1", "1.5", "5G", "nan", "inf", "0x10", "1 0", "1kk"}) {
    EXPECT_FALSE(parse_count(bad).has_value()) << bad;
  }
  EXPECT_EQ(parse_label("a:b:0.5").value().name, "a:b");
  EXPECT_FALSE(parse_label("a:").has_value());
  EXPECT_FALSE(parse_label(":0.5").has_value());
  const auto variable = parse_variable("ok:0.1:bool");
  ASSERT_TRUE(variable.has_value());
  EXPECT_EQ(variable->type, VariableRate::Type::boolean);
  EXPECT_EQ(parse_variable("x:1")->type, VariableRate::Type::integer);
}

}  // namespace
}  // namespace lightcone::cli
