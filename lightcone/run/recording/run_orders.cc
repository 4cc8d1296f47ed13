// Orders as JSON: from a command to the processes of the program that it runs.
#include <lightcone/recording.h>

#include <lightcone/riders/tags/incarnation.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace lightcone {
namespace {

constexpr std::array<const char*, 3> mode_names = {"record", "replay", "explore"};

[[nodiscard]] std::chrono::milliseconds duration_of(const nlohmann::json& json, const char* name,
                                                    std::chrono::milliseconds otherwise) {
  return std::chrono::milliseconds(json.value(name, otherwise.count()));
}

[[nodiscard]] RunOrders orders_of(const nlohmann::json& json) {
  RunOrders orders;
  const auto mode = std::find(mode_names.begin(), mode_names.end(), json.at("mode"));
  orders.mode = static_cast<RunOrders::Mode>(mode - mode_names.begin());
  orders.directory = json.at("directory");
  orders.journal = json.value("races", false) ? JournalKind::races : JournalKind::full;
  orders.journal_only = json.value("journal_only", false);
  orders.contents = json.value("contents", std::vector<std::string>());
  orders.checkpoints = duration_of(json, "checkpoints", {});
  orders.watch = json.value("watch", std::string());
  if (json.contains("began")) orders.began = json["began"].get<std::uint64_t>();
  orders.lost_writes = json.value("lost_writes", std::string());
  orders.only = json.value("only", std::vector<std::string>());
  if (json.contains("until")) {
    orders.until = {json["until"].at("process"), json["until"].at("event")};
  }
  orders.from = json.value("from", std::uint64_t{0});
  orders.traces = json.value("traces", std::string());
  orders.reports = json.value("reports", std::string());
  orders.patience = duration_of(json, "patience", orders.patience);
  orders.controller = json.value("controller", std::string());
  orders.checker = json.value("checker", std::string());
  orders.first = json.value("first", std::string());
  orders.most_runs = json.value("runs", std::uint64_t{0});
  orders.empty_polls = json.value("empty_polls", orders.empty_polls);
  orders.acknowledges = json.value("acknowledges", false);
  orders.unbuffered = json.value("unbuffered", false);
  return orders;
}

/// Returns whether the process is among these, or all its incarnations are.
[[nodiscard]] bool holds(const std::vector<std::string>& names, std::string_view process) {
  return std::ranges::any_of(names, [&](const std::string& name) {
    return name == process || name == incarnation_of(process).name;
  });
}

}  // namespace

Expected<RunOrders> RunOrders::parse(std::string_view text) {
  try {
    RunOrders orders = orders_of(nlohmann::json::parse(text));
    if (static_cast<std::size_t>(orders.mode) < mode_names.size()) return orders;
  } catch (const nlohmann::json::exception&) {
  }
  return failure(std::string(variable) + " is not understood", {}, 0,
                 "it is set by `lightcone record`, `replay` and `explore`");
}

Expected<std::optional<RunOrders>> RunOrders::from_environment() {
  const char* text = ::secure_getenv(variable);
  if (text == nullptr || *text == '\0') return std::nullopt;
  auto orders = parse(text);
  if (!orders) return failure(orders.error());
  return std::optional(std::move(*orders));
}

std::string RunOrders::text() const {
  nlohmann::ordered_json json = {{"mode", mode_names[static_cast<std::size_t>(mode)]},
                                 {"directory", directory},
                                 {"races", journal == JournalKind::races},
                                 {"journal_only", journal_only},
                                 {"contents", contents},
                                 {"checkpoints", checkpoints.count()},
                                 {"watch", watch},
                                 {"lost_writes", lost_writes},
                                 {"only", only},
                                 {"from", from},
                                 {"traces", traces},
                                 {"reports", reports},
                                 {"patience", patience.count()},
                                 {"controller", controller},
                                 {"checker", checker},
                                 {"first", first},
                                 {"runs", most_runs},
                                 {"empty_polls", empty_polls},
                                 {"acknowledges", acknowledges},
                                 {"unbuffered", unbuffered}};
  if (began) json["began"] = *began;
  if (until) json["until"] = {{"process", until->process}, {"event", until->event}};
  return json.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

bool RunOrders::runs(std::string_view process) const {
  return only.empty() || holds(only, process);
}

bool RunOrders::keeps_contents(std::string_view sender, std::string_view receiver) const {
  return holds(contents, receiver) && !holds(contents, sender);
}

}  // namespace lightcone
