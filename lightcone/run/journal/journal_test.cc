// Journals come back as they were written, whole or up to where they were torn, or not at all.
#include <lightcone/base/wire.h>
#include <lightcone/run/journal/journal.h>
#include <lightcone/run/journal/journal_columns.h>
#include <lightcone/run/journal/journal_file.h>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "model/generators/arbitrary.h"

namespace lightcone {
namespace {

[[nodiscard]] std::string text_of(const JournalEntry& entry, const auto& sender_name) {
  struct Text {
    const decltype(sender_name)& name;
    std::string operator()(const ReceivedMessage& m) const {
      return fmt::format("receive {}: {} from {}{}", m.receive, m.number, name(m.sender),
                         m.contents ? fmt::format(" holds '{}'", *m.contents) : "");
    }
    std::string operator()(const EmptyPolls& p) const {
      return fmt::format("polls before {}: {}", p.receive, p.count);
    }
    std::string operator()(const ClockReading& c) const { return fmt::format("clock {}", c.value); }
    std::string operator()(const RandomDraw& d) const { return fmt::format("random {}", d.value); }
    std::string operator()(const BytesRead& b) const { return fmt::format("bytes '{}'", b.bytes); }
    std::string operator()(const BranchTaken& b) const {
      return fmt::format("branch {} of {}", b.which, b.of);
    }
    std::string operator()(const WildcardMatch& m) const {
      return fmt::format("match {} {} after {}", m.source, m.tag, m.older);
    }
    std::string operator()(const WildcardCancelled& c) const {
      return fmt::format("cancelled after {}", c.older);
    }
    std::string operator()(const NamedCancelled& c) const {
      return fmt::format("cancelled {}", c.number);
    }
    std::string operator()(const PollResult& p) const {
      return fmt::format("{} polls, {}", p.count, p.found ? "found" : "nothing");
    }
    std::string operator()(const RequestChoice& c) const {
      return fmt::format("request {} of {}", c.which, c.of);
    }
    std::string operator()(const RequestCount& c) const {
      return fmt::format("{} requests of {}", c.count, c.of);
    }
    std::string operator()(const CallRefused&) const { return "refused"; }
    std::string operator()(const ClockValue& v) const {
      return fmt::format("clock {}: {}", v.clock, v.value);
    }
    std::string operator()(const KeptContents& k) const {
      return fmt::format("kept {} {} '{}'", static_cast<int>(k.what), k.detail, k.bytes);
    }
  };
  return std::visit(Text{sender_name}, entry);
}

/// What a random journal is made from.
struct Answer {
  std::uint8_t kind, sender, size;
  std::uint64_t value;
};

/// What is in a journal, as text; and how it ended.
struct Contents {
  std::vector<std::string> entries;
  bool ended = false;
  std::uint64_t lost_bytes = 0;
  std::optional<Error> error;
};

class JournalTest : public testing::Test {
 protected:
  ~JournalTest() override { ::close(file_); }

  /// A file in memory, since thousands are written.
  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

  [[nodiscard]] Contents read() const { return read(path()); }
  [[nodiscard]] static Contents read(const std::string& path) {
    Contents contents;
    auto journal = Journal::open(path);
    if (!journal) {
      contents.error = journal.error();
      return contents;
    }
    for (;;) {
      const auto entry = journal->next();
      if (!entry) contents.error = entry.error();
      if (!entry || *entry == nullptr) break;
      contents.entries.push_back(
          text_of(**entry, [&](std::uint32_t sender) { return journal->sender(sender); }));
    }
    contents.ended = journal->ended();
    contents.lost_bytes = journal->lost_bytes();
    return contents;
  }

