// What a user of logs types: texts, numbers in texts, values, times, strictness, missing labels.
#include <fmt/format.h>

#include "system/shell.h"

namespace lightcone {
namespace {

constexpr std::string_view requests =
    R"({"lightcone": 1, "processes": ["client", "server"]}
{"process": "client", "kind": "send", "message": "m1", "labels": ["request"], )"
    R"("vars": {"id": 17, "n": "7"}, "text": "Put request for 90", "time": 1}
{"process": "client", "kind": "send", "message": "m2", "labels": ["request"], )"
    R"("vars": {"id": 18}, "text": "Put request for 91", "time": 2}
{"process": "server", "kind": "receive", "message": "m2", "text": "took 12 ms", )"
    R"("source": "s.c:1", "time": 2.5}
{"process": "server", "kind": "receive", "message": "m1", "time": 2.6}
{"process": "server", "kind": "send", "message": "m3", "labels": ["reply"], )"
    R"("vars": {"id": 18}, "time": 3}
{"process": "client", "kind": "receive", "message": "m3", "labels": ["got"], "time": 3.5}
)";

class CheckLanguage : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    write("t.jsonl", requests);
  }
  [[nodiscard]] Result check(std::string_view properties, const std::string& options = "") const {
    write("p.prop", properties);
    return run("lightcone check " + options + " p.prop t.jsonl");
  }
  /// From standard input, as a program that runs would write it.
  [[nodiscard]] Result stream(std::string_view properties, const std::string& options = "") const {
    write("p.prop", properties);
    return run("lightcone check " + options + " p.prop - < t.jsonl");
  }
};

TEST_F(CheckLanguage, AsksForTexts) {
  for (const auto& [predicate, places] : {
           std::pair(R"(text contains "request for 9")", "at 2 places: client:1, client:2"),
           std::pair(R"(text =~ "^took \d+ ms$")", "at 1 place: server:1"),
           std::pair(R"(text == "took 12 ms" and source =~ "c:1")", "at 1 place: server:1"),
           std::pair(R"(kind == "receive" and message == "m1")", "at 1 place: server:2"),
           std::pair(R"(message != "m1")", "at 4 places"),
           std::pair(R"(time > 2.5 and time < 3)", "at 1 place: server:2"),
           std::pair(R"(vars.n =~ "^7$" and process == "client")", "at 3 places"),
       }) {
    const std::string properties =
        "label l = " + std::string(predicate) + "\nwatch w : logic { x := l }\n";
    for (const Result& result : {check(properties), stream(properties)}) {
      EXPECT_TRUE(has(result.out, {places})) << predicate << '\n' << result.out << result.err;
      EXPECT_EQ(result.status, 0);
    }
    const std::string global = "watch g : possibly any(" + std::string(predicate) + ")\n";
    EXPECT_TRUE(has(check(global).out, {"some global state satisfies it"})) << predicate;
    EXPECT_TRUE(has(stream(global).out, {"some global state satisfies it"})) << predicate;
  }
}

/// An empty text is a text. Only an event without one has null.
TEST_F(CheckLanguage, AnEmptyTextIsNotNull) {
  write("t.jsonl", R"({"process": "p", "kind": "internal", "text": "", "vars": {"v": "x"}}
{"process": "p", "kind": "internal", "text": "b"}
{"process": "p", "kind": "internal"}
{"process": "p", "kind": "internal", "source": "", "vars": {"v": ""}}
)");
  for (const auto& [predicate, places] : {
           std::pair(R"(text != "a")", "at 2 places: p:1, p:2"),
           std::pair(R"(text == "")", "at 1 place: p:1"),
           std::pair(R"(text =~ "^$")", "at 1 place: p:1"),
           std::pair(R"(text contains "")", "at 2 places: p:1, p:2"),
           std::pair(R"(source == "")", "at 1 place: p:4"),
           std::pair(R"(v =~ "^$")", "at 1 place: p:4"),
           std::pair(R"(v contains "")", "at 4 places"),
       }) {
    const std::string properties =
        "label l = " + std::string(predicate) + "\nwatch w : logic { x := l }\n";
    for (const Result& result : {check(properties), stream(properties)}) {
      EXPECT_TRUE(has(result.out, {places})) << predicate << '\n' << result.out << result.err;
    }
  }
}

