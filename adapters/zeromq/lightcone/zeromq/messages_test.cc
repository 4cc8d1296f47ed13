// Tags over real sockets: what peers with and without Lightcone see, and what refusal leaves.
#include "live_and_checked.h"
#include "temporary_folder.h"

#include <gtest/gtest.h>
#include <lightcone/zeromq/messages.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>

namespace lightcone::zeromq {
namespace {

constexpr const char* properties =
    "watch answered : some longest flow over {ask, answer} at answer matches ask answer\n";

std::unique_ptr<Process> process_named(std::string name,
                                       std::function<void(const Detection&)> tell = {}) {
  auto process = Process::start({.name = std::move(name),
                                 .members = {"a", "b"},
                                 .properties = properties,
                                 .on_detection = std::move(tell)});
  return process ? std::move(*process) : nullptr;
}

bool is(const Expected<Outcome>& result, Outcome outcome) { return result && *result == outcome; }

/// What a socket without Lightcone receives.
std::vector<std::string> plain_frames(zmq::socket_t& socket) {
  std::vector<std::string> frames;
  zmq::message_t frame;
  do {
    if (!socket.recv(frame)) break;
    frames.push_back(frame.to_string());
  } while (frame.more());
  return frames;
}

class Messages : public testing::Test {
 protected:
  /// Two sockets of these types that are connected, and never wait for long.
  void connect(zmq::socket_type here, zmq::socket_type there, const std::string& address) {
    for (auto* end : {&here_, &there_}) {
      *end = zmq::socket_t(context_, end == &here_ ? here : there);
      end->set(zmq::sockopt::linger, 0);
      end->set(zmq::sockopt::rcvtimeo, 5000);
      end->set(zmq::sockopt::sndtimeo, 5000);
    }
    there_.bind(address);
    here_.connect(there_.get(zmq::sockopt::last_endpoint));
  }

