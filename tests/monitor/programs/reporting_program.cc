// A service that reports to a monitor, sends messages to others over UDP, and may be killed at any
// time.
//
// reporting_program NAME MONITOR_PORT EXECUTION FOLDER SEED OWN_PORT PEER PEER_PORT ...
// It goes on until SIGTERM. Its traces are in FOLDER, one of each incarnation.
#include <arpa/inet.h>
#include <lightcone/process.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace {

volatile std::sig_atomic_t has_to_end = 0;

[[nodiscard]] sockaddr_in local_address(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

/// Datagrams that hold tags and nothing else.
class TagSocket {
 public:
  explicit TagSocket(int port) : socket_(::socket(AF_INET, SOCK_DGRAM, 0)) {
    const sockaddr_in address = local_address(port);
    if (::bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
      std::cerr << "port " << port << " cannot be used\n";
      std::exit(1);
    }
  }
  void send(const std::string& tag, int port) const {
    const sockaddr_in address = local_address(port);
    // What cannot be sent is lost, as datagrams may be.
    static_cast<void>(::sendto(socket_, tag.data(), tag.size(), MSG_DONTWAIT,
                               reinterpret_cast<const sockaddr*>(&address), sizeof address));
  }
  /// Returns whether there was one.
  [[nodiscard]] bool receive(std::string& tag) const {
    char buffer[65536];
    const ssize_t size = ::recv(socket_, buffer, sizeof buffer, MSG_DONTWAIT);
    if (size < 0) return false;
    tag.assign(buffer, static_cast<std::size_t>(size));
    return true;
  }

 private:
  int socket_;
};

void serve(lightcone::Process& process, const TagSocket& socket, std::uint64_t seed,
           const std::vector<std::pair<std::string, int>>& peers) {
  static constexpr std::string_view labels[] = {"write", "sync", "other", "other"};
  std::mt19937_64 random(seed);
  process.event({.labels = {"begin"}});
  for (int i = 0; has_to_end == 0; ++i) {
    if (i % 100 == 0) static_cast<void>(process.flush());  // what is killed has written something
    process.event({.labels = {labels[random() % 4]},
                   .variables = {{"inside", std::int64_t{random() % 50 == 0}}}});
    const auto& [peer, port] = peers[random() % peers.size()];
    socket.send(process.send(peer), port);
    std::string tag;
    while (socket.receive(tag)) process.receive(tag, {.labels = {"read"}});
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace

int main(int argc, char** argv) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGTERM, [](int) { has_to_end = 1; });
  if (argc < 9) return 2;
  lightcone::ProcessOptions options;
  options.name = argv[1];
  options.traces = argv[4];
  options.report_to = std::string("127.0.0.1:") + argv[2];
  options.report_execution = argv[3];
  options.on_error = [](const lightcone::Error& error) { std::cerr << error.text() << "\n"; };
  std::vector<std::pair<std::string, int>> peers;
  for (int i = 7; i + 1 < argc; i += 2) peers.emplace_back(argv[i], std::atoi(argv[i + 1]));
  const TagSocket socket(std::atoi(argv[6]));
  auto process = lightcone::Process::start(options, {.variables = {{"inside", std::int64_t{0}}}});
  if (!process) {
    std::cerr << process.error().text() << "\n";
    return 1;
  }
  serve(**process, socket, std::strtoull(argv[5], nullptr, 10), peers);
}