TEST_F(CheckLanguage, AnExpressionThatTakesTooLongIsNotFalse) {
  write("t.jsonl", R"({"process": "p", "kind": "internal", "labels": ["a"], "text": ")" +
                       std::string(60, 'a') + "b\"}\n");
  for (const char* property :
       {"label bad = text =~ \"^(a+)+$\"\nforbid w : some flow contains bad\n",
        "forbid g : possibly any(text =~ \"^(a+)+$\")\n"}) {
    EXPECT_EQ(check(property).status, 3) << property;
    EXPECT_EQ(stream(property).status, 3) << property;
  }
  EXPECT_EQ(check("label ok = text =~ \"b$\"\nexpect w : some flow contains ok\n").status, 0);
}

TEST_F(CheckLanguage, HintsAtWhatIsWrong) {
  EXPECT_TRUE(
      has(check("label l = text =~ \"(a\"\n").err, {"p.prop:1:19", "is wrong at character"}));
  EXPECT_TRUE(has(check("label l = kind == \"recieve\"\n").err, {"did you mean `receive`?"}));
  EXPECT_TRUE(
      has(check("watch w : some flow contains request -> reply within 5s\n").err, {"write `5 s`"}));
  EXPECT_TRUE(has(check("watch w : some flow contains request? -> reply within 5 s\n").err,
                  {"one side can be empty"}));
  EXPECT_TRUE(has(check("watch w : some flow contains request => reply\n").err, {"write `->`"}));
  EXPECT_TRUE(has(check("watch w : some flow contains text =~ \"x\"\n").err, {"label put = text"}));
  EXPECT_TRUE(has(check("watch w : some flow contains kv-node:read\n").err, {"double quotes"}));
  EXPECT_TRUE(has(check("never w : some flow contains reply\n").err, {"is a `forbid`"}));
  EXPECT_TRUE(has(check("require w : always reply\n").err, {"is a `require`"}));
  EXPECT_TRUE(has(run("lightcone check t.jsonl p.prop").err, {"the property file comes first"}));
  EXPECT_TRUE(has(check("watch g : possibly server.n =~ \"7\"\n").err, {"any(x contains"}));
  EXPECT_TRUE(has(check("watch w for each idd : some flow contains reply\n").err,
                  {"no variable `idd`", "did you mean `id`?"}));
}

/// A few words of text cannot ask for more memory or time than there is.
TEST_F(CheckLanguage, LongPatternsHaveALimit) {
  std::string labels;
  for (char label = 'a'; label <= 'p'; ++label) {
    labels += labels.empty() ? "" : "|";
    labels += label;
  }
  const std::string transitions = "the pattern needs more than 1048576 transitions";
  for (const auto& [pattern, of_every, of_some] : {
           std::tuple("(" + labels + "){250}", transitions, std::string("nowhere among")),
           std::tuple(std::string("(a?b?c?d?){999}"),
                      std::string("the pattern needs too much work"), transitions),
       }) {
    write("p.prop", "watch every_one : every flow matches " + pattern +
                        "\nwatch some_one : some flow matches " + pattern + "\n");
    const auto limited = run("ulimit -v 3000000; lightcone check p.prop t.jsonl");
    EXPECT_EQ(limited.status, 3) << limited.err;
    EXPECT_TRUE(
        has(limited.out, {"every_one  watch  " + of_every, "some_one   watch  " + of_some}));
  }
  // A long pattern without choices needs a long automaton, and no more.
  write("p.prop", "watch w : every flow matches (request reply){1000}\n");
  EXPECT_EQ(run("lightcone check p.prop t.jsonl").status, 0);
}

