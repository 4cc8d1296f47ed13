// A process that is explored asks, and waits for the answer.
#include <lightcone/explore/controlled_prompter.h>

#include <fmt/format.h>
#include <xxhash.h>

#include <utility>

namespace lightcone {
namespace {

constexpr std::uint64_t first_time = 1'000'000'000, between_readings = 1'000;

[[nodiscard]] tl::unexpected<Standstill> not_understood() {
  return standstill(Standstill::Why::stopped, "the controller gave no answer to what was asked");
}

}  // namespace

Expected<std::unique_ptr<ControlledPrompter>> ControlledPrompter::begin(
    const std::string& socket, std::string name, const std::vector<std::string>& members) {
  auto channel = ControlChannel::connect(socket);
  if (!channel) return failure(channel.error());
  std::unique_ptr<ControlledPrompter> prompter(
      new ControlledPrompter(std::move(*channel), std::move(name)));
  const auto answer = prompter->ask(control::Begins{prompter->name_, members});
  if (!answer) return failure(answer.error().text);
  return prompter;
}

Prompted<ControlMessage> ControlledPrompter::ask(const ControlMessage& question) {
  if (channel_.say(question)) {
    auto answer = channel_.hear();
    if (answer && !std::holds_alternative<control::Stop>(*answer)) return std::move(*answer);
  }
  return standstill(Standstill::Why::stopped, "the exploration goes no further here");
}

void ControlledPrompter::sent(std::span<const std::string_view> to, std::uint64_t number) {
  channel_.say(control::Sends{.number = number, .to = {to.begin(), to.end()}});
}

void ControlledPrompter::sent(std::string_view to, std::uint64_t number, std::string context,
                              std::int32_t tag) {
  channel_.say(control::Sends{number, {std::string(to)}, std::move(context), tag});
}

Prompted<Prompter::Turn> ControlledPrompter::begin_take(std::string_view, bool polls) {
  return ask_for_message({.polls = polls});
}

Prompted<Prompter::Turn> ControlledPrompter::begin_take(std::vector<ControlPattern> patterns,
                                                        std::string in, bool polls) {
  return ask_for_message({polls, std::move(in), std::move(patterns)});
}

Prompted<Prompter::Turn> ControlledPrompter::ask_for_message(const control::Takes& question) {
  auto answer = ask(question);
  if (!answer) return tl::unexpected(answer.error());
  if (std::holds_alternative<control::Nothing>(*answer)) return Turn{Turn::What::nothing, {}};
  auto* const take = std::get_if<control::Take>(&*answer);
  if (take == nullptr) return not_understood();
  sender_ = std::move(take->sender);
  number_ = take->number;
  return Turn{};
}

bool ControlledPrompter::admits(const MessageIdentity& message) const {
  return message.sender == sender_ && message.number == number_;
}

void ControlledPrompter::took(const MessageIdentity&) {}

std::string ControlledPrompter::waits_for() const {
  return fmt::format("waits for {}:{}", sender_, number_);
}

std::chrono::milliseconds ControlledPrompter::patience() const { return std::chrono::seconds(10); }

Prompted<std::uint64_t> ControlledPrompter::now() {
  return first_time + between_readings * clock_readings_++;
}

Prompted<std::uint64_t> ControlledPrompter::random() {
  return XXH3_64bits_withSeed(name_.data(), name_.size(), draws_++);
}

Prompted<std::uint64_t> ControlledPrompter::choose(std::uint64_t alternatives) {
  const auto answer = ask(control::Branches{alternatives});
  if (!answer) return tl::unexpected(answer.error());
  const auto* const go_on = std::get_if<control::GoOn>(&*answer);
  if (go_on == nullptr || go_on->alternative >= alternatives) return not_understood();
  return go_on->alternative;
}

Prompted<std::optional<std::string>> ControlledPrompter::read() { return std::nullopt; }
Prompted<void> ControlledPrompter::made(std::uint64_t, std::uint32_t,
                                        const std::function<std::string()>&) {
  return {};
}
Prompted<void> ControlledPrompter::end() { return {}; }
void ControlledPrompter::refuse(const std::string& why) { channel_.say(control::Refuses{why}); }

}  // namespace lightcone
