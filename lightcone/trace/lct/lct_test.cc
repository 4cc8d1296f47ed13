// lct: nothing is lost on the way, every whole block of a torn file is read, and what is lost is
// said.
#include "temporary_folder.h"

#include <lightcone/trace/lct/lct.h>

#include "model/generators/arbitrary.h"

#include <gtest/gtest.h>
#include <lightcone/causal/random/random_computation.h>
#include <lightcone/trace/lct/lct_appender.h>
#include <lightcone/trace/lct/lct_block.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace lightcone {
namespace {

std::string jsonl(const Computation& c) { return write_trace_text(c, Format::jsonl); }
std::string lct_bytes(const Computation& c) { return write_trace_text(c, Format::lct); }
Expected<Reading> read(std::string_view bytes) { return read_lct(bytes, "t.lct", {}); }

/// Three blocks and a bit.
const Computation& large() {
  static const Computation computation = [] {
    RandomShape shape;
    shape.events = 200'000;
    shape.processes = 5;
    shape.labels = {{"a", 0.3}};
    shape.variables = {{"x", 0.2}};
    return random_computation(shape).value();
  }();
  return computation;
}

std::vector<lct::BlockPlace> blocks_of(std::string_view bytes) {
  std::vector<lct::BlockPlace> blocks;
  for (std::size_t at = 0;;) {
    const auto block = lct::find_block(bytes, at);
    if (block.end == 0) return blocks;
    blocks.push_back(block);
    at = block.end;
  }
}

TEST(Lct, GivesBackWhatWasWritten) {
  arbitrary::for_all_computations("lct and back", 1000, [](const Computation& c) {
    const auto reading = read(lct_bytes(c));
    RC_ASSERT(reading.has_value());
    RC_ASSERT(reading->notes.empty());
    RC_ASSERT(jsonl(reading->computation) == jsonl(c));
  });
}

TEST(Lct, KeepsAHeaderWithoutEvents) {
  const auto empty = read_trace_text("{\"lightcone\": 1, \"k\": 2}\n", "t", Format::jsonl, {});
  ASSERT_TRUE(empty) << empty.error().text();
  const auto reading = read(lct_bytes(empty->computation));
  ASSERT_TRUE(reading) << reading.error().text();
  EXPECT_EQ(reading->computation.header_extra(), "\"k\": 2");
}

TEST(Lct, GivesBackManyBlocks) {
  const std::string bytes = lct_bytes(large());
  EXPECT_EQ(blocks_of(bytes).size(), 4U);
  const auto reading = read(bytes);
  ASSERT_TRUE(reading) << reading.error().text();
  EXPECT_TRUE(reading->notes.empty());
  EXPECT_EQ(jsonl(reading->computation), jsonl(large()));
}

TEST(Lct, ATornFileGivesEveryWholeBlock) {
  const std::string bytes = lct_bytes(large());
  const auto blocks = blocks_of(bytes);
  for (std::size_t whole = 0; whole < blocks.size(); ++whole) {
    const std::size_t begin = blocks[whole].offset;
    for (const std::size_t cut :
         {begin + 1, (begin + blocks[whole].end) / 2, blocks[whole].end - 1}) {
      const auto reading = read(std::string_view(bytes).substr(0, cut));
      ASSERT_TRUE(reading) << reading.error().text();
      // Initial states are rows too: one for each process, in the first block.
      const std::size_t events = whole * Arrivals::usual_rows - (whole > 0 ? 5 : 0);
      EXPECT_EQ(reading->computation.event_count(), events);
      ASSERT_EQ(reading->notes.size(), 1U);
      EXPECT_EQ(reading->notes[0],
                "the file is torn at its end: " + std::to_string(cut - begin) + " bytes are lost");
    }
  }
}

TEST(Lct, EveryPrefixOfASmallFileIsReadOrNamed) {
  arbitrary::for_all_computations("prefixes", 30, [](const Computation& c) {
    const std::string bytes = lct_bytes(c);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const auto reading = read(std::string_view(bytes).substr(0, size));
      RC_ASSERT(reading.has_value());
      RC_ASSERT(reading->computation.event_count() == 0U);
      const bool just_header = size == lct::file_header_size;
      RC_ASSERT(reading->notes.size() == (just_header ? 0U : 1U));
    }
  });
}

