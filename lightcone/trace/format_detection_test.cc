// The beginning of a file shows its format, whatever its name is.
#include <gtest/gtest.h>
#include <lightcone/trace/format_detection.h>
#include <lightcone/trace/jsonl/near_members.h>
#include <lightcone/trace/shiviz/log_layout.h>

namespace lightcone {
namespace {

TEST(FormatDetection, LooksAtTheFirstLines) {
  EXPECT_EQ(format_in("\n {\"kind\": 1}\n"), std::nullopt);
  EXPECT_EQ(format_in("\n{\"process\": \"p\", \"kind\": \"internal\"}\n"), Format::jsonl);
  EXPECT_EQ(format_in("\xef\xbb\xbf{\"lightcone\": 1}"), Format::jsonl);
  EXPECT_EQ(format_in("\3BOTF2\0\3"), Format::otf2);
  EXPECT_EQ(format_in("\n[\n{\"name\": \"a\", \"ph\": \"X\"}"), Format::chrome);
  EXPECT_EQ(format_in("{\"displayTimeUnit\": \"ns\", \"traceEvents\": ["), Format::chrome);
  EXPECT_EQ(format_in("\x89LCT\r\n\x1a\n"), Format::lct);
  EXPECT_EQ(format_in("0:(1,0,0)\n1:(0,1,0)\n"), Format::clocks);
  EXPECT_EQ(format_in("starts\na {\"a\": 1}\n"), Format::shiviz);
  EXPECT_EQ(format_in("a {\"a\": 1}\nstarts\n"), Format::shiviz);
  EXPECT_EQ(format_in("(?<host>\\S*) (?<clock>.*) (?<event>.*)\n\n"), Format::shiviz);
  EXPECT_EQ(format_in("forbid x : some flow contains a\n"), std::nullopt);
  EXPECT_EQ(format_in(""), std::nullopt);
}

TEST(FormatDetection, KnowsMoreExtensions) {
  EXPECT_EQ(format_of("a.json"), Format::jsonl);
  EXPECT_EQ(format_of("a.ndjson"), Format::jsonl);
  EXPECT_EQ(format_of("A.JSONL"), Format::jsonl);
  EXPECT_EQ(format_of("A.Log"), Format::shiviz);
  EXPECT_EQ(format_of("a.jsonl.gz"), Format::jsonl);
  EXPECT_EQ(format_of("a.trace.json.zst"), Format::chrome);
  EXPECT_EQ(format_of("traces.otf2"), Format::otf2);
  EXPECT_FALSE(format_of("a.prop"));
}

TEST(LogLayout, CountsTextsBeforeAndAfterClocks) {
  EXPECT_FALSE(layout_of_log("one\na {\"a\":1}\ntwo\na {\"a\":2}\n").is_clock_first());
  EXPECT_TRUE(layout_of_log("a {\"a\":1}\none\na {\"a\":2}\ntwo\n").is_clock_first());
  EXPECT_TRUE(layout_of_log("\n\na {\"a\":1}\none\na {\"a\":2}\ntwo\n").is_clock_first());
  EXPECT_FALSE(layout_of_log("one\na {\"a\":1}\n=== two ===\none\na {\"a\":1}\n").is_clock_first());
  EXPECT_FALSE(layout_of_log("a {\"a\":1}\n").is_clock_first());
}

TEST(NearMembers, AreOneLetterAway) {
  std::set<std::string> found;
  find_near_members(R"("label": ["labels"], "node": {"tex": 1}, "var": {})", found);
  EXPECT_EQ(found.size(), 2U);
  EXPECT_NE(found.begin()->find("`label`"), std::string::npos);
  found.clear();
  find_near_members(R"("a\"label": 1, "x": "label\\", "thread": 3)", found);
  EXPECT_TRUE(found.empty());
}

}  // namespace
}  // namespace lightcone
