// Forged tags: whatever stands in their fields, a process goes on, in bounded memory, and knows
// what it would know without them.
#include <lightcone/base/wire.h>
#include <lightcone/live/watch/watched_properties.h>
#include <lightcone/process.h>
#include <lightcone/riders/inspection.h>
#include <lightcone/transport.h>

#include <gtest/gtest.h>
#include <malloc.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>
#include <random>
#include <set>

namespace lightcone {
namespace {

constexpr std::string_view properties = R"(
  forbid stale : some longest flow ends with write -> read without fresh
  require seen : every longest flow over {write, read} contains write
  watch after : some flow at read ends with write -> read
  watch past : logic {
    x := write or any x
    y := read and any x
  }
)";

const std::vector<std::string> members{"a", "b", "c"};

[[nodiscard]] ProcessOptions options_of(std::string name, Channels channels) {
  return {.name = std::move(name),
          .members = members,
          .properties = std::string(properties),
          .channels = channels,
          .clocks = true};
}

/// One field of a tag, as a forger sees it.
struct Field {
  enum class Kind { number, fixed, bytes } kind = Kind::number;
  std::uint64_t value = 0;
  std::string bytes = {};
};

/// Takes tags apart and puts them together again, with a checksum that fits.
class Forger {
 public:
  Forger() {
    const auto watched = WatchedProperties::of(options_of("f", Channels::any));
    agreement_ = watched->agreement;
    const CompiledProperties& compiled = watched->compiled;
    const Names names;
    const Observer observer(compiled.vocabulary(), names);
    for (const auto& flows : by_alphabet(compiled, observer)) {
      set_bytes_.push_back((flows->sets.bits() + 7) / 8);
    }
    lrdag_bytes_ = (Lrdag(compiled, observer).bits() + 7) / 8;
  }

  [[nodiscard]] std::vector<Field> fields(std::string_view tag) const {
    Reading reading{WireReader(tag.substr(6))};
    const std::uint64_t flags = reading.number();
    if (reading.number() == 0) reading.bytes(reading.number());
    for (const std::uint64_t flag : {0, 4, 128, 8, 16}) {  // 0: the number of the message
      if (flag == 0 || (flags & flag) != 0) reading.number();
    }
    for (const std::size_t set : set_bytes_) {
      reading.entries([&](std::uint64_t value) {
        if ((value & 1) == 0) reading.bytes(set);
      });
    }
    reading.bytes(lrdag_bytes_);
    reading.entries([](std::uint64_t) {});
    if ((flags & 2) != 0) reading.entries([](std::uint64_t) {});
    EXPECT_FALSE(reading.wire.failed());
    EXPECT_EQ(reading.wire.left(), 0U);
    return reading.read;
  }

  [[nodiscard]] std::string tag(const std::vector<Field>& fields, char version) const {
    WireWriter wire;
    wire.bytes() = std::string("\xC1\0\0\0\0\0", 6);
    wire.bytes()[1] = version;
    for (const Field& field : fields) {
      if (field.kind == Field::Kind::number) wire.number(field.value);
      if (field.kind == Field::Kind::fixed) wire.fixed(field.value, 8);
      wire.bytes() += field.bytes;
    }
    std::string& bytes = wire.bytes();
    const auto sum = static_cast<std::uint32_t>(
        XXH3_64bits_withSeed(bytes.data() + 6, bytes.size() - 6, agreement_));
    for (std::size_t i = 0; i < 4; ++i) bytes[2 + i] = static_cast<char>(sum >> (8 * i));
    return bytes;
  }

 private:
  struct Reading {
    WireReader wire;
    std::vector<Field> read = {};
    std::uint64_t number() {
      read.push_back({Field::Kind::number, wire.number()});
      return read.back().value;
    }
    void bytes(std::size_t count) {
      std::string taken;
      for (std::size_t i = 0; i < count; ++i) taken += static_cast<char>(wire.fixed(1));
      read.push_back({Field::Kind::bytes, 0, taken});
    }
    template <class Rest>
    void entries(const Rest& rest) {
      const std::uint64_t in_list = number(), others = number();
      for (std::uint64_t i = 0; i < in_list + others; ++i) {
        if (i < in_list) {
          number();
        } else {
          read.push_back({Field::Kind::fixed, wire.fixed(8)});
        }
        rest(number());
      }
    }
  };

