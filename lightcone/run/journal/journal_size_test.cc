// How many bytes a received message takes in a journal, for orders of several kinds.
#include <lightcone/causal/races/races.h>
#include <lightcone/causal/random/random_computation.h>
#include <lightcone/run/journal/journal.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <queue>
#include <random>
#include <string>
#include <vector>

#include "model/generators/arbitrary.h"
#include "temporary_folder.h"

namespace lightcone {
namespace {

constexpr std::size_t many = 600'000;

/// All receives, or at least those that race.
void expect_entries(const std::string& path, const std::vector<ReceivedMessage>& receives,
                    const std::vector<bool>& races) {
  auto journal = Journal::open(path);
  const JournalEntry* entry = *journal->next();
  for (std::size_t i = 0; i < receives.size(); ++i) {
    const bool is_there = entry != nullptr && *entry == JournalEntry(receives[i]);
    ASSERT_TRUE(is_there || (!races.empty() && !races[i]));
    if (is_there) entry = *journal->next();
  }
  EXPECT_EQ(entry, nullptr);
  EXPECT_TRUE(journal->ended());
}

[[nodiscard]] std::uint64_t size_of(const std::vector<ReceivedMessage>& receives,
                                    std::uint32_t senders, JournalKind kind,
                                    const std::vector<bool>& races = {}) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/journal";
  {
    auto writer = JournalWriter::create(path, {"p0", kind, false});
    for (std::uint32_t s = 0; s < senders; ++s) {
      EXPECT_EQ(writer->sender(fmt::format("p{}", s)).value(), s);
    }
    for (std::size_t i = 0; i < receives.size(); ++i) {
      const bool implied = kind == JournalKind::races && !races[i];
      const std::uint64_t channel = receives[i].number;
      const auto ok =
          implied ? writer->add_implied(receives[i], channel) : writer->add(receives[i], channel);
      EXPECT_TRUE(ok.has_value());
    }
    EXPECT_TRUE(writer->end().has_value());
  }
  expect_entries(path, receives, races);
  return std::filesystem::file_size(path);
}

/// Receives in this order of senders; each sender's messages come in their order.
[[nodiscard]] std::vector<ReceivedMessage> in_order(const std::vector<std::uint32_t>& senders) {
  std::map<std::uint32_t, std::uint64_t> numbers;
  std::vector<ReceivedMessage> receives;
  for (const std::uint32_t s : senders) {
    receives.push_back({s, ++numbers[s], receives.size() + 1, {}});
  }
  return receives;
}

/// Bytes a message, if a perfect coder knew how often each sender comes and nothing else.
[[nodiscard]] double entropy(const std::vector<std::uint32_t>& senders) {
  std::map<std::uint32_t, double> counts;
  for (const std::uint32_t s : senders) counts[s] += 1;
  double bits = 0;
  const auto total = static_cast<double>(senders.size());
  for (const auto& [sender, count] : counts) bits -= count * std::log2(count / total);
  return bits / 8 / total;
}

[[nodiscard]] double bytes_a_message(const std::vector<std::uint32_t>& senders) {
  const std::uint32_t count = *std::max_element(senders.begin(), senders.end()) + 1;
  return static_cast<double>(size_of(in_order(senders), count, JournalKind::full)) /
         static_cast<double>(senders.size());
}

TEST(JournalSize, ARegularOrderTakesNextToNothing) {
  if (arbitrary::one_in > 1) GTEST_SKIP() << "sanitizers change no sizes";
  const std::map<std::string, std::function<std::uint32_t(std::size_t)>> orders = {
      {"one sender", [](std::size_t) { return 0U; }},
      {"7 in turn", [](std::size_t i) { return static_cast<std::uint32_t>(i % 7); }},
      {"1000 in turn", [](std::size_t i) { return static_cast<std::uint32_t>(i % 1000); }},
      {"50 in turn, 9 each", [](std::size_t i) { return static_cast<std::uint32_t>(i / 9 % 50); }}};
  for (const auto& [name, order] : orders) {
    std::vector<std::uint32_t> senders(many);
    for (std::size_t i = 0; i < many; ++i) senders[i] = order(i);
    const double bytes = bytes_a_message(senders);
    fmt::print("{:>20}: {:.4f} bytes a message\n", name, bytes);
    EXPECT_LE(bytes, 0.05) << name;
  }
}

TEST(JournalSize, ARandomOrderTakesItsEntropy) {
  if (arbitrary::one_in > 1) GTEST_SKIP() << "sanitizers change no sizes";
  std::mt19937_64 random(1);
  for (const auto& weights : std::vector<std::vector<double>>{{1, 1},
                                                              {9, 1},
                                                              {99, 1},
                                                              {1, 1, 1},
                                                              {5, 2, 1, 1},
                                                              std::vector<double>(7, 1),
                                                              std::vector<double>(20, 1),
                                                              std::vector<double>(300, 1)}) {
    std::discrete_distribution<std::uint32_t> draw(weights.begin(), weights.end());
    std::vector<std::uint32_t> senders(many / 2);
    for (std::uint32_t& sender : senders) sender = draw(random);
    const double bytes = bytes_a_message(senders), least = entropy(senders);
    fmt::print("{:>12} senders, the first {:.2f}: {:.4f} bytes a message, entropy {:.4f}\n",
               weights.size(), weights[0], bytes, least);
    EXPECT_LE(bytes, 1.15 * least + 0.005);
  }
}

/// The journal of an MPI process, after `write` has written it.
[[nodiscard]] std::uint64_t size_after(const std::function<void(JournalWriter&)>& write) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/journal";
  {
    auto writer = JournalWriter::create(path, {"rank0", JournalKind::full, false});
    write(*writer);
    EXPECT_TRUE(writer->end().has_value());
  }
  return std::filesystem::file_size(path);
}

