// Says what each option means.
#include "monitor_options.h"

#include <fmt/format.h>
#include <lightcone/base/file.h>
#include <CLI/CLI.hpp>

#include "nats/partition_names.h"
#include "serve/access.h"

namespace lightcone::service {

void MonitorArguments::define(CLI::App& app) {
  app.add_option("PROPS", properties, "property files")->required()->type_name("FILE");
  app.add_option("--listen", listen,
                 "take JSON Lines over TCP at this address; if nothing is listened at, standard "
                 "input is read")
      ->type_name("ADDR");
  app.add_option("--grpc", grpc, "take event streams over gRPC at this address")->type_name("ADDR");
  app.add_option("--otlp", otlp,
                 "take spans at this address: over gRPC on its port (4317), over HTTP on the next")
      ->type_name("ADDR");
  app.add_option("--http", http,
                 "serve /metrics, /healthz and /status, show executions in a browser, and take "
                 "snapshots, at this address")
      ->type_name("ADDR");
  app.add_option("--state", state,
                 "store what is accepted in this folder before it is acknowledged; a monitor that "
                 "is started again with it goes on where it was")
      ->type_name("DIR");
  app.add_option("--nats", nats,
                 "share a stream of NATS JetStream with other monitors: what is accepted is stored "
                 "there, and each monitor decides a part of it")
      ->type_name("URL");
  app.add_option("--nats-name", nats_name, "what the names of its streams and subjects begin with")
      ->type_name("NAME");
  app.add_option("--partitions", partitions,
                 "of how many parts the stream is; the first monitor says it (16)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024).description(""));
  app.add_option("--takeover", takeover,
                 "take over what a monitor decided that was not heard of for so long")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.2, 3600.0).description(""));
  app.add_option("--output", output, "append the verdicts to this file as JSON Lines")
      ->type_name("FILE");
  app.add_option("--post", post, "send verdicts to this URL, too")->type_name("URL");
  app.add_option("--keep", keep, "keep failing executions as traces in this folder")
      ->type_name("DIR");
  app.add_option("--keep-megabytes", keep_megabytes, "how much room they may take")
      ->type_name("N")
      ->check(CLI::Range(0.0, 1e9).description(""));
  app.add_option("--quiet", quiet,
                 "an execution ends when it has been quiet for so long; without it, a trace of "
                 "spans after 5 seconds, others when their end is told")
      ->type_name("SECONDS")
      ->check(CLI::NonNegativeNumber.description(""));
  app.add_option("--silent", silent,
                 "name a process that others wait for when it has been silent for so long")
      ->type_name("SECONDS")
      ->check(CLI::NonNegativeNumber.description(""));
  app.add_option("--execution", execution, "the execution of lines that name none")
      ->type_name("NAME");
  app.add_flag("--json", json, "print verdicts as JSON Lines");
  app.add_option("--tokens", tokens, "a file with a line `TOKEN CLIENT` for each client")
      ->type_name("FILE");
  app.add_option("--tls-certificate", certificate, "the certificate of this monitor, as PEM")
      ->type_name("FILE");
  app.add_option("--tls-key", key, "its key, as PEM")->type_name("FILE");
  app.add_flag("--insecure", insecure, "listen at addresses that others reach without TLS");
  app.add_option("--clients", clients, "how many clients may be connected")->type_name("N");
  app.add_option("--executions", executions, "how many executions may be open")->type_name("N");
  app.add_option("--processes", processes, "how many processes an execution may have")
      ->type_name("N");
  app.add_option("--longest-line", longest_line, "how many bytes a line may have")
      ->type_name("BYTES");
  app.add_option("--rate", rate, "how many bytes a client may send per second; 0: no limit")
      ->type_name("BYTES");
  app.add_option("--waiting", waiting,
                 "how many events of an execution may wait for messages before it is given up")
      ->type_name("N");
  app.add_option("--limit-states", limit_states,
                 "how many global states to visit for a property at the end of an execution before "
                 "it is unknown")
      ->type_name("N");
  app.add_option("--limit-memory", limit_memory, "how many megabytes such a decision may take")
      ->type_name("N")
      ->check(CLI::Range(1.0, 1e9).description(""));
  app.add_option("--memory", memory,
                 "how many megabytes all open executions may take together before the largest is "
                 "given up")
      ->type_name("N")
      ->check(CLI::Range(1.0, 1e9).description(""));
}

Expected<void> MonitorArguments::check() const {
  if (nats.empty()) return {};
  if (!state.empty()) {
    return failure("--nats and --state do not go together", {}, 0, "the stream is the state");
  }
  if (!output.empty()) {
    return failure("--nats and --output do not go together", {}, 0,
                   "verdicts are in the stream; --json prints those of this monitor");
  }
  if (!is_group_name(nats_name)) {
    return failure(fmt::format("`{}` is not a name for --nats-name", nats_name), {}, 0,
                   "use letters, digits, `-` and `_`");
  }
  return check_server(nats, insecure);
}

Expected<PropertyTexts> read_property_files(const std::vector<std::string>& paths) {
  std::string texts;
  for (const std::string& path : paths) {
    auto file = InputFile::open(path);
    if (!file) return failure(file.error());
    const auto text = file->read_all();
    if (!text) return failure(text.error());
    // Errors of a file name it and its lines.
    if (const auto alone = parse_properties(*text, path); !alone) return failure(alone.error());
    texts += *text + '\n';
  }
  auto all = parse_properties(
      texts, paths.size() == 1 ? paths.front() : fmt::format("{}", fmt::join(paths, ", ")));
  if (!all) return failure(all.error());
  if (all->size() == 0) return failure("there is no property", paths.front());
  return PropertyTexts{std::move(*all), std::move(texts)};
}

}  // namespace lightcone::service