  std::uint64_t agreement_ = 0;
  std::vector<std::size_t> set_bytes_;
  std::size_t lrdag_bytes_ = 0;
};

/// The tags that honest processes send to b, which may get them in this order.
[[nodiscard]] std::vector<std::string> honest_tags(Channels channels) {
  auto a = *Process::start(options_of("a", channels));
  auto c = *Process::start(options_of("c", channels));
  auto d = *Process::start(options_of("d", channels));
  std::vector<std::string> tags;
  a->event({.labels = {"write"}});
  tags.push_back(a->send("b"));
  c->receive(a->send("c"), {.labels = {"read"}});
  tags.push_back(c->send("b"));
  d->receive(c->send("d"), {.labels = {"write"}});
  static_cast<void>(d->begin_snapshot());
  tags.push_back(d->marker("b"));
  tags.push_back(d->send("b", {.labels = {"write"}}));
  a->receive(d->send("a"));
  tags.push_back(a->send("b", {.labels = {"fresh"}}));
  tags.push_back(c->send("b", {.labels = {"write"}}));
  return tags;
}

/// The process that is attacked, and all that it shows of itself.
struct Victim {
  std::vector<std::string> shown;
  bool broke_channel = false;  ///< a message that does not come next moves a FIFO channel on
  bool refused = false;        ///< the hostile tag
  std::string why;
  std::unique_ptr<Process> process;

  explicit Victim(Channels channels) {
    ProcessOptions options = options_of("b", channels);
    options.save = [] { return std::string("state"); };
    options.on_snapshot_part = [this](std::string_view part) { shown.emplace_back(part); };
    options.on_detection = [this](const Detection& found) { shown.push_back(found.line()); };
    options.on_error = [this](const Error& error) {
      if (why.empty()) why = error.what;
      broke_channel = broke_channel || error.what.find("FIFO") != std::string::npos;
    };
    process = *Process::start(std::move(options));
  }
  void take(const std::string& tag, const LiveState& state = {}) {
    auto taken = Intake(*process).took(tag, [] { return std::string("contents"); });
    if (taken) process->receive(std::move(taken), state);
  }
  /// An honest life, with one message more in the middle.
  void live(const std::vector<std::string>& tags, const std::string& hostile) {
    take(tags[0]);
    process->event({.labels = {"read"}});
    shown.push_back(process->send("a"));
    take(tags[1], {.labels = {"read"}});
    take(hostile, {.labels = {"read"}});
    refused = process->counts().bad_tags != 0 && !broke_channel;
    for (std::size_t i = 2; i < tags.size(); ++i) {
      take(tags[i], {.labels = {"read"}});
      process->event({.labels = {"write"}});
      shown.push_back(process->send("c"));
      shown.push_back(process->send_to_anyone());
    }
    shown.push_back(std::to_string(process->begin_snapshot()));
    take(tags[1]);  // again
    shown.push_back(std::to_string(process->counts().redelivered));
  }
};

constexpr std::array<std::uint64_t, 14> hostile_numbers = {0,
                                                           1,
                                                           2,
                                                           127,
                                                           std::uint64_t{1} << 16,
                                                           (std::uint64_t{1} << 31) - 1,
                                                           std::uint64_t{1} << 31,
                                                           (std::uint64_t{1} << 32) - 1,
                                                           (std::uint64_t{1} << 32) + 1,
                                                           (std::uint64_t{1} << 62) - 1,
                                                           std::uint64_t{1} << 62,
                                                           (std::uint64_t{1} << 63) - 1,
                                                           std::uint64_t{1} << 63,
                                                           UINT64_MAX};

void forge(Field& field, std::uint64_t value) {
  if (field.kind != Field::Kind::bytes) {
    field.value = value;
  } else {
    for (char& byte : field.bytes) byte = static_cast<char>(value);
  }
}

/// Gives a process a tag, and looks whether it is the worse for it.
class Attack {
 public:
  explicit Attack(Channels channels) : channels_(channels), tags_(honest_tags(channels)) {
    Victim reference(channels);
    reference.live(tags_, "");
    unharmed_ = reference.shown;
  }
  void with(const std::string& hostile) {
    Victim victim(channels_);
    victim.live(tags_, hostile);
    ++tried_;
    if (!victim.refused) return;
    ++refused_;
    if (victim.shown == unharmed_) return;
    const auto [came, wanted] = std::ranges::mismatch(victim.shown, unharmed_);
    ADD_FAILURE() << "a tag that was refused (" << victim.why << ") has left something behind: "
                  << testing::PrintToString(came == victim.shown.end() ? "" : *came)
                  << " instead of "
                  << testing::PrintToString(wanted == unharmed_.end() ? "" : *wanted);
  }
  [[nodiscard]] const std::vector<std::string>& tags() const { return tags_; }
  [[nodiscard]] int tried() const { return tried_; }
  [[nodiscard]] int refused() const { return refused_; }

