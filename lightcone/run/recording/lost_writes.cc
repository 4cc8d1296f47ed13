// Datagrams to a socket that has a name and no file.
#include <lightcone/run/recording/lost_writes.h>

#include <lightcone/base/json.h>

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

namespace lightcone {
namespace {

constexpr std::size_t longest = 1 << 16;

/// The name after the zero byte that makes it one without a file.
[[nodiscard]] socklen_t set_name(sockaddr_un& address, std::string_view name) {
  address.sun_family = AF_UNIX;
  const std::size_t size = std::min(name.size(), sizeof address.sun_path - 1);
  std::memcpy(address.sun_path + 1, name.data(), size);
  return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + size);
}

[[nodiscard]] std::optional<LostWrite> lost_write(const Json& json) {
  for (const char* name : {"process", "file", "events", "why"}) {
    if (!json.contains(name)) return std::nullopt;
  }
  LostWrite lost;
  const bool is_one = json.read("process", lost.process) && json.read("file", lost.file) &&
                      json.read("events", lost.events) && json.read("why", lost.why);
  return is_one ? std::optional(std::move(lost)) : std::nullopt;
}

[[nodiscard]] std::optional<UnaskedReceive> unasked_receive(const Json& json) {
  if (!json.contains("process") || !json.contains("unasked")) return std::nullopt;
  UnaskedReceive unasked;
  const bool is_one = json.read("process", unasked.process) && json.read("unasked", unasked.event);
  return is_one ? std::optional(std::move(unasked)) : std::nullopt;
}

void tell_record(const Json& json, const std::string& address) {
  if (address.empty()) return;
  const std::string text = json.dump(Json::Layout::ascii_line);
  const int descriptor = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return;
  const timeval patience{2, 0};  // many may tell at once, and few fit in the queue
  ::setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  sockaddr_un to = {};
  const socklen_t size = set_name(to, address);
  while (::sendto(descriptor, text.data(), text.size(), MSG_NOSIGNAL,
                  reinterpret_cast<const sockaddr*>(&to), size) < 0 &&
         errno == EINTR) {
  }
  ::close(descriptor);
}

/// Returns whether this datagram was sent by the user that we run for.
[[nodiscard]] bool is_of_this_user(msghdr& message) {
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr;
       part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_CREDENTIALS) continue;
    ucred sender{};
    std::memcpy(&sender, CMSG_DATA(part), sizeof sender);
    return sender.uid == ::getuid();
  }
  return false;
}

}  // namespace

std::string LostWrite::text() const {
  const std::string where =
      events == 0 ? std::string("before the first event") : fmt::format("after event {}", events);
  return fmt::format("{} ends {}: {}", file.substr(file.rfind('/') + 1), where, why);
}

void LostWrite::tell(const std::string& address) const {
  tell_record({{"process", process}, {"file", file}, {"events", events}, {"why", why}}, address);
}

void UnaskedReceive::tell(const std::string& address) const {
  tell_record({{"process", process}, {"unasked", event}}, address);
}

LostWrites::LostWrites(int descriptor, std::string address)
    : descriptor_(descriptor), address_(std::move(address)) {}

LostWrites::LostWrites(LostWrites&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), address_(std::move(other.address_)) {}

LostWrites::~LostWrites() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Expected<LostWrites> LostWrites::listen() {
  LostWrites writes(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), {});
  const int yes = 1;
  sockaddr_un own = {};
  own.sun_family = AF_UNIX;
  socklen_t size = sizeof own.sun_family;  // the system finds a name that is free
  if (writes.descriptor_ < 0 ||
      ::setsockopt(writes.descriptor_, SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes) != 0 ||
      ::bind(writes.descriptor_, reinterpret_cast<const sockaddr*>(&own), size) != 0 ||
      ::getsockname(writes.descriptor_, reinterpret_cast<sockaddr*>(&own), &(size = sizeof own)) !=
          0) {
    return failure(std::string("cannot open a socket: ") + std::strerror(errno));
  }
  const std::size_t before = offsetof(sockaddr_un, sun_path) + 1;
  writes.address_.assign(own.sun_path + 1, size - before);
  return writes;
}

std::vector<LostWrite> LostWrites::take() {
  hear();
  return std::exchange(lost_, {});
}

std::vector<UnaskedReceive> LostWrites::take_unasked() {
  hear();
  return std::exchange(unasked_, {});
}

void LostWrites::hear() {
  std::string bytes(longest, '\0');
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(ucred))> credentials;
  for (;;) {
    iovec piece{bytes.data(), bytes.size()};
    msghdr message = {};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = credentials.data();
    message.msg_controllen = credentials.size();
    const ssize_t got = ::recvmsg(descriptor_, &message, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return;
    if (!is_of_this_user(message)) continue;
    const auto json = Json::parse(std::string_view(bytes).substr(0, static_cast<std::size_t>(got)));
    if (!json) continue;
    if (auto lost = lost_write(*json)) lost_.push_back(std::move(*lost));
    if (auto unasked = unasked_receive(*json)) unasked_.push_back(std::move(*unasked));
  }
}

}  // namespace lightcone
