// One process moves at a time; all others wait for an answer.
#include <lightcone/explore/controller.h>

#include <lightcone/explore/deadlock_text.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>

namespace lightcone {
namespace {

using Why = ControlledEnd::Why;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// While it is not known which processes take part: all have come if none came for so long.
constexpr milliseconds quiet_time{300}, between_looks{2};
/// How often to look after other things while a process runs.
constexpr milliseconds between_disturbances{50};
/// Processes may take that much longer to begin than to ask: the machine may have much to do.
constexpr int patience_at_start = 12;

[[nodiscard]] std::string seconds_of(milliseconds time) {
  return fmt::format("{} s", static_cast<double>(time.count()) / 1000);
}

/// What a process says of itself may be empty, since anyone may speak for it.
[[nodiscard]] std::string reason_or_none(const std::string& reason) {
  return reason.empty() ? "a process gives no reason" : reason;
}

}  // namespace

std::uint32_t Controller::number_of(const std::string& process) {
  const std::uint32_t number = names_.process(process);
  static_cast<void>(member_of(number));
  return number;
}

Controller::Member& Controller::member_of(std::uint32_t process) {
  while (process >= members_.size()) members_.emplace_back();
  return members_[process];
}

bool Controller::admit() {
  bool any = false;
  while (auto channel = socket_.accept()) {
    auto greeting = channel->hear();
    if (!greeting) continue;
    if (const auto* const refuses = std::get_if<control::Refuses>(&*greeting)) {
      refusal_ = reason_or_none(refuses->why);
    }
    auto* const begins = std::get_if<control::Begins>(&*greeting);
    if (begins == nullptr) continue;
    any = met_someone_ = true;
    for (const std::string& member : begins->members) names_.expect(member);
    come_.insert_or_assign(std::move(begins->name), std::move(*channel));
  }
  return any;
}

/// Those who are expected came to earlier executions, or are known to the others.
bool Controller::all_have_come() const {
  const std::set<std::string> expected = names_.expected();
  return !expected.empty() && std::ranges::all_of(expected, [&](const std::string& name) {
    return come_.contains(name);
  });
}

/// Returns in words which expected processes have not come.
std::string Controller::missing() const {
  std::vector<std::string> names;
  for (const std::string& name : names_.expected()) {
    if (!come_.contains(name)) names.push_back(name);
  }
  constexpr std::size_t most = 3;
  const std::size_t others = names.size() > most ? names.size() - most : 0;
  names.resize(names.size() - others);
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  return others == 0 ? text : fmt::format("{} and {} more", text, others);
}

/// Waits until all who take part have come. They are numbered by name, so that the order in which
/// they come does not matter.
std::optional<ControlledEnd> Controller::gather(const std::function<bool()>& is_running) {
  auto last = Clock::now();
  while (!all_have_come()) {
    if (admit()) last = Clock::now();
    if (auto end = disturbance()) return end;
    const auto quiet = Clock::now() - last;
    const bool are_known = !names_.expected().empty();
    if (!are_known && !come_.empty() && quiet > quiet_time) break;
    if (!is_running() && !admit()) break;
    const bool some_know = are_known || !come_.empty();
    const milliseconds longest = patience_at_start * patience_;
    if (some_know && quiet > longest) {
      return ControlledEnd{Why::hangs,
                           fmt::format("not all of its processes have begun: {} did not come "
                                       "within {}; a longer --patience waits for longer",
                                       missing(), seconds_of(longest))};
    }
    static_cast<void>(socket_.has_someone(between_looks));
  }
  for (const auto& [name, channel] : come_) names_.expect(name);
  spawn_those_who_came();
  return std::nullopt;
}

std::optional<ControlledEnd> Controller::disturbance() {
  if (!refusal_.empty()) return ControlledEnd{Why::refused, refusal_};
  if (is_interrupted_ && is_interrupted_())
    return ControlledEnd{Why::interrupted, "it was interrupted"};
  return std::nullopt;
}

void Controller::spawn_those_who_came() {
  for (auto& [name, channel] : come_) {
    const std::uint32_t process = number_of(name);
    members_[process].channel.emplace(std::move(channel));
    members_[process].end.reset();
    exploration_.spawns(process);
  }
  come_.clear();
}

void Controller::add_sends(std::uint32_t process, const control::Sends& message) {
  if (message.to.empty()) unknown_receiver_ = names_.process_name(process);
  const MessageKind kind{names_.context(message.context), static_cast<std::uint32_t>(message.tag)};
  for (const std::string& to : message.to) {
    exploration_.sends(number_of(to), message.number, kind);
  }
  if (message.context.empty() && message.tag == 0) return;
  kinds_[{process, message.number}] = {message.context, message.tag};
}

MessagePattern Controller::numbered(const ControlPattern& accepted) {
  MessagePattern pattern{.context = names_.context(accepted.context), .skip = accepted.skip};
  if (!accepted.sender.empty()) pattern.sender = number_of(accepted.sender);
  if (accepted.tag) pattern.tag = static_cast<std::uint32_t>(*accepted.tag);
  return pattern;
}

void Controller::begin_wait(std::uint32_t process, const control::Takes& question) {
  std::vector<MessagePattern> patterns;
  for (const ControlPattern& accepted : question.patterns) patterns.push_back(numbered(accepted));
  if (question.wish) {
    const auto& message = question.wish->message;
    exploration_.prefers(message ? std::optional(numbered(*message)) : std::nullopt);
  }
  const auto what = question.polls ? Waiting::What::polls : Waiting::What::receives;
  Member& member = members_[process];
  member.waits = true;
  member.waiting = {what, process};
  member.in = question.in;
  member.sender.clear();
  if (patterns.empty()) return;
  const std::string& first = question.patterns.front().sender;
  const auto is_first = [&](const ControlPattern& pattern) { return pattern.sender == first; };
  const std::size_t own = question.own == 0 ? question.patterns.size() : question.own;
  if (std::ranges::all_of(question.patterns | std::views::take(own), is_first)) {
    member.sender = first;
  }
  member.waiting.filter = exploration_.filter(std::move(patterns));
}

void Controller::end_move(std::uint32_t process) {
  const Member& member = members_[process];
  const bool goes_on = member.channel && !member.end;
  exploration_.waits(goes_on ? member.waiting : Waiting{Waiting::What::ended, process});
}

std::optional<ControlledEnd> Controller::await(std::uint32_t process) {
  const auto since = Clock::now();
  const milliseconds step = std::min(patience_, between_disturbances);
  while (!members_[process].channel->has_news(step)) {
    if (admit()) spawn_those_who_came();
    if (auto end = disturbance()) return end;
    if (Clock::now() - since < patience_) continue;
    return ControlledEnd{
        Why::hangs, fmt::format("{} has not asked for anything for {}: it computes for longer than "
                                "--patience, or waits for something that is not explored",
                                names_.process_name(process), seconds_of(patience_))};
  }
  return std::nullopt;
}

/// What a process says in the middle of its move.
std::optional<ControlledEnd> Controller::hear(std::uint32_t process,
                                              const ControlMessage& message) {
  if (const auto* const sends = std::get_if<control::Sends>(&message)) {
    add_sends(process, *sends);
  } else if (const auto* const branches = std::get_if<control::Branches>(&message)) {
    const auto alternatives = static_cast<std::uint32_t>(branches->alternatives);
    const auto wish = static_cast<std::uint32_t>(std::min(branches->wish, branches->alternatives));
    members_[process].channel->say(control::GoOn{exploration_.branches(alternatives, wish)});
  } else if (const auto* const leaves_out = std::get_if<control::LeavesOut>(&message)) {
    left_out_.insert(leaves_out->what);
  } else if (const auto* const refuses = std::get_if<control::Refuses>(&message)) {
    return ControlledEnd{Why::refused, reason_or_none(refuses->why)};
  } else if (const auto* const needs = std::get_if<control::NeedsAcknowledgements>(&message)) {
    return ControlledEnd{Why::needs_acknowledgements, reason_or_none(needs->call)};
  }
  return std::nullopt;
}

std::optional<ControlledEnd> Controller::follow(std::uint32_t process) {
  Member& member = members_[process];
  for (;;) {
    if (auto end = await(process)) return end;
    const auto message = member.channel->hear();
    const auto* const branches = message ? std::get_if<control::Branches>(&*message) : nullptr;
    const bool is_nonsense =
        branches != nullptr && (branches->alternatives == 0 || branches->alternatives > UINT32_MAX);
    if (!message || is_nonsense) {
      member.channel.reset();
      break;
    }
    if (const auto* const takes = std::get_if<control::Takes>(&*message)) {
      begin_wait(process, *takes);
      break;
    }
    if (const auto* const ends = std::get_if<control::Ends>(&*message)) {
      member.end = *ends;
      break;
    }
    if (auto end = hear(process, *message)) return end;
  }
  if (admit()) spawn_those_who_came();  // the process has started others
  end_move(process);
  return disturbance();
}

ControlMessage Controller::answer_to(const Exploration::Next& next) const {
  if (next.what == Exploration::Next::What::nothing) return control::Nothing{};
  if (next.what == Exploration::Next::What::wakes) return control::GoOn{};
  control::Take take{names_.process_name(next.sender), next.number};
  const auto kind = kinds_.find({next.sender, next.number});
  if (kind != kinds_.end()) {
    take.context = kind->second.context;
    take.tag = kind->second.tag;
  }
  return take;
}

std::optional<ControlledEnd> Controller::move(const Exploration::Next& next) {
  Member& member = member_of(next.process);
  member.waits = false;
  if (!member.channel || !member.channel->say(answer_to(next))) {
    member.channel.reset();
    end_move(next.process);
    return std::nullopt;
  }
  return follow(next.process);
}

/// A process may end while an answer to it is due.
void Controller::hear_of_ends() {
  for (Member& member : members_) {
    if (!member.channel || !member.waits || !member.channel->has_news(milliseconds(0))) continue;
    const auto message = member.channel->hear();
    const auto* const ends = message ? std::get_if<control::Ends>(&*message) : nullptr;
    if (ends != nullptr) member.end = *ends;
    if (!message) member.channel.reset();
  }
}

ControlledEnd Controller::finish() {
  if (!unknown_receiver_.empty()) {
    return {Why::trouble,
            fmt::format("{} sends a message without naming a receiver: it cannot be explored",
                        unknown_receiver_)};
  }
  if (exploration_.trouble()) return {};  // which says enough
  hear_of_ends();
  std::vector<StuckProcess> stuck;
  std::vector<std::string> died;
  bool fails = false, someone_is_gone = false;
  for (std::size_t p = 0; p < members_.size(); ++p) {
    const Member& member = members_[p];
    const std::string& name = names_.process_name(static_cast<std::uint32_t>(p));
    if (member.end && !member.end->how.empty()) {
      died.push_back(fmt::format("{} {}", name, member.end->how));
      fails = fails || member.end->fails;
    } else if (member.channel && member.waits) {
      stuck.push_back({name, member.in, member.sender});
    }
    someone_is_gone = someone_is_gone || (!member.channel && !member.end);
  }
  if (fails) return {Why::died, fmt::format("{}", fmt::join(died, "; "))};
  if (stuck.empty() || !died.empty()) return {};
  return {Why::deadlock, deadlock_text(stuck), someone_is_gone};
}

ControlledEnd Controller::run(const std::function<bool()>& is_running,
                              const std::function<bool()>& is_interrupted) {
  is_interrupted_ = is_interrupted;
  std::optional<ControlledEnd> end = gather(is_running);
  while (!end && unknown_receiver_.empty()) {
    const auto next = exploration_.next();
    if (!next) break;
    end = move(*next);
  }
  if (!end) end = finish();
  for (Member& member : members_) {
    if (member.channel) member.channel->say(control::Stop{});
    member.channel.reset();
  }
  come_.clear();
  is_interrupted_ = {};
  return *end;
}

}  // namespace lightcone
