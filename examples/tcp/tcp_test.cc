// The transport over TCP: frames in pieces, peers that vanish or misbehave, and a program on it
// that is recorded, replayed and explored.
#include "tcp/tcp_mailbox.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <chrono>
#include <cstring>
#include <random>

#include "system/shell.h"

namespace lightcone {
namespace {

using std::chrono::milliseconds;

/// A connection by which a test sends whatever bytes it likes.
class RawPeer {
 public:
  explicit RawPeer(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    EXPECT_EQ(
        ::connect(socket_.descriptor(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  }
  void write(std::string_view bytes) const {
    EXPECT_EQ(::send(socket_.descriptor(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }
  [[nodiscard]] bool is_cut_off() const {
    char byte = 0;
    return ::recv(socket_.descriptor(), &byte, 1, 0) <= 0;
  }

 private:
  tcp::Socket socket_;
};

[[nodiscard]] std::string with_length(std::string_view frame) {
  const std::uint32_t size = htonl(static_cast<std::uint32_t>(frame.size()));
  std::string bytes(4, '\0');
  std::memcpy(bytes.data(), &size, 4);
  return bytes + std::string(frame);
}

class TcpMailbox : public testing::Test {
 protected:
  void SetUp() override {
    mailbox_.on_bad_peer = [this](const std::string& what) { blamed_.push_back(what); };
    mailbox_.expect_peers(1);
  }
  /// The bytes of a message from a.
  [[nodiscard]] std::string bytes_of(std::string_view text) {
    const std::string tag = a_->send("b");
    const std::array<std::string_view, 3> parts = {"a", tag, text};
    return with_length(packed(parts));
  }
  [[nodiscard]] std::string take(Intake::Patience patience = milliseconds(5000)) {
    auto message = mailbox_.take(*b_, patience);
    if (!message) return "nothing";
    EXPECT_EQ(b_->receive(std::move(message->taken)), message->from);
    return message->content;
  }

  std::unique_ptr<Process> a_ = *Process::start({.name = "a", .members = {"a", "b"}});
  std::unique_ptr<Process> b_ = *Process::start({.name = "b", .members = {"a", "b"}});
  tcp::Mailbox mailbox_ = std::move(*tcp::Mailbox::listen());
  std::vector<std::string> blamed_;
};

TEST_F(TcpMailbox, AFrameMayComeInPieces) {
  const RawPeer peer(mailbox_.port());
  const std::string bytes = bytes_of("hello");
  for (std::size_t i = 0; i + 1 < bytes.size(); ++i) {
    peer.write(bytes.substr(i, 1));
    if (i % 8 == 0) {
      EXPECT_EQ(take(milliseconds(0)), "nothing") << i;
    }
  }
  EXPECT_EQ(take(milliseconds(1)), "nothing");
  peer.write(bytes.substr(bytes.size() - 1));
  EXPECT_EQ(take(), "hello");
}

TEST_F(TcpMailbox, RandomMessagesInRandomPiecesArriveAsTheyWereSent) {
  std::mt19937_64 random(14);
  std::vector<std::string> sent;
  std::string bytes;
  for (int i = 0; i < 2000; ++i) {
    const std::size_t size = random() % 10 == 0 ? random() % 5000 : random() % 20;
    sent.emplace_back(size, static_cast<char>(random() % 256));
    bytes += bytes_of(sent.back());
  }
  const RawPeer peer(mailbox_.port());
  std::size_t taken = 0;
  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t size = std::min<std::size_t>(bytes.size() - begin, 1 + random() % 3000);
    peer.write(std::string_view(bytes).substr(begin, size));
    begin += size;
    for (auto next = mailbox_.take(*b_, milliseconds(0)); next;
         next = mailbox_.take(*b_, milliseconds(0))) {
      ASSERT_EQ(next->content, sent[taken++]);
      EXPECT_EQ(b_->receive(std::move(next->taken)), "a");
    }
  }
  while (taken < sent.size()) ASSERT_EQ(take(), sent[taken++]);
  EXPECT_EQ(b_->counts().bad_tags, 0U);
  EXPECT_TRUE(blamed_.empty());
}

TEST_F(TcpMailbox, WhoBreaksOffIsBlamedAndOthersAreHeard) {
  mailbox_.expect_peers(2);
  const RawPeer other(mailbox_.port());
  {
    const RawPeer peer(mailbox_.port());
    peer.write(bytes_of("lost").substr(0, 9));
  }
  EXPECT_EQ(take(milliseconds(100)), "nothing");
  EXPECT_EQ(blamed_, std::vector<std::string>{"a peer broke off in the middle of a message"});
  other.write(bytes_of("still here"));
  EXPECT_EQ(take(), "still here");
}

TEST_F(TcpMailbox, AFrameThatIsTooLongIsRefusedBeforeItIsRead) {
  mailbox_.expect_peers(2);
  const RawPeer greedy(mailbox_.port()), other(mailbox_.port());
  greedy.write("\x7F\xFF\xFF\xFF");
  EXPECT_EQ(take(milliseconds(100)), "nothing");
  EXPECT_EQ(blamed_, std::vector<std::string>{"a peer announced a message of 2147483647 bytes, "
                                              "which is too long"});
  EXPECT_TRUE(greedy.is_cut_off());
  other.write(bytes_of("fine"));
  EXPECT_EQ(take(), "fine");
}

TEST_F(TcpMailbox, WhatIsNoMessageIsRefused) {
  mailbox_.expect_peers(4);
  for (const std::string frame : {"", "\xFF\xFF\xFF", "text"}) {
    const RawPeer peer(mailbox_.port());
    peer.write(with_length(frame));
    EXPECT_EQ(take(milliseconds(100)), "nothing");
    ASSERT_EQ(blamed_, std::vector<std::string>{"a peer sent a frame that is no message"});
    blamed_.clear();
  }
}

TEST_F(TcpMailbox, ABadTagIsCountedAndTheMessageDelivered) {
  const RawPeer peer(mailbox_.port());
  const std::array<std::string_view, 3> parts = {"a", unusable_tag(), "hello"};
  peer.write(with_length(packed(parts)));
  auto message = mailbox_.take(*b_);
  ASSERT_TRUE(message);
  EXPECT_EQ(message->content, "hello");
  EXPECT_EQ(b_->receive(std::move(message->taken)), "");
  EXPECT_EQ(b_->counts().bad_tags, 1U);
}

TEST_F(TcpMailbox, WhenAllHaveGoneNothingIsAwaited) {
  { RawPeer(mailbox_.port()).write(bytes_of("last words")); }
  EXPECT_EQ(take(std::nullopt), "last words");
  EXPECT_EQ(take(std::nullopt), "nothing");
  EXPECT_TRUE(blamed_.empty()) << "it has gone between two messages";
}

TEST_F(TcpMailbox, SendingToSomeoneWhoHasGoneIsAnError) {
  auto own = std::move(*tcp::Mailbox::listen());
  EXPECT_EQ(own.send(*a_, "b", "x").error().text(), "not connected to b");
  {
    const auto other = std::move(*tcp::Mailbox::listen());
    ASSERT_TRUE(own.connect("b", other.port()));
    EXPECT_FALSE(own.send(*a_, "b", std::string(tcp::longest_frame, 'x')));
    EXPECT_EQ(a_->counts().events, 0U) << "what is not sent is no event";
    EXPECT_TRUE(own.send(*a_, "b", "x"));
  }
  Expected<void> sent = {};
  for (int i = 0; i < 100 && sent; ++i) sent = own.send(*a_, "b", "x");
  ASSERT_FALSE(sent);
  EXPECT_TRUE(sent.error().text().starts_with("cannot send to b: ")) << sent.error().text();
  EXPECT_FALSE(own.connect("c", own.port() == 1 ? 2 : 1));
}

class TcpCounter : public Shell {
 protected:
  const std::string counter = "'" LIGHTCONE_EXAMPLES "/tcp_counter'";
};

TEST_F(TcpCounter, IsReplayedAsItWasRecorded) {
  for (int i = 0; i < 5; ++i) {
    const Result recorded = run("timeout 60 lightcone record -- " + counter + " --bug");
    const Result replayed = run("timeout 60 lightcone replay lightcone.rec --json");
    const auto json = replayed.json();
    ASSERT_TRUE(json.is_object()) << replayed.err;
    EXPECT_EQ(json["same"], true) << json;
    EXPECT_EQ(json["processes"].size(), 3U);
    EXPECT_EQ(json["exit"], recorded.status);
  }
}

TEST_F(TcpCounter, IsReplayedByOneProcessAlone) {
  ASSERT_EQ(run("timeout 60 lightcone record --contents store -- " + counter).status, 0);
  const auto json = run("timeout 60 lightcone replay lightcone.rec --only store --json").json();
  ASSERT_TRUE(json.is_object());
  EXPECT_EQ(json["same"], true) << json;
}

TEST_F(TcpCounter, EveryOrderOfItsMessagesIsExplored) {
  const auto right = run("timeout 120 lightcone explore --json -- " + counter).json();
  EXPECT_EQ(right["complete"], true) << right;
  EXPECT_EQ(right["executions"], 2) << right;
  EXPECT_EQ(right["failed"], 0) << right;
  const auto wrong = run("timeout 120 lightcone explore --json -- " + counter + " --bug").json();
  EXPECT_EQ(wrong["complete"], true) << wrong;
  EXPECT_EQ(wrong["executions"], 6) << wrong;
  EXPECT_EQ(wrong["failed"], 4) << wrong;
  const Result replayed = run("timeout 60 lightcone replay lightcone.exp/1");
  EXPECT_TRUE(has(replayed.err, {"store failed: an addition is lost"}));
}

}  // namespace
}  // namespace lightcone
