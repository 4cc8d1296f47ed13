// Reads executions as `lightcone view` does, and lets its answers answer.
#include "pages/execution_views.h"

#include <lightcone/trace.h>

#include <chrono>
#include <map>

#include "pages/execution_list.h"
#include "view/view_routes.h"
#include "view/viewed_trace.h"

namespace lightcone::service {
namespace {

constexpr std::size_t most_views = 4;
constexpr std::chrono::milliseconds between_looks{500};

/// Handlers by method and path.
class RouteTable final : public cli::HttpRoutes {
 public:
  void on_get(const std::string& path, cli::HttpHandler handler) override {
    handlers_["GET " + path] = std::move(handler);
  }
  void on_post(const std::string& path, cli::HttpHandler handler) override {
    handlers_["POST " + path] = std::move(handler);
  }
  [[nodiscard]] const cli::HttpHandler* find(const std::string& what) const {
    const auto found = handlers_.find(what);
    return found == handlers_.end() ? nullptr : &found->second;
  }

 private:
  std::map<std::string, cli::HttpHandler> handlers_;
};

}  // namespace

/// One execution that is looked at.
class ExecutionViews::View {
 public:
  View(std::string key, const std::string& name, cli::TraceArguments arguments, Reading reading,
       const std::string& properties)
      : key_(std::move(key)),
        trace_(std::move(arguments), std::move(reading), execution_named(name)),
        routes_(trace_, nullptr, properties, properties.empty() ? "" : "the monitor's") {
    routes_.add_to(table_);
  }

  [[nodiscard]] const std::string& key() const { return key_; }
  /// Reads it again if it has grown, now and then.
  void look_again(const std::function<void()>& write) {
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    if (now - looked_ < between_looks) return;
    write();
    trace_.look_again();
    looked_ = std::chrono::steady_clock::now();
  }
  [[nodiscard]] WebAnswer answer(const std::string& path, const WebRequest& request) const {
    const auto* const handler = table_.find(request.method + " /" + path);
    if (handler == nullptr) return {404, "text/plain", "there is no such page\n"};
    cli::HttpAnswer answer = (*handler)({request.parameters, request.body});
    return {answer.status, std::move(answer.type), std::move(answer.body)};
  }

 private:
  std::string key_;
  std::mutex mutex_;  // of looking again
  std::chrono::steady_clock::time_point looked_ = std::chrono::steady_clock::now();
  cli::ViewedTrace trace_;
  cli::ViewRoutes routes_;
  RouteTable table_;
};

ExecutionViews::ExecutionViews(ViewSources sources) : sources_(std::move(sources)) {}
ExecutionViews::~ExecutionViews() = default;

bool ExecutionViews::has_page() { return true; }

Expected<std::shared_ptr<ExecutionViews::View>> ExecutionViews::view_of(const std::string& kind,
                                                                        const std::string& name) {
  const std::lock_guard lock(mutex_);
  const std::string key = kind + '/' + name;
  for (auto at = views_.begin(); at != views_.end(); ++at) {
    if ((*at)->key() != key) continue;
    views_.splice(views_.begin(), views_, at);
    return views_.front();
  }
  cli::TraceArguments arguments;
  const bool is_open = kind == "open";
  arguments.path = sources_.folder + '/' + name + (is_open ? ".part" : ".lct");
  arguments.from = is_open ? "jsonl" : "lct";
  if (is_open && sources_.write_open) sources_.write_open(name);
  const Format format = is_open ? Format::jsonl : Format::lct;
  auto reading = read_trace(arguments.path, format, {});
  // Of an open execution, messages may be received that were not sent yet, as far as lines say.
  if (!reading && is_open) reading = read_trace(arguments.path, format, {.cut_off = true});
  if (!reading) return failure(reading.error());
  views_.push_front(std::make_shared<View>(key, name, std::move(arguments), std::move(*reading),
                                           sources_.properties));
  if (views_.size() > most_views) views_.pop_back();
  return views_.front();
}

WebAnswer ExecutionViews::answer(const std::string& kind, const std::string& name,
                                 const std::string& path, const WebRequest& request) {
  const bool is_known = (kind == "kept" || kind == "open") && is_kept_name(name);
  if (!is_known || sources_.folder.empty()) {
    return {404, "text/plain", "there is no such execution\n"};
  }
  const auto view = view_of(kind, name);
  if (!view) return {404, "text/plain", view.error().text() + "\n"};
  if (kind == "open" && path == "api/version") {
    (*view)->look_again([&] {
      if (sources_.write_open) sources_.write_open(name);
    });
  }
  return (*view)->answer(path, request);
}

}  // namespace lightcone::service
