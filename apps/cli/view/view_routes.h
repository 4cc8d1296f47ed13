// Which request of the page gets which answer.
#pragma once

#include <string>

#include "view/http_routes.h"
#include "view/property_answers.h"
#include "view/viewed_trace.h"

namespace lightcone::cli {

/// The answers about one trace, and about a second one to compare with. It must outlive who passes
/// requests on.
class ViewRoutes {
 public:
  /// `second` may be null. `properties` is the text that the editor begins with; `file` is its
  /// name, empty for none.
  ViewRoutes(ViewedTrace& trace, ViewedTrace* second, std::string properties, std::string file);

  void add_to(HttpRoutes& server);

 private:
  /// The trace that a request asks about: the second one if its parameter `run` is 2.
  [[nodiscard]] const ViewedTrace& asked(const HttpRequest& request) const;
  [[nodiscard]] HttpAnswer trace_answer(const HttpRequest& request) const;
  [[nodiscard]] HttpAnswer comparison_answer() const;
  [[nodiscard]] HttpAnswer tile_answer(const HttpRequest& request) const;
  [[nodiscard]] HttpAnswer positions_answer(const HttpRequest& request) const;
  [[nodiscard]] HttpAnswer nearest_answer(const HttpRequest& request) const;
  [[nodiscard]] HttpAnswer version_answer() const;
  [[nodiscard]] HttpAnswer event_answer(const HttpRequest& request) const;
  [[nodiscard]] HttpAnswer search_answer(const HttpRequest& request) const;
  [[nodiscard]] HttpAnswer cut_answer(const HttpRequest& request) const;
  [[nodiscard]] HttpAnswer check_answer(const HttpRequest& request);
  [[nodiscard]] HttpAnswer witness_answer(const HttpRequest& request) const;

  ViewedTrace& trace_;
  ViewedTrace* second_;
  std::string properties_, file_;
  PropertyAnswers checks_;
};

}  // namespace lightcone::cli
