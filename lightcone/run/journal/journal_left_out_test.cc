// What a journal of races leaves out is known again, among all messages that were ever sent.
#include <lightcone/base/wire.h>
#include <lightcone/run/journal/journal.h>
#include <lightcone/run/journal/journal_columns.h>
#include <lightcone/run/journal/journal_file.h>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "model/generators/arbitrary.h"

namespace lightcone {
namespace {

[[nodiscard]] std::string path() {
  static const int file = ::memfd_create("journal", 0);
  return "/proc/self/fd/" + std::to_string(file);
}

[[nodiscard]] std::string name_of(std::size_t process) { return "p" + std::to_string(process); }

/// A message on its way to one of its receivers.
struct Sent {
  std::size_t sender = 0;
  std::uint64_t number = 0, channel = 0;  ///< no channel number where there are several receivers
  std::uint64_t known = 0;                ///< receives of the receiver of which its sender knew
  std::vector<std::uint64_t> clock = {};  ///< receives of all of which its sender knew
};

/// A receive of the first process, or something else that it was told.
struct Told {
  std::vector<std::size_t> messages = {};  ///< several in a batch
  bool again = false;                      ///< received before
  bool nameless = false;                   ///< its tag could not be used
  bool races = false;
  std::optional<JournalEntry> other = {};
};

/// What a first process was told by others, over channels that lose and reorder.
struct Execution {
  std::vector<Sent> sent = {};  ///< to the first process
  std::vector<Told> told = {};
  std::uint64_t receives = 0;
};

/// A random execution. Clocks count receives: that of the sender knows of the receives of the first
/// process which happened before the send (as in RaceRider, which the definition tests).
class Simulation {
 public:
  explicit Simulation(std::uint64_t seed)
      : random_(seed),
        processes_(2 + draw(3)),
        loss_(draw(3)),
        talk_(8 + draw(9)),
        far_(draw(4) == 0 ? 1 : 1 << 20),
        clocks_(processes_, std::vector<std::uint64_t>(processes_)),
        numbers_(processes_),
        channels_(processes_),
        between_others_(processes_) {}

  [[nodiscard]] Execution run(std::size_t steps) {
    for (std::size_t i = 0; i < steps; ++i) step();
    return std::move(execution_);
  }

 private:
  [[nodiscard]] std::size_t draw(std::size_t below) { return random_() % below; }

  void step() {
    const std::size_t process = draw(processes_);
    const std::size_t what = draw(16);
    if (process != 0) return what < 9 ? send(process) : receive_elsewhere(process);
    if (what < 2) return tell_all();
    if (what == 2) return execution_.told.push_back({.other = ClockReading{draw(100)}});
    if (what == 3) {
      return execution_.told.push_back({.other = EmptyPolls{execution_.receives + 1, 1}});
    }
    const bool fresh = !on_their_way_.empty() &&
                       execution_.sent[on_their_way_.back()].known == execution_.receives;
    if (fresh || draw(17) > talk_) receive(what == 4, what == 5);
  }

  /// To the first process, perhaps to another one as well, or only to others. Many messages that go
  /// elsewhere make it dear to enter one.
  void send(std::size_t from) {
    numbers_[from] += 1 + draw(far_);
    const std::size_t to = draw(8);
    if (to == 0) return between_others_[draw(processes_)].push_back(clocks_[from]);
    const std::uint64_t channel = to == 1 ? 0 : ++channels_[from];
    execution_.sent.push_back({from, numbers_[from], channel, clocks_[from][0], clocks_[from]});
    if (draw(6) >= loss_) on_their_way_.push_back(execution_.sent.size() - 1);
  }

  /// The first process sends to each of the others. Where it often does so after a receive, and
  /// takes what was sent after that, few receives race.
  void tell_all() {
    for (auto& waiting : between_others_) waiting.push_back(clocks_[0]);
  }

  void receive_elsewhere(std::size_t process) {
    for (const auto& clock : between_others_[process]) join(process, clock);
    between_others_[process].clear();
    ++clocks_[process][process];
  }

  void receive(bool batch, bool again) {
    Told told{.again = again, .nameless = draw(20) == 0};
    auto& from = again ? received_ : on_their_way_;
    for (std::size_t left = batch ? 2 : 1; left > 0 && !from.empty(); --left) {
      const std::size_t at = draw(16) < talk_ ? from.size() - 1 : draw(from.size());
      told.messages.push_back(from[at]);
      from.erase(from.begin() + static_cast<std::ptrdiff_t>(at));
    }
    if (told.messages.empty()) return;
    for (const std::size_t m : told.messages) {
      if (execution_.sent[m].known < execution_.receives) told.races = true;
      received_.push_back(m);
    }
    for (const std::size_t m : told.messages) join(0, execution_.sent[m].clock);
    clocks_[0][0] = ++execution_.receives;
    execution_.told.push_back(std::move(told));
    if (draw(16) >= talk_) return;
    tell_all();
    for (std::size_t process = 1; process < processes_; ++process) receive_elsewhere(process);
  }

