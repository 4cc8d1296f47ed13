// One process moves at a time; all others wait for an answer.
#include <lightcone/live/controller.h>

#include <fmt/format.h>

#include <algorithm>
#include <thread>

namespace lightcone {
namespace {

using What = ControlMessage::What;
using std::chrono::milliseconds;

/// As long as it is not known who takes part: no one has come for so long.
constexpr milliseconds quiet_time{300}, between_looks{2};

}  // namespace

std::uint32_t Controller::index_of(const std::string& name) {
  const auto [place, is_new] =
      indices_.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
  if (is_new) {
    names_.push_back(name);
    members_.emplace_back();
  }
  return place->second;
}

bool Controller::admit() {
  bool any = false;
  while (auto channel = socket_.accept()) {
    auto greeting = channel->hear();
    if (!greeting || greeting->what != What::begins) continue;
    any = met_someone_ = true;
    for (const std::string& member : greeting->names) expect(member);
    come_.insert_or_assign(std::move(greeting->name), std::move(*channel));
  }
  return any;
}

bool Controller::all_have_come() const {
  return !expected_.empty() &&
         std::all_of(expected_.begin(), expected_.end(),
                     [&](const std::string& name) { return come_.contains(name); });
}

/// Waits until all who take part have come. They are numbered by name, so that the order in which
/// they come does not matter.
ControlledEnd Controller::gather(const std::function<bool()>& is_running) {
  using Clock = std::chrono::steady_clock;
  auto last = Clock::now();
  while (!all_have_come()) {
    if (admit()) last = Clock::now();
    const auto quiet = Clock::now() - last;
    if (expected_.empty() && !come_.empty() && quiet > quiet_time) break;
    if (!is_running() && !admit()) break;
    const bool some_know = !expected_.empty() || !come_.empty();
    if (some_know && quiet > patience_) {
      return {ControlledEnd::Why::hangs, "not all of its processes have begun"};
    }
    std::this_thread::sleep_for(between_looks);
  }
  for (const auto& [name, channel] : come_) expect(name);
  spawn_those_who_came();
  return {};
}

void Controller::expect(const std::string& name) {
  if (std::find(expected_.begin(), expected_.end(), name) == expected_.end()) {
    expected_.push_back(name);
  }
}

void Controller::spawn_those_who_came() {
  for (auto& [name, channel] : come_) {
    const std::uint32_t process = index_of(name);
    members_[process].channel.emplace(std::move(channel));
    exploration_.spawns(process);
  }
  come_.clear();
}

void Controller::end_move(std::uint32_t process) {
  Member& member = members_[process];
  if (!member.channel) return exploration_.waits({Waiting::What::ended, process});
  exploration_.waits({member.polls ? Waiting::What::polls : Waiting::What::receives, process});
}

bool Controller::follow(std::uint32_t process) {
  Member& member = members_[process];
  for (;;) {
    if (!member.channel->has_news(patience_)) return false;
    const auto message = member.channel->hear();
    if (!message) {
      member.channel.reset();
      break;
    }
    if (message->what == What::sends) {
      if (message->names.empty()) unknown_receiver_ = names_[process];
      for (const std::string& to : message->names) {
        exploration_.sends(index_of(to), message->number);
      }
    } else if (message->what == What::branches) {
      const auto which = exploration_.branches(static_cast<std::uint32_t>(message->number));
      member.channel->say({.what = What::go_on, .number = which});
    } else if (message->what == What::takes) {
      member.waits = true;
      member.polls = message->flag;
      break;
    }
  }
  if (admit()) spawn_those_who_came();  // the process has started others
  end_move(process);
  return true;
}

ControlledEnd Controller::move(const Exploration::Next& next) {
  Member& member = members_[next.process];
  member.waits = false;
  ControlMessage answer{.what = What::go_on};
  if (next.what == Exploration::Next::What::takes) {
    answer = {.what = What::take, .number = next.number, .name = names_[next.sender]};
  } else if (next.what == Exploration::Next::What::nothing) {
    answer = {.what = What::nothing};
  }
  if (!member.channel || !member.channel->say(answer)) {
    member.channel.reset();
    end_move(next.process);
    return {};
  }
  if (follow(next.process)) return {};
  return {ControlledEnd::Why::hangs, fmt::format("{} has not asked for anything for {} ms",
                                                 names_[next.process], patience_.count())};
}

std::string Controller::trouble() const {
  if (!unknown_receiver_.empty()) {
    return fmt::format("{} sends a message without saying to whom: it cannot be explored",
                       unknown_receiver_);
  }
  const auto& found = exploration_.trouble();
  if (!found) return {};
  if (found->what == Exploration::Trouble::What::difference) {
    return fmt::format(
        "{} did not do again what it did after the same answers: it gets some that do not go "
        "through Lightcone",
        names_[found->process]);
  }
  return "it cannot be explored";
}

ControlledEnd Controller::finish() {
  if (std::string text = trouble(); !text.empty()) {
    return {ControlledEnd::Why::trouble, std::move(text)};
  }
  std::vector<std::string> waiting;
  for (std::size_t p = 0; p < members_.size(); ++p) {
    if (members_[p].channel && members_[p].waits) waiting.push_back(names_[p]);
  }
  if (waiting.empty()) return {};
  return {ControlledEnd::Why::deadlock,
          fmt::format("deadlock: {} {} for a message, and no one will send one",
                      fmt::join(waiting, ", "), waiting.size() == 1 ? "waits" : "wait")};
}

ControlledEnd Controller::run(const std::function<bool()>& is_running) {
  for (Member& member : members_) member = {};
  ControlledEnd end = gather(is_running);
  while (end.why == ControlledEnd::Why::ended && unknown_receiver_.empty()) {
    const auto next = exploration_.next();
    if (!next) break;
    end = move(*next);
  }
  if (end.why == ControlledEnd::Why::ended) end = finish();
  for (Member& member : members_) {
    if (member.channel) member.channel->say({.what = What::stop});
    member.channel.reset();
  }
  return end;
}

}  // namespace lightcone
