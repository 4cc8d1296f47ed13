// Metrics, health and status over HTTP; what it needs of the HTTP library is in its source alone.
#pragma once

#include <lightcone/error.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "serve/access.h"

namespace lightcone::service {

/// What a client asks, and what it gets.
struct WebRequest {
  std::string client = "anyone";
  std::string type = {};  ///< of the body
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
};

/// Answers requests in several threads, from `start` until it is gone. A request needs a token, if
/// there are any: `Authorization: Bearer TOKEN`. `/healthz` needs none.
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

/// Sends text to a URL (`http://HOST:PORT/PATH`, or https). Returns the status, or why there is
/// none.
[[nodiscard]] Expected<int> post(const std::string& url, const std::string& text,
                                 const std::string& type);

}  // namespace lightcone::service
