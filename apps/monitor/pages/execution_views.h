// Shows executions on the page of `lightcone view`.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "serve/web_server.h"

namespace lightcone::service {

struct ViewSources {
  std::string folder = {};      ///< of kept executions, and of the lines of open ones
  std::string properties = {};  ///< the text that the page begins with
  /// Writes what is known of an open execution, by the name of its files.
  std::function<void(const std::string& name)> write_open = {};
};

/// Answers `/view/kept/NAME/...` and `/view/open/NAME/...`. The last few executions that were
/// looked at stay in memory. Safe to use from several threads.
class ExecutionViews {
 public:
  explicit ExecutionViews(ViewSources sources);
  ExecutionViews(const ExecutionViews&) = delete;
  ExecutionViews& operator=(const ExecutionViews&) = delete;
  ~ExecutionViews();

  /// Returns whether the program was built with the page.
  [[nodiscard]] static bool has_page();
  /// `path` is what stands after the name.
  [[nodiscard]] WebAnswer answer(const std::string& kind, const std::string& name,
                                 const std::string& path, const WebRequest& request);

 private:
  class View;
  [[nodiscard]] Expected<std::shared_ptr<View>> view_of(const std::string& kind,
                                                        const std::string& name);

  ViewSources sources_;
  std::mutex mutex_;
  std::list<std::shared_ptr<View>> views_;  // the last used one first
};

}  // namespace lightcone::service
