// Answers browsers, and no page of another site.
#include "pages/monitor_pages.h"

#include "pages/list_page.h"

namespace lightcone::service {
namespace {

/// Returns whether a page of another site asks, by its own name or by that of this server.
[[nodiscard]] bool is_foreign(const WebRequest& request, const ListenAddress& address) {
  const std::string& origin = request.origin;
  const bool is_same = origin == "http://" + request.host || origin == "https://" + request.host;
  if (!origin.empty() && !is_same) return true;
  const auto asked = address_of(request.host, 0);
  return address.is_loopback() && (!asked || !asked->is_loopback());
}

[[nodiscard]] WebHandler guarded(const WebServer& server, WebHandler handler) {
  return [&server, handler = std::move(handler)](const WebRequest& request) {
    if (is_foreign(request, server.address())) {
      return WebAnswer{403, "text/plain", "Refused: another page asks.\n"};
    }
    return handler(request);
  };
}

}  // namespace

MonitorPages::MonitorPages(PageSources sources)
    : sources_(std::move(sources)),
      views_({sources_.folder, sources_.properties, sources_.write_open}) {}

WebAnswer MonitorPages::list_answer() const {
  auto open = sources_.open ? sources_.open() : std::vector<OpenExecutionSummary>();
  return {200, "application/json", execution_list(open, sources_.folder).dump() + "\n"};
}

void MonitorPages::add_to(WebServer& server) {
  const auto view = guarded(server, [this](const WebRequest& request) {
    const auto& parts = request.matches;
    return views_.answer(parts[0], parts[1], parts[2], request);
  });
  const std::string path = "/view/([^/]+)/([^/]+)/(.*)";
  server.on_get("/", guarded(server, [](const WebRequest&) {
                  return WebAnswer{200, "text/html; charset=utf-8", std::string(list_page())};
                }));
  server.on_get("/executions",
                guarded(server, [this](const WebRequest&) { return list_answer(); }));
  server.on_get(path, view);
  server.on_post(path, view);
}

}  // namespace lightcone::service
