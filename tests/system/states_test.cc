// `lightcone states` as a user runs it: counts, lists, inevitable states, pictures, limits.
#include <algorithm>
#include <fstream>
#include <numeric>
#include <set>
#include <sstream>

#include "system/shell.h"

namespace lightcone {
namespace {

using nlohmann::json;

const std::string data = LIGHTCONE_TEST_DATA;
const std::string observers = data + "/cases/observers.jsonl";

class States : public Shell {
 protected:
  [[nodiscard]] Result states(const std::string& arguments) const {
    return run("lightcone states " + arguments);
  }
  [[nodiscard]] json ask(const std::string& arguments, int status = 0) const {
    const Result result = states("--json " + arguments);
    EXPECT_EQ(result.status, status) << arguments << '\n' << result.err;
    EXPECT_TRUE(result.json().is_object()) << result.out;
    return result.json();
  }
  [[nodiscard]] std::string content(const std::string& name) const {
    std::ostringstream out;
    out << std::ifstream(folder() / name).rdbuf();
    return out.str();
  }
  /// A trace of processes that have one event each.
  void write_independent(std::size_t processes) const {
    std::string text;
    for (std::size_t p = 0; p < processes; ++p) {
      text += R"({"process": "p)" + std::to_string(p) + R"(", "kind": "internal"})" + "\n";
    }
    write("independent.jsonl", text);
  }
};

/// Ranks of p1, p2, … as the papers write them.
[[nodiscard]] std::vector<std::vector<int>> ranks(const json& states) {
  std::vector<std::vector<int>> all;
  for (const json& state : states) {
    all.emplace_back();
    for (const json& rank : state) all.back().push_back(rank);  // sorted by name
  }
  return all;
}

// Chang and Garg.
TEST_F(States, OfPosets) {
  const auto count = [&](const std::string& poset) {
    return ask("--from clocks " + data + "/data/posets/" + poset);
  };
  EXPECT_EQ(count("d-10.txt")["count"], 768);
  EXPECT_EQ(count("d-50.txt")["count"], 590'976);
  EXPECT_EQ(count("d-100.txt")["count"], 1'177'996);
  const json last = count("d-300.txt");
  EXPECT_EQ(last["count"], 42'695'907);
  EXPECT_EQ(last["events"], 300);
  EXPECT_EQ(last["lightcone"], 1);
}

// RR-2194, figure 7 and section 3.4.
TEST_F(States, InevitableOnesOfTheObserversFigure) {
  using Cuts = std::vector<std::vector<int>>;
  const std::string of_r = "--inevitable --relevant r ";
  EXPECT_EQ(ranks(ask(of_r + observers)["inevitable"]), (Cuts{{0, 0, 0}, {2, 1, 2}, {3, 2, 3}}));
  const json partial = ask(of_r + "--of p1,p2 " + observers);
  EXPECT_EQ(ranks(partial["inevitable"]), (Cuts{{0, 0}, {1, 0}, {1, 1}, {2, 1}, {3, 2}}));
  EXPECT_FALSE(partial["inevitable"][0].contains("p3"));
  EXPECT_EQ(ranks(ask(of_r + "--physical " + observers)["inevitable"]), (Cuts{{2, 1, 2}}));
  const Result words = states(of_r + observers);
  EXPECT_TRUE(has(words.out, {"3 inevitable states of 3 processes with 8 relevant events", "2,1,2",
                              "the initial state", "the final state"}));
  EXPECT_TRUE(has(states(of_r + "--physical " + observers).out, {"1 inevitable state "},
                  {"the initial state"}));
}

TEST_F(States, ListsAreWhatIsCounted) {
  const json listed = ask("--list --relevant r " + observers);
  const json counted = ask("--relevant r " + observers);
  EXPECT_EQ(listed["count"], counted["count"]);
  EXPECT_EQ(listed["states"].size(), counted["count"]);
  const auto all = ranks(listed["states"]);
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
  EXPECT_EQ(all.front(), (std::vector<int>{0, 0, 0}));
  EXPECT_EQ(all.back(), (std::vector<int>{3, 2, 3}));
  const Result words = states("--list --relevant r " + observers);
  EXPECT_EQ(static_cast<std::size_t>(std::count(words.out.begin(), words.out.end(), '\n')),
            all.size() + 1);
  EXPECT_TRUE(words.out.starts_with("  p1  p2  p3\n   0   0   0\n")) << words.out;
}

TEST_F(States, OfSomeProcesses) {
  write("t.jsonl", R"({"lightcone": 1, "processes": ["w1", "w2", "boss", "idle"]}
{"process": "w1", "kind": "internal"}
{"process": "w2", "kind": "internal"}
{"process": "boss", "kind": "internal"}
)");
  EXPECT_EQ(ask("t.jsonl")["count"], 8);
  EXPECT_EQ(ask("t.jsonl")["processes"], 4);
  EXPECT_EQ(ask("--of 'w*' t.jsonl")["count"], 4);
  EXPECT_EQ(ask("--of 'w*,boss' t.jsonl")["count"], 8);
  EXPECT_EQ(ask("--of idle t.jsonl")["count"], 1);
  EXPECT_EQ(ask("--list --of boss,idle t.jsonl")["states"],
            json::parse(R"([{"boss": 0, "idle": 0}, {"boss": 1, "idle": 0}])"));
  const Result unknown = states("--of w1,bos t.jsonl");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_TRUE(has(unknown.err, {"the trace has no process `bos`", "`boss`?"}));
}

TEST_F(States, OfRelevantEvents) {
  write("t.jsonl", R"({"process": "p", "kind": "internal", "labels": ["a"]}
{"process": "p", "kind": "internal", "labels": ["b"]}
{"process": "q", "kind": "internal", "labels": ["a"]}
)");
  EXPECT_EQ(ask("t.jsonl")["count"], 6);
  EXPECT_EQ(ask("--relevant . t.jsonl")["count"], 6);
  EXPECT_EQ(ask("--relevant a t.jsonl")["count"], 4);
  EXPECT_EQ(ask("--relevant '!a' t.jsonl")["count"], 2);
  EXPECT_EQ(ask("--relevant '[^a b]' t.jsonl")["count"], 1);
  EXPECT_EQ(ask("--relevant p:a t.jsonl")["count"], 2);
  EXPECT_EQ(ask("--relevant a --of q t.jsonl")["events"], 1);
  const Result misspelt = states("--relevant c t.jsonl");
  EXPECT_EQ(misspelt.status, 0);
  EXPECT_TRUE(has(misspelt.err, {"no event carries the label `c`"}));
}

TEST_F(States, BadAtomsAreErrors) {
  write("t.jsonl", "");
  for (const char* atom : {"'a b'", "'a*'", "'[a'", "'('", "' '", "nobody:a"}) {
    const Result result = states(std::string("--relevant ") + atom + " t.jsonl");
    EXPECT_EQ(result.status, 2) << atom;
    EXPECT_TRUE(has(result.err, {"--relevant"})) << atom;
    EXPECT_EQ(result.out, "");
  }
}

TEST_F(States, OfLittle) {
  write("nothing.jsonl", "");
  EXPECT_EQ(ask("nothing.jsonl")["count"], 1);
  EXPECT_EQ(ask("--list nothing.jsonl")["states"], json::parse("[{}]"));
  EXPECT_EQ(ask("--inevitable nothing.jsonl")["inevitable"], json::parse("[{}]"));
  EXPECT_EQ(ask("--observations nothing.jsonl")["observations"], 1);
  EXPECT_EQ(ask("--observation nothing.jsonl")["observation"], json::array());
  EXPECT_EQ(states("--svg x.svg nothing.jsonl").status, 0);
  EXPECT_TRUE(has(states("nothing.jsonl").out, {"1 of 1 combinations", "is consistent"}));
  write("one.jsonl", R"({"process": "p", "kind": "internal"}
{"process": "p", "kind": "internal"}
)");
  EXPECT_EQ(ask("one.jsonl")["count"], 3);
  EXPECT_EQ(ask("--inevitable one.jsonl")["inevitable"].size(), 3U);
  EXPECT_EQ(ask("--observations one.jsonl")["observations"], 1);
}

TEST_F(States, MoreThanAMachineWordHolds) {
  write_independent(1000);
  const std::string power =  // 2^1000
      "10715086071862673209484250490600018105614048117055336074437503883703510511249361224931983788"
      "15695858127594672917553146825187145285692314043598457757469857480393456777482423098542107460"
      "50623711418779541821530464749835819412673987675591655439460770629145711964776865421676604298"
      "31652624386837205668069376";
  const Result result = states("--json independent.jsonl");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out, R"({"lightcone":1,"count":")" + power +
                            R"(","method":"elimination","width":0,"processes":1000,"events":1000})"
                            "\n");
  const Result words = states("independent.jsonl");
  EXPECT_TRUE(has(words.out, {"1.07 * 10^301 of 1.07 * 10^301", "Exactly:\n  " + power}));
  const json listed = ask("--list --limit-states 100 independent.jsonl", 3);
  EXPECT_EQ(listed["states"].size(), 100U);
  EXPECT_EQ(listed["count"], nullptr);
  EXPECT_EQ(listed["more_than"], 100);
  EXPECT_EQ(listed["limit"], "states");
  EXPECT_EQ(states("--svg x.svg independent.jsonl").status, 2);
}

