// Evaluates termination and deadlock, and writes what a snapshot shows.
#include "snapshot/snapshot_answer.h"

#include <algorithm>

namespace lightcone::service {
namespace {

[[nodiscard]] Json part_in(const std::string& text) { return Json::parse(text).value_or(Json()); }

[[nodiscard]] std::optional<Awaited> awaited_of(const std::string& state) {
  return awaited_in(part_in(state));
}

/// Copies the members that the document shows as they came.
void copy_members(Json& to, const Json& from, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    if (const Json* value = from.find(name); value != nullptr) to[name] = *value;
  }
}

[[nodiscard]] Json process_document(const std::string& process, const LocalPart& local) {
  const Json part = part_in(local.state);
  Json document{{"process", process}};
  copy_members(document, part, {"events", "vars", "waits", "state", "hex", "bytes"});
  if (local.snapshots.last == SnapshotRange::for_ever) document["ended"] = true;
  return document;
}

[[nodiscard]] Json messages_document(const GlobalSnapshot& snapshot) {
  Json documents = Json::array();
  for (const auto& [ends, channel] : snapshot.channels()) {
    if (channel.is_empty()) continue;
    Json document{{"from", ends.first},
                  {"to", ends.second},
                  {"messages", channel.sent - channel.received},
                  {"known", Json::array()}};
    for (const auto& [number, message] : channel.in_transit) {
      Json one{{"message", ends.first + ':' + std::to_string(number)}};
      copy_members(one, part_in(message->contents), {"contents", "hex", "bytes"});
      document["known"].push_back(std::move(one));
    }
    documents.push_back(std::move(document));
  }
  return documents;
}

}  // namespace

std::string_view word_of(StableVerdict answer) {
  switch (answer) {
    case StableVerdict::no: return "no";
    case StableVerdict::yes: return "yes";
    case StableVerdict::unknown: break;
  }
  return "unknown";
}

std::optional<Awaited> awaited_in(const Json& part) {
  const Json* const waits = part.find("waits");
  if (waits == nullptr || !waits->is_object()) return std::nullopt;
  Awaited awaited;
  std::string what;
  if (!waits->read("for", what) || !waits->read("senders", awaited.senders)) return std::nullopt;
  using For = Awaited::For;
  static const std::map<std::string, For, std::less<>> words = {{"nothing", For::nothing},
                                                                {"any", For::any},
                                                                {"all", For::all},
                                                                {"no_one", For::no_one},
                                                                {"idle", For::idle}};
  const auto found = words.find(what);
  if (found == words.end()) return std::nullopt;
  awaited.what = found->second;
  return awaited;
}

/// For deadlock, a process that did not tell counts as active. If it waits instead, no fewer
/// processes are deadlocked: those that are found are so in all cases. It may also wait forever
/// itself, so that it is never certain that there is no deadlock.
StableAnswers stable_answers(const GlobalSnapshot& snapshot) {
  StableAnswers answers;
  if (!snapshot.has_all_states()) return answers;
  bool may_be_terminated = std::ranges::all_of(
      snapshot.channels(), [](const auto& channel) { return channel.second.is_empty(); });
  for (const auto& [process, part] : snapshot.states()) {
    const auto waits = awaited_of(part->state);
    if (!waits) answers.not_told.push_back(process);
    if (waits && waits->what != Awaited::For::idle && waits->what != Awaited::For::no_one) {
      may_be_terminated = false;
    }
  }
  const bool all_told = answers.not_told.empty();
  answers.terminated = !may_be_terminated ? StableVerdict::no
                       : all_told         ? StableVerdict::yes
                                          : StableVerdict::unknown;
  answers.deadlocked = deadlocked(snapshot, [](std::string_view, std::string_view state) {
    return awaited_of(std::string(state)).value_or(Awaited());
  });
  answers.deadlock = !answers.deadlocked.empty() ? StableVerdict::yes
                     : all_told                  ? StableVerdict::no
                                                 : StableVerdict::unknown;
  return answers;
}

Json snapshot_document(const TakenSnapshot& taken) {
  Json document{{"lightcone", 1}, {"execution", taken.execution}};
  StableAnswers answers;
  Json processes = Json::array(), messages = Json::array(), missing = Json::array();
  const bool has_all = taken.snapshot && taken.snapshot->has_all_states() && taken.missing.empty();
  if (taken.snapshot) {
    document["snapshot"] = taken.snapshot->number();
    if (has_all) answers = stable_answers(*taken.snapshot);
    for (const auto& [process, part] : taken.snapshot->states()) {
      if (part) processes.push_back(process_document(process, *part));
    }
    if (has_all) messages = messages_document(*taken.snapshot);
  }
  for (const auto& [process, why] : taken.missing) {
    missing.push_back(Json{{"process", process}, {"why", why}});
  }
  document["complete"] = has_all;
  document["processes"] = std::move(processes);
  if (has_all) document["in_transit"] = std::move(messages);
  document["missing"] = std::move(missing);
  document["terminated"] = word_of(answers.terminated);
  document["deadlock"] = word_of(answers.deadlock);
  document["deadlocked"] = Json(answers.deadlocked);
  document["not_told"] = Json(answers.not_told);
  return document;
}

}  // namespace lightcone::service