  void join(std::size_t process, const std::vector<std::uint64_t>& clock) {
    for (std::size_t i = 0; i < processes_; ++i) {
      clocks_[process][i] = std::max(clocks_[process][i], clock[i]);
    }
  }

  std::mt19937_64 random_;
  std::size_t processes_;
  std::size_t loss_;  // of six
  std::size_t talk_;  // of sixteen
  std::size_t far_;
  std::vector<std::vector<std::uint64_t>> clocks_;
  std::vector<std::uint64_t> numbers_, channels_;
  std::vector<std::vector<std::vector<std::uint64_t>>> between_others_;  // clocks, by receiver
  std::vector<std::size_t> on_their_way_, received_;
  Execution execution_;
};

/// Adds one thing that the process was told, as its recorder would.
void add(JournalWriter& writer, const Execution& execution, const Told& told,
         std::uint64_t receive) {
  if (told.other) {
    ASSERT_TRUE(writer.add(*told.other).has_value());
    return;
  }
  for (const std::size_t m : told.messages) {
    const Sent& sent = execution.sent[m];
    ReceivedMessage message{*writer.sender(name_of(sent.sender)), sent.number, receive, {}};
    if (told.nameless) message = {*writer.sender(""), 1, receive, "contents"};
    if (told.again) message.contents = "contents";
    const std::uint64_t channel = told.nameless ? 0 : sent.channel;
    const bool left_out = !told.races && told.messages.size() == 1 && !told.nameless;
    const auto ok = left_out ? writer.add_implied(message, channel) : writer.add(message, channel);
    ASSERT_TRUE(ok.has_value());
  }
}

/// Writes a journal and flushes it at random.
void write(const Execution& execution, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  auto writer = JournalWriter::create(path(), {"p0", JournalKind::races, true}, 1 + random() % 400);
  std::uint64_t receive = 0, events = 0;
  for (const Told& told : execution.told) {
    receive += !told.messages.empty();
    add(*writer, execution, told, receive);
    ++events;
    writer->note(events, static_cast<std::uint32_t>(events * events));
    if (random() % 128 < seed % 8) {
      ASSERT_TRUE(writer->flush().has_value());
    }
  }
}

struct Found {
  std::uint64_t left_out = 0;   ///< receives
  std::uint64_t ambiguous = 0;  ///< of these, where others were sent then as well
};

/// A replay that looks at all messages ever sent, and finds the one of each receive.
class Replay {
 public:
  explicit Replay(const Execution& execution)
      : execution_(execution), journal_(*Journal::open(path())), taken_(execution.sent.size()) {}

  [[nodiscard]] Found run() {
    std::uint64_t receive = 0;
    for (const Told& told : execution_.told) {
      if (told.other) continue;
      go_to(++receive);
      for (const std::size_t m : told.messages) take(m, receive);
    }
    while (*journal_.next_block()) continue;
    RC_ASSERT(journal_.facts().receives == execution_.receives);
    RC_ASSERT(journal_.facts().events == execution_.told.size());
    return found_;
  }

 private:
  /// To the block of this receive.
  void go_to(std::uint64_t receive) {
    while (receive > journal_.facts().receives) {
      const std::uint64_t events = journal_.facts().events;
      RC_ASSERT(*journal_.next_block());
      RC_ASSERT(journal_.facts().events >= events);
      const std::uint64_t now = journal_.facts().events;
      RC_ASSERT(journal_.facts().digest == static_cast<std::uint32_t>(now * now));
    }
  }

  void take(std::size_t message, std::uint64_t receive) {
    while (journal_.peek() != nullptr && journal_.peek()->index() != 0) journal_.pop();
    const auto* entry = journal_.peek();
    const auto* entered = entry != nullptr ? std::get_if<ReceivedMessage>(entry) : nullptr;
    if (entered != nullptr && entered->receive == receive) {
      const std::string& name = journal_.sender(entered->sender);
      const Sent& sent = execution_.sent[message];
      const bool right = name.empty()
                             ? entered->contents == "contents"
                             : name == name_of(sent.sender) && entered->number == sent.number;
      RC_ASSERT(right);
      journal_.pop();
    } else {
      RC_ASSERT(candidates(receive) == std::vector{message});
    }
    taken_[message] = true;
  }

  [[nodiscard]] std::vector<std::size_t> candidates(std::uint64_t receive) {
    std::vector<std::size_t> all;
    std::size_t sent_then = 0;
    for (std::size_t m = 0; m < execution_.sent.size(); ++m) {
      const Sent& sent = execution_.sent[m];
      if (taken_[m] || sent.channel == 0 || sent.known != receive - 1) continue;
      ++sent_then;
      const auto sender = journal_.find_sender(name_of(sent.sender));
      if (sender && journal_.implies(*sender, sent.channel, sent.number)) all.push_back(m);
    }
    ++found_.left_out;
    found_.ambiguous += sent_then > 1;
    return all;
  }