// Three ranks that send to a fourth, as fast as they can: long runs of one sender.
TEST(JournalSize, OfWildcardsFromManyToOne) {
  if (arbitrary::one_in > 1) GTEST_SKIP() << "sanitizers change no sizes";
  std::mt19937_64 random(1);
  const std::uint64_t size = size_after([&](JournalWriter& writer) {
    for (std::size_t i = 0; i < many;) {
      const auto source = static_cast<std::int32_t>(1 + random() % 3);
      for (std::uint64_t run = 1 + random() % 200; run > 0 && i < many; --run, ++i) {
        EXPECT_TRUE(writer.add(WildcardMatch{0, source, 7}).has_value());
      }
    }
  });
  fmt::print("{:.4f} bytes a message\n", static_cast<double>(size) / many);
  EXPECT_LE(size, many * 3 / 100);
}

// Contents that cannot be compressed, of messages of all sizes.
TEST(JournalSize, OfContentsIsThatOfTheContents) {
  if (arbitrary::one_in > 1) GTEST_SKIP() << "sanitizers change no sizes";
  std::mt19937_64 random(1);
  for (const std::size_t length : {64U, 1000U, 100'000U}) {
    const std::size_t messages = 8'000'000 / length;
    const std::uint64_t size = size_after([&](JournalWriter& writer) {
      std::string bytes(length, '\0');
      for (std::size_t i = 0; i < messages; ++i) {
        for (char& byte : bytes) byte = static_cast<char>(random());
        const auto source = static_cast<std::int32_t>(random() % 16);
        EXPECT_TRUE(writer.add(WildcardMatch{0, source, 7}).has_value());
        EXPECT_TRUE(writer.add(KeptContents{KeptContents::What::received, 0, bytes}).has_value());
      }
    });
    const double ratio = static_cast<double>(size) / static_cast<double>(messages * length);
    fmt::print("{:>8} bytes a message: {:.4f} bytes a byte\n", length, ratio);
    EXPECT_LE(ratio, 1.05);
  }
}

/// What a journal of each process takes, full and of races only.
struct Measured {
  std::size_t messages = 0, traced = 0;
  std::uint64_t full = 0, races = 0;
};

[[nodiscard]] Measured measure(const Computation& c) {
  Measured measured;
  std::map<std::pair<EventIndex, MessageIndex>, bool> is_traced;
  for (const Reception& r : traced_receptions(c)) is_traced[{r.event, r.message}] = true;
  // Which of the messages of its sender to its receiver: what a channel counts.
  std::map<std::pair<ProcessIndex, MessageIndex>, std::uint64_t> number;
  for (ProcessIndex p = 0; p < c.process_count(); ++p) {
    std::vector<MessageIndex> taken;
    for (EventIndex e = c.first_event(p); e < c.end_event(p); ++e) {
      taken.insert(taken.end(), c.takes(e).begin(), c.takes(e).end());
    }
    std::sort(taken.begin(), taken.end(),
              [&](auto a, auto b) { return c.sent_by(a) < c.sent_by(b); });
    std::map<ProcessIndex, std::uint64_t> count;
    for (const MessageIndex m : taken) {
      std::uint64_t& mine = number[{p, m}];
      if (mine == 0) mine = ++count[c.process_of(c.sent_by(m))];
    }
    std::vector<ReceivedMessage> full;
    std::vector<bool> races;
    std::uint64_t receive = 0;
    for (EventIndex e = c.first_event(p); e < c.end_event(p); ++e) {
      receive += !c.takes(e).empty();
      for (const MessageIndex m : c.takes(e)) {
        full.push_back({c.process_of(c.sent_by(m)), number[{p, m}], receive, {}});
        races.push_back(is_traced.contains({e, m}));
      }
    }
    measured.messages += full.size();
    measured.traced += static_cast<std::size_t>(std::count(races.begin(), races.end(), true));
    measured.full += size_of(full, c.process_count(), JournalKind::full);
    measured.races += size_of(full, c.process_count(), JournalKind::races, races);
  }
  return measured;
}

void report(const std::string& name, const Measured& m) {
  const auto messages = static_cast<double>(m.messages);
  fmt::print("{:>22}: {:6} messages, full {:.3f}, races {:.3f} bytes a message, traced {:.1f} %\n",
             name, m.messages, static_cast<double>(m.full) / messages,
             static_cast<double>(m.races) / messages,
             100 * static_cast<double>(m.traced) / messages);
}

TEST(JournalSize, OfRandomComputations) {
  if (arbitrary::one_in > 1) GTEST_SKIP() << "sanitizers change no sizes";
  const std::map<std::string, Topology> shapes = {{"uniform", Topology::uniform},
                                                  {"ring", Topology::ring},
                                                  {"star", Topology::star},
                                                  {"phases", Topology::phases}};
  for (const auto& [name, topology] : shapes) {
    for (const bool fifo : {true, false}) {
      const auto c = random_computation(
          {.seed = 3, .processes = 16, .events = 100'000, .topology = topology, .fifo = fifo});
      ASSERT_TRUE(c.has_value()) << c.error().text();
      const Measured measured = measure(*c);
      report(name + (fifo ? ", fifo" : ""), measured);
      EXPECT_LE(measured.full, measured.messages);
      EXPECT_LE(measured.races, measured.full);
    }
  }
}

/// The order in which a master gets results back: each worker has one task at a time.
TEST(JournalSize, OfAMasterWithWorkers) {
  if (arbitrary::one_in > 1) GTEST_SKIP() << "sanitizers change no sizes";
  constexpr std::uint32_t workers = 16;
  std::mt19937_64 random(1);
  for (const double spread : {0.0, 0.05, 1.0}) {
    std::uniform_real_distribution<double> time(1 - spread / 2, 1 + spread / 2);
    std::priority_queue<std::pair<double, std::uint32_t>> busy;
    for (std::uint32_t w = 0; w < workers; ++w) busy.push({-time(random) - w * 0.01, w});
    std::vector<std::uint32_t> senders(many / 4);
    for (std::uint32_t& sender : senders) {
      const auto [done, worker] = busy.top();
      busy.pop();
      sender = worker;
      busy.push({done - time(random), worker});
    }
    const double bytes = bytes_a_message(senders);
    fmt::print("{:>12} workers, times differ by {:.2f}: {:.4f} bytes a message, entropy {:.4f}\n",
               workers, spread, bytes, entropy(senders));
    EXPECT_LE(bytes, entropy(senders) + 0.01);
  }
}

}  // namespace
}  // namespace lightcone
