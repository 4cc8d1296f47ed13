// Passes requests from cpp-httplib to handlers, and refuses those without a token.
#include "serve/web_server.h"

#include <fmt/format.h>
#include <httplib.h>

#include <algorithm>
#include <regex>
#include <thread>

#include "view/http_server.h"

namespace lightcone::service {
namespace {

[[nodiscard]] std::string token_in(const httplib::Request& request) {
  constexpr std::string_view scheme = "Bearer ";
  const std::string header = request.get_header_value("Authorization");
  if (header.starts_with(scheme)) return header.substr(scheme.size());
  const std::string own = request.get_header_value("X-Lightcone-Token");
  return own.empty() ? request.get_param_value("token") : own;
}

[[nodiscard]] SlowClients::Peer peer_of(const httplib::Request& request) {
  return {request.remote_addr, request.remote_port};
}

[[nodiscard]] std::unique_ptr<httplib::Server> server_for(const TlsFiles& tls) {
  if (tls.empty()) return std::make_unique<httplib::Server>();
  return std::make_unique<httplib::SSLServer>(tls.certificate.c_str(), tls.key.c_str());
}

[[nodiscard]] httplib::Server::HandlerResponse refuse(httplib::Response& response, int status,
                                                      const char* why) {
  response.status = status;
  response.set_content(fmt::format("Refused: {}\n", why), "text/plain");
  return httplib::Server::HandlerResponse::Handled;
}

/// Whether the library reads a body of such a request, whoever handles it.
[[nodiscard]] bool may_have_body(const httplib::Request& request) {
  return request.method != "GET" && request.method != "HEAD" && request.method != "OPTIONS";
}

/// A small body that is compressed may hold a large one, which the library unpacks as a whole.
[[nodiscard]] bool unpacks_to_too_much(const httplib::Request& request) {
  constexpr std::uint64_t largest_compressed = 128 << 10;
  if (!request.has_header("Content-Encoding")) return false;
  if (!request.has_header("Content-Length")) return true;
  return request.get_header_value<std::uint64_t>("Content-Length") > largest_compressed;
}

}  // namespace

class WebServer::Core {
 public:
  explicit Core(WebServerOptions given)
      : options(std::move(given)), slow(options.patience), server(server_for(options.tls)) {
    server->new_task_queue = [threads = options.patience.at_a_time] {
      return new httplib::ThreadPool(threads);  // the library owns it
    };
    server->set_payload_max_length(options.largest_body);
    server->set_tcp_nodelay(true);
    server->set_keep_alive_max_count(100'000);
    server->set_keep_alive_timeout(1);
    server->set_read_timeout(10);
    server->set_write_timeout(10);
    server->set_default_headers({cli::page_headers.begin(), cli::page_headers.end()});
    server->set_logger([this](const auto& request, const auto&) {
      slow.note(peer_of(request), SlowClients::Doing::sends_heading);
    });
    server->set_pre_routing_handler([this](const auto& request, auto& response) {
      slow.note(peer_of(request), SlowClients::Doing::sends_body);
      return look_at(request, response);
    });
  }

  /// Before anything of the body is read.
  [[nodiscard]] httplib::Server::HandlerResponse look_at(const httplib::Request& request,
                                                         httplib::Response& response) const {
    const bool has_body = may_have_body(request);
    const bool is_open = options.tokens.empty() || (request.path == "/healthz" && !has_body) ||
                         options.tokens.client_of(token_in(request)).has_value();
    if (!is_open) return refuse(response, 401, "the token is missing or not known.");
    if (!has_body) return httplib::Server::HandlerResponse::Unhandled;
    if (unpacks_to_too_much(request)) {
      return refuse(response, 413, "a compressed body may have 128 KiB.");
    }
    // What no handler takes the library would read as a whole.
    if (request.method != "POST") return refuse(response, 405, "the method is not known.");
    const auto is_here = [&](const std::regex& path) {
      return std::regex_match(request.path, path);
    };
    if (std::ranges::none_of(posts, is_here))
      return refuse(response, 404, "there is no such page.");
    if (request.is_multipart_form_data()) return refuse(response, 415, "the body has parts.");
    return httplib::Server::HandlerResponse::Unhandled;
  }

  [[nodiscard]] httplib::Server::Handler handler_of(WebHandler handler) {
    return
        [this, handler = std::move(handler)](const httplib::Request& from, httplib::Response& to) {
          answer(handler, from, {}, to);
        };
  }

  /// Reads a body as far as it may go. In chunks, or compressed, it does not say its size.
  [[nodiscard]] httplib::Server::HandlerWithContentReader reader_of(WebHandler handler) {
    return [this, handler = std::move(handler)](const httplib::Request& from, httplib::Response& to,
                                                const httplib::ContentReader& read) {
      std::string body;
      bool fits = true;
      const bool is_whole = read([&](const char* bytes, std::size_t size) {
        fits = body.size() + size <= options.largest_body;
        if (fits) body.append(bytes, size);
        return fits;
      });
      if (!fits) {
        static_cast<void>(refuse(to, 413, "the body is too large."));
      } else if (is_whole) {
        answer(handler, from, std::move(body), to);
      }
    };
  }

  void answer(const WebHandler& handler, const httplib::Request& from, std::string body,
              httplib::Response& to) {
    WebRequest request;
    if (const auto client = options.tokens.client_of(token_in(from))) request.client = *client;
    request.method = from.method;
    for (std::size_t i = 1; i < from.matches.size(); ++i) {
      request.matches.push_back(from.matches[i].str());
    }
    for (const auto& [name, value] : from.params) request.parameters.emplace(name, value);
    request.host = from.get_header_value("Host");
    request.origin = from.get_header_value("Origin");
    request.type = from.get_header_value("Content-Type");
    request.body = std::move(body);
    slow.note(peer_of(from), SlowClients::Doing::waits);
    const WebAnswer answer = handler(request);
    slow.note(peer_of(from), SlowClients::Doing::takes_answer);
    to.status = answer.status;
    if (answer.status == 503) to.set_header("Retry-After", "1");
    to.set_content(answer.body, answer.type);
  }

  WebServerOptions options;
  std::vector<std::regex> posts;  // the paths of what takes a body
  SlowClients slow;
  std::unique_ptr<httplib::Server> server;
  std::thread thread;
};

WebServer::WebServer(WebServerOptions options)
    : core_(std::make_unique<Core>(std::move(options))) {}

WebServer::~WebServer() {
  core_->server->stop();
  if (core_->thread.joinable()) core_->thread.join();
}

void WebServer::on_get(const std::string& path, WebHandler handler) {
  core_->server->Get(path, core_->handler_of(std::move(handler)));
}

void WebServer::on_post(const std::string& path, WebHandler handler) {
  core_->posts.emplace_back(path);
  core_->server->Post(path, core_->reader_of(std::move(handler)));
}

const ListenAddress& WebServer::address() const { return core_->options.address; }

Expected<void> WebServer::start() {
  ListenAddress& address = core_->options.address;
  if (!core_->server->is_valid()) {
    return failure("the certificate and its key cannot be used", core_->options.tls.certificate);
  }
  core_->server->set_socket_options([](int socket) {
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  errno = 0;
  const int bound = address.port == 0 ? core_->server->bind_to_any_port(address.host)
                    : core_->server->bind_to_port(address.host, address.port) ? address.port
                                                                              : -1;
  if (bound <= 0) {
    return failure(fmt::format("{} cannot be used: {}", address.text(), std::strerror(errno)), {},
                   0, "another program may use it; choose another port");
  }
  address.port = static_cast<std::uint16_t>(bound);
  core_->slow.watch(address.port);
  core_->thread = std::thread([this] { core_->server->listen_after_bind(); });
  return {};
}

Expected<WebAnswer> post(const WebPost& what) {
  const std::size_t scheme = what.url.find("://");
  const std::size_t path = scheme == std::string::npos ? scheme : what.url.find('/', scheme + 3);
  httplib::Client client(what.url.substr(0, path));
  client.set_connection_timeout(5);
  client.set_read_timeout(what.patience);
  client.set_write_timeout(10);
  if (!what.authorities.empty()) client.set_ca_cert_path(what.authorities.c_str());
  if (!what.token.empty()) client.set_bearer_token_auth(what.token.c_str());
  const auto answer =
      client.Post(path == std::string::npos ? "/" : what.url.substr(path), what.text, what.type);
  if (!answer) return failure(httplib::to_string(answer.error()), what.url);
  return WebAnswer{answer->status, answer->get_header_value("Content-Type"), answer->body};
}

}  // namespace lightcone::service
