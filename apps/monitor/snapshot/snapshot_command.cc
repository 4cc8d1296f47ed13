// Asks a monitor over HTTP, and prints what it answers.
#include "snapshot/snapshot_command.h"

#include <fmt/format.h>
#include <lightcone/base/file.h>
#include <lightcone/base/json.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <sstream>

#include "serve/access.h"
#include "serve/web_server.h"
#include "snapshot/snapshot_text.h"

namespace lightcone::service {
namespace {

enum SnapshotStatus : int { well = 0, deadlock_found = 1, bad_question = 2, not_known = 3 };

struct SnapshotWords {
  std::string address, execution, token, authorities;
  double patience = 5;
  bool json = false, insecure = false;

  void define(CLI::App& app) {
    app.add_option("ADDR", address, "the address of the monitor, as its option --http says")
        ->required();
    app.add_option("--execution", execution, "which execution; without it, the only open one");
    app.add_option("--patience", patience, "how many seconds to wait for all processes")
        ->check(CLI::Range(0.1, 60.0));
    app.add_option("--token", token, "a file with the token that the monitor asks for");
    app.add_option("--tls-authorities", authorities, "trust the certificates in this file");
    app.add_flag("--insecure", insecure, "ask another machine without TLS");
    app.add_flag("--json", json, "print one JSON document");
  }
};

[[nodiscard]] int complain(const std::string& why) {
  fmt::print(stderr, "lightcone: {}\n", why);
  return bad_question;
}

/// What is sent to another machine must be protected.
[[nodiscard]] Expected<std::string> url_of(const SnapshotWords& words) {
  constexpr std::string_view safe = "https://", plain = "http://";
  const std::string& address = words.address;
  if (address.starts_with(safe)) return address;
  const auto where =
      address_of(address.starts_with(plain) ? address.substr(plain.size()) : address, 9464);
  if (!where) return failure(where.error());
  if (!where->is_loopback() && !words.insecure) {
    return failure(fmt::format("{} is on another machine, and nothing protects what is sent there",
                               where->text()),
                   {}, 0, "write https://HOST:PORT, or say --insecure if the network is safe");
  }
  return std::string(plain) + where->text();
}

[[nodiscard]] Expected<std::string> token_in(const std::string& path) {
  if (path.empty()) return std::string();
  auto file = InputFile::open_regular(path);
  if (!file) return failure(file.error());
  const auto text = file->read_all();
  if (!text) return failure(text.error());
  std::istringstream words(*text);
  std::string token;
  if (!(words >> token)) return failure("holds no token", path);
  return token;
}

[[nodiscard]] int status_of(const Json& document) {
  std::string terminated, deadlock;
  if (!document.read("terminated", terminated) || !document.read("deadlock", deadlock)) {
    return complain("the monitor answers something else than a snapshot");
  }
  if (deadlock == "yes") return deadlock_found;
  return terminated == "unknown" || deadlock == "unknown" ? not_known : well;
}

[[nodiscard]] int ask(const SnapshotWords& words) {
  const auto url = url_of(words);
  if (!url) return complain(url.error().text());
  const auto token = token_in(words.token);
  if (!token) return complain(token.error().text());
  Json question{{"milliseconds", static_cast<std::uint64_t>(words.patience * 1000)}};
  if (!words.execution.empty()) question["execution"] = words.execution;
  const auto answer =
      post({.url = *url + "/snapshot",
            .text = question.dump(),
            .token = *token,
            .authorities = words.authorities,
            .patience = std::chrono::seconds(static_cast<int>(words.patience) + 15)});
  if (!answer) return complain("the monitor does not answer: " + answer.error().text());
  const auto document = Json::parse(answer->body);
  if (answer->status != 200 || !document) {
    return complain(answer->body.substr(0, answer->body.find('\n')));
  }
  const int status = status_of(*document);
  if (status == bad_question) return status;
  const std::string text = words.json ? answer->body : snapshot_text(*document);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return std::fflush(stdout) == 0 ? status : complain("standard output cannot be written");
}

}  // namespace

int run_snapshot(const std::vector<std::string>& words) {
  CLI::App app("Takes a consistent snapshot of a program whose processes report to a monitor.",
               "lightcone snapshot");
  app.set_help_flag("-h,--help", "print this help and exit");
  SnapshotWords parsed;
  parsed.define(app);
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? well : bad_question;
  }
  return ask(parsed);
}

}  // namespace lightcone::service
