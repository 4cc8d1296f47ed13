// Lines of logs end in many ways, and are counted.
#include <gtest/gtest.h>
#include <lightcone/trace/shiviz/log_text.h>

namespace lightcone {
namespace {

TEST(LogText, LineEndsAndEncoding) {
  EXPECT_EQ(LogText("").text(), "");
  EXPECT_EQ(LogText("a\r\nb\r\r\n\r").text(), "a\nb\r\n\r");
  EXPECT_EQ(LogText("\xef\xbb\xbfx").text(), "x");
  const LogText repaired("ok\n\xc3\r\n\xe2\x82\nend\n");
  EXPECT_EQ(repaired.text(), "ok\n\xef\xbf\xbd\n\xef\xbf\xbd\nend\n");
  EXPECT_EQ(repaired.repaired_lines(), 2U);
}

TEST(LogText, LinesAreCounted) {
  LineCounter lines("a\nb\n\nc", 10);
  EXPECT_EQ(lines.line_at(0), 10U);
  EXPECT_EQ(lines.line_at(2), 11U);
  EXPECT_EQ(lines.line_at(5), 13U);
}

}  // namespace
}  // namespace lightcone