  [[nodiscard]] std::string bytes() const {
    std::ifstream in(path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void put(std::string_view all) const {
    std::ofstream(path(), std::ios::binary | std::ios::trunc) << all;
  }

  /// Writes random answers, flushing at random; returns what a reader should find.
  std::vector<std::string> write(const std::vector<Answer>& answers, const JournalHeader& header,
                                 std::size_t block_entries, bool end) {
    auto writer = JournalWriter::create(path(), header, block_entries);
    EXPECT_TRUE(writer.has_value());
    std::vector<std::string> expected;
    std::uint64_t receives = 0;
    std::optional<EmptyPolls> run;
    std::optional<PollResult> results;
    std::array<std::uint64_t, 4> last{};
    for (const Answer& a : answers) {
      const std::string text(a.size % 20, static_cast<char>('a' + a.sender % 26));
      JournalEntry entry = answer(a, header, text, receives, last, *writer);
      const auto* polls = std::get_if<EmptyPolls>(&entry);
      if (polls != nullptr && run && run->receive == polls->receive) {
        run->count += polls->count;
        expected.pop_back();
      } else {
        run = polls != nullptr ? std::optional(*polls) : std::nullopt;
      }
      const auto* result = std::get_if<PollResult>(&entry);
      const bool is_empty = result != nullptr && !result->found;
      if (is_empty && results) {
        results->count += result->count;
        expected.pop_back();
      } else {
        results = is_empty ? std::optional(*result) : std::nullopt;
      }
      expected.push_back(text_of(run       ? JournalEntry(*run)
                                 : results ? JournalEntry(*results)
                                           : entry,
                                 name_of));
      EXPECT_TRUE(writer->add(entry).has_value());
      if (a.size % 37 == 0) {
        EXPECT_TRUE(writer->flush().has_value());
      }
    }
    if (end) {
      EXPECT_TRUE(writer->end().has_value());
    }
    names_.clear();
    return expected;
  }

 private:
  [[nodiscard]] JournalEntry answer(const Answer& a, const JournalHeader& header,
                                    std::string_view text, std::uint64_t& receives,
                                    std::array<std::uint64_t, 4>& last, JournalWriter& writer) {
    const bool gaps = header.kind == JournalKind::races;
    switch (a.kind % 20) {
      case 8: ++receives; return WildcardMatch{a.size % 3U, a.sender - 3, a.sender % 5};
      case 9: ++receives; return WildcardCancelled{a.size % 3U};
      case 10: return NamedCancelled{a.value | 1};
      case 11: return PollResult{false, 1 + a.value % 3};
      case 12: return PollResult{true, 1};
      case 13: return RequestChoice{a.value % (a.sender + 1U), a.sender};
      case 14: return RequestCount{a.value % (a.sender + 2U), a.sender};
      case 15: return CallRefused{};
      case 16: return ClockValue{a.sender % 4 - 2, a.value};
      case 17:
        return KeptContents{static_cast<KeptContents::What>(a.sender % KeptContents::kinds),
                            a.value, text};
      case 0:
        if (gaps) receives += a.value % 5;
        return EmptyPolls{receives + 1, 1 + a.value % 3};
      case 1: return ClockReading{a.value};
      case 2: return RandomDraw{a.value};
      case 3: return BytesRead{text};
      case 4: return BranchTaken{a.value % (a.sender + 1U), a.sender + 1U};
      default: break;
    }
    const std::string name = a.sender % 4 == 0 ? "" : fmt::format("p{}", a.sender % 4);
    const std::uint32_t sender = *writer.sender(name);
    if (sender >= names_.size()) names_.push_back(name);
    std::uint64_t& number = last[a.sender % 4];
    const bool redelivered = a.size % 7 == 0 && number > 0;
    if (!redelivered) number = a.size % 11 == 0 ? std::max<std::uint64_t>(a.value, 1) : number + 1;
    if (number == 0) number = 1;
    const bool same_batch = receives > 0 && a.value % 4 == 0;
    if (!same_batch) receives += gaps ? 1 + a.value % 9 : 1;
    ReceivedMessage message{sender, number, receives, {}};
    if (header.contents && a.size % 2 == 0) message.contents = text;
    return message;
  }

  int file_ = ::memfd_create("journal", 0);
  std::vector<std::string> names_;
  std::function<std::string(std::uint32_t)> name_of = [this](std::uint32_t sender) {
    return names_[sender];
  };
};

[[nodiscard]] std::vector<Answer> some_answers(std::uint64_t seed, std::size_t count) {
  std::mt19937_64 random(seed);
  std::vector<Answer> answers;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t bits = random();
    answers.push_back({static_cast<std::uint8_t>(bits), static_cast<std::uint8_t>(bits >> 8),
                       static_cast<std::uint8_t>(bits >> 16), random() >> (bits >> 24) % 64});
  }
  return answers;
}

constexpr std::array<JournalHeader (*)(), 4> headers = {
    [] {
      return JournalHeader{"p1", JournalKind::full, false};
    },
    [] {
      return JournalHeader{"p1", JournalKind::full, true};
    },
    [] {
      return JournalHeader{"", JournalKind::races, false};
    },
    [] {
      return JournalHeader{"a process", JournalKind::races, true};
    }};

[[nodiscard]] bool is_prefix(const std::vector<std::string>& some,
                             const std::vector<std::string>& all) {
  return some.size() <= all.size() && std::equal(some.begin(), some.end(), all.begin());
}

/// A prefix whose last entry may be the first part of a run of empty polls.
[[nodiscard]] bool is_prefix_up_to_polls(std::vector<std::string> some,
                                         const std::vector<std::string>& all) {
  if (is_prefix(some, all)) return true;
  if (some.empty() || some.size() > all.size()) return false;
  const std::string last = some.back(), whole = all[some.size() - 1];
  some.pop_back();
  const std::size_t colon = last.find(':');
  return is_prefix(some, all) && last.starts_with("polls") &&
         last.substr(0, colon) == whole.substr(0, colon) &&
         std::stoull(last.substr(colon + 1)) < std::stoull(whole.substr(colon + 1));
}

TEST_F(JournalTest, ComesBackAsWritten) {
  arbitrary::for_all("journal", 5000, [&] {
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    const auto count = *rc::gen::inRange<std::size_t>(0, 120);
    const auto block = *rc::gen::inRange<std::size_t>(1, 50);
    const JournalHeader header = headers[seed % headers.size()]();
    const bool end = seed / 4 % 2 == 0;
    const auto expected = write(some_answers(seed, count), header, block, end);
    const Contents found = read();
    RC_ASSERT(!found.error);
    RC_ASSERT(found.entries == expected);
    RC_ASSERT(found.ended == end);
    RC_ASSERT(found.lost_bytes == 0U);
    RC_ASSERT(Journal::open(path())->header() == header);
  });
}

TEST_F(JournalTest, TornAtAnyByteReadsAPrefix) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const auto expected = write(some_answers(seed, 150), headers[seed % 4](), 20, true);
    const std::string whole = bytes();
    std::size_t before = expected.size();
    for (std::size_t size = whole.size(); size-- > 0;) {
      std::filesystem::resize_file(path(), size);
      const Contents found = read();
      EXPECT_FALSE(found.ended);
      ASSERT_TRUE(is_prefix_up_to_polls(found.entries, expected)) << size;
      ASSERT_LE(found.entries.size(), before);
      before = found.entries.size();
      if (found.error) {
        ASSERT_LT(size, journal::file_start_size + 32);
        EXPECT_EQ(found.error->file, path());
        EXPECT_FALSE(found.error->hint.empty());
      }
    }
    EXPECT_TRUE(read().error.has_value());  // nothing is left of it
  }
}

TEST_F(JournalTest, FlippedBitsNeverMakeEntries) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const auto expected = write(some_answers(seed, 40), headers[seed](), 20, true);
    const std::string whole = bytes();
    std::fstream file(path(), std::ios::binary | std::ios::in | std::ios::out);
    const auto put_byte = [&](std::size_t at, int byte) {
      file.seekp(static_cast<std::streamoff>(at)).put(static_cast<char>(byte)).flush();
    };
    for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
      put_byte(bit / 8, whole[bit / 8] ^ (1 << (bit % 8)));
      const Contents found = read();
      EXPECT_FALSE(found.ended);
      EXPECT_TRUE(found.error || found.lost_bytes > 0) << bit;
      ASSERT_TRUE(is_prefix_up_to_polls(found.entries, expected)) << bit;
      put_byte(bit / 8, whole[bit / 8]);
    }
    EXPECT_EQ(read().entries, expected);
  }
}

