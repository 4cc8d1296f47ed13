// Pictures of witnesses: what the trace and the property file say of a state stands beside it, and
// all of it in its tooltip.
#include "system/shell.h"

namespace lightcone {
namespace {

constexpr const char* stale_reply =
    R"({"process":"store","kind":"internal","labels":["write"],)"
    R"("vars":{"version":7,"note":"a & b"},"text":"Put of <x>","source":"store.cc:12"})"
    "\n"
    R"({"process":"store","kind":"send","message":"m","labels":["reply"],"text":"Get reply"})"
    "\n"
    R"({"process":"client","kind":"receive","message":"m","labels":["read"],"vars":{"seen":3},)"
    R"("text":"a text that is much longer than the room beside an event","source":"log:4"})"
    "\n";

class CheckPictures : public Shell {
 protected:
  /// The picture of the first explanation.
  [[nodiscard]] std::string picture(const std::string& properties) const {
    write("t.jsonl", stale_reply);
    write("p.prop", properties);
    const Result result = run("lightcone check --explain --svg why.svg p.prop t.jsonl");
    EXPECT_EQ(result.status, 1) << result.out << result.err;
    if (has_command("xmllint")) {
      EXPECT_EQ(run("xmllint --noout why.svg").status, 0);
    }
    return run("cat why.svg").out;
  }
  /// What the two ends of the witness say, whatever the question is.
  static void expect_tooltips(const std::string& svg) {
    EXPECT_TRUE(
        has(svg, {"<title>store, event 1\nwrite\nversion = 7\nnote = &quot;a &amp; b&quot;\n"
                  "Put of &lt;x&gt;\nstore.cc:12"}))
        << svg;
    EXPECT_TRUE(has(svg, {"<title>client, event 1\nreceives m from store\nread\nseen = 3\n"
                          "a text that is much longer than the room beside an event\nlog:4"}))
        << svg;
    EXPECT_TRUE(has(svg, {"<title>m</title>"})) << svg;
  }
};

TEST_F(CheckPictures, AFlowHasDeclaredLabels) {
  const std::string svg = picture(
      "label old = seen < 5\n"
      "forbid stale : some flow at old contains write -> old\n");
  expect_tooltips(svg);
  EXPECT_TRUE(has(svg, {">write</text>", ">old, read</text>", "log:4\nold, read</title>"})) << svg;
}

TEST_F(CheckPictures, ReasonsHaveTheFactsTheyRestOn) {
  const std::string svg = picture(
      "label old = seen < 5\n"
      "forbid stale : logic {\n y := write or any y\n x := old and y\n}\n");
  expect_tooltips(svg);
  EXPECT_TRUE(has(svg, {">write</text>", ">read, old</text>", "log:4\nread, old</title>"})) << svg;
}

TEST_F(CheckPictures, AGlobalStateHasWhatIsReadOfIt) {
  const std::string svg = picture("forbid both : possibly any(version == 7) and any(seen == 3)\n");
  expect_tooltips(svg);
  EXPECT_TRUE(has(svg, {">version == 7 = true, …</text>", ">seen == 3 = true, …</text>",
                        "log:4\nseen == 3 = true, version == 7 = false</title>",
                        "<title>the global state</title>"}))
      << svg;
}

TEST_F(CheckPictures, OfALongPredicateTheValueStays) {
  const std::string svg =
      picture("forbid both : possibly any(seen == 3 and not seen == 4 and not seen == 5)\n");
  expect_tooltips(svg);
  EXPECT_TRUE(has(svg, {"… = true</text>", "… = false</text>", "seen == 5 = true</title>"})) << svg;
}

TEST_F(CheckPictures, TheLatticeSaysWhichEventLeadsOn) {
  write("t.jsonl", stale_reply);
  const Result result = run("lightcone states --svg - t.jsonl");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(has(result.out, {"<title>store, event 1\nwrite\nversion = 7\n", "store.cc:12</title>",
                               "<title>client, event 1\nreceives m from store\nread\nseen = 3\n",
                               "<title>2,1</title>", ">2,1</text>", ">store</text>"}))
      << result.out;
}

TEST_F(CheckPictures, TwoRunsSayWhatDiffers) {
  write("a.jsonl", stale_reply);
  std::string other = stale_reply;
  other.replace(other.find("\"seen\":3"), 8, "\"seen\":4");
  write("b.jsonl", other);
  EXPECT_EQ(run("lightcone diff --svg runs.svg a.jsonl b.jsonl").status, 1);
  const std::string svg = run("cat runs.svg").out;
  EXPECT_TRUE(has(svg, {"seen = 3", "seen = 4", "\nlog:4"})) << svg;
}

}  // namespace
}  // namespace lightcone