  zmq::context_t context_;
  zmq::socket_t here_, there_;
  std::unique_ptr<Process> a_ = process_named("a"), b_ = process_named("b");
  Message message_;
};

TEST_F(Messages, TheTagTravelsAndIsGoneAtTheOtherEnd) {
  for (const char* address : {"inproc://pair", "ipc://*", "tcp://127.0.0.1:*"}) {
    connect(zmq::socket_type::pair, zmq::socket_type::pair, address);
    ASSERT_TRUE(is(send(here_, *a_, "b", {"one", "", "three"}), Outcome::done));
    ASSERT_TRUE(is(receive(there_, *b_, message_), Outcome::done));
    EXPECT_EQ(message_.frames.size(), 3U);
    EXPECT_EQ(message_.text(0), "one");
    EXPECT_EQ(message_.text(1), "");
    EXPECT_EQ(message_.text(2), "three");
    EXPECT_EQ(message_.text(3), "");
    EXPECT_EQ(message_.sender, "a");
  }
  EXPECT_EQ(a_->counts().sent, 3U);
  EXPECT_EQ(b_->counts().received, 3U);
  EXPECT_EQ(b_->counts().bad_tags, 0U);
}

TEST_F(Messages, WhatRidesOnThemIsFoundWhereTheyArrive) {
  std::vector<std::string> lines;
  b_ = process_named("b", [&](const Detection& found) { lines.push_back(found.line()); });
  connect(zmq::socket_type::push, zmq::socket_type::pull, "inproc://asked");
  ASSERT_TRUE(is(send(here_, *a_, "b", {"?"}, {.labels = {"ask"}}), Outcome::done));
  ASSERT_TRUE(is(take(there_, *b_, message_), Outcome::done));
  EXPECT_EQ(b_->counts().events, 0U) << "the event is the caller's";
  EXPECT_EQ(b_->receive(std::move(message_.taken), {.labels = {"answer"}}), "a");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_TRUE(lines[0].starts_with("watch: answered at event 1 of b (answer), after a#1"));
}

TEST_F(Messages, APeerWithoutLightconeSeesOneFrameMore) {
  connect(zmq::socket_type::pair, zmq::socket_type::pair, "ipc://*");
  std::vector<zmq::message_t> frames(2);
  frames[0] = zmq::message_t(std::string("hello"));
  const std::array<std::string_view, 1> to{"b"};
  ASSERT_TRUE(is(send(here_, *a_, to, frames), Outcome::done));
  const auto seen = plain_frames(there_);
  ASSERT_EQ(seen.size(), 3U);
  EXPECT_EQ(seen[0], "hello");
  EXPECT_EQ(seen[1], "");
  EXPECT_EQ(b_->receive(seen[2]), "a");
}

TEST_F(Messages, WhatAPeerWithoutLightconeSendsIsDeliveredAsItIs) {
  connect(zmq::socket_type::pair, zmq::socket_type::pair, "ipc://*");
  (void)here_.send(zmq::str_buffer("\xC1 alone is no tag"));
  ASSERT_TRUE(is(receive(there_, *b_, message_), Outcome::done));
  EXPECT_EQ(message_.text(), "\xC1 alone is no tag");
  (void)here_.send(zmq::str_buffer("two"), zmq::send_flags::sndmore);
  (void)here_.send(zmq::str_buffer("frames"));
  ASSERT_TRUE(is(receive(there_, *b_, message_), Outcome::done));
  EXPECT_EQ(message_.frames.size(), 2U);
  EXPECT_EQ(message_.text(1), "frames");
  EXPECT_EQ(message_.sender, "");
  EXPECT_EQ(b_->counts().without_tag, 2U);
  EXPECT_EQ(b_->counts().events, 2U);
}

TEST_F(Messages, ADamagedTagIsCountedAndTheMessageDelivered) {
  connect(zmq::socket_type::pair, zmq::socket_type::pair, "inproc://damaged");
  (void)here_.send(zmq::str_buffer("text"), zmq::send_flags::sndmore);
  (void)here_.send(zmq::str_buffer("\xC1 is how tags begin"));
  ASSERT_TRUE(is(receive(there_, *b_, message_), Outcome::done));
  EXPECT_EQ(message_.text(), "text");
  EXPECT_EQ(message_.frames.size(), 1U);
  EXPECT_EQ(b_->counts().bad_tags, 1U);
}

TEST_F(Messages, AMarkerIsNoMessage) {
  int parts = 0;
  b_ = *Process::start({.name = "b",
                        .members = {"a", "b"},
                        .properties = properties,
                        .on_snapshot_part = [&](std::string_view) { ++parts; }});
  connect(zmq::socket_type::pair, zmq::socket_type::pair, "inproc://marker");
  a_->begin_snapshot();
  ASSERT_TRUE(is(send_marker(here_, *a_, "b"), Outcome::done));
  ASSERT_TRUE(is(send(here_, *a_, "b", {"hello"}), Outcome::done));
  ASSERT_TRUE(is(receive(there_, *b_, message_), Outcome::done));
  EXPECT_EQ(message_.text(), "hello");
  EXPECT_EQ(parts, 1);
  EXPECT_EQ(b_->counts().received, 1U);
  EXPECT_EQ(b_->counts().without_tag + b_->counts().bad_tags, 0U);
  b_.reset();  // while there is someone to tell of its end
}

TEST_F(Messages, IdentitiesStayInFront) {
  connect(zmq::socket_type::dealer, zmq::socket_type::router, "inproc://router");
  ASSERT_TRUE(is(send(here_, *a_, "b", {"question"}), Outcome::done));
  ASSERT_TRUE(is(receive(there_, *b_, message_), Outcome::done));
  ASSERT_EQ(message_.frames.size(), 2U);
  EXPECT_EQ(message_.text(1), "question");
  const std::array<std::string_view, 1> to{"a"};
  ASSERT_TRUE(is(send(there_, *b_, to, message_.frames), Outcome::done));
  ASSERT_TRUE(is(receive(here_, *a_, message_), Outcome::done));
  EXPECT_EQ(message_.frames.size(), 1U);
  EXPECT_EQ(message_.text(), "question");
  EXPECT_EQ(message_.sender, "b");
}

TEST_F(Messages, RequestsAndRepliesKeepTheirDelimiter) {
  connect(zmq::socket_type::req, zmq::socket_type::rep, "inproc://rep");
  ASSERT_TRUE(is(send(here_, *a_, "b", {"2 + 2"}), Outcome::done));
  ASSERT_TRUE(is(receive(there_, *b_, message_), Outcome::done));
  EXPECT_EQ(message_.text(), "2 + 2");
  ASSERT_TRUE(is(send(there_, *b_, "a", {"4"}), Outcome::done));
  ASSERT_TRUE(is(receive(here_, *a_, message_), Outcome::done));
  EXPECT_EQ(message_.text(), "4");
}

TEST_F(Messages, ARefusedMessageIsNoEventAndKeepsItsFrames) {
  zmq::socket_t unconnected(context_, zmq::socket_type::push);
  std::vector<zmq::message_t> frames(1);
  frames[0] = zmq::message_t(std::string("patience"));
  const std::array<std::string_view, 1> to{"b"};
  EXPECT_TRUE(
      is(send(unconnected, *a_, to, frames, {}, zmq::send_flags::dontwait), Outcome::would_block));
  EXPECT_EQ(frames[0].to_string_view(), "patience");
  EXPECT_EQ(a_->counts().events, 0U);

  connect(zmq::socket_type::push, zmq::socket_type::pull, "inproc://empty");
  EXPECT_TRUE(
      is(receive(there_, *b_, message_, {}, zmq::recv_flags::dontwait), Outcome::would_block));
  EXPECT_EQ(b_->counts().events, 0U);
}

TEST_F(Messages, ASignalIsAValue) {
  connect(zmq::socket_type::push, zmq::socket_type::pull, "inproc://signal");
  struct sigaction action = {}, before = {};
  action.sa_handler = [](int) {};  // and no SA_RESTART
  ASSERT_EQ(sigaction(SIGALRM, &action, &before), 0);
  const itimerval soon{{0, 20000}, {0, 20000}}, never{};  // again, should the first come too early
  ASSERT_EQ(setitimer(ITIMER_REAL, &soon, nullptr), 0);
  const auto outcome = receive(there_, *b_, message_);
  setitimer(ITIMER_REAL, &never, nullptr);
  sigaction(SIGALRM, &before, nullptr);
  EXPECT_TRUE(is(outcome, Outcome::interrupted));
  EXPECT_EQ(b_->counts().events, 0U);
}

TEST_F(Messages, AClosedContextIsAValue) {
  connect(zmq::socket_type::push, zmq::socket_type::pull, "inproc://closed");
  context_.shutdown();
  EXPECT_TRUE(is(receive(there_, *b_, message_), Outcome::terminated));
  EXPECT_TRUE(is(send(here_, *a_, "b", {"late"}), Outcome::terminated));
  EXPECT_EQ(a_->counts().events, 0U);
}

TEST_F(Messages, MisuseIsAnError) {
  connect(zmq::socket_type::push, zmq::socket_type::pull, "inproc://misuse");
  EXPECT_FALSE(send(there_, *b_, "a", {"against the current"}));
  EXPECT_FALSE(receive(here_, *a_, message_));
  EXPECT_FALSE(send(here_, *a_, "b", {}));
  EXPECT_EQ(a_->counts().events, 0U);
}

TEST_F(Messages, WhatACallbackThrowsStaysInsideAndTheNextMessageIsWhole) {
  a_ = process_named("a", [](const Detection&) { throw std::runtime_error("no"); });
  connect(zmq::socket_type::push, zmq::socket_type::pull, "inproc://thrown");
  a_->event({.labels = {"ask"}});
  EXPECT_FALSE(send(here_, *a_, "b", {"first"}, {.labels = {"answer"}}));
  EXPECT_TRUE(is(send(here_, *a_, "b", {"second"}), Outcome::done));
  ASSERT_TRUE(is(receive(there_, *b_, message_), Outcome::done));
  EXPECT_EQ(message_.text(), "first");
  ASSERT_TRUE(is(receive(there_, *b_, message_), Outcome::done));
  EXPECT_EQ(message_.text(), "second");
  EXPECT_EQ(message_.sender, "a");
  EXPECT_EQ(b_->counts().bad_tags, 1U);
}

/// Both ends restart now and then, while messages to the one before are on their way.
TEST_F(Messages, ProcessesThatRestartTellWhatACheckOfTheirTracesFinds) {
  const TemporaryFolder folder;
  connect(zmq::socket_type::pair, zmq::socket_type::pair, "ipc://*");
  here_.set(zmq::sockopt::rcvtimeo, 0);
  there_.set(zmq::sockopt::rcvtimeo, 0);
  LiveTold live_told;
  const auto start = [&](std::unique_ptr<Process>& process, const std::string& name) {
    process.reset();
    process = *Process::start({.name = name,
                               .members = {"a", "b"},
                               .properties = properties,
                               .traces = folder.path(),
                               .on_detection = live_told.teller()});
  };
  start(a_, "a");
  start(b_, "b");
  std::mt19937_64 random(25);
  for (int i = 0; i < 2000; ++i) {
    const bool left = random() % 2 == 0;
    std::unique_ptr<Process>& process = left ? a_ : b_;
    zmq::socket_t& socket = left ? here_ : there_;
    const std::uint64_t move = random() % 100;
    if (move < 2) {
      start(process, left ? "a" : "b");
    } else if (move < 45) {
      ASSERT_TRUE(
          is(send(socket, *process, left ? "b" : "a", {"?"}, {.labels = {"ask"}}), Outcome::done));
    } else {
      const auto came = receive(socket, *process, message_, {.labels = {"answer"}});
      ASSERT_TRUE(is(came, Outcome::done) || is(came, Outcome::would_block));
    }
  }
  EXPECT_NE(a_->identity(), "a");
  EXPECT_NE(b_->identity(), "b");
  a_.reset();
  b_.reset();
  EXPECT_GT(live_told.told().size(), 20U);
  EXPECT_EQ(live_told.told(), told_by_check(folder.path(), properties));
}

}  // namespace
}  // namespace lightcone::zeromq
