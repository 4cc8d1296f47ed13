// Answers a process instead of the real world: a journal when replaying, a controller when
// exploring.
#pragma once

#include <lightcone/transport.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace lightcone {

/// A message as it comes to the door of a process.
struct MessageIdentity {
  std::string_view sender;    ///< empty: it carried no usable tag
  std::uint64_t number = 0;   ///< which of its sender's messages, counted from 1
  std::uint64_t channel = 0;  ///< which from its sender to this receiver, from 1; 0: not known
  std::uint64_t receives_known = 0;  ///< how many receives of this process its sender knew of
};

/// Why a process can go no further.
struct Standstill {
  enum class Why : std::uint8_t {
    diverged,         ///< it does not do what was recorded
    recording_ended,  ///< it did all that was recorded, and was cut off there
    stopped,          ///< its prompter ends it
  };
  Why why = Why::diverged;
  std::string text;  ///< what was recorded, and what came instead
};

template <class T>
using Prompted = tl::expected<T, Standstill>;

[[nodiscard]] inline tl::unexpected<Standstill> standstill(Standstill::Why why, std::string text) {
  return tl::unexpected<Standstill>(Standstill{why, std::move(text)});
}

/// Gives a process its answers, in the order in which it asks.
class Prompter {
 public:
  /// What a process gets that asks for a message.
  struct Turn {
    enum class What : std::uint8_t {
      message,    ///< the one that `admits` lets in, as soon as it arrives
      nothing,    ///< none: the poll finds nothing
      stands_in,  ///< the message that was kept, since it is not sent again
    };
    What what = What::message;
    ArrivedMessage kept = {};
  };

  virtual ~Prompter() = default;

  /// The process sends a message: its number and its receivers. Without receivers, any may take it.
  virtual void sent(std::span<const std::string_view> to, std::uint64_t number) = 0;

  /// The process asks for a message in a mailbox; one that polls may find nothing.
  [[nodiscard]] virtual Prompted<Turn> begin_take(std::string_view mailbox, bool polls) = 0;
  /// Returns whether a message is the one that this take gets.
  [[nodiscard]] virtual bool admits(const MessageIdentity& message) const = 0;
  /// The take got its message.
  virtual void took(const MessageIdentity& message) = 0;
  /// What the take waits for, for people.
  [[nodiscard]] virtual std::string waits_for() const = 0;
  /// Returns how long to wait for it.
  [[nodiscard]] virtual std::chrono::milliseconds patience() const = 0;

  [[nodiscard]] virtual Prompted<std::uint64_t> now() = 0;
  [[nodiscard]] virtual Prompted<std::uint64_t> random() = 0;
  [[nodiscard]] virtual Prompted<std::uint64_t> choose(std::uint64_t alternatives) = 0;
  /// Nothing: it is to be read.
  [[nodiscard]] virtual Prompted<std::optional<std::string>> read() = 0;

  /// The process has made so many events, and they have this digest. `words` describes the last.
  [[nodiscard]] virtual Prompted<void> made(std::uint64_t events, std::uint32_t digest,
                                            const std::function<std::string()>& words) = 0;
  /// The process ends.
  [[nodiscard]] virtual Prompted<void> end() = 0;
  /// The process does what no prompter can answer, and goes no further.
  virtual void refuse(const std::string&) {}
};

}  // namespace lightcone
