// In place of the views, if the program is built without the page.
#include "pages/execution_views.h"

namespace lightcone::service {

ExecutionViews::ExecutionViews(ViewSources sources) : sources_(std::move(sources)) {}
ExecutionViews::~ExecutionViews() = default;

bool ExecutionViews::has_page() { return false; }

WebAnswer ExecutionViews::answer(const std::string&, const std::string&, const std::string&,
                                 const WebRequest&) {
  return {404, "text/plain", "this monitor was built without the page; use lightcone view\n"};
}

}  // namespace lightcone::service
