// A server on 127.0.0.1 for one page; what it needs of the HTTP library is in its source alone.
#pragma once

#include <lightcone/error.h>

#include <array>
#include <memory>
#include <string>
#include <utility>

#include "view/http_routes.h"
#include "view/request_gate.h"

namespace lightcone::cli {

/// The headers of all that is sent. A page runs its own script and asks its own server; nothing
/// else. No other site shows it.
inline constexpr std::array<std::pair<const char*, const char*>, 5> page_headers = {{
    {"Cache-Control", "no-store"},
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
     "img-src data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
     "frame-ancestors 'none'"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Referrer-Policy", "no-referrer"},
    {"X-Content-Type-Options", "nosniff"},
}};

/// Answers requests in several threads.
class HttpServer final : public HttpRoutes {
 public:
  HttpServer();
  ~HttpServer() override;

  void on_get(const std::string& path, HttpHandler handler) override;
  void on_post(const std::string& path, HttpHandler handler) override;
  /// Takes a port of 127.0.0.1; 0: any that is free. Returns which.
  [[nodiscard]] Expected<int> bind(int port);
  /// Answers until `stop` is called, from another thread. The gate must outlive this.
  void serve(const RequestGate& gate);
  void stop();

 private:
  class Core;
  std::unique_ptr<Core> core_;
};

}  // namespace lightcone::cli