TEST_F(JournalTest, BlocksThatAreMovedOrLeftOutAreFound) {
  const auto expected = write(some_answers(1, 100), headers[0](), 10, false);
  const std::string whole = bytes();
  const std::size_t first = journal::file_start_size + 2 + 3;  // kind, flags, and the text p1
  const std::size_t second =
      first + journal::block_header_size + journal::block_header(whole.substr(first)).size;
  put(whole.substr(0, first) + whole.substr(second));
  EXPECT_TRUE(read().entries.empty());
  EXPECT_NE(read().error->what.find("is damaged after 0 entries"), std::string::npos);
  put(whole.substr(0, second) + whole.substr(first));
  EXPECT_TRUE(is_prefix_up_to_polls(read().entries, expected));
  EXPECT_NE(read().error->what.find("not as it was written"), std::string::npos);
}

TEST_F(JournalTest, NothingFollowsTheEnd) {
  write(some_answers(2, 10), headers[1](), 10, true);
  put(bytes() + "x");
  EXPECT_NE(read().error->what.find("something follows its end"), std::string::npos);
}

TEST_F(JournalTest, SaysWhyAFileIsNoJournal) {
  const auto why = [&] { return Journal::open(path()).error(); };
  EXPECT_FALSE(Journal::open(path() + "/none/such").has_value());
  put("");
  EXPECT_NE(why().what.find("is empty"), std::string::npos);
  put("{\"lightcone\": 1}\n");
  EXPECT_EQ(why().what, "is not a journal");
  write({}, headers[0](), 10, false);
  std::string later = bytes();
  put(later.substr(0, 20));
  EXPECT_NE(why().what.find("is torn in its first bytes"), std::string::npos);
  later[journal::file_magic.size()] = 4;
  put(later);
  EXPECT_NE(why().what.find("is a journal of version 4"), std::string::npos);
  EXPECT_FALSE(why().hint.empty());
}

