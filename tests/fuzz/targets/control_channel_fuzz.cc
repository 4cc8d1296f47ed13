// Whatever bytes come over a control channel, the controller ends the execution, and a process gets
// answers that it can use, or is told to stop.
#include <lightcone/explore/control_channel.h>
#include <lightcone/explore/controlled_prompter.h>
#include <lightcone/explore/controller.h>
#include <lightcone/explore/search/named_exploration.h>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "temporary_folder.h"

namespace {

using namespace lightcone;

/// A socket in a folder of its own, which goes away with the program.
class Socket {
 public:
  Socket() {
    auto made = ControlSocket::listen(folder_.path() + "/socket");
    if (!made) __builtin_trap();
    socket_.emplace(std::move(*made));
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  [[nodiscard]] ControlSocket& get() { return *socket_; }

 private:
  TemporaryFolder folder_;
  std::optional<ControlSocket> socket_;
};

void write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (put <= 0) break;
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  ::shutdown(descriptor, SHUT_WR);
}

/// What one end hears.
void hear_all(std::string_view bytes) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) __builtin_trap();
  ControlChannel channel(ends[0]);
  const ControlChannel other(ends[1]);
  write_all(ends[1], bytes);
  for (std::size_t heard = 0; channel.hear(); ++heard) {
    if (heard > bytes.size()) __builtin_trap();
  }
}

/// Processes that say these bytes, in two executions.
void control_all(std::string_view bytes, std::size_t processes) {
  static Socket socket;
  NamedExploration named;
  Exploration& exploration = named.exploration();
  for (int execution = 0; execution < 2 && exploration.begin(); ++execution) {
    Controller controller(named, socket.get(), std::chrono::milliseconds(20));
    std::vector<ControlChannel> channels;
    for (std::size_t i = 0; i < processes; ++i) {
      auto channel = ControlChannel::connect(socket.get().path());
      if (!channel) __builtin_trap();
      const std::size_t part = bytes.size() / processes;
      const std::size_t size = i + 1 == processes ? std::string_view::npos : part;
      write_all(channel->descriptor(), bytes.substr(i * part, size));
      channels.push_back(std::move(*channel));
    }
    const ControlledEnd end = controller.run([] { return false; });
    if (end.why != ControlledEnd::Why::ended && end.text.empty()) __builtin_trap();
    exploration.end(end.why != ControlledEnd::Why::ended);
  }
}

/// A process that is answered with these bytes.
void answer(std::string_view bytes) {
  static Socket socket;
  std::thread controller([&] {
    for (int i = 0; i < 20'000; ++i) {
      if (auto channel = socket.get().accept()) {
        write_all(channel->descriptor(), bytes);
        while (channel->hear()) {  // until the process has gone
        }
        return;
      }
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    __builtin_trap();
  });
  {
    const auto prompter = ControlledPrompter::begin(socket.get().path(), "p", {"p", "q"});
    for (int i = 0; prompter && i < 1000; ++i) {
      const auto which = (*prompter)->choose(3);
      if (!which) break;
      if (*which >= 3) __builtin_trap();
      if (!(*prompter)->begin_take("", i % 2 == 0)) break;
    }
  }
  controller.join();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > (1 << 15)) return 0;
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  hear_all(bytes);
  if (bytes.empty()) return 0;
  const std::size_t processes = 1 + static_cast<std::size_t>(bytes[0]) % 3;
  bytes.remove_prefix(1);
  control_all(bytes, processes);
  answer(bytes);
  return 0;
}
