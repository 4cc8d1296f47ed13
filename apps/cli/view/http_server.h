// A server on 127.0.0.1 for one page; what it needs of the HTTP library is in its source alone.
#pragma once

#include <lightcone/error.h>

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "view/request_gate.h"

namespace lightcone::cli {

/// What the page asks.
struct HttpRequest {
  std::map<std::string, std::string, std::less<>> parameters;
  std::string body;

  /// The parameter of this name; empty if there is none.
  [[nodiscard]] const std::string& operator[](std::string_view name) const;
};

/// What it gets.
struct HttpAnswer {
  int status = 200;
  std::string type = "application/json";
  std::string body;
};

using HttpHandler = std::function<HttpAnswer(const HttpRequest&)>;

/// Answers requests in several threads.
class HttpServer {
 public:
  HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer();

  void on_get(const std::string& path, HttpHandler handler);
  void on_post(const std::string& path, HttpHandler handler);
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
