// Where two runs part, against brute force: on thousands of pairs of random runs that differ in
// known places, and on pairs of executions of a simulated program.
#include "model/definitions/diff_definitions.h"
#include "model/generators/arbitrary.h"
#include "temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <lightcone/causal/consistent_prefix.h>
#include <lightcone/causality.h>
#include <lightcone/diff.h>
#include <lightcone/process.h>
#include <lightcone/simulation.h>
#include <lightcone/trace.h>
#include <nlohmann/json.hpp>

#include <random>
#include <set>
#include <sstream>

namespace lightcone {
namespace {

using Sameness = Comparison::Sameness;
using Differences = std::map<std::string, definition::ProcessDifference>;

/// The same of what the library found.
[[nodiscard]] Differences found(const Comparison& comparison) {
  Differences all;
  for (const Difference& difference : comparison.first) {
    all[comparison.processes[difference.process].name] = {difference.rank, difference.kind, true};
  }
  return all;
}

[[nodiscard]] std::string text_of(const Differences& differences) {
  std::string text;
  for (const auto& [name, place] : differences) {
    text += fmt::format("{}:{} {}\n", name, place.rank, name_of(place.kind));
  }
  return text;
}

/// What all pairs must satisfy; returns the first differences.
Differences compare(const ComparedRun& a, const ComparedRun& b) {
  const Comparison comparison = diff(a, b);
  const Differences all = definition::differences(a, b);
  Differences first = all;
  std::erase_if(first, [](const auto& place) { return !place.second.is_first; });
  RC_ASSERT(text_of(found(comparison)) == text_of(first));
  RC_ASSERT(first.empty() == all.empty());
  std::uint64_t alike = 0;
  for (const AlignedProcess& process : comparison.processes) {
    const auto place = all.find(process.name);
    RC_ASSERT(process.differs_at.has_value() == (place != all.end()));
    if (process.differs_at) RC_ASSERT(*process.differs_at == place->second.rank);
    const Rank both = std::min(process.events_a, process.events_b);
    const Rank before = process.differs_at ? std::max<Rank>(*process.differs_at, 1) - 1 : both;
    RC_ASSERT(process.alike == before);
    alike += process.alike;
  }
  RC_ASSERT(comparison.alike == alike);
  return first;
}

Differences compare(const Computation& a, const Computation& b) {
  return compare(ComparedRun::whole(a), ComparedRun::whole(b));
}

[[nodiscard]] std::vector<nlohmann::json> lines_of(const Computation& computation) {
  std::istringstream text(write_trace_text(computation, Format::jsonl));
  std::vector<nlohmann::json> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(nlohmann::json::parse(line));
  return lines;
}

[[nodiscard]] Computation made_of(const std::vector<nlohmann::json>& lines) {
  std::string text;
  for (const auto& line : lines) text += line.dump() + "\n";
  auto reading = read_trace_text(text, "altered", Format::jsonl);
  if (!reading) RC_FAIL(reading.error().text());
  return std::move(reading->computation);
}

TEST(Diff, EqualRunsAreTheSame) {
  arbitrary::for_all_computations("equal runs", 2000, [](const Computation& c) {
    RC_ASSERT(compare(c, c).empty());
    // Names of messages, times and sources do not count, nor the order of labels.
    auto lines = lines_of(c);
    for (auto& line : lines) {
      if (line.contains("message") && line["message"].is_string()) {
        line["message"] = "another " + line["message"].get<std::string>();
      } else if (line.contains("message")) {
        for (auto& name : line["message"]) name = "another " + name.get<std::string>();
        std::reverse(line["message"].begin(), line["message"].end());
      }
      if (line.contains("sends")) line["sends"] = "another " + line["sends"].get<std::string>();
      if (line.contains("labels")) std::reverse(line["labels"].begin(), line["labels"].end());
      line["time"] = 12.5;
      line["source"] = "elsewhere.cc:1";
      if (line.contains("lightcone")) line.erase("time"), line.erase("source");
    }
    const Computation other = made_of(lines);
    RC_ASSERT(compare(c, other).empty());
    RC_ASSERT(diff(c, other).answer() == Sameness::same);
    RC_ASSERT(diff(c, other).alike == c.event_count());
  });
}

TEST(Diff, OneAlteredEventIsTheOnlyDifference) {
  arbitrary::for_all("one altered event", 4000, [] {
    const Computation c = arbitrary::play(*arbitrary::script());
    auto lines = lines_of(c);
    if (lines.size() < 2) return;
    const auto at = *rc::gen::inRange<std::size_t>(1, lines.size());
    const int what = *rc::gen::inRange(0, 4);
    nlohmann::json& line = lines[at];
    DifferenceKind kind = DifferenceKind::event;
    if (what == 0) {
      line["labels"].push_back("altered");
    } else if (what == 1) {
      line["vars"]["altered"] = 1;
    } else if (what == 2) {
      line["text"] = "altered";
    } else {
      line["digest"] = "00000000000000aa";
    }
    std::vector<nlohmann::json> before = lines;
    if (what == 3) {
      before[at]["digest"] = "00000000000000bb";
      kind = DifferenceKind::contents;
    } else {
      before = lines_of(c);
    }
    const auto is_before = [&](const nlohmann::json& other) {
      return other.value("process", "") == line["process"] && other.value("kind", "") != "init";
    };
    const bool is_initial = line["kind"] == "init";
    const auto rank = static_cast<Rank>(
        is_initial
            ? 0
            : std::count_if(lines.begin(), lines.begin() + std::ptrdiff_t(at) + 1, is_before));
    const Differences expected = {{line["process"], {rank, kind, true}}};
    RC_ASSERT(text_of(compare(made_of(before), made_of(lines))) == text_of(expected));
  });
}

/// Two runs that begin in the same way. Later steps are others, or come in another order.
TEST(Diff, RunsThatPartSomewhereAgreeWithBruteForce) {
  std::size_t different = 0, several = 0;
  std::set<DifferenceKind> kinds;
  arbitrary::for_all("runs that part", 6000, [&] {
    const arbitrary::Script one = *arbitrary::script(40);
    arbitrary::Script other = one;
    const int changes = *rc::gen::inRange(1, 4);
    for (int i = 0; i < changes && !other.steps.empty(); ++i) {
      const auto at = *rc::gen::inRange<std::size_t>(0, other.steps.size());
      switch (*rc::gen::inRange(0, 5)) {
        case 0: other.steps[at].choice = *rc::gen::arbitrary<std::uint8_t>(); break;
        case 1: other.steps[at].action = *rc::gen::arbitrary<std::uint8_t>(); break;
        case 2: std::swap(other.steps[at], other.steps[other.steps.size() - 1]); break;
        case 3: other.steps.erase(other.steps.begin() + std::ptrdiff_t(at)); break;
        default: other.steps[at].decoration = *rc::gen::arbitrary<std::uint8_t>(); break;
      }
    }
    other.processes =
        static_cast<std::uint8_t>(std::max(1, one.processes + *rc::gen::inRange(0, 2)));
    const Differences first = compare(arbitrary::play(one), arbitrary::play(other));
    different += !first.empty();
    several += first.size() > 1;
    for (const auto& [name, place] : first) kinds.insert(place.kind);
  });
  EXPECT_GT(different, 1000U / arbitrary::one_in);
  EXPECT_GT(several, 100U / arbitrary::one_in);
  EXPECT_GE(kinds.size(), 3U);
}

/// Unrelated runs: here differences precede each other in cycles.
TEST(Diff, UnrelatedRunsAgreeWithBruteForce) {
  std::size_t cycles = 0;
  arbitrary::for_all("unrelated runs", 4000, [&] {
    const auto plain = [](Builder&, ProcessIndex, std::uint8_t, std::uint8_t) {};
    const Computation a = arbitrary::play(*arbitrary::script(30), plain);
    const Computation b = arbitrary::play(*arbitrary::script(30), plain);
    compare(a, b);
    const Comparison comparison = diff(a, b);
    for (const Difference& one : comparison.first) {
      const auto p = comparison.processes[one.process].in_a;
      if (!p || !one.is_in_a || one.rank == 0) continue;
      const auto past = causal_past(a, a.event(*p, one.rank));
      for (const Difference& other : comparison.first) {
        const auto q = comparison.processes[other.process].in_a;
        cycles += &other != &one && q && other.rank > 0 && past[*q] >= other.rank;
      }
    }
  });
  EXPECT_GT(cycles, 0U);
}

/// A run that was cut off is a prefix, and nothing is known of what came after it.
TEST(Diff, ACutOffRunIsTheSameAsFarAsItGoes) {
  arbitrary::for_all("cut off", 3000, [] {
    const Computation c = arbitrary::play(*arbitrary::script(40));
    std::vector<Rank> kept(c.process_count(), 0);
    if (c.event_count() > 0) {
      std::vector<EventIndex> last;
      const int count = *rc::gen::inRange(0, 4);
      for (int i = 0; i < count; ++i) last.push_back(*rc::gen::inRange(0U, c.event_count()));
      kept = causal_past(c, last);
    }
    const Computation prefix = prefix_of(c, kept);
    const ComparedRun whole = ComparedRun::whole(c);
    ComparedRun cut{.computation = &prefix, .cut_off = true};
    RC_ASSERT(compare(whole, cut).empty());
    RC_ASSERT(diff(whole, cut).answer() == Sameness::unknown);
    RC_ASSERT(diff(cut, cut).answer() == Sameness::unknown);
    // The same where it is a part of the run that is known.
    ComparedRun known{.computation = &c, .cut_off = true, .known = kept};
    RC_ASSERT(compare(known, whole).empty());
    RC_ASSERT(diff(known, whole).alike == prefix.event_count());
    // Where it is not cut off, it ended early.
    const Differences first = compare(c, prefix);
    RC_ASSERT(first.empty() == (prefix.event_count() == c.event_count()));
    for (const auto& [name, place] : first) RC_ASSERT(place.kind == DifferenceKind::missing);
    // Against another run, what is known is compared, and no more.
    const Computation other = arbitrary::play(*arbitrary::script(40));
    compare(cut, ComparedRun::whole(other));
    cut.lost_processes = cut.lost_start = true;
    compare(ComparedRun::whole(other), cut);
  });
}

/// A process tells every other a number, takes what comes, and answers the first.
void take_turns(SimulatedNetwork& network, const std::string& name, const std::string& folder) {
  static const std::vector<std::string> names = {"a", "b", "c"};
  ProcessOptions options;
  options.name = name;
  options.trace = folder + "/" + name + ".lct";
  const auto process = *Process::start(options);
  for (int round = 0; round < 3; ++round) {
    for (const std::string& other : names) {
      if (other != name) network.send(other, {name, "turn", process->send(other)});
    }
    for (std::size_t i = 1; i < names.size(); ++i) {
      const auto parcel = network.receive(name);
      if (parcel) process->receive(parcel->tag);
    }
  }
}

[[nodiscard]] Computation simulated(std::uint64_t seed) {
  const TemporaryFolder folder(TemporaryFolder::in_memory());
  SimulatedNetwork network({.seed = seed});
  for (const char* name : {"a", "b", "c"}) {
    network.spawn(name, [&network, &folder, name] { take_turns(network, name, folder.path()); });
  }
  EXPECT_EQ(network.run().end, SimulationOutcome::End::finished);
  auto reading = read_trace(folder.path(), Format::lct);
  EXPECT_TRUE(reading);
  return std::move(reading->computation);
}

TEST(Diff, TwoSchedulesOfAProgramPartWhereAReceiveTookAnotherMessage) {
  std::size_t different = 0;
  for (std::uint64_t seed = 0; seed < 300U / arbitrary::one_in; ++seed) {
    const Computation a = simulated(seed), b = simulated(seed + 1000), again = simulated(seed);
    EXPECT_EQ(diff(a, again).answer(), Sameness::same);
    const Comparison comparison = diff(a, b);
    const Differences all = definition::differences(ComparedRun::whole(a), ComparedRun::whole(b));
    Differences first = all;
    std::erase_if(first, [](const auto& place) { return !place.second.is_first; });
    ASSERT_EQ(text_of(found(comparison)), text_of(first)) << "seed " << seed;
    // Only the order in which messages come is not the same.
    for (const auto& [name, place] : first) EXPECT_EQ(place.kind, DifferenceKind::message);
    different += !first.empty();
  }
  EXPECT_GT(different, 200U / arbitrary::one_in);
}

TEST(Diff, MessagesAreFoundByTheirIdentity) {
  arbitrary::for_all_computations("identities", 1000, [](const Computation& c) {
    std::set<CommonMessage> all;
    for (MessageIndex m = 0; m < c.message_count(); ++m) {
      if (c.sent_by(m) == none) continue;
      const CommonMessage identity = common_message(c, m);
      RC_ASSERT(all.insert(identity).second);
      RC_ASSERT(find_message(c, identity) == m);
    }
    RC_ASSERT(find_message(c, {"nobody", {}, 1}) == none);
  });
}

}  // namespace
}  // namespace lightcone
