// A long run over ZeroMQ: many messages between eight processes, nothing lost, no memory gained.
// Usage: zeromq_soak PROPERTIES FOLDER MESSAGES [--fifo]
#include <fmt/format.h>
#include <lightcone/zeromq/cluster.h>
#include <sys/mman.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>

namespace {

using namespace lightcone;
using zeromq::Node;
using zeromq::Outcome;

constexpr std::size_t process_count = 8;
constexpr std::uint64_t audit_every = 1000;  // messages sent
// KiB, after the first quarter. An address sanitizer keeps what was freed.
#ifdef __SANITIZE_ADDRESS__
constexpr std::uint64_t most_growth = 1 << 18;
#else
constexpr std::uint64_t most_growth = 8192;
#endif
#ifdef __SANITIZE_ADDRESS__
constexpr bool memory_counts = false;  // the sanitizer keeps what was freed
#else
constexpr bool memory_counts = true;
#endif
constexpr std::uint64_t end_mark = UINT64_MAX;

/// What a process leaves for its parent, in shared memory.
struct Tally {
  ProcessCounts counts;
  std::array<std::uint64_t, process_count> sent_to, received_from;
  std::uint64_t detections, out_of_order;
  std::uint64_t memory_then, memory_now;  // KiB at most, after the first quarter and at the end
};
using Tallies = std::array<Tally, process_count>;

/// The most memory that this process has held, in KiB.
[[nodiscard]] std::uint64_t most_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::uint64_t size = 0;
    if (word == "VmHWM:" && status >> size) return size;
  }
  return 0;
}

/// One process of the soak.
class Chatter {
 public:
  Chatter(Node& node, Tally& tally, std::uint64_t messages)
      : node_(node), tally_(tally), messages_(messages), random_(node.index()) {}

  [[nodiscard]] bool run() {
    for (std::uint64_t i = 1; i <= messages_; ++i) {
      const std::size_t to = (node_.index() + 1 + random_() % (process_count - 1)) % process_count;
      if (!send(to, tally_.sent_to[to]) || !receive_all()) return false;
      if (i % audit_every == 0) node_.process().event({.labels = {"audit"}});
      if (i == messages_ / 4) tally_.memory_then = most_memory();
    }
    for (std::size_t to = 0; to < process_count; ++to) {
      if (to != node_.index() && !send(to, end_mark)) return false;
    }
    while (ended_ + 1 < process_count) {
      if (!zeromq::done(receive(zmq::recv_flags::none))) return false;
    }
    tally_.memory_now = most_memory();
    tally_.counts = node_.process().counts();
    return true;
  }

 private:
  /// Receives while it cannot send: all would wait for each other else.
  [[nodiscard]] bool send(std::size_t to, std::uint64_t number) {
    const std::string& name = node_.names()[to];
    std::vector<zmq::message_t> frames(1);
    frames[0] = zmq::message_t(&number, sizeof number);
    const std::array<std::string_view, 1> receiver{name};
    const std::array<std::string_view, 1> ask{"ask"};
    LiveState state;
    if (random_() % 8 == 0) state.labels = std::span<const std::string_view>(ask);
    while (true) {
      const auto outcome = zeromq::send(node_.to(name), node_.process(), receiver, frames, state,
                                        zmq::send_flags::dontwait);
      if (outcome && *outcome == Outcome::would_block) {
        zmq::pollitem_t items[] = {{node_.inbox().handle(), 0, ZMQ_POLLIN, 0},
                                   {node_.to(name).handle(), 0, ZMQ_POLLOUT, 0}};
        zmq::poll(items, 2, std::chrono::milliseconds(1000));
        if (!receive_all()) return false;
        continue;
      }
      if (number != end_mark) ++tally_.sent_to[to];
      return zeromq::done(outcome);
    }
  }

  [[nodiscard]] bool receive_all() {
    auto outcome = receive(zmq::recv_flags::dontwait);
    while (outcome && *outcome == Outcome::done) outcome = receive(zmq::recv_flags::dontwait);
    return outcome && *outcome == Outcome::would_block;
  }

