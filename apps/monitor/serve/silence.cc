// Compares when processes were heard of with what others wait for.
#include "serve/silence.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>

namespace lightcone::service {
namespace {

[[nodiscard]] std::string sentence_on(const SilentProcess& silent) {
  std::string text = fmt::format("execution `{}`: process `{}` has been silent since {}",
                                 silent.execution, silent.process, time_text(silent.since));
  if (silent.has_left) text += ", and its connection has ended";
  if (silent.missing_event > 0) {
    text += fmt::format("; its event {} is missing, later ones have come", silent.missing_event);
  }
  if (silent.waiting > 0) {
    text +=
        fmt::format("; {} event{} of others wait", silent.waiting, silent.waiting == 1 ? "" : "s");
  }
  if (!silent.waits.empty()) {
    text += fmt::format(", `{}` for message `{}`", silent.waits.front().process,
                        silent.waits.front().message);
  }
  return text;
}

[[nodiscard]] std::string sentence_on(const LongWait& wait) {
  return fmt::format(
      "execution `{}`: process `{}` has waited for message `{}` since {}{}; {} event{} of it wait",
      wait.execution, wait.process, wait.message, time_text(wait.since),
      wait.sender.empty() ? ", which nobody has told of sending"
                          : fmt::format(", which `{}` has not told of sending", wait.sender),
      wait.events, wait.events == 1 ? "" : "s");
}

/// Live processes name messages so: SENDER:NUMBER.
[[nodiscard]] std::string sender_in(const std::string& message) {
  const std::size_t colon = message.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == message.size()) return {};
  const bool is_number = message.find_first_not_of("0123456789", colon + 1) == std::string::npos;
  return is_number ? message.substr(0, colon) : std::string();
}

/// A moment of arrivals as seconds since 1970.
[[nodiscard]] double date_of(ArrivalTime moment, ArrivalTime now) {
  const double today =
      std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  return today - std::chrono::duration<double>(now - moment).count();
}

}  // namespace

std::string time_text(double seconds_since_1970) {
  return fmt::format("{:%Y-%m-%d %H:%M:%S}",
                     fmt::gmtime(static_cast<std::time_t>(seconds_since_1970)));
}

std::vector<SilentProcess> Silence::silent(const Acceptance& acceptance,
                                           const std::vector<WaitingExecution>& waiting,
                                           ArrivalTime now) const {
  std::map<std::string_view, const WaitingExecution*> waiting_by_name;
  for (const WaitingExecution& one : waiting) waiting_by_name[one.execution] = &one;
  std::vector<SilentProcess> all;
  acceptance.for_each_process([&](const std::string& execution, const std::string& process,
                                  const ProcessProgress& progress) {
    if (now - progress.heard < patience_) return;
    const bool has_gap = !progress.held.empty();
    const auto found = waiting_by_name.find(execution);
    const WaitingExecution* const others = found == waiting_by_name.end() ? nullptr : found->second;
    const bool holds_up = others != nullptr || !progress.has_spoken;
    if (!has_gap && !holds_up) return;
    // One that waits itself is held up, and holds up nobody.
    const bool waits_itself =
        others != nullptr &&
        std::ranges::find(others->waits, process, &MonitorWait::process) != others->waits.end();
    if (waits_itself && !has_gap) return;
    SilentProcess silent{execution, process, date_of(progress.heard, now)};
    silent.has_left = knows_connections_ && progress.has_spoken && progress.speaker.expired();
    if (others != nullptr) {
      silent.waiting = others->events;
      silent.waits = others->waits;
    }
    if (has_gap) silent.missing_event = progress.events + 1;
    all.push_back(std::move(silent));
  });
  std::ranges::sort(all, {}, [](const SilentProcess& one) {
    return std::pair(std::string_view(one.execution), std::string_view(one.process));
  });
  return all;
}

void Silence::note_waits(const std::vector<WaitingExecution>& waiting, ArrivalTime now) {
  std::map<Name, Wait> waits;
  for (const WaitingExecution& execution : waiting) {
    for (const MonitorWait& wait : execution.waits) {
      const Name name{execution.execution, wait.process};
      const auto before = waits_.find(name);
      const bool is_same = before != waits_.end() && before->second.message == wait.message;
      waits[name] = {wait.message, is_same ? before->second.since : now, wait.events};
    }
  }
  waits_ = std::move(waits);
}

std::vector<LongWait> Silence::long_waits(ArrivalTime now) const {
  std::vector<LongWait> all;
  for (const auto& [name, wait] : waits_) {
    if (now - wait.since < patience_) continue;
    all.push_back({name.first, name.second, wait.message, sender_in(wait.message),
                   date_of(wait.since, now), wait.events});
  }
  return all;
}

std::vector<std::string> Silence::news(const Acceptance& acceptance,
                                       const std::vector<WaitingExecution>& waiting,
                                       ArrivalTime now) {
  note_waits(waiting, now);
  std::vector<std::string> sentences;
  std::set<Name> silent_now;
  std::set<std::string> with_silent;  // executions
  for (const SilentProcess& one : silent(acceptance, waiting, now)) {
    const Name name{one.execution, one.process};
    if (!told_.contains(name)) sentences.push_back(sentence_on(one));
    silent_now.insert(name);
    with_silent.insert(one.execution);
  }
  std::set<std::pair<Name, std::string>> waits_now;
  for (const LongWait& wait : long_waits(now)) {
    const std::pair key{Name{wait.execution, wait.process}, wait.message};
    const bool is_explained = wait.sender.empty()
                                  ? with_silent.contains(wait.execution)
                                  : silent_now.contains({wait.execution, wait.sender});
    if (is_explained) continue;
    if (!told_waits_.contains(key)) sentences.push_back(sentence_on(wait));
    waits_now.insert(key);
  }
  told_ = std::move(silent_now);
  told_waits_ = std::move(waits_now);
  return sentences;
}

}  // namespace lightcone::service
