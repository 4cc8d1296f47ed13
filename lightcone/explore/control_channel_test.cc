// What is said arrives, whole or in pieces; nonsense ends the conversation.
#include <lightcone/explore/control_channel.h>

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <random>

#include "temporary_folder.h"

namespace lightcone {
namespace {

TEST(ControlChannels, CarryWhatIsSaid) {
  const TemporaryFolder folder;
  auto socket = ControlSocket::listen(folder.path() + "/socket");
  ASSERT_TRUE(socket);
  EXPECT_FALSE(socket->accept());
  auto here = ControlChannel::connect(socket->path());
  ASSERT_TRUE(here) << here.error().text();
  auto there = socket->accept();
  ASSERT_TRUE(there);
  EXPECT_FALSE(there->has_news(std::chrono::milliseconds(0)));
  const std::vector<ControlMessage> messages = {
      control::Begins{"p", {"p", "", "q"}},
      control::Sends{1U << 20, {"q", "r"}, "world", -7},
      control::Takes{true, "", {}, 0},
      control::Takes{false,
                     "MPI_Waitany",
                     {{}, {.sender = "q", .context = "world/dup1", .tag = -1, .skip = 300}},
                     2},
      control::Takes{.wish = control::Wish{}},
      control::Takes{.wish = control::Wish{ControlPattern{.sender = "q", .tag = 4}}},
      control::Branches{5, 3},
      control::LeavesOut{"locks"},
      control::Refuses{"threads"},
      control::Ends{"died of a signal", true},
      control::Ends{},
      control::NeedsAcknowledgements{"MPI_Ssend"},
      control::Checks{"/tmp/recording"},
      control::GoOn{4},
      control::Take{"q", 9, "world", 3},
      control::Nothing{},
      control::Stop{},
      control::Checked{"late failed"}};
  for (const ControlMessage& message : messages) ASSERT_TRUE(here->say(message));
  EXPECT_TRUE(there->has_news(std::chrono::milliseconds(1000)));
  for (const ControlMessage& message : messages) EXPECT_EQ(there->hear(), message);
  { const auto gone = std::move(here); }
  EXPECT_FALSE(there->hear());
}

TEST(ControlChannels, EndWithNonsense) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 500; ++i) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
    ControlChannel channel(ends[0]);
    std::string bytes(random() % 40, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random() % 5 == 0 ? random() : random() % 9);
    ASSERT_EQ(::write(ends[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    ::close(ends[1]);
    for (int heard = 0; channel.hear(); ++heard) ASSERT_LT(heard, 40);
  }
}

TEST(ControlChannels, ASocketNeedsAShortName) {
  EXPECT_FALSE(ControlSocket::listen("/tmp/" + std::string(200, 'x')));
  EXPECT_FALSE(ControlChannel::connect("/nowhere/socket"));
}

}  // namespace
}  // namespace lightcone