  /// The messages of each sender are numbered: one that is missing or doubled is noticed.
  [[nodiscard]] Expected<Outcome> receive(zmq::recv_flags flags) {
    const std::array<std::string_view, 1> answer{"answer"};
    LiveState state;
    if (random_() % 8 == 0) state.labels = std::span<const std::string_view>(answer);
    const auto outcome = zeromq::receive(node_.inbox(), node_.process(), message_, state, flags);
    if (!outcome || *outcome != Outcome::done) return outcome;
    std::uint64_t number = 0;
    if (message_.text().size() != sizeof number) return failure("a message was changed");
    message_.text().copy(reinterpret_cast<char*>(&number), sizeof number);
    const std::size_t from = static_cast<std::size_t>(message_.sender[1] - '0');
    if (number == end_mark) {
      ++ended_;
    } else if (number != tally_.received_from[from]++) {
      ++tally_.out_of_order;
    }
    return outcome;
  }

  Node& node_;
  Tally& tally_;
  std::uint64_t messages_;
  std::mt19937_64 random_;
  zeromq::Message message_;
  std::size_t ended_ = 0;
};

/// Says what is wrong; the number of such things.
[[nodiscard]] int mistakes(const Tallies& tallies) {
  int count = 0;
  const auto expect = [&](bool holds, const std::string& what) {
    if (holds) return;
    ++count;
    fmt::print(stderr, "{}\n", what);
  };
  std::uint64_t sent = 0, received = 0;
  for (std::size_t p = 0; p < process_count; ++p) {
    const Tally& tally = tallies[p];
    sent += tally.counts.sent;
    received += tally.counts.received;
    for (std::size_t q = 0; q < process_count; ++q) {
      expect(tally.sent_to[q] == tallies[q].received_from[p],
             fmt::format("n{} sent {} messages to n{}, which received {}", p, tally.sent_to[q], q,
                         tallies[q].received_from[p]));
    }
    expect(tally.out_of_order == 0, fmt::format("n{}: messages came out of order", p));
    expect(tally.counts.bad_tags + tally.counts.without_tag + tally.counts.redelivered == 0,
           fmt::format("n{}: there were tags that are bad, missing or not new", p));
    expect(tally.counts.trace_failures == 0, fmt::format("n{}: the trace has holes", p));
    expect(
        tally.memory_now <= tally.memory_then + most_growth,
        fmt::format("n{}: memory grew from {} to {} KiB", p, tally.memory_then, tally.memory_now));
  }
  expect(sent == received, fmt::format("{} messages were sent, {} received", sent, received));
  return count;
}

void report(const Tallies& tallies, double seconds) {
  ProcessCounts sum;
  std::uint64_t detections = 0, most = 0, growth = 0;
  for (const Tally& tally : tallies) {
    sum.sent += tally.counts.sent;
    sum.tag_bytes += tally.counts.tag_bytes;
    sum.tag_entries += tally.counts.tag_entries;
    detections += tally.detections;
    most = std::max(most, tally.memory_now);
    growth = std::max(growth, tally.memory_now - tally.memory_then);
  }
  const auto count = static_cast<double>(sum.sent);
  fmt::print("{} messages in {:.1f} s: {:.0f} a second\n", sum.sent, seconds, count / seconds);
  fmt::print("{:.1f} bytes of tag a message, {:.2f} entries of {}\n",
             static_cast<double>(sum.tag_bytes) / count,
             static_cast<double>(sum.tag_entries) / count, process_count);
  fmt::print("{} detections; {} KiB of memory at most, {} of them after the first quarter\n",
             detections, most, growth);
}

}  // namespace

int main(int count, char** words) {
  if (count != 4 && count != 5) return 2;
  void* const shared =
      ::mmap(nullptr, sizeof(Tallies), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return 1;
  Tallies& tallies = *static_cast<Tallies*>(shared);
  const std::uint64_t messages = std::strtoull(words[3], nullptr, 10) / process_count;

  std::size_t self = 0;
  zeromq::Cluster cluster{.names = {}, .traces = words[2], .seconds = 1800};
  cluster.process.properties_file = words[1];
  if (count == 5) cluster.process.channels = Channels::fifo;
  cluster.process.on_detection = [&](const Detection&) { ++tallies[self].detections; };
  for (std::size_t p = 0; p < process_count; ++p) cluster.names.push_back(fmt::format("n{}", p));

  const auto begin = std::chrono::steady_clock::now();
  const bool well = zeromq::run(cluster, [&](Node& node) {
    self = node.index();
    return Chatter(node, tallies[self], messages).run();
  });
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  if (!well) return 1;
  report(tallies, time.count());
  return mistakes(tallies) == 0 ? 0 : 1;
}
