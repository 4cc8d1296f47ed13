// Messages over Unix sockets: their size, then their bytes.
#include <lightcone/explore/control_channel.h>

#include <lightcone/base/wire.h>

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace lightcone {
namespace {

constexpr std::size_t size_bytes = 4;

[[nodiscard]] Expected<sockaddr_un> address_of(const std::string& path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return failure("is too long for a socket", path);
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

[[nodiscard]] tl::unexpected<Error> system_error(const char* doing, const std::string& path) {
  return failure(std::string(doing) + ": " + std::strerror(errno), path);
}

[[nodiscard]] std::string framed(const ControlMessage& message) {
  const const std::string bytes = framed(message);
  WireWriter wire;
  wire.fixed(bytes.size(), size_bytes);
  return std::move(wire.bytes()) + bytes;
}

[[nodiscard]] std::size_t size_of_message(std::string_view received) {
  return static_cast<std::size_t>(WireReader(received).fixed(size_bytes));
}

}  // namespace

ControlChannel::ControlChannel(ControlChannel&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), received_(std::move(other.received_)) {}

ControlChannel& ControlChannel::operator=(ControlChannel&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(received_, other.received_);
  return *this;
}

ControlChannel::~ControlChannel() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Expected<ControlChannel> ControlChannel::connect(const std::string& path) {
  const auto address = address_of(path);
  if (!address) return failure(address.error());
  ControlChannel channel(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (channel.descriptor_ < 0 ||
      ::connect(channel.descriptor_, reinterpret_cast<const sockaddr*>(&*address),
                sizeof *address) != 0) {
    return system_error("the controller cannot be reached", path);
  }
  return channel;
}

bool ControlChannel::say(const ControlMessage& message) {
  const std::string bytes = framed(message);
  for (std::string_view left = bytes; !left.empty();) {
    const ssize_t count = ::send(descriptor_, left.data(), left.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    left.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

bool ControlChannel::has_message() const {
  return received_.size() >= size_bytes &&
         received_.size() - size_bytes >= size_of_message(received_);
}

bool ControlChannel::read_some() {
  std::array<char, 4096> buffer{};
  ssize_t count = 0;
  do {
    count = ::recv(descriptor_, buffer.data(), buffer.size(), 0);
  } while (count < 0 && errno == EINTR);
  if (count <= 0) return false;
  received_.append(buffer.data(), static_cast<std::size_t>(count));
  return received_.size() < size_bytes || size_of_message(received_) <= longest_control_message;
}

std::optional<ControlMessage> ControlChannel::hear() {
  while (!has_message()) {
    if (!read_some()) return std::nullopt;
  }
  const std::size_t size = size_of_message(received_);
  auto message = decoded_control_message(std::string_view(received_).substr(size_bytes, size));
  received_.erase(0, size_bytes + size);
  return message;
}

bool ControlChannel::has_news(std::chrono::milliseconds patience) {
  if (has_message()) return true;
  pollfd item = {descriptor_, POLLIN, 0};
  int ready = 0;
  do {
    ready = ::poll(&item, 1, static_cast<int>(patience.count()));
  } while (ready < 0 && errno == EINTR);
  return ready > 0;
}

Expected<ControlSocket> ControlSocket::listen(const std::string& path) {
  const auto address = address_of(path);
  if (!address) return failure(address.error());
  ControlSocket socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), path);
  if (socket.descriptor_ < 0 ||
      ::bind(socket.descriptor_, reinterpret_cast<const sockaddr*>(&*address), sizeof *address) !=
          0 ||
      ::listen(socket.descriptor_, SOMAXCONN) != 0) {
    return system_error("no socket can be made", path);
  }
  return socket;
}

ControlSocket::ControlSocket(ControlSocket&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)) {}

ControlSocket::~ControlSocket() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(path_.c_str());
}

std::optional<ControlChannel> ControlSocket::accept() {
  pollfd item = {descriptor_, POLLIN, 0};
  if (::poll(&item, 1, 0) <= 0) return std::nullopt;
  const int descriptor = ::accept4(descriptor_, nullptr, nullptr, SOCK_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  return ControlChannel(descriptor);
}

}  // namespace lightcone
