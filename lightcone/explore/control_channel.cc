// Messages over Unix sockets: their size, then their members.
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

constexpr std::size_t size_bytes = 4, tag_bytes = 4, longest_message = 1 << 20;

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

/// What a message has; what it has not takes no bytes.
enum Parts : std::uint8_t { flag = 1, kind = 2, patterns = 4, all_parts = 7 };

[[nodiscard]] std::uint8_t parts_of(const ControlMessage& message) {
  const bool has_kind = !message.context.empty() || message.tag != 0;
  return static_cast<std::uint8_t>((message.flag ? flag : 0) | (has_kind ? kind : 0) |
                                   (message.patterns.empty() ? 0 : patterns));
}

void write_pattern(WireWriter& wire, const ControlPattern& pattern) {
  wire.text(pattern.sender);
  wire.text(pattern.context);
  wire.fixed(pattern.tag ? 1 : 0, 1);
  if (pattern.tag) wire.fixed(static_cast<std::uint32_t>(*pattern.tag), tag_bytes);
  wire.number(pattern.skip);
}

[[nodiscard]] ControlPattern read_pattern(WireReader& wire) {
  ControlPattern pattern;
  pattern.sender = wire.text(longest_message);
  pattern.context = wire.text(longest_message);
  if (wire.fixed(1) != 0) pattern.tag = static_cast<std::int32_t>(wire.fixed(tag_bytes));
  pattern.skip = static_cast<std::uint32_t>(wire.number());
  return pattern;
}

[[nodiscard]] std::string encoded(const ControlMessage& message) {
  WireWriter wire;
  const std::uint8_t parts = parts_of(message);
  wire.fixed(static_cast<std::uint64_t>(message.what), 1);
  wire.fixed(parts, 1);
  wire.number(message.number);
  wire.text(message.name);
  if ((parts & kind) != 0) {
    wire.text(message.context);
    wire.fixed(static_cast<std::uint32_t>(message.tag), tag_bytes);
  }
  if ((parts & patterns) != 0) {
    wire.number(message.patterns.size());
    for (const ControlPattern& pattern : message.patterns) write_pattern(wire, pattern);
  }
  for (const std::string& name : message.names) wire.text(name);
  WireWriter framed;
  framed.fixed(wire.bytes().size(), size_bytes);
  return std::move(framed.bytes()) + wire.bytes();
}

[[nodiscard]] std::optional<ControlMessage> decoded(std::string_view bytes) {
  WireReader wire(bytes);
  ControlMessage message;
  const std::uint64_t what = wire.fixed(1);
  if (what > static_cast<std::uint64_t>(ControlMessage::What::stop)) return std::nullopt;
  message.what = static_cast<ControlMessage::What>(what);
  const std::uint64_t parts = wire.fixed(1);
  if (parts > all_parts) return std::nullopt;
  message.flag = (parts & flag) != 0;
  message.number = wire.number();
  message.name = wire.text(longest_message);
  if ((parts & kind) != 0) {
    message.context = wire.text(longest_message);
    message.tag = static_cast<std::int32_t>(wire.fixed(tag_bytes));
  }
  const std::uint64_t count = (parts & patterns) != 0 ? wire.number() : 0;
  while (!wire.failed() && message.patterns.size() < count) {
    message.patterns.push_back(read_pattern(wire));
  }
  while (!wire.failed() && wire.left() != 0) message.names.emplace_back(wire.text(longest_message));
  if (wire.failed()) return std::nullopt;
  return message;
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
  std::string bytes = encoded(message);
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
  return received_.size() < size_bytes || size_of_message(received_) <= longest_message;
}

std::optional<ControlMessage> ControlChannel::hear() {
  while (!has_message()) {
    if (!read_some()) return std::nullopt;
  }
  const std::size_t size = size_of_message(received_);
  auto message = decoded(std::string_view(received_).substr(size_bytes, size));
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
