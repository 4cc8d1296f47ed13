// Sockets that never make a thread wait longer than it wants.
#include "serve/stream_socket.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace lightcone::service {

StreamSocket::StreamSocket(int descriptor, const TlsContext& tls)
    : descriptor_(descriptor), tls_(tls) {
  ::fcntl(descriptor_, F_SETFL, ::fcntl(descriptor_, F_GETFL) | O_NONBLOCK);
  const int yes = 1;
  ::setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  if (!tls_) return;
  session_ = SSL_new(tls_.get());
  SSL_set_fd(session_, descriptor_);
  SSL_set_mode(session_, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
}

StreamSocket::~StreamSocket() {
  if (session_ != nullptr) SSL_free(session_);
  ::close(descriptor_);
}

bool StreamSocket::wait(short events, std::chrono::milliseconds patience) const {
  pollfd waits{descriptor_, events, 0};
  return ::poll(&waits, 1, static_cast<int>(patience.count())) > 0;
}

bool StreamSocket::open(std::chrono::milliseconds patience) {
  if (session_ == nullptr) return true;
  const auto end = std::chrono::steady_clock::now() + patience;
  for (;;) {
    ERR_clear_error();
    const int done = SSL_accept(session_);
    if (done == 1) return true;
    const int why = SSL_get_error(session_, done);
    if (why != SSL_ERROR_WANT_READ && why != SSL_ERROR_WANT_WRITE) return false;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    static_cast<void>(wait(why == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT, left));
  }
}

StreamSocket::News StreamSocket::read(char* buffer, std::size_t& size,
                                      std::chrono::milliseconds patience) {
  if (is_broken_) return News::gone;
  {
    const std::lock_guard lock(mutex_);
    if (session_ != nullptr && SSL_pending(session_) > 0) patience = {};
  }
  const bool is_ready = wait(POLLIN, patience);
  if (!is_ready && session_ == nullptr) return News::none;
  if (session_ == nullptr) {
    const ssize_t read = ::recv(descriptor_, buffer, size, 0);
    if (read > 0) {
      size = static_cast<std::size_t>(read);
      return News::bytes;
    }
    return read < 0 && (errno == EAGAIN || errno == EINTR) ? News::none : News::gone;
  }
  const std::lock_guard lock(mutex_);
  ERR_clear_error();
  const int read = SSL_read(session_, buffer, static_cast<int>(size));
  if (read > 0) {
    size = static_cast<std::size_t>(read);
    return News::bytes;
  }
  const int why = SSL_get_error(session_, read);
  return why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE ? News::none : News::gone;
}

bool StreamSocket::write(std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  if (is_broken_) return false;
  if (session_ == nullptr) {
    const ssize_t sent = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent == static_cast<ssize_t>(bytes.size())) return true;
    if (sent > 0) is_broken_ = true;  // half a line would spoil all that follows
    return false;
  }
  ERR_clear_error();
  const int sent = SSL_write(session_, bytes.data(), static_cast<int>(bytes.size()));
  if (sent == static_cast<int>(bytes.size())) return true;
  is_broken_ = true;
  return false;
}

void StreamSocket::shut() { ::shutdown(descriptor_, SHUT_RDWR); }

Expected<int> listening_socket(ListenAddress& address) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  const int error =
      ::getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &found);
  if (error != 0) {
    return failure(fmt::format("{} cannot be used: {}", address.text(), ::gai_strerror(error)));
  }
  const int listening = ::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int yes = 1;
  ::setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  const bool is_bound = listening >= 0 &&
                        ::bind(listening, found->ai_addr, found->ai_addrlen) == 0 &&
                        ::listen(listening, 128) == 0;
  ::freeaddrinfo(found);
  if (!is_bound) {
    const std::string why = std::strerror(errno);
    if (listening >= 0) ::close(listening);
    return failure(fmt::format("{} cannot be used: {}", address.text(), why), {}, 0,
                   "another program may use it; choose another port");
  }
  sockaddr_storage bound{};
  socklen_t size = sizeof bound;
  ::getsockname(listening, reinterpret_cast<sockaddr*>(&bound), &size);
  address.port =
      ntohs(bound.ss_family == AF_INET6 ? reinterpret_cast<const sockaddr_in6*>(&bound)->sin6_port
                                        : reinterpret_cast<const sockaddr_in*>(&bound)->sin_port);
  return listening;
}

}  // namespace lightcone::service
