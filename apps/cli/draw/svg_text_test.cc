// Text for SVG: what is let through, how wide it is, where it is cut.
#include "draw/svg_text.h"

#include <gtest/gtest.h>

namespace lightcone::cli {
namespace {

TEST(SvgText, OnlyWhatXmlHasAndPeopleSee) {
  EXPECT_EQ(safe_text("plain é 日本 😀"), "plain é 日本 😀");
  EXPECT_EQ(safe_text("a\nb\tc\rd"), "a b c d");
  EXPECT_EQ(safe_text("a\nb", true), "a\nb");
  EXPECT_EQ(safe_text(std::string_view("\x00\x01\x7f", 3)), "???");
  EXPECT_EQ(safe_text("\xC2\x85"), "?");  // a control of Latin-1
  EXPECT_EQ(safe_text("\xE2\x80\xAE"
                      "evil"),
            "?evil");                                         // right to left
  EXPECT_EQ(safe_text("\xEF\xBF\xBE\xEF\xBF\xBF"), "??");     // no characters
  EXPECT_EQ(safe_text("\xED\xA0\x80"), "???");                // half a surrogate
  EXPECT_EQ(safe_text("\xC0\xAF \xF8 \xE2\x82"), "?? ? ??");  // not UTF-8
  EXPECT_EQ(safe_text("\xF4\x90\x80\x80"), "????");           // beyond the last
  EXPECT_EQ(safe_text("\xF0\x9F\xBF\xBE"), "?");              // no character either
}

TEST(SvgText, WidthAndCut) {
  EXPECT_EQ(svg_columns("abcé"), 4U);
  EXPECT_EQ(svg_columns("日本"), 4U);
  EXPECT_EQ(shortened("abcdef", 6), "abcdef");
  EXPECT_EQ(shortened("abcdefg", 6), "abcde…");
  EXPECT_EQ(shortened("日本語", 5), "日本…");
  EXPECT_EQ(shortened("日本語", 4), "日…");
  EXPECT_EQ(shortened(std::string(100000, 'x'), 3), "xx…");
  EXPECT_FALSE(may_change_font("abcdé…"));
  EXPECT_TRUE(may_change_font("日"));
}

TEST(SvgText, MarkupIsEscaped) {
  EXPECT_EQ(escaped(R"(<a b="c" d='e'>&)"), "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;");
}

}  // namespace
}  // namespace lightcone::cli