TEST_F(JournalTest, OfTheOldestVersionIsRead) {
  write({}, headers[0](), 10, true);
  std::string old = bytes();
  ASSERT_EQ(old[journal::file_magic.size()], 3);
  old[journal::file_magic.size()] = 1;
  put(old);
  EXPECT_FALSE(read().error);
  EXPECT_TRUE(read().ended);
}

/// Programs of version 1 wrote these. The last of them wrote the texts, from what it read.
TEST_F(JournalTest, WrittenByAnOldProgramIsReadAsItWasWritten) {
  namespace fs = std::filesystem;
  int journals = 0;
  for (const auto& file : fs::directory_iterator(LIGHTCONE_TEST_DATA "/data/journals")) {
    if (file.path().extension() != ".journal") continue;
    std::ifstream bytes(file.path(), std::ios::binary);
    bytes.seekg(static_cast<std::streamoff>(journal::file_magic.size()));
    ASSERT_EQ(bytes.get(), 1) << file.path();
    Contents found = read(file.path());
    EXPECT_FALSE(found.error) << file.path();
    found.entries.emplace_back(found.ended ? "end" : "no end");
    std::ifstream text(fs::path(file.path()).replace_extension(".txt"));
    std::vector<std::string> expected;
    for (std::string line; std::getline(text, line);) expected.push_back(line);
    EXPECT_EQ(found.entries, expected) << file.path();
    ++journals;
  }
  EXPECT_GE(journals, 4);
}

/// Blocks of a loop that polls and reads a clock hold more entries, and come back the same.
TEST_F(JournalTest, ALoopThatPollsHasFewBlocks) {
  constexpr std::size_t rounds = 200'000;
  const auto reading = [](std::size_t round) { return ClockReading{1'000 + round / 5'000}; };
  auto writer = JournalWriter::create(path(), headers[0]());
  ASSERT_TRUE(writer.has_value());
  for (std::size_t i = 0; i < rounds; ++i) {
    ASSERT_TRUE(writer->add(EmptyPolls{1, 1}).has_value());
    ASSERT_TRUE(writer->add(reading(i)).has_value());
  }
  ASSERT_TRUE(writer->end().has_value());
  EXPECT_EQ(writer->blocks(), 2U);
  EXPECT_LT(bytes().size(), 400U);
  auto journal = Journal::open(path());
  ASSERT_TRUE(journal.has_value());
  for (std::size_t i = 0; i < 2 * rounds; ++i) {
    const auto entry = journal->next();
    ASSERT_TRUE(entry.has_value() && *entry != nullptr) << i;
    ASSERT_EQ(**entry, i % 2 == 0 ? JournalEntry(EmptyPolls{1, 1}) : JournalEntry(reading(i / 2)));
  }
}

/// The columns of a block in the order of the format; those that are left out are empty.
struct Forged {
  const char* what;
  std::uint64_t entries = 1;
  std::vector<std::uint64_t> kinds = {0}, senders = {0}, receives = {0}, numbers = {0};
  std::vector<std::uint64_t> with_contents = {0}, poll_receives = {}, poll_counts = {};
  std::vector<std::uint64_t> bytes_lengths = {}, branches_of = {}, branches = {};
  std::string rest = {};

