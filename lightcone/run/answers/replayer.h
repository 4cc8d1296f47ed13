// Answers a process as its journal says.
#pragma once

#include <lightcone/run/answers/prompter.h>
#include <lightcone/run/answers/recorded_events.h>
#include <lightcone/run/journal/journal.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace lightcone {

/// The journal of one process, followed entry by entry. A process that asks for something else than
/// it did when it was recorded has diverged.
class Replayer final : public Prompter {
 public:
  [[nodiscard]] static Expected<Replayer> open(const std::string& path,
                                               std::chrono::milliseconds patience);
  [[nodiscard]] JournalKind kind() const { return journal_.header().kind; }
  /// Goes on after so many blocks, in which so many messages were taken.
  [[nodiscard]] Expected<void> resume(std::uint64_t blocks, std::uint64_t takes);

  void sent(std::span<const std::string_view>, std::uint64_t) override {}
  [[nodiscard]] Prompted<Turn> begin_take(std::string_view mailbox, bool polls) override;
  [[nodiscard]] bool admits(const MessageIdentity& message) const override;
  void took(const MessageIdentity& message) override;
  [[nodiscard]] std::string waits_for() const override;
  [[nodiscard]] std::chrono::milliseconds patience() const override { return patience_; }
  [[nodiscard]] Prompted<std::uint64_t> now() override;
  [[nodiscard]] Prompted<std::uint64_t> random() override;
  [[nodiscard]] Prompted<std::uint64_t> choose(std::uint64_t alternatives) override;
  [[nodiscard]] Prompted<std::optional<std::string>> read() override;
  [[nodiscard]] Prompted<void> made(std::uint64_t events, std::uint32_t digest,
                                    const std::function<std::string()>& words) override;
  [[nodiscard]] Prompted<void> end() override;

 private:
  Replayer(Journal journal, RecordedEvents events, std::chrono::milliseconds patience)
      : journal_(std::move(journal)), events_(std::move(events)), patience_(patience) {}

  /// Goes to the block that holds the next answer; says why if there is none.
  [[nodiscard]] Prompted<void> find_answer(std::string_view asked);
  [[nodiscard]] Prompted<void> next_block(std::string_view asked);
  [[nodiscard]] Prompted<Turn> begin_entered(const ReceivedMessage& message);
  [[nodiscard]] std::string next_recorded() const;
  [[nodiscard]] tl::unexpected<Standstill> diverged(std::string_view asked) const;
  template <class Entry>
  [[nodiscard]] Prompted<const Entry*> answer(std::string_view asked);

  Journal journal_;
  RecordedEvents events_;
  std::chrono::milliseconds patience_;
  std::uint64_t takes_ = 0;
  std::uint64_t polls_ = 0;  // of the entry at hand, those that were made
  bool entered_ = false;     // the message of this take is in the journal
  std::string sender_;       // of that message
  std::uint64_t number_ = 0;
};

}  // namespace lightcone