TEST_F(CheckLanguage, IsStrictIfAsked) {
  constexpr std::string_view fine = "watch w : some flow contains request\n";
  EXPECT_EQ(check(fine, "--strict").status, 0);
  for (const auto& [properties, warning] : {
           std::pair("watch w : some flow contains requst\n", "`w`: no event carries the label"),
           std::pair("require w : some flow at [never] contains request\n", "`w` is asked nowhere"),
           std::pair("", "the file has no properties"),
           std::pair("watch w : possibly sum(n) > 3\n", "`w`: `sum(n)` passes over the texts"),
           std::pair("watch w : possibly any(n > 3)\n", "`n > 3` passes over the texts"),
       }) {
    for (const Result& result : {check(properties), stream(properties)}) {
      EXPECT_TRUE(has(result.err, {warning})) << result.err;
      EXPECT_EQ(result.status, 0);
    }
    EXPECT_EQ(check(properties, "--strict").status, 2) << properties;
    EXPECT_EQ(stream(properties, "--strict").status, 2) << properties;
  }
  write("t.jsonl",
        R"({"process": "p", "kind": "internal", "label": ["request"], "labels": ["request"]})");
  EXPECT_TRUE(has(check(fine).err, {"a member `label`", "did you mean `labels`?"}));
  EXPECT_EQ(check(fine, "--strict").status, 2);
  EXPECT_EQ(stream(fine, "--strict").status, 2);
  write("t.jsonl", R"({"lightcone": 1, "processes": ["p"]})");
  EXPECT_TRUE(has(check("").err, {"the trace has no events"}));
  EXPECT_EQ(check("forbid g : possibly any(true)\n", "--strict").status, 2);
}

TEST_F(CheckLanguage, ReadsNumbersInTexts) {
  constexpr std::string_view many = "expect w : possibly any(n > 3)\n";
  EXPECT_EQ(check(many).status, 1);
  EXPECT_EQ(check(many, "--numbers --strict").status, 0);
  EXPECT_EQ(stream(many, "--numbers --strict").status, 0);
  write("t.jsonl", R"({"process": "p", "kind": "internal", "vars": {"n": "7"}}
{"process": "p", "kind": "internal", "vars": {"n": "007"}}
)");
  EXPECT_EQ(check(many, "--numbers").status, 1);
}

TEST_F(CheckLanguage, AsksForEachValue) {
  constexpr std::string_view answered =
      "expect answered for each id : some flow contains request -> reply\n";
  for (const Result& result : {check(answered), stream(answered)}) {
    EXPECT_EQ(result.status, 1);
    EXPECT_TRUE(has(result.out, {"for 1 of 2 values of id: 17 (nowhere among 6 places)"}))
        << result.out << result.err;
  }
  const Result json = check(answered, "--json");
  EXPECT_TRUE(has(json.out, {R"("values":[{"value":17,"verdict":"fail","found":false,"at":[]},)"
                             R"({"value":18,"verdict":"pass","found":true,"at":[{"process":)"}))
      << json.out;
  const Result explained = check(answered, "--explain");
  EXPECT_TRUE(
      has(explained.out, {"For id = 17, `answered` was expected", "`reply` happened nowhere"}))
      << explained.out;
  EXPECT_EQ(check("forbid two for each id : possibly count(event == \"request\") >= 1 and "
                  "any(event == \"reply\")\n")
                .status,
            1);
  EXPECT_EQ(check("expect l for each id : logic { x := request or any x }\n").status, 0);
}

TEST_F(CheckLanguage, ComparesTimes) {
  constexpr std::string_view prompt =
      "require prompt : some flow at got contains request -> got within 2 s\n";
  EXPECT_EQ(check(prompt).status, 0) << check(prompt).out;
  constexpr std::string_view across =
      "require prompt : some flow at reply contains request -> reply within 1 s\n";
  const Result refused = check(across);
  EXPECT_EQ(refused.status, 2);
  EXPECT_TRUE(has(refused.err, {"compares times of different processes", "clocks within"}));
  EXPECT_EQ(check("clocks within 0 s\n" + std::string(across)).status, 0);
  const Result unknown = check("clocks within 10 ms\n" + std::string(across));
  EXPECT_EQ(unknown.status, 3);
  EXPECT_TRUE(has(unknown.out, {"the clocks cannot tell at 1 of 1 place"})) << unknown.out;
}