  [[nodiscard]] std::string payload() const {
    WireWriter wire;
    wire.number(1);
    wire.text("p2");
    wire.number(entries);
    journal::put_column(wire, kinds);
    if (kinds[0] == 0) {
      journal::put_column(wire, senders);
      journal::put_sparse(wire, receives);
      journal::put_sparse(wire, numbers);
      journal::put_column(wire, with_contents);
      if (with_contents[0] == 1) journal::put_column(wire, std::vector<std::uint64_t>{0});
    }
    journal::put_sparse(wire, poll_receives);
    journal::put_column(wire, poll_counts);
    journal::put_column(wire, bytes_lengths);
    journal::put_column(wire, branches_of);
    journal::put_column(wire, branches);
    journal::put_piece(wire, "");
    journal::put_piece(wire, rest);
    wire.number(0);  // nothing left out, no events, no digest
    wire.number(0);
    wire.fixed(0, 4);
    return wire.bytes();
  }
};

/// In the form of version 2, whose checks are those of version 3, too.
TEST_F(JournalTest, ForgedBlocksAreRefused) {
  JournalHeader old = headers[0]();
  old.version = 2;
  const std::string header = journal::file_header(old);
  const std::vector<Forged> blocks = {
      {.what = "nothing wrong"},
      {.what = "no entries", .entries = 0},
      {.what = "more entries than a block has", .entries = journal::most_entries + 1},
      {.what = "a kind that is none", .kinds = {6}},
      {.what = "a sender that was not named", .senders = {1}},
      {.what = "a receive left out of a full journal", .receives = {2}},
      {.what = "a receive before the first", .receives = {1}},
      {.what = "a message before the first", .numbers = {1}},
      {.what = "contents that were not announced", .with_contents = {1}},
      {.what = "a flag that is none", .with_contents = {2}},
      {.what = "polls that leave out a receive",
       .kinds = {1},
       .poll_receives = {1},
       .poll_counts = {0}},
      {.what = "too many polls", .kinds = {1}, .poll_receives = {0}, .poll_counts = {1ULL << 40}},
      {.what = "bytes that are not there", .kinds = {4}, .bytes_lengths = {9}, .rest = "12345678"},
      {.what = "too many bytes", .kinds = {4}, .bytes_lengths = {1U << 30}},
      {.what = "a branch beyond the last", .kinds = {5}, .branches_of = {1}, .branches = {2}},
      {.what = "2^64 branches", .kinds = {5}, .branches_of = {UINT64_MAX}, .branches = {2}},
      {.what = "bytes left over", .rest = "x"}};
  for (const Forged& block : blocks) {
    std::uint64_t checksum = journal::file_header_checksum(header);
    put(header + journal::seal(block.payload(), checksum));
    const Contents found = read();
    const bool fine = &block == &blocks[0];
    EXPECT_EQ(found.entries.size(), fine ? 1U : 0U) << block.what;
    ASSERT_NE(found.error.has_value(), fine) << block.what;
    if (fine) continue;
    EXPECT_NE(found.error->what.find("no process can have written"), std::string::npos);
    EXPECT_EQ(found.error->file, path());
  }
}