TEST(Lct, ADamagedBlockIsLostAndTheOthersAreNot) {
  std::string bytes = lct_bytes(large());
  const auto blocks = blocks_of(bytes);
  bytes[(blocks[1].offset + blocks[1].end) / 2] ^= 1;
  const auto reading = read(bytes);
  ASSERT_TRUE(reading) << reading.error().text();
  EXPECT_EQ(reading->computation.event_count(), large().event_count() - Arrivals::usual_rows);
  ASSERT_FALSE(reading->notes.empty());
  EXPECT_EQ(reading->notes[0],
            "the file is damaged: " + std::to_string(blocks[1].end - blocks[1].offset) +
                " bytes are lost");
  std::size_t lost = 0;
  for (const std::string& note : reading->notes) {
    if (note.find(" events of p") != std::string::npos) lost += std::stoul(note);
  }
  EXPECT_EQ(lost, Arrivals::usual_rows);
}

TEST(Lct, RefusesWhatItIsNot) {
  const auto other = read("{\"lightcone\": 1}");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().text(),
            "t.lct: is not an lct file\n  name its format with --from FORMAT");
  std::string newer = lct_bytes(large());
  newer[lct::file_magic.size()] = 2;
  const auto future = read(newer);
  ASSERT_FALSE(future);
  EXPECT_NE(future.error().what.find("version"), std::string::npos);
}

class LctAppending : public testing::Test {
 protected:
  [[nodiscard]] std::string path() const { return folder_ + "/grows.lct"; }
  [[nodiscard]] Expected<Reading> reading() const { return read_trace(path(), Format::lct); }

  static void add(LctAppender& to, int number) {
    ASSERT_TRUE(to.make_room());
    const std::string process = number % 2 == 0 ? "even" : "odd";
    const std::array labels{to.name("step")};
    const std::array variables{lct::RowContent::Variable{to.name("x"), std::int64_t{number}}};
    lct::RowContent row;
    row.process = to.process(process);
    row.labels = labels;
    row.variables = variables;
    std::array<lct::MessageMention, 1> taken;
    const std::string message = "m" + std::to_string(number / 2 * 2);  // outlives its mention
    if (number % 2 == 0) {
      row.kind = Kind::send;
      row.sends = to.message(message);
    } else {
      row.kind = Kind::receive;
      taken = {to.message(message)};
      row.takes = taken;
    }
    to.add(process, row);
  }

  TemporaryFolder temporary_;
  const std::string& folder_ = temporary_.path();
};

TEST_F(LctAppending, GrowsByBlocksAndGoesOnAfterReopening) {
  for (int session = 0; session < 3; ++session) {
    auto appender = LctAppender::open(path());
    ASSERT_TRUE(appender) << appender.error().text();
    for (int i = 0; i < 10; ++i) add(*appender, session * 10 + i);
  }
  const auto read_back = reading();
  ASSERT_TRUE(read_back) << read_back.error().text();
  EXPECT_TRUE(read_back->notes.empty());
  EXPECT_EQ(read_back->computation.event_count(), 30U);
  EXPECT_EQ(read_back->computation.edge_count(), 15U);
}

