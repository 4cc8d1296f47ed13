// Sockets that never make the thread wait longer than it is told.
#include <lightcone/live/report/socket_connection.h>

#include <fmt/format.h>
#include <lightcone/live/report/tls_session.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace lightcone {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds longest_connect{1000}, longest_send{10'000};

class SocketConnection final : public MonitorConnection {
 public:
  SocketConnection(const MonitorAddress& address, TlsTrust* trust) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (::getaddrinfo(address.host.c_str(), address.port.c_str(), &hints, &found) != 0) return;
    for (const addrinfo* one = found; one != nullptr && !is_open(); one = one->ai_next) {
      connect_to(*one);
    }
    ::freeaddrinfo(found);
    if (is_open() && trust != nullptr) make_safe(*trust, address.host);
  }
  ~SocketConnection() override { close(); }

  [[nodiscard]] bool is_open() const override { return socket_ >= 0; }
  [[nodiscard]] std::string trouble() const override { return trouble_; }

  void send(std::string_view bytes) override {
    while (is_open() && !bytes.empty()) {
      const TlsSession::TlsProgress step = session_ ? session_->write(bytes) : write(bytes);
      if (step.bytes > 0) {
        bytes.remove_prefix(step.bytes);
      } else if (!go_on(step, longest_send)) {
        // Why the monitor has hung up may have come.
        while (is_open() && read_more()) {
        }
        close();
      }
    }
  }

  [[nodiscard]] std::vector<std::string> receive(milliseconds patience) override {
    std::vector<std::string> lines;
    const bool has_come =
        is_open() && ((session_ && session_->has_read()) || wait(POLLIN, patience));
    if (has_come) static_cast<void>(read_more());
    for (std::size_t end = rest_.find('\n'); end != std::string::npos; end = rest_.find('\n')) {
      lines.push_back(rest_.substr(0, end));
      rest_.erase(0, end + 1);
    }
    return lines;
  }

 private:
  void connect_to(const addrinfo& address) {
    socket_ = ::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (socket_ < 0 || ::connect(socket_, address.ai_addr, address.ai_addrlen) == 0) return;
    int error = errno;
    socklen_t size = sizeof error;
    if (error == EINPROGRESS && wait(POLLOUT, longest_connect)) {
      ::getsockopt(socket_, SOL_SOCKET, SO_ERROR, &error, &size);
    }
    if (error != 0) close();
  }

  void make_safe(TlsTrust& trust, const std::string& host) {
    session_ = trust.session(socket_, host);
    const auto end = std::chrono::steady_clock::now() + longest_send;
    for (;;) {
      const TlsSession::TlsProgress step = session_->begin();
      if (step.bytes > 0) return;
      const auto left =
          std::chrono::duration_cast<milliseconds>(end - std::chrono::steady_clock::now());
      if (left.count() > 0 && go_on(step, left)) continue;
      trouble_ = session_->trouble();
      return close();
    }
  }

  /// Returns whether something had come.
  [[nodiscard]] bool read_more() {
    char buffer[4096];
    const TlsSession::TlsProgress step =
        session_ ? session_->read(buffer, sizeof buffer) : read(buffer, sizeof buffer);
    rest_.append(buffer, step.bytes);
    if (step.is_broken) close();
    return step.bytes > 0;
  }

  [[nodiscard]] TlsSession::TlsProgress write(std::string_view bytes) const {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    return step_of(sent, POLLOUT);
  }
  [[nodiscard]] TlsSession::TlsProgress read(char* buffer, std::size_t size) const {
    const ssize_t read = ::recv(socket_, buffer, size, 0);
    if (read == 0) return {.is_broken = true};
    return step_of(read, POLLIN);
  }
  [[nodiscard]] static TlsSession::TlsProgress step_of(ssize_t result, short waits_for) {
    if (result > 0) return {.bytes = static_cast<std::size_t>(result)};
    if (errno == EAGAIN || errno == EINTR) return {.waits_for = waits_for};
    return {.is_broken = true};
  }

  /// Returns whether another try has sense.
  [[nodiscard]] bool go_on(const TlsSession::TlsProgress& step, milliseconds patience) const {
    return !step.is_broken && wait(step.waits_for, patience);
  }
  [[nodiscard]] bool wait(short events, milliseconds patience) const {
    pollfd waits{socket_, events, 0};
    return ::poll(&waits, 1, static_cast<int>(patience.count())) > 0;
  }
  void close() {
    session_.reset();
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
  }

  int socket_ = -1;
  std::unique_ptr<TlsSession> session_;  // null: plain
  std::string rest_, trouble_;
};

}  // namespace

Expected<MonitorAddress> monitor_address(const std::string& text) {
  constexpr std::string_view plain = "tcp://", safe = "tls://";
  MonitorAddress address;
  address.is_safe = text.starts_with(safe);
  std::string rest = text;
  if (address.is_safe || text.starts_with(plain)) rest.erase(0, plain.size());
  const std::size_t colon = rest.rfind(':');
  if (colon == std::string::npos || colon + 1 == rest.size()) {
    return failure(fmt::format("`{}` is not the address of a monitor", text), {}, 0,
                   "write HOST:PORT, as `lightcone monitor --listen` says");
  }
  address.host = rest.substr(0, colon);
  if (address.host.starts_with('[') && address.host.ends_with(']')) {  // IPv6
    address.host = address.host.substr(1, address.host.size() - 2);
  }
  if (address.host.empty()) address.host = "127.0.0.1";
  address.port = rest.substr(colon + 1);
  return address;
}

Expected<ConnectToMonitor> connect_by_socket(const MonitorAddress& address,
                                             const std::string& certificates) {
  std::shared_ptr<TlsTrust> trust;
  if (address.is_safe) {
    auto made = TlsTrust::of(certificates);
    if (!made) return failure(made.error());
    trust = std::move(*made);
  }
  return [address, trust](const std::string&, const std::string&) {
    return std::make_unique<SocketConnection>(address, trust.get());
  };
}

}  // namespace lightcone
