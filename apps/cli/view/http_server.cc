// Passes requests from cpp-httplib to handlers, and refuses those that the gate does not let in.
#include "view/http_server.h"

#include <fmt/format.h>
#include <httplib.h>

#include <cerrno>
#include <cstring>

namespace lightcone::cli {
namespace {

constexpr std::size_t largest_body = 4 << 20;

[[nodiscard]] HttpRequest request_of(const httplib::Request& from) {
  HttpRequest request;
  for (const auto& [name, value] : from.params) request.parameters.emplace(name, value);
  request.body = from.body;
  return request;
}

[[nodiscard]] std::string token_of(const httplib::Request& request) {
  const std::string header = request.get_header_value("X-Lightcone-Token");
  return header.empty() ? request.get_param_value("token") : header;
}

}  // namespace

class HttpServer::Core {
 public:
  httplib::Server server;

  [[nodiscard]] static httplib::Server::Handler handler_of(HttpHandler handler) {
    return [handler = std::move(handler)](const httplib::Request& from, httplib::Response& to) {
      const HttpAnswer answer = handler(request_of(from));
      to.status = answer.status;
      to.set_content(answer.body, answer.type);
    };
  }
};

HttpServer::HttpServer() : core_(std::make_unique<Core>()) {
  core_->server.set_payload_max_length(largest_body);
  core_->server.set_default_headers({page_headers.begin(), page_headers.end()});
  core_->server.set_tcp_nodelay(true);
  core_->server.set_keep_alive_max_count(100'000);
  core_->server.set_keep_alive_timeout(1);  // so long it takes to end, too
}

HttpServer::~HttpServer() = default;

void HttpServer::on_get(const std::string& path, HttpHandler handler) {
  core_->server.Get(path, Core::handler_of(std::move(handler)));
}

void HttpServer::on_post(const std::string& path, HttpHandler handler) {
  core_->server.Post(path, Core::handler_of(std::move(handler)));
}

Expected<int> HttpServer::bind(int port) {
  // A port of another program is refused, so that the address is of this one.
  core_->server.set_socket_options([](int socket) {
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  errno = 0;
  const int bound = port == 0 ? core_->server.bind_to_any_port("127.0.0.1")
                    : core_->server.bind_to_port("127.0.0.1", port) ? port
                                                                    : -1;
  if (bound > 0) return bound;
  return failure(fmt::format("port {} cannot be used: {}", port, std::strerror(errno)), {}, 0,
                 "choose another by --port, or leave it out");
}

void HttpServer::serve(const RequestGate& gate) {
  core_->server.set_pre_routing_handler(
      [&gate](const httplib::Request& request, httplib::Response& response) {
        const std::string host = request.get_header_value("Host");
        const std::string origin = request.get_header_value("Origin");
        const std::string token = token_of(request);
        const std::string refusal = gate.refusal({host, origin, token});
        if (refusal.empty()) return httplib::Server::HandlerResponse::Unhandled;
        response.status = 403;
        response.set_content("Refused: " + refusal + ".\n", "text/plain");
        return httplib::Server::HandlerResponse::Handled;
      });
  core_->server.listen_after_bind();
}

void HttpServer::stop() { core_->server.stop(); }

}  // namespace lightcone::cli
