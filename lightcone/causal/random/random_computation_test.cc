// Random computations: as many events as asked, the same for the same seed, of the asked shape.
#include <gtest/gtest.h>
#include <lightcone/base/random.h>
#include <lightcone/causal/order/measures.h>
#include <lightcone/causal/random/random_computation.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

namespace lightcone {
namespace {

constexpr Topology topologies[] = {Topology::uniform, Topology::ring, Topology::star,
                                   Topology::pairs, Topology::phases};

[[nodiscard]] Computation generated(const RandomShape& shape) {
  auto computation = random_computation(shape);
  EXPECT_TRUE(computation.has_value()) << computation.error().text();
  return std::move(*computation);
}

/// All that matters of a computation, in one string.
[[nodiscard]] std::string fingerprint(const Computation& c) {
  std::string out;
  for (EventIndex e = 0; e < c.event_count(); ++e) {
    out += std::to_string(e) + "." + std::to_string(static_cast<int>(c.kind(e)));
    for (const MessageIndex m : c.takes(e)) out += "<" + c.message_name(m);
    for (const NameIndex label : c.labels(e)) out += "," + std::string(c.names()[label]);
    for (const Assignment& a : c.assignments(e)) out += "=" + std::to_string(a.value.index());
    out += ";";
  }
  return out;
}

TEST(RandomComputation, HasExactlyTheEventsAndProcessesAsked) {
  for (const Topology topology : topologies) {
    for (const std::uint32_t processes : {1U, 2U, 3U, 10U}) {
      for (const std::uint32_t events : {0U, 1U, 17U, 1000U}) {
        const Computation c = generated({.processes = processes,
                                         .events = events,
                                         .topology = topology,
                                         .multicast_rate = 0.2,
                                         .batch_rate = 0.2,
                                         .duplicate_rate = 0.1,
                                         .phase_length = 5});
        EXPECT_EQ(c.event_count(), events);
        EXPECT_EQ(c.process_count(), processes);
      }
    }
  }
}

TEST(RandomComputation, IsTheSameForTheSameSeedOnly) {
  RandomShape shape{.seed = 7, .events = 500, .labels = {{"a", 0.3}}, .variables = {{"x", 0.3}}};
  const std::string first = fingerprint(generated(shape));
  EXPECT_EQ(first, fingerprint(generated(shape)));
  shape.seed = 8;
  EXPECT_NE(first, fingerprint(generated(shape)));
}

/// Written down once: every machine must give the same.
TEST(RandomComputation, IsTheSameOnEveryMachine) {
  const Computation c = generated({.seed = 42, .processes = 3, .events = 12});
  std::string kinds;
  for (ProcessIndex p = 0; p < c.process_count(); ++p) {
    for (EventIndex e = c.first_event(p); e < c.end_event(p); ++e) {
      kinds += "isr"[static_cast<int>(c.kind(e))];
    }
    kinds += ' ';
  }
  EXPECT_EQ(kinds, "iirr ssis iiss ");
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a
  for (const char byte : fingerprint(generated({.seed = 42, .events = 5000, .fifo = true}))) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211U;
  }
  EXPECT_EQ(hash, 6324187435658133510U);
}

TEST(RandomComputation, KeepsToItsTopology) {
  for (const Topology topology : topologies) {
    const Computation c = generated({.processes = 7, .events = 3000, .topology = topology});
    std::uint64_t edges = 0;
    for (EventIndex e = 0; e < c.event_count(); ++e) {
      for (const MessageIndex m : c.takes(e)) {
        ++edges;
        const std::uint32_t from = c.process_of(c.sent_by(m));
        const std::uint32_t to = c.process_of(e);
        EXPECT_NE(from, to);
        EXPECT_TRUE(topology != Topology::ring || (from + 1) % 7 == to || (to + 1) % 7 == from);
        EXPECT_TRUE(topology != Topology::star || from == 0 || to == 0);
        EXPECT_TRUE(topology != Topology::pairs || from / 2 == to / 2);
      }
    }
    EXPECT_GT(edges, 500U);
  }
}

/// Brute force: with fifo, what one process takes from another comes in the order it was sent.
TEST(RandomComputation, FifoChannelsKeepTheirOrder) {
  const auto overtakings = [](bool fifo) {
    const Computation c =
        generated({.processes = 3, .events = 3000, .message_rate = 0.8, .delay = 10, .fifo = fifo});
    std::uint64_t count = 0;
    for (ProcessIndex p = 0; p < 3; ++p) {
      EventIndex last[3] = {0, 0, 0};
      for (EventIndex e = c.first_event(p); e < c.end_event(p); ++e) {
        for (const MessageIndex m : c.takes(e)) {
          const EventIndex sent = c.sent_by(m);
          EventIndex& before = last[c.process_of(sent)];
          if (sent < before) ++count;
          before = std::max(before, sent);
        }
      }
    }
    return count;
  };
  EXPECT_EQ(overtakings(true), 0U);
  EXPECT_GT(overtakings(false), 0U);
}

TEST(RandomComputation, RatesAreShares) {
  const std::uint32_t n = 20000;
  const Computation c = generated({.events = n,
                                   .message_rate = 0.4,
                                   .multicast_rate = 0.5,
                                   .batch_rate = 0.5,
                                   .duplicate_rate = 0.1,
                                   .labels = {{"a", 0.1}, {"b", 1}},
                                   .variables = {{"x", 0.25, VariableRate::Type::boolean},
                                                 {"y", 0, VariableRate::Type::real}}});
  std::uint64_t a = 0, b = 0, x = 0, y = 0, multicasts = 0, batches = 0, duplicates = 0;
  for (EventIndex e = 0; e < c.event_count(); ++e) {
    for (const NameIndex label : c.labels(e)) ++(c.names()[label] == "a" ? a : b);
    for (const Assignment& v : c.assignments(e)) ++(c.names()[v.variable] == "x" ? x : y);
    if (c.to(e).size() > 1) ++multicasts;
    if (c.takes(e).size() > 1) ++batches;
    if (c.is_duplicate(e)) ++duplicates;
  }
  const Counts found = counts(c);
  EXPECT_NEAR(static_cast<double>(a) / n, 0.1, 0.01);
  EXPECT_EQ(b, n);
  EXPECT_NEAR(static_cast<double>(x) / n, 0.25, 0.015);
  EXPECT_EQ(y, 0U);
  EXPECT_NEAR(static_cast<double>(found.sends) / static_cast<double>(n - found.receives), 0.4,
              0.02);
  EXPECT_NEAR(static_cast<double>(multicasts) / static_cast<double>(found.sends), 0.5, 0.03);
  EXPECT_GT(batches, 100U);
  EXPECT_GT(duplicates, 100U);
}

/// Von Neumann's method against the distribution: mean 1, and the share above 2 is 1/e^2.
TEST(PortableRandom, ExponentialIsExponential) {
  PortableRandom random(3);
  const int n = 200000;
  double sum = 0;
  int above_two = 0;
  for (int i = 0; i < n; ++i) {
    const double value = static_cast<double>(random.exponential()) / 65536;
    sum += value;
    above_two += value > 2 ? 1 : 0;
  }
  EXPECT_NEAR(sum / n, 1, 0.01);
  EXPECT_NEAR(static_cast<double>(above_two) / n, std::exp(-2.0), 0.005);
}

TEST(RandomComputation, TimesNeverRunBackwards) {
  const Computation c = generated({.processes = 5, .events = 2000, .times = true});
  for (EventIndex e = 0; e < c.event_count(); ++e) {
    ASSERT_TRUE(c.time(e).has_value());
    EXPECT_TRUE(c.rank_of(e) == 1 || *c.time(e) >= *c.time(e - 1));
    for (const MessageIndex m : c.takes(e)) EXPECT_GT(*c.time(e), *c.time(c.sent_by(m)));
  }
}

/// How often all that was done before is known to all that is done after. By definition: a prefix
/// of the order, all of whose events lie in the past of each event behind it.
[[nodiscard]] std::size_t barriers(const Computation& c) {
  std::vector<std::set<EventIndex>> past(c.event_count());
  for (const EventIndex e : c.order()) {
    const auto learn = [&](EventIndex from) {
      past[e].insert(past[from].begin(), past[from].end());
      past[e].insert(from);
    };
    if (c.rank_of(e) > 1) learn(e - 1);
    for (const MessageIndex m : c.takes(e)) learn(c.sent_by(m));
  }
  std::size_t count = 0;
  std::size_t known_to_all = SIZE_MAX;  // how long a prefix every event from here on knows
  for (std::size_t m = c.event_count(); m-- > 1;) {
    std::size_t known = 0;
    while (known < m && past[c.order()[m]].contains(c.order()[known])) ++known;
    known_to_all = std::min(known_to_all, known);
    if (known_to_all >= m) ++count;
  }
  return count;
}

TEST(RandomComputation, PhasesAreSeparatedByBarriers) {
  const Computation c =
      generated({.processes = 4, .events = 600, .topology = Topology::phases, .phase_length = 10});
  EXPECT_GE(barriers(c), 5U);
  for (ProcessIndex p = 0; p < 4; ++p) EXPECT_GT(c.last_rank(p), 60U);
}

// Whoever is released first reports again before the last is released.
TEST(RandomComputation, ShortPhasesGoOn) {
  const Computation c = generated({.processes = 32,
                                   .events = 5000,
                                   .topology = Topology::phases,
                                   .delay = 0,
                                   .phase_length = 1});
  for (ProcessIndex p = 0; p < 32; ++p) EXPECT_GT(c.last_rank(p), 40U);
}

TEST(RandomComputation, RejectsShapesThatCannotBe) {
  const auto rejected = [](const RandomShape& shape) {
    return !random_computation(shape).has_value() && !check_shape(shape).has_value();
  };
  EXPECT_TRUE(rejected({.processes = 0}));
  EXPECT_TRUE(rejected({.message_rate = 1.5}));
  EXPECT_TRUE(rejected({.message_rate = -0.1}));
  EXPECT_TRUE(rejected({.batch_rate = std::nan("")}));
  EXPECT_TRUE(rejected({.delay = -1}));
  EXPECT_TRUE(rejected({.phase_length = 0}));
  EXPECT_TRUE(rejected({.labels = {{"a", 2}}}));
  EXPECT_TRUE(rejected({.labels = {{"a", 0.1}, {"a", 0.2}}}));
  EXPECT_TRUE(rejected({.variables = {{"x", -1}}}));
}

}  // namespace
}  // namespace lightcone
