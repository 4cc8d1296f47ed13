// Waits for a signal while other threads answer, and looks whether the trace has grown.
#include "view/view_server.h"

#include <fmt/format.h>
#include <lightcone/base/file.h>
#include <signal.h>
#include <spawn.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "view/http_server.h"
#include "view/request_gate.h"
#include "view/view_routes.h"
#include "view/viewed_trace.h"

extern char** environ;

namespace lightcone::cli {
namespace {

constexpr long looks_per_second = 2;

/// Opens the address if there is a desktop. If that fails, the user has the address.
void open_browser(const std::string& address) {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
  std::string program = "xdg-open", argument = address;
  std::array<char*, 3> words{program.data(), argument.data(), nullptr};
  pid_t process = 0;
  static_cast<void>(
      ::posix_spawnp(&process, program.c_str(), nullptr, nullptr, words.data(), environ));
}

/// SIGINT and SIGTERM, blocked in this thread and those that it starts.
class EndSignals {
 public:
  EndSignals() {
    ::sigemptyset(&signals_);
    ::sigaddset(&signals_, SIGINT);
    ::sigaddset(&signals_, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &signals_, &before_);
  }
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;
  ~EndSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  /// Waits for some time. Returns whether one of them came.
  [[nodiscard]] bool wait() const {
    const timespec time{0, 1'000'000'000 / looks_per_second};
    return ::sigtimedwait(&signals_, nullptr, &time) > 0;
  }

 private:
  sigset_t signals_{}, before_{};
};

}  // namespace

Expected<void> viewer_present() { return {}; }

Expected<std::string> property_text(const ViewOptions& options) {
  if (options.properties.empty()) return std::string();
  auto file = InputFile::open(options.properties);
  if (!file) return failure(file.error());
  return file->read_all();
}

TraceArguments second_arguments(const ViewOptions& options) {
  TraceArguments arguments = options.trace;
  arguments.path = options.second;
  return arguments;
}

Expected<Reading> read_second(const ViewOptions& options) {
  return read_with_notes(second_arguments(options));
}

Expected<void> serve_view(const ViewOptions& options, Reading reading) {
  auto properties = property_text(options);
  if (!properties) return failure(properties.error());
  ViewedTrace trace(options.trace, std::move(reading));
  std::optional<ViewedTrace> second;
  if (!options.second.empty()) {
    auto other = read_second(options);
    if (!other) return failure(other.error());
    second.emplace(second_arguments(options), std::move(*other));
  }
  ViewRoutes routes(trace, second ? &*second : nullptr, std::move(*properties),
                    std::filesystem::path(options.properties).filename().string());
  HttpServer server;
  routes.add_to(server);
  const auto port = server.bind(options.port);
  if (!port) return failure(port.error());
  const RequestGate gate(*port);
  const EndSignals signals;
  std::thread answering([&] { server.serve(gate); });
  fmt::print("{}\n", gate.address());
  std::fflush(stdout);
  if (!options.no_open) open_browser(gate.address());
  while (!signals.wait()) {
    trace.look_again();
    if (second) second->look_again();
  }
  server.stop();
  answering.join();
  return {};
}

}  // namespace lightcone::cli
