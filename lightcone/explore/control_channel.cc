// Control channels are Unix sockets.
#include <lightcone/explore/control_channel.h>

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace lightcone {
namespace {

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

}  // namespace

Expected<ControlChannel> ControlChannel::connect(const std::string& path) {
  const auto address = address_of(path);
  if (!address) return failure(address.error());
  ControlChannel channel(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (channel.descriptor() < 0 ||
      ::connect(channel.descriptor(), reinterpret_cast<const sockaddr*>(&*address),
                sizeof *address) != 0) {
    return system_error("the controller cannot be reached", path);
  }
  return channel;
}

std::optional<ControlMessage> ControlChannel::hear() {
  const auto bytes = socket_.receive();
  return bytes ? decoded_control_message(*bytes) : std::nullopt;
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

bool ControlSocket::has_someone(std::chrono::milliseconds patience) const {
  pollfd item = {descriptor_, POLLIN, 0};
  return ::poll(&item, 1, static_cast<int>(patience.count())) > 0;
}

std::optional<ControlChannel> ControlSocket::accept() {
  if (!has_someone(std::chrono::milliseconds(0))) return std::nullopt;
  const int descriptor = ::accept4(descriptor_, nullptr, nullptr, SOCK_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  return ControlChannel(descriptor);
}

}  // namespace lightcone
