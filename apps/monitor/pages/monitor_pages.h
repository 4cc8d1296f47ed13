// What a browser gets of the monitor: the list of executions, and the page of each of them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "pages/execution_list.h"
#include "pages/execution_views.h"
#include "serve/web_server.h"

namespace lightcone::service {

/// What there is to show.
struct PageSources {
  std::string folder = {};      ///< of kept executions; empty: none are kept
  std::string properties = {};  ///< their text
  std::function<std::vector<OpenExecutionSummary>()> open = {};
  std::function<void(const std::string& name)> write_open = {};
};

/// It must outlive the server.
class MonitorPages {
 public:
  explicit MonitorPages(PageSources sources);
  void add_to(WebServer& server);

 private:
  [[nodiscard]] WebAnswer list_answer() const;

  PageSources sources_;
  ExecutionViews views_;
};

}  // namespace lightcone::service
