// Metrics, health and status over HTTP; what it needs of the HTTP library is in its source alone.
#pragma once

#include <lightcone/error.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "serve/access.h"
#include "serve/slow_clients.h"

namespace lightcone::service {

/// What a client asks, and what it gets.
struct WebRequest {
  std::string client = "anyone";
  std::string method = "GET";
  std::vector<std::string> matches = {};  ///< of the groups in the path
  std::map<std::string, std::string, std::less<>> parameters = {};
  std::string host = {}, origin = {};  ///< the headers
  std::string type = {};               ///< of the body
  std::string body = {};
};
struct WebAnswer {
  int status = 200;
  std::string type = "application/json";
  std::string body = {};
};
using WebHandler = std::function<WebAnswer(const WebRequest&)>;

struct WebServerOptions {
  ListenAddress address = {};
  Tokens tokens = {};
  TlsFiles tls = {};
  std::size_t largest_body = 16 << 20;
  ClientPatience patience = {};
};

/// Answers requests in several threads, from `start` until it is gone. A request needs a token, if
/// there are any: `Authorization: Bearer TOKEN`, and from a browser `X-Lightcone-Token: TOKEN` or
/// the parameter `token`. `/healthz` needs none. Paths are regular expressions.
class WebServer {
 public:
  explicit WebServer(WebServerOptions options);
  WebServer(const WebServer&) = delete;
  WebServer& operator=(const WebServer&) = delete;
  ~WebServer();

  void on_get(const std::string& path, WebHandler handler);
  void on_post(const std::string& path, WebHandler handler);
  [[nodiscard]] Expected<void> start();
  [[nodiscard]] const ListenAddress& address() const;

 private:
  class Core;
  std::unique_ptr<Core> core_;
};

/// Text that is sent to a URL (`http://HOST:PORT/PATH`, or https).
struct WebPost {
  std::string url = {}, text = {}, type = "application/json";
  std::string token = {};        ///< empty: none is sent
  std::string authorities = {};  ///< a file of certificates that are trusted; empty: the system's
  std::chrono::seconds patience{10};
};
/// Returns the answer, or why there is none.
[[nodiscard]] Expected<WebAnswer> post(const WebPost& what);

}  // namespace lightcone::service
