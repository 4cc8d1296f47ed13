// Reads and writes frames: four bytes with the length, the highest first, then sender, tag and
// text.
#include "tcp/tcp_mailbox.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

namespace tcp {
namespace {

using lightcone::ArrivedMessage;
using lightcone::Expected;
using lightcone::failure;
using lightcone::Intake;

constexpr std::size_t length_size = 4;
constexpr timeval longest_sending{10, 0};

[[nodiscard]] auto system_failure(const std::string& what) {
  return failure(what + ": " + std::strerror(errno));
}

[[nodiscard]] sockaddr_in address_of(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

[[nodiscard]] std::string length_of(std::size_t size) {
  const std::uint32_t number = htonl(static_cast<std::uint32_t>(size));
  std::string bytes(length_size, '\0');
  std::memcpy(bytes.data(), &number, length_size);
  return bytes;
}

/// The system may take only a part of the bytes.
[[nodiscard]] bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

/// What a frame holds: sender, tag and text. Nothing if it holds anything else.
[[nodiscard]] std::optional<ArrivedMessage> message_in(std::string_view frame) {
  const auto parts = lightcone::unpacked(frame);
  if (parts.size() != 3) return std::nullopt;
  const std::array contents = {parts[0], parts[2]};
  return ArrivedMessage{std::string(parts[1]), lightcone::packed(contents)};
}

}  // namespace

Socket& Socket::operator=(Socket&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

Socket::~Socket() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Expected<Mailbox> Mailbox::listen() {
  Mailbox mailbox(Socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)));
  sockaddr_in address = address_of(0);
  socklen_t size = sizeof address;
  const int listener = mailbox.listener_.descriptor();
  if (listener < 0 || ::bind(listener, reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
      ::listen(listener, SOMAXCONN) != 0 ||
      ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    return system_failure("cannot listen for connections");
  }
  mailbox.port_ = ntohs(address.sin_port);
  return mailbox;
}

Expected<void> Mailbox::connect(const std::string& name, std::uint16_t port) {
  Socket socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const sockaddr_in address = address_of(port);
  if (socket.descriptor() < 0 ||
      ::connect(socket.descriptor(), reinterpret_cast<const sockaddr*>(&address), sizeof address) !=
          0) {
    return system_failure("cannot connect to " + name);
  }
  const int yes = 1;
  ::setsockopt(socket.descriptor(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  ::setsockopt(socket.descriptor(), SOL_SOCKET, SO_SNDTIMEO, &longest_sending,
               sizeof longest_sending);
  outgoing_[name] = std::move(socket);
  return {};
}

Expected<void> Mailbox::send(lightcone::Process& process, std::string_view to,
                             std::string_view text, const lightcone::LiveState& state,
                             const std::source_location& where) {
  const auto receiver = outgoing_.find(to);
  if (receiver == outgoing_.end()) return failure("not connected to " + std::string(to));
  if (text.size() > longest_frame / 2) return failure("the text is too long to be sent");
  const std::string tag = process.send(to, state, where);
  const std::array<std::string_view, 3> parts = {process.name(), tag, text};
  const std::string frame = lightcone::packed(parts);
  if (frame.size() > longest_frame) return failure("the message is too long to be sent");
  if (!write_all(receiver->second.descriptor(), length_of(frame.size()) + frame)) {
    return system_failure("cannot send to " + std::string(to));
  }
  return {};
}

std::optional<lightcone::TakenParcel> Mailbox::take(lightcone::Process& process,
                                                    Intake::Patience patience) {
  auto taken = Intake(process).take(process.name(), patience,
                                    [this](Intake::Patience limit) { return arrive(limit); });
  if (!taken) return std::nullopt;
  const auto parts = lightcone::unpacked(taken.contents());
  if (parts.size() != 2) return std::nullopt;
  return lightcone::TakenParcel{std::string(parts[0]), std::string(parts[1]), std::move(taken)};
}

std::optional<ArrivedMessage> Mailbox::arrive(Intake::Patience patience) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + patience.value_or(std::chrono::milliseconds(0));
  while (arrived_.empty()) {
    if (peers_.empty() && accepted_ >= expected_) return std::nullopt;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    const int wait = patience ? static_cast<int>(std::clamp<long>(left, 0, 1'000'000)) : -1;
    if (!wait_for_bytes(wait)) return std::nullopt;
  }
  ArrivedMessage next = std::move(arrived_.front());
  arrived_.pop_front();
  return next;
}

/// Waits for one of the sockets, and takes what is there. Returns whether it was in time.
bool Mailbox::wait_for_bytes(int milliseconds) {
  std::vector<pollfd> sockets = {{listener_.descriptor(), POLLIN, 0}};
  for (const Peer& peer : peers_) sockets.push_back({peer.socket.descriptor(), POLLIN, 0});
  const int ready = ::poll(sockets.data(), sockets.size(), milliseconds);
  if (ready < 0 && errno == EINTR) return true;
  if (ready <= 0) return false;
  std::vector<Peer> still_there;
  for (std::size_t i = 0; i < peers_.size(); ++i) {
    if (sockets[i + 1].revents == 0 || read(peers_[i])) {
      still_there.push_back(std::move(peers_[i]));
    }
  }
  peers_ = std::move(still_there);
  if (sockets[0].revents != 0) accept_peer();
  return true;
}

void Mailbox::accept_peer() {
  Socket socket(::accept4(listener_.descriptor(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (socket.descriptor() < 0) return;  // it has gone again
  ++accepted_;
  peers_.push_back({std::move(socket), {}});
}

/// What comes may be a part of a frame, or several frames.
bool Mailbox::read(Peer& peer) {
  std::array<char, 65536> piece;
  const ssize_t count = ::recv(peer.socket.descriptor(), piece.data(), piece.size(), 0);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return true;
  if (count < 0) {
    blame(std::string("a peer has gone: ") + std::strerror(errno));
    return false;
  }
  if (count == 0 && !peer.bytes.empty()) blame("a peer broke off in the middle of a message");
  if (count == 0) return false;
  peer.bytes.append(piece.data(), static_cast<std::size_t>(count));
  return find_messages(peer);
}

bool Mailbox::find_messages(Peer& peer) {
  std::string_view bytes = peer.bytes;
  while (bytes.size() >= length_size) {
    std::uint32_t number = 0;
    std::memcpy(&number, bytes.data(), length_size);
    const std::size_t length = ntohl(number);
    if (length > longest_frame) {
      blame("a peer announced a message of " + std::to_string(length) +
            " bytes, which is too long");
      return false;
    }
    if (bytes.size() - length_size < length) break;  // the rest has not come yet
    auto message = message_in(bytes.substr(length_size, length));
    if (!message) {
      blame("a peer sent a frame that is no message");
      return false;
    }
    arrived_.push_back(std::move(*message));
    bytes.remove_prefix(length_size + length);
  }
  peer.bytes.erase(0, peer.bytes.size() - bytes.size());
  return true;
}

void Mailbox::blame(const std::string& what) const {
  if (on_bad_peer) on_bad_peer(what);
}

}  // namespace tcp