TEST_F(CheckLanguage, SaysWhatIsMissing) {
  write("t.jsonl", R"({"process": "a", "kind": "internal"}
{"process": "a", "kind": "send", "message": "m"}
{"process": "a", "kind": "internal", "labels": ["copied"]}
{"process": "b", "kind": "receive", "message": "m", "labels": ["answered"]}
)");
  const Result flow =
      check("require copies : some flow at answered contains copied\n", "--explain");
  EXPECT_TRUE(has(flow.out, {"`copied` happened at a:3; it is not in the past of this event; the",
                             "known here is 2.\n\nOf 2 flows to b:1, none matches"}))
      << flow.out;
  const Result logic = check(
      "require copies : logic { c := copied or any c\n r := answered => c }\n", "--explain --json");
  EXPECT_TRUE(has(logic.out, {R"("missing":[{"label":"copied","count":1)", R"("known":{"a":2})"}))
      << logic.out;
}

TEST_F(CheckLanguage, SaysWhatAGlobalPropertyLacks) {
  write("t.jsonl", R"({"lightcone": 1, "processes": ["a", "b", "c"]}
{"process": "a", "kind": "internal", "vars": {"inside": true}}
{"process": "a", "kind": "send", "message": "m", "vars": {"inside": false}}
{"process": "b", "kind": "receive", "message": "m", "vars": {"inside": true}}
{"process": "c", "kind": "internal", "vars": {"inside": false}}
)");
  const Result never = check("require all_in : possibly all(inside)\n", "--explain");
  EXPECT_TRUE(has(never.out, {"`inside` is true nowhere in c."})) << never.out;
  write("two.prop", "group two = a, b\nrequire both : possibly all(inside in two)\n");
  const Result apart = run("lightcone check --explain two.prop t.jsonl");
  EXPECT_TRUE(has(apart.out, {"`inside` is never true in a and b at one moment: at b:1, where it "
                              "becomes true,\nit is known that it ended at a:2."}))
      << apart.out;
  const auto json = run("lightcone check --explain --json two.prop t.jsonl").json();
  EXPECT_EQ(json["properties"][0]["missing"],
            nlohmann::json::parse(R"([{"reads": "inside", "never": [],
                "ended": {"process": "a", "event": 2}, "begun": {"process": "b", "event": 1}}])"))
      << json;
}

TEST_F(CheckLanguage, ShortensNamesAndNeverValues) {
  const std::string middle(30, 'x');
  write("t.jsonl",
        fmt::format(R"({{"process": "west-{0}1-a", "kind": "internal", "vars": {{"n": 1}}}}
{{"process": "west-{0}2-a", "kind": "internal", "vars": {{"n": 123456789012345}}}}
)",
                    middle));
  const Result result =
      check("forbid f : possibly count(n > 0 and n < 1000000000000000) >= 2\n", "--explain");
  EXPECT_TRUE(has(result.out, {"1-a:1", "2-a:1", " = true"})) << result.out;
  const std::string text(200, 't');
  write("t.jsonl", fmt::format(R"({{"process": "p", "kind": "internal", "labels": ["a"], )"
                               R"("vars": {{"n": "{}"}}}})"
                               "\n",
                               text));
  EXPECT_TRUE(has(check("forbid f for each n : some flow contains a\n").out, {text}));
}

TEST_F(CheckLanguage, FindsFormatsByContent) {
  ASSERT_EQ(run("mkdir logs && cp t.jsonl T.JSONL && cp t.jsonl t.json && cp t.jsonl t.ndjson && "
                "cp t.jsonl t.txt")
                .status,
            0);
  for (const char* name : {"T.JSONL", "t.json", "t.ndjson", "t.txt"}) {
    EXPECT_TRUE(has(run("lightcone info " + std::string(name)).out, {"6"})) << name;
    EXPECT_EQ(run("lightcone info " + std::string(name)).status, 0) << name;
  }
  write("logs/a.log", "\n\na {\"a\":1}\nfirst\na {\"a\":2}\nsecond\n");
  write("logs/b.log", "b {\"b\":1, \"a\":1}\nthird\n");
  const Result text = run("lightcone convert logs - --to jsonl");
  EXPECT_TRUE(has(text.out, {R"("text": "first", "source": "a.log:3")",
                             R"("text": "third", "source": "b.log:1")"}))
      << text.out << text.err;
  EXPECT_TRUE(has(text.err, {"read with the text after it."}));
  write("logs/c.log", "fourth\nc {\"c\":1}\nfifth\nc {\"c\":2}\n");
  EXPECT_TRUE(has(run("lightcone info logs").err, {"text after it, in 2 of 3 files."}));
}

}  // namespace
}  // namespace lightcone
