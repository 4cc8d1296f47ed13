// `lightcone snapshot`: asks a running program for a snapshot, through its monitor.
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "commands/monitor_program.h"
#include "program.h"

namespace lightcone::cli {
namespace {

struct SnapshotArguments {
  std::string address, execution, token, authorities;
  double patience = 5;
  bool json = false, insecure = false;

  /// For the program that does it.
  [[nodiscard]] std::vector<std::string> words() const {
    std::vector<std::string> words = {"snapshot", address, "--patience",
                                      fmt::format("{}", patience)};
    const auto add = [&](const char* option, const std::string& value) {
      if (!value.empty()) words.insert(words.end(), {option, value});
    };
    add("--execution", execution);
    add("--token", token);
    add("--tls-authorities", authorities);
    if (json) words.emplace_back("--json");
    if (insecure) words.emplace_back("--insecure");
    return words;
  }
};

void define_snapshot(CLI::App& app, Status& status) {
  auto arguments = std::make_shared<SnapshotArguments>();
  app.add_option(
         "ADDR", arguments->address,
         "the address of the monitor, as its option --http says; https://HOST:PORT where it "
         "has a certificate")
      ->required()
      ->type_name("ADDR");
  app.add_option("--execution", arguments->execution,
                 "which execution; without it, the only one that is open")
      ->type_name("NAME");
  app.add_option("--patience", arguments->patience, "how long to wait for all processes")
      ->type_name("SECONDS")
      ->capture_default_str()
      ->check(CLI::Range(0.1, 60.0).description(""));
  app.add_option("--token", arguments->token, "a file with the token that the monitor asks for")
      ->type_name("FILE");
  app.add_option("--tls-authorities", arguments->authorities,
                 "trust the certificates in this file, as PEM; without it, those of the system")
      ->type_name("FILE");
  app.add_flag("--insecure", arguments->insecure, "ask another machine without TLS");
  app.add_flag("--json", arguments->json, "print one JSON document");
  app.callback([arguments, &status] { status = become_monitor(arguments->words()); });
}

}  // namespace

Command snapshot_command() {
  return {
      "snapshot",
      "take a consistent snapshot of a running program",
      "Asks a monitor for a snapshot of a program whose processes report to it "
      "(ProcessOptions::report_to). The program is not stopped. Prints the state of each "
      "process and the messages in transit, at one consistent cut, and says whether the program "
      "has terminated and which processes are deadlocked.\n\n"
      "What is not known is said to be unknown: if a process does not answer, or does not tell "
      "whether it waits (ProcessOptions::waits_for).\n\n"
      "The package lightcone-monitor does the work, and `make monitor` builds it.",
      {{"lightcone snapshot 127.0.0.1:9464", "of the only execution"},
       {"lightcone snapshot 127.0.0.1:9464 --execution shop --json", "as a JSON document"},
       {"lightcone snapshot https://monitor:9464 --token token.txt --patience 20",
        "over TLS, and with more patience"}},
      define_snapshot};
}

}  // namespace lightcone::cli
