// `lightcone monitor`: starts the program that watches others while they run.
#include <CLI/CLI.hpp>

#include "commands/monitor_program.h"
#include "program.h"

namespace lightcone::cli {
namespace {

void define_monitor(CLI::App& app, Status& status) {
  app.prefix_command();
  app.callback([&app, &status] { status = become_monitor(app.remaining()); });
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
