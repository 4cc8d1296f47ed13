// Answers a process as the controller of an exploration says.
#pragma once

#include <lightcone/explore/control_channel.h>
#include <lightcone/run/answers/prompter.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lightcone {

/// Asks the controller for every message and every choice. The time and random numbers are the same
/// in all executions: those of a process depend on its name, and on how often it has asked.
class ControlledPrompter final : public Prompter {
 public:
  /// Waits until the controller lets the process begin.
  [[nodiscard]] static Expected<std::unique_ptr<ControlledPrompter>> begin(
      const std::string& socket, std::string name, const std::vector<std::string>& members);

  /// The process ends as it should.
  ~ControlledPrompter() override { channel_.say(control::Ends{}); }
  ControlledPrompter(const ControlledPrompter&) = delete;
  ControlledPrompter& operator=(const ControlledPrompter&) = delete;

  void sent(std::span<const std::string_view> to, std::uint64_t number) override;
  [[nodiscard]] Prompted<Turn> begin_take(std::string_view mailbox, bool polls) override;
  /// The same for messages that receives choose by context and tag.
  void sent(std::string_view to, std::uint64_t number, std::string context, std::int32_t tag);
  /// Asks for a message that one of the patterns accepts; `in` says in words what it waits in.
  [[nodiscard]] Prompted<Turn> begin_take(std::vector<ControlPattern> patterns, std::string in,
                                          bool polls);
  /// The message that the take gets which began last.
  [[nodiscard]] MessageIdentity chosen() const { return {sender_, number_}; }
  [[nodiscard]] bool admits(const MessageIdentity& message) const override;
  void took(const MessageIdentity& message) override;
  [[nodiscard]] std::string waits_for() const override;
  [[nodiscard]] std::chrono::milliseconds patience() const override;
  [[nodiscard]] Prompted<std::uint64_t> now() override;
  [[nodiscard]] Prompted<std::uint64_t> random() override;
  [[nodiscard]] Prompted<std::uint64_t> choose(std::uint64_t alternatives) override;
  [[nodiscard]] Prompted<std::optional<std::string>> read() override;
  [[nodiscard]] Prompted<void> made(std::uint64_t events, std::uint32_t digest,
                                    const std::function<std::string()>& words) override;
  [[nodiscard]] Prompted<void> end() override;
  void refuse(const std::string& why) override;

 private:
  ControlledPrompter(ControlChannel channel, std::string name)
      : channel_(std::move(channel)), name_(std::move(name)) {}
  [[nodiscard]] Prompted<Turn> ask_for_message(const control::Takes& question);
  [[nodiscard]] Prompted<ControlMessage> ask(const ControlMessage& question);

  ControlChannel channel_;
  std::string name_;
  std::string sender_;  // of the message that is to be taken
  std::uint64_t number_ = 0;
  std::uint64_t clock_readings_ = 0, draws_ = 0;
};

}  // namespace lightcone