TEST_F(States, LimitsLeaveItUnknown) {
  const std::string poset = "--from clocks " + data + "/data/posets/d-50.txt";
  // States that are not visited do not count.
  EXPECT_EQ(ask("--limit-states 1k " + poset)["count"], 590'976);
  EXPECT_EQ(ask("--limit-time 0 " + poset, 3)["limit"], "time");
  EXPECT_EQ(ask("--limit-memory 1k " + poset, 3)["limit"], "memory");
  EXPECT_EQ(ask("--limit-memory 1k --inevitable " + poset, 3)["inevitable"], nullptr);
  EXPECT_EQ(ask("--limit-states none --limit-time none --limit-memory none " + poset)["count"],
            590'976);
  EXPECT_EQ(ask("--limit-states 768 --from clocks " + data + "/data/posets/d-10.txt")["count"],
            768);
  const Result words = states("--limit-time 0 " + poset);
  EXPECT_EQ(words.status, 3);
  EXPECT_TRUE(has(words.out, {"More than ", "The limit of time was hit", "--limit-time"}));
  const Result list = states("--list --limit-states 10 " + poset);
  EXPECT_EQ(list.status, 3);
  EXPECT_TRUE(has(list.err, {"there are more than 10 global states", "--limit-states"}));
  EXPECT_EQ(ask("--observations --limit-states 10 " + poset, 3)["limit"], "states");
  EXPECT_EQ(ask("--observations --limit-memory 20k " + poset, 3)["limit"], "memory");
  for (const char* wrong : {"--limit-states many", "--limit-time 1k", "--limit-memory -1",
                            "--limit-states ''", "--limit-time nan"}) {
    EXPECT_EQ(states(std::string(wrong) + " " + poset).status, 2) << wrong;
  }
}

TEST_F(States, Observations) {
  write("t.jsonl", R"({"process": "p", "kind": "send", "message": "m", "labels": ["ask"]}
{"process": "p", "kind": "internal"}
{"process": "q", "kind": "receive", "message": "m"}
)");
  EXPECT_EQ(ask("--observations t.jsonl")["observations"], 2);
  EXPECT_TRUE(has(states("--observations t.jsonl").out, {"2 observations: orders"}));
  std::set<std::string> seen;
  for (int seed = 1; seed <= 20; ++seed) {
    seen.insert(states("--observation --seed " + std::to_string(seed) + " t.jsonl").out);
  }
  EXPECT_EQ(seen.size(), 2U);
  EXPECT_TRUE(has(*seen.begin(), {"1  p:1           sends m  ask\n", "q:1           receives m"}));
  EXPECT_EQ(ask("--observation t.jsonl")["observation"][0],
            json::parse(R"({"process": "p", "event": 1})"));
  write_independent(30);
  EXPECT_TRUE(has(states("--json --observations independent.jsonl").out,
                  {"\"observations\":\"265252859812191058636308480000000\","}));  // 30!
}

TEST_F(States, AreCountedByElimination) {
  const std::string posets = "--from clocks " + data + "/data/posets/";
  for (const char* poset : {"d-10.txt", "d-50.txt", "d-100.txt", "d-300.txt"}) {
    EXPECT_EQ(ask(posets + poset)["method"], "elimination") << poset;
  }
  const auto width = [&](const std::string& shape) {
    EXPECT_EQ(run("lightcone generate -o t.lct " + shape).status, 0);
    const json counted = ask("t.lct");
    EXPECT_EQ(counted["method"], "elimination");
    EXPECT_TRUE(counted["count"].is_string()) << "the count is beyond 2^53";
    return counted["width"];
  };
  EXPECT_EQ(width("--processes 64 --events 100k --topology star"), 1);
  EXPECT_EQ(width("--processes 16 --events 2k --topology ring"), 2);
  EXPECT_EQ(width("--processes 64 --events 20k --topology pairs"), 1);
}

TEST_F(States, SizesAddUp) {
  const json sizes = ask("--sizes --relevant r " + observers);
  const json listed = ask("--list --relevant r " + observers)["states"];
  std::vector<int> expected(sizes["events"].get<std::size_t>() + 1, 0);
  for (const auto& state : ranks(listed)) {
    ++expected[static_cast<std::size_t>(std::accumulate(state.begin(), state.end(), 0))];
  }
  EXPECT_EQ(sizes["sizes"], json(expected));
  EXPECT_EQ(sizes["count"], listed.size());
  const Result words = states("--sizes --svg s.svg --relevant r " + observers);
  EXPECT_TRUE(has(words.out, {"Events  States", "\n       0       1  "}));
  EXPECT_TRUE(has(content("s.svg"), {"<svg ", "events that have happened", "class=\"area\""}));
  EXPECT_TRUE(states("--sizes --svg - " + observers).out.ends_with("</svg>\n"));
  EXPECT_EQ(
      ask("--sizes --limit-time 0 --from clocks " + data + "/data/posets/d-50.txt", 3)["sizes"],
      nullptr);
  EXPECT_EQ(states("--sizes --dot - " + observers).status, 2);
}

TEST_F(States, SamplesAreStates) {
  const json listed = ask("--list --relevant r " + observers)["states"];
  const json sample = ask("--sample 50 --seed 3 --relevant r " + observers);
  EXPECT_EQ(sample["sample"].size(), 50U);
  for (const json& state : sample["sample"]) {
    EXPECT_NE(std::find(listed.begin(), listed.end(), state), listed.end()) << state;
  }
  EXPECT_EQ(sample, ask("--sample 50 --seed 3 --relevant r " + observers));
  EXPECT_NE(sample["sample"], ask("--sample 50 --seed 4 --relevant r " + observers)["sample"]);
  EXPECT_EQ(states("--sample 0 " + observers).status, 2);
  EXPECT_EQ(states("--sample 2 --limit-time 0 " + observers).status, 3);
  write("nothing.jsonl", "");
  EXPECT_EQ(ask("--sample 2 nothing.jsonl")["sample"], json::parse("[{}, {}]"));
  EXPECT_EQ(ask("--sizes nothing.jsonl")["sizes"], json::parse("[1]"));
}

TEST_F(States, AreEstimatedWhereTheyCannotBeCounted) {
  EXPECT_EQ(run("lightcone generate -o t.lct --processes 12 --events 400").status, 0);
  const double truth = ask("t.lct")["count"];
  // No memory for tables, and few states may be visited without them.
  const std::string limits = "--limit-memory 100k --limit-states 10 --limit-time 30 ";
  const json unknown = ask(limits + "t.lct", 3);
  EXPECT_EQ(unknown["count"], nullptr);
  EXPECT_EQ(unknown["limit"], "states");
  ASSERT_TRUE(unknown.contains("estimate")) << unknown;
  const json& estimate = unknown["estimate"];
  EXPECT_LT(estimate["low"], estimate["count"]);
  EXPECT_LT(estimate["count"], estimate["high"]);
  EXPECT_GT(estimate["count"], truth / 3);
  EXPECT_LT(estimate["count"], truth * 3);
  EXPECT_EQ(estimate["confidence"], 0.95);
  const Result words = states(limits + "t.lct");
  EXPECT_EQ(words.status, 3);
  EXPECT_TRUE(has(words.out, {"More than ", "estimate", "95%"}));
}

TEST_F(States, Pictures) {
  const Result both = states("--relevant r --svg l.svg --dot l.dot " + observers);
  EXPECT_EQ(both.status, 0) << both.err;
  EXPECT_TRUE(
      has(content("l.svg"), {"<svg ", ">2,1,2</text>", "Global states of observers.jsonl"}));
  EXPECT_TRUE(has(content("l.dot"), {"digraph states {", "[label=\"p2\"]"}));
  EXPECT_TRUE(states("--relevant r --svg - " + observers).out.ends_with("</svg>\n"));
  EXPECT_TRUE(states("--relevant r --dot - " + observers).out.ends_with("}\n"));
  const Result large = states("--svg x.svg --from clocks " + data + "/data/posets/d-10.txt");
  EXPECT_EQ(large.status, 2);
  EXPECT_TRUE(has(large.err, {"768 global states", "at most 500", "--relevant"}));
  EXPECT_EQ(file_count(), 2U);
  EXPECT_EQ(states("--json --svg - " + observers).status, 2);
  EXPECT_EQ(states("--svg - --dot - " + observers).status, 2);
}

TEST_F(States, QuestionsExcludeEachOther) {
  write("t.jsonl", "");
  for (const char* two :
       {"--list --inevitable", "--observations --observation", "--physical", "--seed 3",
        "--list --observations", "--sizes --sample 3", "--list --sizes"}) {
    EXPECT_EQ(states(std::string(two) + " t.jsonl").status, 2) << two;
  }
}

}  // namespace
}  // namespace lightcone
