// Which request of the page is answered by whom, whatever server passes it on.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace lightcone::cli {

/// What the page asks.
struct HttpRequest {
  std::map<std::string, std::string, std::less<>> parameters;
  std::string body;

  /// The parameter of this name; empty if there is none.
  [[nodiscard]] const std::string& operator[](std::string_view name) const {
    static const std::string nothing;
    const auto found = parameters.find(name);
    return found == parameters.end() ? nothing : found->second;
  }
};

/// What it gets.
struct HttpAnswer {
  int status = 200;
  std::string type = "application/json";
  std::string body;
};

using HttpHandler = std::function<HttpAnswer(const HttpRequest&)>;

/// Paths, and who answers them.
class HttpRoutes {
 public:
  HttpRoutes() = default;
  HttpRoutes(const HttpRoutes&) = delete;
  HttpRoutes& operator=(const HttpRoutes&) = delete;
  virtual ~HttpRoutes() = default;

  virtual void on_get(const std::string& path, HttpHandler handler) = 0;
  virtual void on_post(const std::string& path, HttpHandler handler) = 0;
};

}  // namespace lightcone::cli
