// Orders as JSON: from a command to the processes of the program that it runs.
#include <lightcone/recording.h>

#include <lightcone/base/json.h>
#include <lightcone/riders/tags/incarnation.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace lightcone {
namespace {

[[nodiscard]] bool read_duration(const Json& json, const char* name,
                                 std::chrono::milliseconds& to) {
  std::int64_t count = to.count();
  const bool is_one = json.read(name, count);
  to = std::chrono::milliseconds(count);
  return is_one;
}

[[nodiscard]] bool read_number(const Json& json, const char* name, std::uint32_t& to) {
  std::uint64_t number = to;
  if (!json.read(name, number) || number > std::numeric_limits<std::uint32_t>::max()) return false;
  to = static_cast<std::uint32_t>(number);
  return true;
}

[[nodiscard]] bool read_began(const Json& json, std::optional<std::uint64_t>& to) {
  return !json.contains("began") || json.read("began", to.emplace());
}

[[nodiscard]] bool read_until(const Json& json, std::optional<ReplayOrders::Stop>& to) {
  const Json* const until = json.find("until");
  if (until == nullptr) return true;
  to = ReplayOrders::Stop{};
  return until->contains("process") && until->contains("event") &&
         until->read("process", to->process) && until->read("event", to->event);
}

[[nodiscard]] bool read_orders(const Json& json, RecordOrders& to) {
  bool races = false;
  const bool understood = json.read("races", races) && json.read("journal_only", to.journal_only) &&
                          json.read("contents", to.contents) && json.read("digests", to.digests) &&
                          json.read("backtrace", to.backtrace) &&
                          read_duration(json, "checkpoints", to.checkpoints) &&
                          json.read("watch", to.watch) && read_began(json, to.began) &&
                          json.read("lost_writes", to.lost_writes);
  to.journal = races ? JournalKind::races : JournalKind::full;
  return understood;
}

[[nodiscard]] bool read_orders(const Json& json, ReplayOrders& to) {
  return json.read("only", to.only) && read_until(json, to.until) && json.read("from", to.from) &&
         json.read("traces", to.traces) && json.read("reports", to.reports) &&
         read_duration(json, "patience", to.patience) && json.read("unbuffered", to.unbuffered) &&
         json.read("digests", to.digests);
}

[[nodiscard]] bool read_orders(const Json& json, ExploreOrders& to) {
  return json.read("controller", to.controller) && json.read("checker", to.checker) &&
         json.read("first", to.first) && json.read("runs", to.most_runs) &&
         read_number(json, "empty_polls", to.empty_polls) && json.read("failures", to.failures) &&
         json.read("reports", to.reports) && json.read("acknowledges", to.acknowledges) &&
         json.read("unbuffered", to.unbuffered);
}

[[nodiscard]] Json json_of(const RecordOrders& orders) {
  Json json = {{"mode", "record"},
               {"races", orders.journal == JournalKind::races},
               {"journal_only", orders.journal_only},
               {"contents", orders.contents},
               {"digests", orders.digests},
               {"backtrace", orders.backtrace},
               {"checkpoints", orders.checkpoints.count()},
               {"watch", orders.watch},
               {"lost_writes", orders.lost_writes}};
  if (orders.began) json["began"] = *orders.began;
  return json;
}

[[nodiscard]] Json json_of(const ReplayOrders& orders) {
  Json json = {{"mode", "replay"},
               {"only", orders.only},
               {"from", orders.from},
               {"traces", orders.traces},
               {"reports", orders.reports},
               {"patience", orders.patience.count()},
               {"unbuffered", orders.unbuffered},
               {"digests", orders.digests}};
  if (orders.until) {
    json["until"] = {{"process", orders.until->process}, {"event", orders.until->event}};
  }
  return json;
}

[[nodiscard]] Json json_of(const ExploreOrders& orders) {
  return {{"mode", "explore"},
          {"controller", orders.controller},
          {"checker", orders.checker},
          {"first", orders.first},
          {"runs", orders.most_runs},
          {"empty_polls", orders.empty_polls},
          {"failures", orders.failures},
          {"reports", orders.reports},
          {"acknowledges", orders.acknowledges},
          {"unbuffered", orders.unbuffered}};
}

/// Reads the orders of a kind if the mode names it. Returns false if they are not understood.
template <class Orders>
[[nodiscard]] bool read_how(const Json& json, const std::string& mode, const char* name,
                            RunOrders& to) {
  return mode != name || read_orders(json, to.how.emplace<Orders>());
}

/// Returns nothing if a member is missing that has to be there, or has another type.
[[nodiscard]] std::optional<RunOrders> orders_of(const Json& json) {
  RunOrders orders;
  std::string mode;
  const bool understood = json.contains("mode") && json.contains("directory") &&
                          json.read("mode", mode) && json.read("directory", orders.directory) &&
                          (mode == "record" || mode == "replay" || mode == "explore") &&
                          read_how<RecordOrders>(json, mode, "record", orders) &&
                          read_how<ReplayOrders>(json, mode, "replay", orders) &&
                          read_how<ExploreOrders>(json, mode, "explore", orders);
  if (!understood) return std::nullopt;
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
  const auto json = Json::parse(text);
  auto orders = json ? orders_of(*json) : std::nullopt;
  if (orders) return std::move(*orders);
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
  Json json = std::visit([](const auto& orders) { return json_of(orders); }, how);
  json["directory"] = directory;
  return json.dump(Json::Layout::ascii_line);
}

std::string_view RunOrders::reports() const {
  if (replay() != nullptr) return replay()->reports;
  return explore() != nullptr ? std::string_view(explore()->reports) : std::string_view();
}

bool RunOrders::unbuffered() const {
  return (replay() != nullptr && replay()->unbuffered) ||
         (explore() != nullptr && explore()->unbuffered);
}

bool RunOrders::digests() const {
  return (record() != nullptr && record()->digests) || (replay() != nullptr && replay()->digests);
}

bool ReplayOrders::runs(std::string_view process) const {
  return only.empty() || holds(only, process);
}

bool RecordOrders::keeps_contents(std::string_view sender, std::string_view receiver) const {
  return holds(contents, receiver) && !holds(contents, sender);
}

}  // namespace lightcone
