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

}  // namespace

std::string time_text(double seconds_since_1970) {
  return fmt::format("{:%Y-%m-%d %H:%M:%S}",
                     fmt::gmtime(static_cast<std::time_t>(seconds_since_1970)));
}

std::vector<SilentProcess> Silence::silent(const Acceptance& acceptance,
                                           const std::vector<WaitingExecution>& waiting,
                                           ArrivalTime now) const {
  const double today =
      std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  std::vector<SilentProcess> all;
  acceptance.for_each_process([&](const std::string& execution, const std::string& process,
                                  const ProcessProgress& progress) {
    const auto quiet = now - progress.heard;
    const bool has_gap = !progress.held.empty();
    const auto found = std::ranges::find(waiting, execution, &WaitingExecution::execution);
    const bool holds_up = found != waiting.end() || !progress.has_spoken;
    if (quiet < patience_ || !(has_gap || holds_up)) return;
    // One that waits itself is held up, and holds up nobody.
    const bool waits_itself =
        found != waiting.end() &&
        std::ranges::find(found->waits, process, &MonitorWait::process) != found->waits.end();
    if (waits_itself && !has_gap) return;
    SilentProcess silent{execution, process, today - std::chrono::duration<double>(quiet).count()};
    if (found != waiting.end()) {
      silent.waiting = found->events;
      silent.waits = found->waits;
    }
    if (has_gap) silent.missing_event = progress.events + 1;
    all.push_back(std::move(silent));
  });
  std::ranges::sort(all, {}, [](const SilentProcess& one) {
    return std::pair(std::string_view(one.execution), std::string_view(one.process));
  });
  return all;
}

std::vector<std::string> Silence::news(const std::vector<SilentProcess>& silent) {
  std::vector<std::string> sentences;
  std::set<std::pair<std::string, std::string>> now;
  for (const SilentProcess& one : silent) {
    const std::pair name{one.execution, one.process};
    if (!told_.contains(name)) sentences.push_back(sentence_on(one));
    now.insert(name);
  }
  told_ = std::move(now);
  return sentences;
}

}  // namespace lightcone::service
