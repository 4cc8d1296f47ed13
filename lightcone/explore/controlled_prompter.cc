// A process that is explored asks, and waits for the answer.
#include <lightcone/explore/controlled_prompter.h>

#include <fmt/format.h>
#include <xxhash.h>

#include <utility>

namespace lightcone {
namespace {

using What = ControlMessage::What;

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
  const auto answer =
      prompter->ask({.what = What::begins, .name = prompter->name_, .names = members});
  if (!answer) return failure(answer.error().text);
  return prompter;
}

Prompted<ControlMessage> ControlledPrompter::ask(const ControlMessage& question) {
  if (channel_.say(question)) {
    auto answer = channel_.hear();
    if (answer && answer->what != What::stop) return std::move(*answer);
  }
  return standstill(Standstill::Why::stopped, "the exploration goes no further here");
}

void ControlledPrompter::sent(std::span<const std::string_view> to, std::uint64_t number) {
  ControlMessage message{.what = What::sends, .number = number};
  message.names.assign(to.begin(), to.end());
  channel_.say(message);
}

void ControlledPrompter::sent(std::string_view to, std::uint64_t number, std::string context,
                              std::int32_t tag) {
  ControlMessage message{.what = What::sends, .number = number};
  message.names.emplace_back(to);
  message.context = std::move(context);
  message.tag = tag;
  channel_.say(message);
}

Prompted<Prompter::Turn> ControlledPrompter::begin_take(std::string_view, bool polls) {
  return ask_for_message({.what = What::takes, .flag = polls});
}

Prompted<Prompter::Turn> ControlledPrompter::begin_take(std::vector<ControlPattern> patterns,
                                                        std::string in, bool polls) {
  ControlMessage question{.what = What::takes, .flag = polls, .name = std::move(in)};
  question.patterns = std::move(patterns);
  return ask_for_message(question);
}

Prompted<Prompter::Turn> ControlledPrompter::ask_for_message(const ControlMessage& question) {
  auto answer = ask(question);
  if (!answer) return tl::unexpected(answer.error());
  if (answer->what == What::nothing) return Turn{Turn::What::nothing, {}};
  if (answer->what != What::take) return not_understood();
  sender_ = std::move(answer->name);
  number_ = answer->number;
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
  const auto answer = ask({.what = What::branches, .number = alternatives});
  if (!answer) return tl::unexpected(answer.error());
  if (answer->what != What::go_on || answer->number >= alternatives) return not_understood();
  return answer->number;
}

Prompted<std::optional<std::string>> ControlledPrompter::read() { return std::nullopt; }
Prompted<void> ControlledPrompter::made(std::uint64_t, std::uint32_t,
                                        const std::function<std::string()>&) {
  return {};
}
Prompted<void> ControlledPrompter::end() { return {}; }
void ControlledPrompter::refuse(const std::string& why) {
  channel_.say({.what = What::refuses, .name = why});
}

}  // namespace lightcone