/// Rows of one message each: what a row sends, the next one takes. Two of four have all that such a
/// row can have.
void add_message(LctAppender& to, int number, bool by_message_row) {
  const bool sends = number % 2 == 1, has_all = number % 4 > 1;
  const int message_number = sends ? number : number - 1;
  const std::string prefix = "0>1/" + std::to_string(message_number % 5) + ":";
  const std::string tag = "tag:" + std::to_string(message_number % 5);
  const std::array labels{to.name("call"), by_message_row ? to.new_name(tag) : to.name(tag)};
  const std::array receivers{to.name("rank1")};
  lct::RowContent row;
  row.process = to.process("rank0");
  row.kind = sends ? Kind::send : Kind::receive;
  row.time = 1.5 * number;
  if (has_all) row.text = to.name("text"), row.source = to.name("a.c:1"), row.digest = 7;
  if (by_message_row) {
    lct::MessageRow message{.process = row.process, .kind = row.kind};
    message.prefix = to.new_name(prefix);
    message.number = static_cast<std::uint64_t>(message_number);
    message.labels = to.new_set(labels);
    if (sends) message.to = to.set(receivers);
    message.time = *row.time;
    message.text = row.text.value_or(lct::MessageRow::none);
    message.source = row.source.value_or(lct::MessageRow::none);
    message.digest = row.digest;
    return to.add(message);
  }
  const std::string name = prefix + std::to_string(message_number);  // outlives its mention
  const std::array taken{to.message(name)};
  row.labels = labels;
  if (sends) row.sends = taken.front(), row.to = receivers;
  if (!sends) row.takes = taken;
  to.add("rank0", row);
}

/// Also beside rows that go the long way.
TEST_F(LctAppending, RowsOfOneMessageAreThoseOfTheLongWay) {
  std::array<std::string, 2> texts;
  for (const bool by_message_row : {false, true}) {
    std::filesystem::remove(path());
    {
      auto appender = LctAppender::open(path());
      for (int i = 1; i <= 4000; ++i) {
        if (i % 1500 == 0) {
          ASSERT_TRUE(appender->flush());
        }
        add_message(*appender, i, by_message_row && i % 1100 > 10);
      }
      ASSERT_TRUE(appender->flush());
      EXPECT_EQ(appender->kept_events(), 4000U);
    }
    const auto read_back = reading();
    ASSERT_TRUE(read_back) << read_back.error().text();
    EXPECT_TRUE(read_back->notes.empty());
    texts[by_message_row ? 1 : 0] = jsonl(read_back->computation);
  }
  EXPECT_EQ(texts[0], texts[1]);
}

TEST_F(LctAppending, CutsATornEndOffAndGoesOn) {
  {
    auto appender = LctAppender::open(path());
    for (int i = 0; i < 4; ++i) add(*appender, i);
    ASSERT_TRUE(appender->flush());
    for (int i = 4; i < 8; ++i) add(*appender, i);
  }
  std::filesystem::resize_file(path(), std::filesystem::file_size(path()) - 3);
  {
    auto appender = LctAppender::open(path());
    ASSERT_TRUE(appender) << appender.error().text();
    for (int i = 4; i < 6; ++i) add(*appender, i);
  }
  const auto read_back = reading();
  ASSERT_TRUE(read_back) << read_back.error().text();
  EXPECT_TRUE(read_back->notes.empty());
  EXPECT_EQ(read_back->computation.event_count(), 6U);
}

TEST_F(LctAppending, LeavesOtherFilesAlone) {
  std::ofstream(path()) << "precious";
  ASSERT_FALSE(LctAppender::open(path()));
  std::ostringstream text;
  text << std::ifstream(path()).rdbuf();
  EXPECT_EQ(text.str(), "precious");
}

TEST_F(LctAppending, AKilledProcessLeavesWhatItFlushed) {
  for (int round = 0; round < 10; ++round) {
    std::filesystem::remove(path());
    int ready[2];
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      auto appender = LctAppender::open(path());
      for (int i = 0;; ++i) {
        add(*appender, i);
        if (i % 16 == 15 && !appender->flush()) ::_exit(1);
        if (i == 15 + 64 * round && ::write(ready[1], "x", 1) != 1) ::_exit(1);
      }
    }
    ::close(ready[1]);  // so that a child that dies too early ends the read
    char byte = 0;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ::close(ready[0]);
    const auto read_back = reading();
    ASSERT_TRUE(read_back) << read_back.error().text();
    EXPECT_GE(read_back->computation.event_count(), 16U + 64U * unsigned(round));
    EXPECT_EQ(read_back->computation.event_count() % 16, 0U);
  }
}

}  // namespace
}  // namespace lightcone
