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

using What = ControlMessage::What;

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
  ASSERT_TRUE(here->say({.what = What::begins, .name = "p", .names = {"p", "", "q"}}));
  ASSERT_TRUE(here->say({.what = What::takes, .flag = true, .number = 1U << 20}));
  EXPECT_TRUE(there->has_news(std::chrono::milliseconds(1000)));
  const auto first = there->hear(), second = there->hear();
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->names, (std::vector<std::string>{"p", "", "q"}));
  EXPECT_EQ(second->what, What::takes);
  EXPECT_TRUE(second->flag);
  EXPECT_EQ(second->number, 1U << 20);
  ControlMessage selective{.what = What::takes, .name = "MPI_Waitany"};
  selective.context = "world";
  selective.tag = -7;
  selective.patterns = {{}, {.sender = "q", .context = "world/dup1", .tag = -1, .skip = 300}};
  selective.names = {"r"};
  ASSERT_TRUE(here->say(selective));
  const auto third = there->hear();
  ASSERT_TRUE(third);
  EXPECT_EQ(third->name, selective.name);
  EXPECT_EQ(third->context, selective.context);
  EXPECT_EQ(third->tag, selective.tag);
  EXPECT_EQ(third->patterns, selective.patterns);
  EXPECT_EQ(third->names, selective.names);
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