 private:
  Channels channels_;
  std::vector<std::string> tags_, unharmed_;
  int tried_ = 0, refused_ = 0;
};

[[nodiscard]] std::size_t memory_in_use() {
  const auto info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

TEST(HostileTags, AnyNumberInAnyFieldDoesNoHarmWhereItIsRefused) {
  const Forger forger;
  for (const Channels channels : {Channels::any, Channels::fifo}) {
    Attack attack(channels);
    const std::size_t before = memory_in_use();
    for (const std::string& tag : attack.tags()) {
      const std::vector<Field> fields = forger.fields(tag);
      EXPECT_EQ(forger.tag(fields, tag[1]), tag);
      for (std::size_t i = 0; i < fields.size(); ++i) {
        for (const std::uint64_t value : hostile_numbers) {
          std::vector<Field> forged = fields;
          forge(forged[i], value);
          attack.with(forger.tag(forged, tag[1]));
        }
      }
    }
    EXPECT_GT(attack.tried(), 1000);
    EXPECT_GT(attack.refused(), attack.tried() / 4);
    EXPECT_LT(memory_in_use(), before + (8 << 20));
  }
}

TEST(HostileTags, SoDoSeveralAtOnce) {
  const Forger forger;
  std::mt19937_64 random(20);
  for (const Channels channels : {Channels::any, Channels::fifo}) {
    Attack attack(channels);
    for (int i = 0; i < 1500; ++i) {
      const std::string& tag = attack.tags()[random() % attack.tags().size()];
      std::vector<Field> fields = forger.fields(tag);
      for (std::uint64_t n = 2 + random() % 3; n > 0; --n) {
        forge(fields[random() % fields.size()], hostile_numbers[random() % hostile_numbers.size()]);
      }
      if (random() % 4 == 0) fields.erase(fields.begin() + static_cast<long>(random() % 4));
      attack.with(forger.tag(fields, static_cast<char>(1 + random() % 2)));
    }
    EXPECT_GT(attack.refused(), 0);
  }
}

/// A tag of a process that is no member, with a labelled event and a clock.
[[nodiscard]] std::string tag_of(const std::string& name) {
  auto process = *Process::start(options_of(name, Channels::any));
  process->event({.labels = {"write"}});
  return process->send("b");
}

TEST(HostileTags, TheGreatestColourLeavesSnapshotsPossible) {
  const Forger forger;
  auto d = *Process::start(options_of("d", Channels::any));
  static_cast<void>(d->begin_snapshot());
  const std::string tag = d->send("b");
  std::vector<Field> fields = forger.fields(tag);
  ASSERT_EQ(fields[5].value, 1U);  // after flags, 0, the name and the number: the colour
  fields[5].value = std::uint64_t{1} << 62;
  Victim victim(Channels::any);
  victim.take(forger.tag(fields, tag[1]));
  EXPECT_EQ(victim.process->counts().bad_tags, 1U);
  EXPECT_EQ(victim.process->begin_snapshot(), 1U);
  victim.take(tag);
  EXPECT_EQ(victim.process->begin_snapshot(), 2U);
}

TEST(HostileTags, TheGreatestNumberLeavesRedeliveriesRecognised) {
  const Forger forger;
  const std::string tag = tag_of("d");
  std::vector<Field> fields = forger.fields(tag);
  ASSERT_EQ(fields[3].bytes, "d");
  fields[4].value = UINT64_MAX;  // after flags, 0 and the name: the number
  Victim victim(Channels::any);
  victim.take(forger.tag(fields, tag[1]));
  EXPECT_EQ(victim.process->counts().bad_tags, 1U);
  victim.take(tag);
  EXPECT_EQ(victim.process->counts().redelivered, 0U);
  victim.take(tag);
  EXPECT_EQ(victim.process->counts().redelivered, 1U);
}

TEST(HostileTags, ManySendersTakeBoundedMemoryAndTagsStaySmall) {
  const Forger forger;
  const std::string tag = tag_of("12345678");
  const std::vector<Field> fields = forger.fields(tag);
  Victim victim(Channels::any);
  victim.take(tag);
  const std::size_t before = memory_in_use();
  for (int i = 0; i < 12000; ++i) {
    std::vector<Field> forged = fields;
    const std::string name = std::to_string(20000000 + i);
    forged[3].bytes = name;
    for (Field& field : forged) {
      if (field.kind == Field::Kind::fixed) field.value = XXH3_64bits(name.data(), name.size());
    }
    victim.take(forger.tag(forged, tag[1]));
  }
  EXPECT_LT(memory_in_use(), before + (16 << 20));
  EXPECT_GT(victim.process->counts().bad_tags, 7000U);
  EXPECT_LT(victim.process->send_to_anyone().size(), 160'000U);
  victim.shown.clear();
  for (const std::string& honest : honest_tags(Channels::any)) {
    if (honest != honest_tags(Channels::any)[3]) victim.take(honest, {.labels = {"read"}});
  }
  EXPECT_GT(victim.shown.size(), 2U) << "members are heard as before";
}

TEST(HostileTags, WhoIsOnlySpokenOfIsForgottenFirst) {
  const Forger forger;
  const std::string tag = tag_of("12345678");
  const std::vector<Field> fields = forger.fields(tag);
  Victim victim(Channels::any);
  std::mt19937_64 random(3);
  for (int i = 0; i < 5000; ++i) {  // one forger speaks of one process after the other
    std::vector<Field> forged = fields;
    for (Field& field : forged) {
      if (field.kind == Field::Kind::fixed) field.value = random();
    }
    forged[4].value = static_cast<std::uint64_t>(i);
    victim.take(forger.tag(forged, tag[1]));
  }
  EXPECT_GT(victim.process->counts().bad_tags, 0U);
  EXPECT_EQ(victim.process->counts().forgotten, 0U) << "no room is made for more of the same";
  victim.take(tag_of("newcomer"));
  EXPECT_GT(victim.process->counts().forgotten, 4000U);
  EXPECT_LT(victim.process->send_to_anyone().size(), 1000U);
}

TEST(HostileTags, ManySetsOfStatesTakeBoundedMemory) {
  std::string text = "forbid long : some longest flow ends with w";
  for (int i = 0; i < 60; ++i) text += " -> w" + std::to_string(i) + " without x";
  ProcessOptions options{.name = "b", .members = {"a", "b"}, .properties = text};
  auto victim = *Process::start(options);
  const auto agreement = WatchedProperties::of(options)->agreement;
  options.name = "a";
  auto honest = *Process::start(options);
  honest->event({.labels = {"w"}});
  std::string tag = honest->send("b");
  const std::size_t set_at = 6 + 3 + 4;  // flags, sender, number; members, others, gap, rank
  ASSERT_GT(tag.size(), set_at + 7);
  std::mt19937_64 random(4);
  const std::size_t before = memory_in_use();
  std::uint32_t refused = 0;
  for (int i = 0; i < 60000; ++i) {
    for (std::size_t k = 0; k < 7; ++k) tag[set_at + k] = static_cast<char>(random());
    const auto sum =
        static_cast<std::uint32_t>(XXH3_64bits_withSeed(tag.data() + 6, tag.size() - 6, agreement));
    for (std::size_t k = 0; k < 4; ++k) tag[2 + k] = static_cast<char>(sum >> (8 * k));
    if (victim->receive(tag).empty()) ++refused;
  }
  EXPECT_EQ(refused, 0U);
  EXPECT_LT(memory_in_use(), before + (2 << 20));
}

}  // namespace
}  // namespace lightcone
