// Reads as much as there is, and cuts it into messages.
#include <lightcone/base/framed_socket.h>

#include <lightcone/base/wire.h>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace lightcone {
namespace {

constexpr std::size_t size_bytes = 4;

[[nodiscard]] std::size_t size_of_message(std::string_view received) {
  return static_cast<std::size_t>(WireReader(received).fixed(size_bytes));
}

}  // namespace

FramedSocket::FramedSocket(FramedSocket&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      longest_(other.longest_),
      received_(std::move(other.received_)) {}

FramedSocket& FramedSocket::operator=(FramedSocket&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(longest_, other.longest_);
  std::swap(received_, other.received_);
  return *this;
}

FramedSocket::~FramedSocket() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool FramedSocket::send(std::string_view message) {
  WireWriter wire;
  wire.fixed(message.size(), size_bytes);
  wire.bytes() += message;
  for (std::string_view left = wire.bytes(); !left.empty();) {
    const ssize_t count = ::send(descriptor_, left.data(), left.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    left.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

bool FramedSocket::has_message() const {
  return received_.size() >= size_bytes &&
         received_.size() - size_bytes >= size_of_message(received_);
}

bool FramedSocket::read_some() {
  std::array<char, 4096> buffer{};
  ssize_t count = 0;
  do {
    count = ::recv(descriptor_, buffer.data(), buffer.size(), 0);
  } while (count < 0 && errno == EINTR);
  if (count <= 0) return false;
  received_.append(buffer.data(), static_cast<std::size_t>(count));
  return received_.size() < size_bytes || size_of_message(received_) <= longest_;
}

std::optional<std::string> FramedSocket::receive() {
  while (!has_message()) {
    if (!read_some()) return std::nullopt;
  }
  const std::size_t size = size_of_message(received_);
  std::string message = received_.substr(size_bytes, size);
  received_.erase(0, size_bytes + size);
  return message;
}

bool FramedSocket::has_news(std::chrono::milliseconds patience) const {
  if (has_message()) return true;
  pollfd item = {descriptor_, POLLIN, 0};
  int ready = 0;
  do {
    ready = ::poll(&item, 1, static_cast<int>(patience.count()));
  } while (ready < 0 && errno == EINTR);
  return ready > 0;
}

}  // namespace lightcone
