// `lightcone view`: shows a trace in a browser.
#include <CLI/CLI.hpp>
#include <memory>

#include "options/help.h"
#include "options/trace_arguments.h"
#include "program.h"
#include "view/view_server.h"

namespace lightcone::cli {
namespace {

[[nodiscard]] Status view(const ViewOptions& options) {
  if (const auto present = viewer_present(); !present) return report(present.error());
  auto reading = read_with_notes(options.trace);
  if (!reading) return report(reading.error());
  const auto done = options.exported.empty() ? serve_view(options, std::move(*reading))
                                             : export_view(options, std::move(*reading));
  return done ? Status::ok : report(done.error());
}

void define_view(CLI::App& app, Status& status) {
  auto options = std::make_shared<ViewOptions>();
  options->trace.define(app);
  app.add_option("--props", options->properties, "a property file to check and to edit")
      ->type_name("FILE");
  app.add_option("--second", options->second, "another run to show beside it, with what differs")
      ->type_name("TRACE");
  app.add_option("--export", options->exported,
                 "write the page with the trace into one file, which needs no server and no "
                 "network; up to 200,000 events")
      ->type_name("FILE");
  app.add_option("--port", options->port, "serve on this port; without it, on any that is free")
      ->type_name("N")
      ->check(whole_number(1, 65535));
  app.add_flag("--no-open", options->no_open, "do not open a browser");
  app.callback([options, &status] {
    options->trace.is_one_of_two = !options->second.empty();
    status = view(*options);
  });
}

}  // namespace

Command view_command() {
  return {"view",
          "show a trace in a browser",
          "Serves a page on 127.0.0.1 and prints its address. The page shows the processes of the "
          "trace as lines, with their events and messages, at any zoom: far out as density, close "
          "up one by one. It shows the causes and effects of an event, global states that can be "
          "dragged, properties with their witnesses, races, and search.\n\n"
          "The address has a secret token. Requests without it are refused, and so are those of "
          "other pages. A trace that is still being written is read again when it grows. Ctrl-C "
          "ends the program.",
          {{"lightcone view run.jsonl", "look at a trace"},
           {"lightcone view --props rules.prop lightcone.rec", "with properties, of a recording"},
           {"lightcone view --second bad.jsonl good.jsonl", "where two runs part"},
           {"lightcone view --export run.html run.jsonl", "write a page to send to someone"},
           {"lightcone view --no-open --port 8080 run.lct",
            "serve only; from another machine, forward the port with ssh -L"}},
          define_view};
}

}  // namespace lightcone::cli
