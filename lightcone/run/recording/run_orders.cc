// Orders as JSON: from a command to the processes of the program that it runs.
#include <lightcone/recording.h>

#include <lightcone/base/json.h>
#include <lightcone/riders/tags/incarnation.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>

namespace lightcone {
namespace {

constexpr std::array<const char*, 3> mode_names = {"record", "replay", "explore"};

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

[[nodiscard]] bool read_mode(const Json& json, RunOrders::Mode& to) {
  std::string name;
  if (!json.read("mode", name)) return false;
  const auto mode = std::find(mode_names.begin(), mode_names.end(), name);
  to = static_cast<RunOrders::Mode>(mode - mode_names.begin());
  return mode != mode_names.end();
}

[[nodiscard]] bool read_began(const Json& json, std::optional<std::uint64_t>& to) {
  return !json.contains("began") || json.read("began", to.emplace());
}

[[nodiscard]] bool read_until(const Json& json, std::optional<RunOrders::Stop>& to) {
  const Json* const until = json.find("until");
  if (until == nullptr) return true;
  to.emplace();
  return until->contains("process") && until->contains("event") &&
         until->read("process", to->process) && until->read("event", to->event);
}

/// Returns nothing if a member is missing that has to be there, or has another type.
[[nodiscard]] std::optional<RunOrders> orders_of(const Json& json) {
  RunOrders orders;
  bool races = false;
  const bool understood =
      json.contains("mode") && json.contains("directory") &&  //
      read_mode(json, orders.mode) && json.read("directory", orders.directory) &&
      json.read("races", races) && json.read("journal_only", orders.journal_only) &&
      json.read("contents", orders.contents) && json.read("digests", orders.digests) &&
      json.read("backtrace", orders.backtrace) &&
      read_duration(json, "checkpoints", orders.checkpoints) && json.read("watch", orders.watch) &&
      read_began(json, orders.began) && json.read("lost_writes", orders.lost_writes) &&
      json.read("only", orders.only) && read_until(json, orders.until) &&
      json.read("from", orders.from) && json.read("traces", orders.traces) &&
      json.read("reports", orders.reports) && read_duration(json, "patience", orders.patience) &&
      json.read("controller", orders.controller) && json.read("checker", orders.checker) &&
      json.read("first", orders.first) && json.read("runs", orders.most_runs) &&
      read_number(json, "empty_polls", orders.empty_polls) &&
      json.read("acknowledges", orders.acknowledges) && json.read("unbuffered", orders.unbuffered);
  if (!understood) return std::nullopt;
  orders.journal = races ? JournalKind::races : JournalKind::full;
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
  Json json = {{"mode", mode_names[static_cast<std::size_t>(mode)]},
               {"directory", directory},
               {"races", journal == JournalKind::races},
               {"journal_only", journal_only},
               {"contents", contents},
               {"digests", digests},
               {"backtrace", backtrace},
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
  return json.dump(Json::Layout::ascii_line);
}

bool RunOrders::runs(std::string_view process) const {
  return only.empty() || holds(only, process);
}

bool RunOrders::keeps_contents(std::string_view sender, std::string_view receiver) const {
  return holds(contents, receiver) && !holds(contents, sender);
}

}  // namespace lightcone