TEST_F(JournalTest, ForgedEntriesOfMpiAreRefused) {
  struct ForgedMpi {
    const char* what;
    std::uint64_t kinds;                              ///< the mask; the block has one entry
    std::vector<std::vector<std::uint64_t>> columns;  ///< each of one number
  };
  const std::vector<ForgedMpi> blocks = {{"nothing wrong", 1 << 6, {{0}, {0}}},
                                         {"no kind", 0, {}},
                                         {"a kind that is none", 1 << 15, {}},
                                         {"a channel that was not named", 1 << 6, {{1}, {0}}},
                                         {"too many older ones", 1 << 6, {{0}, {1ULL << 41}}},
                                         {"a receive before the first", 1 << 8, {{0}}},
                                         {"a flag that is none", 1 << 9, {{2}}},
                                         {"too many polls", 1 << 9, {{0}, {1ULL << 40}}},
                                         {"a request beyond the last", 1 << 10, {{2}, {3}}},
                                         {"more requests than there are", 1 << 11, {{2}, {4}}},
                                         {"contents of no kind", 1 << 14, {{9}, {0}, {0}}},
                                         {"contents that are not there", 1 << 14, {{1}, {0}, {9}}}};
  const std::string header = journal::file_header(headers[0]());
  for (const ForgedMpi& block : blocks) {
    WireWriter wire;
    wire.number(0);  // no senders, one channel
    wire.number(1);
    wire.number(2);
    wire.number(14);
    wire.number(1);
    wire.number(block.kinds);
    journal::put_column(wire, std::vector<std::uint64_t>{0});
    for (std::size_t i = 0; i < block.columns.size(); ++i) {
      const bool is_sparse = block.kinds == 1 << 6 && i == 1;
      (is_sparse ? journal::put_sparse : journal::put_column)(wire, block.columns[i]);
    }
    wire.number(0);
    wire.number(0);
    wire.fixed(0, 4);
    std::uint64_t checksum = journal::file_header_checksum(header);
    put(header + journal::seal(wire.bytes(), checksum));
    const Contents found = read();
    const bool fine = &block == &blocks[0];
    EXPECT_EQ(found.entries.size(), fine ? 1U : 0U) << block.what;
    EXPECT_NE(found.error.has_value(), fine) << block.what;
  }
}

TEST_F(JournalTest, WhatIsTooLargeStopsTheJournal) {
  auto writer = JournalWriter::create(path(), headers[1]());
  ASSERT_TRUE(writer->add(ClockReading{1}).has_value());
  ASSERT_TRUE(writer->flush().has_value());
  EXPECT_FALSE(writer->sender(std::string(5000, 'x')).has_value());
  const auto later = writer->add(ClockReading{2});
  ASSERT_FALSE(later.has_value());
  EXPECT_NE(later.error().what.find("4,096 bytes"), std::string::npos);
  EXPECT_FALSE(writer->end().has_value());
  EXPECT_EQ(read().entries, std::vector<std::string>{"clock 1"});
}

TEST_F(JournalTest, AFullDiskLeavesWholeBlocks) {
  EXPECT_FALSE(JournalWriter::create(path() + "/none/such", headers[0]()).has_value());
  auto writer = JournalWriter::create(path(), headers[0](), 10);
  rlimit unlimited{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &unlimited), 0);
  const auto before = ::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{1000, unlimited.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  std::size_t added = 0;
  std::mt19937_64 random(1);
  while (added < 1000 && writer->add(RandomDraw{random()})) ++added;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &unlimited), 0);
  ::signal(SIGXFSZ, before);
  EXPECT_FALSE(writer->add(RandomDraw{0}).has_value());  // also when there is room again
  EXPECT_FALSE(writer->flush().has_value());
  const Contents found = read();
  EXPECT_FALSE(found.error || found.ended);
  EXPECT_EQ(found.lost_bytes, 0U);
  EXPECT_EQ(found.entries.size(), (added - 1) / 10 * 10);
  EXPECT_GE(found.entries.size(), 30U);
}

TEST_F(JournalTest, WhatWasFlushedBeforeAKillIsThere) {
  for (int run = 0; run < 20 / arbitrary::one_in; ++run) {
    std::array<int, 2> pipe{};
    ASSERT_EQ(::pipe(pipe.data()), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      auto writer = JournalWriter::create(path(), headers[0](), 7);
      const auto sender = writer->sender("p2");
      for (std::uint64_t n = 1;; ++n) {
        if (!writer->add(ReceivedMessage{*sender, n, n, {}})) ::_exit(1);
        if (n > 7 && n % 7 == 1 && ::write(pipe[1], "x", 1) != 1) ::_exit(1);
      }
    }
    ::close(pipe[1]);
    std::size_t blocks = 0;
    for (char byte = 0; blocks < 50U * (static_cast<std::size_t>(run) + 1); ++blocks) {
      if (::read(pipe[0], &byte, 1) != 1) break;
    }
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::close(pipe[0]);
    const Contents found = read();
    EXPECT_FALSE(found.error) << found.error->text();
    EXPECT_FALSE(found.ended);
    ASSERT_GE(found.entries.size(), 7 * blocks);
    EXPECT_EQ(found.entries.size() % 7, 0U);
    EXPECT_EQ(found.entries.back(), fmt::format("receive {0}: {0} from p2", found.entries.size()));
  }
}

}  // namespace
}  // namespace lightcone