  const Execution& execution_;
  Journal journal_;
  std::vector<bool> taken_;
  Found found_;
};

TEST(JournalLeftOut, IsKnownAgainAmongAllMessagesEverSent) {
  Found all;
  arbitrary::for_all("left out", 3000, [&] {
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    const Execution execution = Simulation(seed).run(*rc::gen::inRange<std::size_t>(0, 600));
    write(execution, seed);
    const Found found = Replay(execution).run();
    all.left_out += found.left_out;
    all.ambiguous += found.ambiguous;
  });
  fmt::print("{} receives left out, {} of them ambiguous\n", all.left_out, all.ambiguous);
  EXPECT_GE(all.left_out, 5'000U / arbitrary::one_in);
  EXPECT_GE(all.ambiguous, 1'000U / arbitrary::one_in);
}

TEST(JournalLeftOut, AProcessThatWasKilledLeavesHowFarItHadCome) {
  auto writer = JournalWriter::create(path(), {"p0", JournalKind::races, false});
  const std::uint32_t sender = *writer->sender("p1");
  const auto read_facts = [] {
    auto journal = Journal::open(path());
    while (*journal->next_block()) continue;
    EXPECT_FALSE(journal->ended());
    return journal->facts();
  };
  ASSERT_TRUE(writer->flush().has_value());
  EXPECT_EQ(read_facts(), (JournalFacts{0, 0, 0}));
  writer->note(3, 7);
  ASSERT_TRUE(writer->flush().has_value());
  EXPECT_EQ(read_facts(), (JournalFacts{0, 3, 7}));
  ASSERT_TRUE(writer->add_implied({sender, 1, 1, {}}, 1).has_value());
  ASSERT_TRUE(writer->flush().has_value());
  EXPECT_EQ(read_facts(), (JournalFacts{1, 3, 7}));
  const auto size = std::filesystem::file_size(path());
  ASSERT_TRUE(writer->flush().has_value());  // there is nothing to say
  EXPECT_EQ(std::filesystem::file_size(path()), size);
}

/// A block of no entries that leaves out receives from one sender of two.
struct Forged {
  const char* what;
  std::uint64_t senders_and_flags = 4 + 1;
  std::vector<std::uint64_t> senders = {1}, more = {2}, skipped = {0}, jumps = {0, 5};
  std::uint64_t receives = 0, events = 0;
  JournalKind kind = JournalKind::races;

  [[nodiscard]] std::string payload() const {
    WireWriter wire;
    wire.number(2);
    wire.text("p1");
    wire.text("p2");
    wire.number(0);  // channels
    wire.number(0);  // entries
    wire.number(senders_and_flags);
    journal::put_column(wire, senders);
    journal::put_column(wire, more);
    journal::put_column(wire, skipped);
    journal::put_sparse(wire, jumps);
    wire.number(receives);
    wire.number(events);
    wire.fixed(0, 4);
    return wire.bytes();
  }
};

TEST(JournalLeftOut, ForgedBlocksAreRefused) {
  constexpr std::uint64_t too_many = journal::most_receives + 1;
  const std::vector<Forged> blocks = {
      {.what = "nothing wrong"},
      {.what = "left out of a full journal", .kind = JournalKind::full},
      {.what = "flags for nobody", .senders_and_flags = 1},
      {.what = "more senders than there are", .senders_and_flags = 13, .senders = {0, 0, 0}},
      {.what = "2^62 senders", .senders_and_flags = UINT64_MAX},
      {.what = "a sender that was not named", .senders = {2}},
      {.what = "more receives than a block has", .more = {journal::most_entries}},
      {.what = "a range that is too far", .skipped = {journal::most_receives - 2}},
      {.what = "a gap that is too long", .jumps = {journal::most_receives, 1}},
      {.what = "two gaps that are too long", .jumps = {too_many - 9, too_many - 9}},
      {.what = "2^64 - 1 passed over", .jumps = {UINT64_MAX, UINT64_MAX}},
      {.what = "no receives", .receives = 5},
      {.what = "fewer than no receives", .receives = 9},
      {.what = "too many receives", .receives = 2 * too_many},
      {.what = "too many events", .events = too_many}};
  for (const Forged& block : blocks) {
    const std::string header = journal::file_header({"p0", block.kind, false});
    std::uint64_t checksum = journal::file_header_checksum(header);
    std::ofstream(path(), std::ios::binary) << header + journal::seal(block.payload(), checksum);
    auto journal = Journal::open(path());
    const auto first = journal->next_block();
    const bool fine = &block == &blocks[0];
    EXPECT_EQ(first.has_value(), fine) << block.what;
    EXPECT_EQ(journal->facts().receives, fine ? 3U : 0U) << block.what;
    std::string implied;
    for (std::uint64_t channel = 0; channel < 12; ++channel) {
      implied += journal->implies(1, channel, 1) ? 'x' : '.';
      EXPECT_FALSE(journal->implies(0, channel, 1) || journal->implies(2, channel, 1));
    }
    EXPECT_EQ(implied, fine ? ".xx.....x..." : "............") << block.what;
  }
}

}  // namespace
}  // namespace lightcone
