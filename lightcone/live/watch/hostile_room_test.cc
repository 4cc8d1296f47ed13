// Tags of many forged senders: what a process keeps of them, and says of them, is bounded in bytes.
#include <lightcone/process.h>
#include <lightcone/live/watch/watched_properties.h>

#include <gtest/gtest.h>
#include <malloc.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace lightcone {
namespace {

constexpr std::size_t mebibyte = 1 << 20;

[[nodiscard]] std::size_t memory_in_use() {
  const auto info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

/// Flows over one alphabet, so long that a set of their states takes about so many bytes.
[[nodiscard]] std::string properties_with_sets(std::size_t bytes) {
  std::string text;
  for (std::size_t left = bytes * 8 / 100 + 1; left > 0; --left) {
    text += "watch long" + std::to_string(left) + " : some longest flow over {w} ends with w";
    for (int i = 0; i < 99; ++i) text += " -> w";
    text += '\n';
  }
  return text;
}

[[nodiscard]] ProcessOptions options_of(std::string name, std::string properties) {
  return {.name = std::move(name),
          .members = {"b", "c"},
          .properties = std::move(properties),
          .save = [] { return std::string(); },
          .on_snapshot_part = [](std::string_view) {}};
}

void replace(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + 1)) {
    text.replace(at, from.size(), to);
  }
}

[[nodiscard]] std::string bytes_of_hash(std::string_view name) {
  const std::uint64_t hash = XXH3_64bits(name.data(), name.size());
  return std::string(reinterpret_cast<const char*>(&hash), sizeof hash);
}

/// Makes the tags of many processes from that of one.
class Crowd {
 public:
  Crowd(std::size_t name_length, const std::string& properties)
      : name_(name_length, 'f'),
        agreement_(WatchedProperties::of(options_of("b", properties))->agreement) {
    auto one = *Process::start(options_of(name_, properties));
    one->event({.labels = {"w"}});
    for (int i = 0; i < 17'000; ++i) tag_ = one->send("b");
  }
  /// The same tag of a process with another name.
  [[nodiscard]] std::string tag_of(int number) const {
    std::string name = name_;
    const std::string digits = std::to_string(number);
    name.replace(name.size() - digits.size(), digits.size(), digits);
    std::string tag = tag_;
    replace(tag, name_, name);
    replace(tag, bytes_of_hash(name_), bytes_of_hash(name));
    const auto sum = static_cast<std::uint32_t>(
        XXH3_64bits_withSeed(tag.data() + 6, tag.size() - 6, agreement_));
    for (std::size_t i = 0; i < 4; ++i) tag[2 + i] = static_cast<char>(sum >> (8 * i));
    return tag;
  }

 private:
  std::string name_, tag_;
  std::uint64_t agreement_;
};

/// What so many of them make a process take, and how long its tags become.
struct Harm {
  std::size_t memory = 0, tag = 0;
  std::uint64_t refused = 0;
};

[[nodiscard]] Harm harm_of(const Crowd& crowd, int count, const ProcessOptions& options) {
  auto victim = *Process::start(options);
  const std::size_t before = memory_in_use();
  for (int i = 0; i < count; ++i) victim->receive(crowd.tag_of(i));
  Harm harm{memory_in_use() - before, victim->send_to_anyone().size(), victim->counts().bad_tags};
  auto c = *Process::start(options_of("c", options.properties));
  c->event({.labels = {"w"}});
  EXPECT_EQ(victim->receive(c->send("b")), "c") << "members are heard as before";
  EXPECT_GT(harm.refused, 0U);
  testing::Test::RecordProperty("memory", std::to_string(harm.memory));
  testing::Test::RecordProperty("tag", std::to_string(harm.tag));
  testing::Test::RecordProperty("refused", std::to_string(harm.refused));
  return harm;
}

TEST(HostileRoom, ThirtyFiveThousandSendersTakeLittle) {
  const std::string properties = "watch last : some longest flow ends with w\n";
  const Harm harm = harm_of(Crowd(8, properties), 35'500, options_of("b", properties));
  EXPECT_LT(harm.memory, 32 * mebibyte);
  EXPECT_LT(harm.tag, 64'000U);
}

TEST(HostileRoom, LongNamesAreCounted) {
  const std::string properties = "watch last : some longest flow ends with w\n";
  const Harm harm = harm_of(Crowd(4000, properties), 5'000, options_of("b", properties));
  EXPECT_LT(harm.memory, 26 * mebibyte);
}

TEST(HostileRoom, LargeSetsOfStatesAreCounted) {
  const std::string properties = properties_with_sets(150);
  const Harm harm = harm_of(Crowd(8, properties), 5'000, options_of("b", properties));
  EXPECT_LT(harm.memory, 26 * mebibyte);
  EXPECT_LT(harm.tag, 260'000U);
}

TEST(HostileRoom, IsAsSmallAsTheProgramSays) {
  const std::string properties = "watch last : some longest flow ends with w\n";
  ProcessOptions options = options_of("b", properties);
  options.most_peer_bytes = mebibyte;
  const Harm harm = harm_of(Crowd(8, properties), 5'000, options);
  EXPECT_LT(harm.memory, mebibyte);
  EXPECT_LT(harm.tag, mebibyte / 128 + 100);
  EXPECT_LT(harm.refused, 4'990U) << "there is room for some";
}

}  // namespace
}  // namespace lightcone
