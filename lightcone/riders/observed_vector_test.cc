// LO and SLO against a map of entries that are joined one by one.
#include <lightcone/riders/observed_vector.h>

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace lightcone {
namespace {

/// Entries by process; those that are zero are not there.
using Model = std::map<std::uint32_t, ObservedEntry>;

/// The set of an event follows from its process and rank. Small ranks, so that many keys are equal.
[[nodiscard]] ObservedEntry some_entry(std::uint32_t process, std::mt19937_64& random) {
  const auto rank = static_cast<std::uint32_t>(random() % 5);
  if (rank == 0) return 0;
  if (random() % 2 == 0) return observed_entry(rank, 0) | covered_bit;
  return observed_entry(rank, 1000 * process + rank);
}

void set(Model& model, std::uint32_t process, ObservedEntry entry) {
  model.erase(process);
  if (entry != 0) model[process] = entry;
}

[[nodiscard]] Model joined(Model a, const Model& b, std::uint32_t self) {
  for (const auto& [process, entry] : b) {
    if (key_of(a[process]) < key_of(entry)) a[process] = entry;
  }
  a.erase(self);
  std::erase_if(a, [](const auto& one) { return one.second == 0; });
  return a;
}

void expect_same(const ObservedVector& vector, const Model& model) {
  std::map<std::uint32_t, std::uint32_t> uncovered, expected;
  vector.for_each_uncovered([&](std::uint32_t process, std::uint32_t set) {
    EXPECT_TRUE(uncovered.empty() || uncovered.rbegin()->first < process);
    uncovered[process] = set;
  });
  for (const auto& [process, entry] : model) {
    if (is_uncovered(entry)) expected[process] = set_of(entry);
  }
  EXPECT_EQ(uncovered, expected);
  EXPECT_EQ(vector.has_uncovered(), !expected.empty());
  for (std::uint32_t process = 0; process < vector.size() + 70; ++process) {
    const auto at = model.find(process);
    const ObservedEntry entry = vector.at(process);
    EXPECT_EQ(vector.key(process), key_of(entry));
    EXPECT_EQ(is_uncovered(entry) ? entry : entry >> 32 << 32, at == model.end() ? 0 : at->second)
        << process;
  }
  EXPECT_TRUE(model.empty() || model.rbegin()->first < vector.size());
}

/// A vector of some length and what is in it, after changes of all kinds.
struct Pair {
  ObservedVector vector;
  Model model;

  Pair(std::uint32_t processes, std::mt19937_64& random) {
    for (std::uint64_t i = random() % (3 * processes); i > 0; --i) {
      const auto process = static_cast<std::uint32_t>(random() % processes);
      const ObservedEntry entry = some_entry(process, random);
      if (random() % 64 == 0) {
        vector.cover([](std::uint32_t) {});
        for (auto& [other, mine] : model) mine = (mine | covered_bit) >> 32 << 32;
      } else if (random() % 2 == 0) {
        vector.set(process, entry);
        set(model, process, entry);
      } else {
        vector.raise(process, entry);
        if (key_of(model[process]) < key_of(entry)) model[process] = entry;
        if (model[process] == 0) model.erase(process);
      }
    }
  }
};

TEST(ObservedVector, IsTheMapOfItsEntries) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 1000; ++round) {
    // Lengths on both sides of a word of 64 bits, and different ones for the two.
    const auto length = [&] {
      return static_cast<std::uint32_t>(1 + random() % (1 << random() % 9));
    };
    const std::uint32_t a_length = length(), b_length = random() % 2 == 0 ? a_length : length();
    Pair a(a_length, random), b(b_length, random);
    const auto self = static_cast<std::uint32_t>(random() % (a_length + 2));
    expect_same(a.vector, a.model);
    expect_same(b.vector, b.model);
    ObservedVector copy;
    copy.copy_from(b.vector);  // is used again
    copy.copy_from(a.vector);
    expect_same(copy, a.model);
    Model before = a.model;
    before.erase(self);
    const Model after = joined(a.model, b.model, self);
    ObservedVector other;
    other.copy_from(b.vector);
    if (other.join(a.vector, b.vector, self)) {
      expect_same(other, after);
    } else {
      EXPECT_EQ(after, before);
    }
    EXPECT_FALSE(other.join(copy, copy, self));
    copy.join(b.vector, self);
    expect_same(copy, after);
    std::vector<std::uint32_t> sets;
    copy.for_each_uncovered([&](std::uint32_t, std::uint32_t& set) { sets.push_back(set++); });
    std::vector<std::uint32_t> covered;
    copy.cover([&](std::uint32_t set) { covered.push_back(set - 1); });
    EXPECT_EQ(covered, sets);
    EXPECT_FALSE(copy.has_uncovered());
    copy.clear();
    expect_same(copy, {});
    copy.join(b.vector, self);
    expect_same(copy, joined({}, b.model, self));
    if (HasFailure()) FAIL() << "in round " << round;
  }
}

}  // namespace
}  // namespace lightcone
