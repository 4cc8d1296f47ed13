// Texts that are packed come back, and what is torn, damaged or a bomb is said to be.
#include <lightcone/base/compression/compression.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace lightcone {
namespace {

class Compressions : public testing::TestWithParam<Compression> {
 public:
  [[nodiscard]] std::string packed(std::string_view text, std::size_t piece = 1000) const {
    Packer packer(GetParam());
    std::string out;
    while (!text.empty()) {
      packer.pack(text.substr(0, piece), Packer::Piece::more_follow, out);
      text.remove_prefix(std::min(piece, text.size()));
    }
    packer.pack({}, Packer::Piece::last, out);
    return out;
  }

  /// Unpacks, with a source that gives so many bytes at a time.
  [[nodiscard]] static Expected<std::string> unpacked(const std::string& bytes,
                                                      std::size_t at_a_time = 7,
                                                      TornEnd torn = TornEnd::error,
                                                      std::string* note = nullptr) {
    std::size_t done = 0;
    UnpackedText text(
        [&](char* buffer, std::size_t size) -> Expected<std::size_t> {
          const std::size_t count = bytes.copy(buffer, std::min(size, at_a_time), done);
          done += count;
          return count;
        },
        "it", torn);
    std::string all, buffer(100, '\0');
    for (;;) {
      const auto got = text.read_some(buffer.data(), buffer.size());
      if (!got) return failure(got.error());
      if (*got == 0) break;
      all.append(buffer, 0, *got);
    }
    if (note != nullptr) *note = text.torn_note().value_or("");
    return all;
  }

  [[nodiscard]] static std::string sample() {
    std::string text;
    for (int i = 0; i < 5000; ++i) text += "line " + std::to_string(i * 7919 % 1000) + "\n";
    return text;
  }
};

TEST_P(Compressions, ComeBack) {
  for (const std::string& text : {std::string(), std::string("x"), sample()}) {
    for (const std::size_t at_a_time : {1UL, 4096UL}) {
      const auto again = unpacked(packed(text), at_a_time);
      ASSERT_TRUE(again) << again.error().text();
      EXPECT_EQ(*again, text);
    }
  }
}

TEST_P(Compressions, MayFollowEachOther) {
  const auto again = unpacked(packed("one\n") + packed("") + packed("two\n"));
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(*again, "one\ntwo\n");
}

TEST_P(Compressions, SayWhereTheyAreTorn) {
  const std::string whole = packed(sample());
  for (std::size_t size = 5; size < whole.size(); size += 97) {
    const auto error = unpacked(whole.substr(0, size));
    ASSERT_FALSE(error) << size;
    EXPECT_NE(error.error().what.find("cut off after"), std::string::npos) << error.error().what;
    std::string note;
    const auto prefix = unpacked(whole.substr(0, size), 64, TornEnd::ends, &note);
    ASSERT_TRUE(prefix) << prefix.error().text();
    EXPECT_TRUE(sample().starts_with(*prefix));
    EXPECT_NE(note.find("is cut off"), std::string::npos);
  }
}

TEST_P(Compressions, SayThatTheyAreDamaged) {
  std::string bytes = packed(sample());
  std::size_t refused = 0;
  for (std::size_t at = bytes.size() / 2; at < bytes.size() / 2 + 40; ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    const auto read = unpacked(damaged);
    EXPECT_TRUE(!read || *read != sample() || damaged == bytes);
    refused += read ? 0 : 1;
  }
  EXPECT_EQ(refused, 40U);  // a checksum sees what the stream does not
}

TEST_P(Compressions, RefuseOtherBytesBehindTheirEnd) {
  const auto read = unpacked(packed("one\n") + "garbage");
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().what.find("other bytes behind its end"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(All, Compressions, testing::Values(Compression::gzip, Compression::zstd),
                         [](const auto& each) {
                           return each.param == Compression::gzip ? "gzip" : "zstd";
                         });

TEST(Compression, IsToldByBytesAndByName) {
  EXPECT_EQ(compression_in("\x1f\x8b\x08"), Compression::gzip);
  EXPECT_EQ(compression_in("\x28\xb5\x2f\xfd"), Compression::zstd);
  EXPECT_EQ(compression_in("(?<host>"), Compression::plain);
  EXPECT_EQ(compression_of("a.jsonl.gz"), Compression::gzip);
  EXPECT_EQ(compression_of("A.LOG.ZST"), Compression::zstd);
  EXPECT_EQ(compression_of(".gz"), Compression::plain);
  EXPECT_EQ(unpacked_name("a/b.jsonl.gz"), "a/b.jsonl");
  EXPECT_EQ(unpacked_name("a/b.jsonl"), "a/b.jsonl");
}

/// The heading announces one byte, and the only block is empty.
TEST(Compression, AFrameOfAnotherSizeIsRefusedHoweverItArrives) {
  constexpr std::string_view bytes("\x28\xb5\x2f\xfd\x20\x01\x01\x00\x00", 9);
  for (const std::size_t at_a_time : {1, 2, 5, 8, 9, 1000}) {
    const auto read = Compressions::unpacked(std::string(bytes), at_a_time);
    ASSERT_FALSE(read) << at_a_time;
    EXPECT_NE(read.error().what.find("that is damaged"), std::string::npos) << read.error().what;
  }
}

TEST(Compression, ABombIsRefusedBeforeItIsThere) {
  Packer packer(Compression::zstd);
  std::string bomb;
  const std::string zeros(1 << 20, '\0');
  for (int i = 0; i < 1500; ++i) packer.pack(zeros, Packer::Piece::more_follow, bomb);
  packer.pack({}, Packer::Piece::last, bomb);
  ASSERT_LT(bomb.size(), 1000000U);
  std::size_t done = 0;
  UnpackedText text(
      [&](char* buffer, std::size_t size) -> Expected<std::size_t> {
        const std::size_t count = bomb.copy(buffer, size, done);
        done += count;
        return count;
      },
      "bomb");
  std::string buffer(1 << 20, '\0');
  std::uint64_t made = 0;
  for (;;) {
    const auto got = text.read_some(buffer.data(), buffer.size());
    if (!got) {
      EXPECT_NE(got.error().what.find("more than 1,100 times its size"), std::string::npos);
      break;
    }
    ASSERT_GT(*got, 0U) << "the bomb was unpacked";
    made += *got;
  }
  EXPECT_GT(made, std::uint64_t{1} << 29U);  // what a log may be is not refused
}

}  // namespace
}  // namespace lightcone
