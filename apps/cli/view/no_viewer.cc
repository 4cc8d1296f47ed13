// Stands for the page and its server in a program that was built without them.
#include "view/view_server.h"

namespace lightcone::cli {
namespace {

[[nodiscard]] Error no_page() {
  return {"this program was built without the page",
          {},
          0,
          "`make build` builds it with the page, for which it installs nodejs and npm"};
}

}  // namespace

Expected<void> viewer_present() { return failure(no_page()); }

Expected<void> serve_view(const ViewOptions&, Reading) { return failure(no_page()); }

Expected<void> export_view(const ViewOptions&, Reading) { return failure(no_page()); }

}  // namespace lightcone::cli
