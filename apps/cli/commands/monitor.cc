// `lightcone monitor`: starts the program that watches others while they run.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "program.h"

namespace lightcone::cli {
namespace {

constexpr const char* monitor_name = "lightcone-monitor";

/// Gives way to the monitor: it is a program of its own, since it needs more libraries.
[[nodiscard]] Status start_monitor(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  std::vector<std::string> kept = words;
  kept.insert(kept.begin(), monitor_name);
  for (std::string& word : kept) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::error_code error;
  const auto here = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  if (!error) ::execv((here / monitor_name).c_str(), arguments.data());
  ::execvp(monitor_name, arguments.data());
  if (errno != ENOENT) {
    return report({std::string("cannot be started: ") + std::strerror(errno), monitor_name, 0, {}});
  }
  return report({"the monitor is not installed",
                 {},
                 0,
                 "install the package lightcone-monitor, or build it by `make monitor`"});
}

void define_monitor(CLI::App& app, Status& status) {
  app.prefix_command();
  app.callback([&app, &status] { status = start_monitor(app.remaining()); });
}

}  // namespace

Command monitor_command() {
  return {"monitor",
          "decide properties while programs run",
          "Starts lightcone-monitor, a program of its own. PROPS are property files. It is fed "
          "while programs run, and tells each verdict as soon as it is certain. Without an "
          "address it reads JSON Lines from standard input; with --listen ADDR it takes them over "
          "TCP. With --state DIR it stores what it accepts, and goes on after a crash with nothing "
          "lost and nothing told twice. With --http ADDR it serves metrics for Prometheus. With "
          "--nats URL any number of monitors share a stream of NATS JetStream.\n\n"
          "`lightcone-monitor --help` lists all options. The package lightcone-monitor has it, and "
          "`make monitor` builds it.",
          {{"lightcone monitor rules.prop < events.jsonl", "decide what comes on standard input"},
           {"lightcone monitor rules.prop --listen 127.0.0.1:4316 --http 127.0.0.1:9464 --json",
            "listen for events, serve metrics"},
           {"lightcone monitor rules.prop --listen 4316 --state /var/lib/lightcone",
            "store what is accepted"}},
          define_monitor};
}

}  // namespace lightcone::cli
