// Reads what clients send, and tells them what became of it.
#include "serve/line_server.h"

#include <fmt/format.h>
#include <lightcone/base/json.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>
#include <thread>
#include <vector>

#include "serve/stream_socket.h"

namespace lightcone::service {
namespace {

constexpr std::chrono::milliseconds look_up_every{200};
constexpr std::size_t read_size = 256 << 10;

[[nodiscard]] std::string refusal_for_now(const std::string& why) {
  return Json{{"refused", why}, {"again", true}}.dump() + '\n';
}

/// A client's end of the line.
class SocketSource final : public LineSource {
 public:
  explicit SocketSource(std::shared_ptr<StreamSocket> socket) : socket_(std::move(socket)) {}

  void stored(const std::string& execution,
              const std::map<std::string, std::uint64_t>& events) override {
    socket_->write(Json{{"execution", execution}, {"stored", events}}.dump() + '\n');
  }
  void ended(const std::string& execution) override {
    socket_->write(Json{{"execution", execution}, {"ended", true}}.dump() + '\n');
  }
  void refused(const std::string& why) override {
    socket_->write(Json{{"refused", why}}.dump() + '\n');
    socket_->shut();
  }
  void refused_for_now(const std::string& why) override {
    socket_->write(refusal_for_now(why));
    socket_->shut();
  }
  void ask(const std::string& line) override { socket_->write(line + '\n'); }

 private:
  std::shared_ptr<StreamSocket> socket_;
};

}  // namespace

/// One connection and its thread.
class LineServer::Client {
 public:
  Client(LineServer& server, int descriptor)
      : server_(server),
        socket_(std::make_shared<StreamSocket>(descriptor, server.options_.tls)),
        source_(std::make_shared<SocketSource>(socket_)),
        thread_([this] {
          serve();
          is_gone_ = true;
        }) {}
  ~Client() { thread_.join(); }
  [[nodiscard]] bool is_gone() const { return is_gone_; }

 private:
  using Clock = std::chrono::steady_clock;

  void serve() {
    const LineServerOptions& options = server_.options_;
    if (!socket_->open(options.patience)) return;
    LineCutter cutter(source_, options.execution, options.limits);
    const auto take = [this](Arrival arrival) { this->take(std::move(arrival)); };
    // A client with a limit is read in small pieces, so that it has to wait before the next one.
    std::vector<char> buffer(
        options.rate == 0 ? read_size : std::clamp<std::size_t>(options.rate / 4, 1, read_size));
    while (!server_.stops_ && !is_refused_) {
      std::size_t size = buffer.size();
      const auto news = socket_->read(buffer.data(), size, look_up_every);
      if (news == StreamSocket::News::gone) break;
      if (!is_known() && Clock::now() - began_ > options.patience) return refuse("no token came");
      if (news == StreamSocket::News::none) continue;
      if (auto cut = cutter.add({buffer.data(), size}, take); !cut) {
        return refuse(cut.error().text());
      }
      slow_down(size);
    }
    if (is_refused_) return;
    if (auto cut = cutter.finish(take); !cut) refuse(cut.error().text());
  }

  [[nodiscard]] bool is_known() const { return server_.options_.tokens.empty() || is_known_; }

  void take(Arrival arrival) {
    if (is_refused_) return;
    if (const auto* heading = std::get_if<Heading>(&arrival.content); !is_known()) {
      const auto client =
          heading != nullptr ? server_.options_.tokens.client_of(heading->token) : std::nullopt;
      if (!client) return refuse(heading == nullptr ? "no token came" : "the token is not known");
      source_->client = *client;
      is_known_ = true;
    }
    server_.service_.offer(std::move(arrival));
  }

  void refuse(const std::string& why) {
    is_refused_ = true;
    source_->refused(why);
  }

  /// Lets a client that sends too much wait.
  void slow_down(std::size_t bytes) {
    const std::size_t rate = server_.options_.rate;
    if (rate == 0) return;
    const auto cost = std::chrono::nanoseconds(std::uint64_t{bytes} * 1'000'000'000 / rate);
    free_at_ = std::max(free_at_, Clock::now()) + cost;
    while (!server_.stops_ && free_at_ - Clock::now() > std::chrono::seconds(1)) {
      std::this_thread::sleep_for(look_up_every);
    }
  }

  LineServer& server_;
  std::shared_ptr<StreamSocket> socket_;
  std::shared_ptr<SocketSource> source_;
  Clock::time_point began_ = Clock::now(), free_at_ = began_;
  bool is_known_ = false, is_refused_ = false;
  std::atomic<bool> is_gone_ = false;
  std::thread thread_;
};

LineServer::LineServer(ArrivalTaker& service, LineServerOptions options, int listening)
    : service_(service), options_(std::move(options)), listening_(listening) {}

Expected<std::unique_ptr<LineServer>> LineServer::start(ArrivalTaker& service,
                                                        LineServerOptions options) {
  const auto listening = listening_socket(options.address);
  if (!listening) return failure(listening.error());
  std::unique_ptr<LineServer> server(new LineServer(service, std::move(options), *listening));
  server->thread_ = std::thread([&it = *server] { it.serve(); });
  return server;
}

LineServer::~LineServer() {
  stops_ = true;
  if (thread_.joinable()) thread_.join();
  clients_.clear();
  ::close(listening_);
}

void LineServer::remove_gone() {
  std::erase_if(clients_, [](const auto& client) { return client->is_gone(); });
}

void LineServer::serve() {
  while (!stops_) {
    pollfd waits{listening_, POLLIN, 0};
    const int ready = ::poll(&waits, 1, static_cast<int>(look_up_every.count()));
    remove_gone();
    if (ready <= 0) continue;
    const int accepted = ::accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
    if (accepted < 0) {
      std::this_thread::sleep_for(look_up_every);  // there may be no descriptor left
      continue;
    }
    if (clients_.size() >= options_.clients) {
      StreamSocket refused(accepted, {});
      refused.write(refusal_for_now(fmt::format("more than {} clients", options_.clients)));
      continue;
    }
    try {
      clients_.push_back(std::make_unique<Client>(*this, accepted));
    } catch (const std::system_error&) {  // there is no thread left: the client is hung up on
      std::this_thread::sleep_for(look_up_every);
    }
  }
}

}  // namespace lightcone::service
