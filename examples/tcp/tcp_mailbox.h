// A transport of one's own: messages over TCP, each a frame with its length in front.
#pragma once

#include <lightcone/error.h>
#include <lightcone/network.h>
#include <lightcone/process.h>
#include <lightcone/transport.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tcp {

/// The longest frame that is sent or accepted. A peer that announces a longer one is cut off, so
/// that no peer can make us reserve as much memory as it likes.
constexpr std::size_t longest_frame = std::size_t{1} << 20;

/// A descriptor that is closed at the end.
class Socket {
 public:
  Socket() = default;
  explicit Socket(int descriptor) : descriptor_(descriptor) {}
  Socket(Socket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Socket& operator=(Socket&& other) noexcept;
  ~Socket();
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  int descriptor_ = -1;
};

/// Where the messages to one process arrive, and from where it sends its own. Every process
/// connects to every other one once, and sends by that connection.
class Mailbox {
 public:
  /// Listens at a port of this machine that the system chooses.
  [[nodiscard]] static lightcone::Expected<Mailbox> listen();
  [[nodiscard]] std::uint16_t port() const { return port_; }
  /// Connects to the mailbox of another process.
  [[nodiscard]] lightcone::Expected<void> connect(const std::string& name, std::uint16_t port);
  /// How many processes connect to this one. When all of them have gone, no message will come.
  void expect_peers(std::size_t count) { expected_ = count; }
  /// Called with each peer that broke off in the middle of a message, or sent what is no message.
  /// That peer is not heard any more. All others are.
  std::function<void(const std::string&)> on_bad_peer = {};

  /// Sends a text, and makes the event of sending it. An error if the receiver has gone, or takes
  /// nothing for ten seconds.
  [[nodiscard]] lightcone::Expected<void> send(
      lightcone::Process& process, std::string_view to, std::string_view text,
      const lightcone::LiveState& state = {},
      const std::source_location& where = std::source_location::current());
  /// Takes the next message. Nothing if it does not come in time, or if none will come any more.
  [[nodiscard]] std::optional<lightcone::TakenParcel> take(
      lightcone::Process& process, lightcone::Intake::Patience patience = std::nullopt);

 private:
  /// A process that connected to this one, and what it sent of its next message so far.
  struct Peer {
    Socket socket;
    std::string bytes;
  };

  explicit Mailbox(Socket listener) : listener_(std::move(listener)) {}
  [[nodiscard]] std::optional<lightcone::ArrivedMessage> arrive(lightcone::Intake::Patience wait);
  [[nodiscard]] bool wait_for_bytes(int milliseconds);
  void accept_peer();
  /// Both return whether the peer is to be heard further.
  [[nodiscard]] bool read(Peer& peer);
  [[nodiscard]] bool find_messages(Peer& peer);
  void blame(const std::string& what) const;

  Socket listener_;
  std::uint16_t port_ = 0;
  std::size_t expected_ = 0, accepted_ = 0;
  std::vector<Peer> peers_;  // those that are still there
  std::deque<lightcone::ArrivedMessage> arrived_;
  std::map<std::string, Socket, std::less<>> outgoing_;
};

}  // namespace tcp
