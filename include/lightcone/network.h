// Networks inside one program: what travels on them, threads that pass messages, and how a process
// sends and receives.
#pragma once

#include <lightcone/process.h>
#include <lightcone/transport.h>

#include <chrono>
#include <concepts>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>

namespace lightcone {

/// What one process sends to another: bytes of the program, and the tag of the message.
struct Parcel {
  std::string from;
  std::string content;
  std::string tag;
};

/// A parcel that a process has taken. Its content can be read before it is received.
struct TakenParcel {
  std::string from;
  std::string content;
  TakenMessage taken;  ///< for Process::receive
};

/// Mailboxes by name. A program that uses only these functions runs on any network here.
template <class N>
concept Network = requires(N& network, std::string_view name, Parcel parcel,
                           std::chrono::milliseconds patience) {
  { N::finds_deadlocks } -> std::convertible_to<bool>;
  network.send(name, std::move(parcel));
  { network.receive(name) } -> std::same_as<std::optional<Parcel>>;
  { network.receive_within(patience, name) } -> std::same_as<std::optional<Parcel>>;
  { network.try_receive(name) } -> std::same_as<std::optional<Parcel>>;
  network.close();
};

/// Mailboxes by name. Every parcel arrives. Those from one sender arrive in order, unless the
/// network is made unruly. Safe from all threads.
class ThreadNetwork {
 public:
  static constexpr bool finds_deadlocks = false;

  /// With a seed, any parcel that waits may be the next one received.
  explicit ThreadNetwork(std::optional<std::uint64_t> unruly = {});

  /// Sends a parcel. It waits in the mailbox until it is received.
  void send(std::string_view to, Parcel parcel);
  /// Returns the next parcel when there is one, or nothing if the network is closed and empty.
  [[nodiscard]] std::optional<Parcel> receive(std::string_view receiver);
  /// Returns the next parcel if it arrives in time.
  [[nodiscard]] std::optional<Parcel> receive_within(std::chrono::nanoseconds patience,
                                                     std::string_view receiver);
  /// Returns the next parcel if there is one.
  [[nodiscard]] std::optional<Parcel> try_receive(std::string_view receiver);
  /// Nothing will be sent any more. Wakes all that wait.
  void close();

 private:
  [[nodiscard]] std::deque<Parcel>& mailbox(std::string_view name);
  [[nodiscard]] std::optional<Parcel> take(std::deque<Parcel>& mailbox);

  using Mailboxes = std::map<std::string, std::deque<Parcel>, std::less<>>;
  std::mutex mutex_;
  std::condition_variable arrived_;
  Mailboxes mailboxes_;
  Mailboxes::value_type* last_ = nullptr;  // the mailbox that was used last
  std::optional<std::mt19937_64> random_;
  bool closed_ = false;
};
static_assert(Network<ThreadNetwork>);

/// Sends a message and records the event of sending it.
template <Network N>
void send(N& network, Process& process, std::string_view to, std::string content,
          const LiveState& state = {},
          const std::source_location& where = std::source_location::current()) {
  LiveState sent = state;
  sent.contents = content;
  std::string tag = process.send(to, sent, where);
  network.send(to, {std::string(process.name()), std::move(content), std::move(tag)});
}

/// Sends a marker of the last snapshot to the process of the receiver.
template <Network N>
void send_marker(N& network, Process& process, std::string_view to) {
  network.send(to, {std::string(process.name()), {}, process.marker(to)});
}

/// Returns the next message in a mailbox. Tells a network that finds deadlocks which process waits.
template <Network N>
[[nodiscard]] std::optional<Parcel> next_message(N& network, std::string_view mailbox,
                                                 const std::source_location& where) {
  if constexpr (requires { network.receive(mailbox, where); }) {
    return network.receive(mailbox, where);
  } else {
    return network.receive(mailbox);
  }
}

/// Returns what `ask` gets from the network, or the message that a replay or an exploration wants.
/// For programs that must read a message to know which state it creates. They call
/// `process.receive(std::move(parcel->taken), state)` later.
template <Network N, class Ask>
[[nodiscard]] std::optional<TakenParcel> take_by(
    N& network, Process& process, bool polls, const Ask& ask,
    const std::source_location& where = std::source_location::current()) {
  Intake intake(process);
  if (!intake.is_prompted()) {
    std::optional<MessageWait> wait;
    if (!polls) wait.emplace(process);
    while (std::optional<Parcel> parcel = ask()) {
      const auto contents = [&] { return parcel->from + '\n' + parcel->content; };
      if (auto taken = intake.took(std::move(parcel->tag), contents)) {
        return std::optional<TakenParcel>(std::in_place, std::move(parcel->from),
                                          std::move(parcel->content), std::move(taken));
      }
    }
    intake.found_nothing();
    return std::nullopt;
  }
  // Who is prompted never waits without a limit.
  const auto arrive = [&](Intake::Patience patience) -> std::optional<ArrivedMessage> {
    auto parcel = N::finds_deadlocks ? next_message(network, process.name(), where)
                                     : network.receive_within(*patience, process.name());
    if (!parcel) return std::nullopt;
    return ArrivedMessage{std::move(parcel->tag), parcel->from + '\n' + parcel->content};
  };
  const Intake::Patience patience =
      polls ? Intake::Patience(std::chrono::milliseconds(0)) : std::nullopt;
  auto taken = intake.take(process.name(), patience, arrive);
  if (!taken) return std::nullopt;
  const std::string& contents = taken.contents();
  const std::size_t end = contents.find('\n');
  return TakenParcel{contents.substr(0, end), contents.substr(end + 1), std::move(taken)};
}

/// Returns the next message to a process when there is one, or nothing if none will come.
template <Network N>
[[nodiscard]] std::optional<TakenParcel> take(
    N& network, Process& process,
    const std::source_location& where = std::source_location::current()) {
  const auto ask = [&] { return next_message(network, process.name(), where); };
  return take_by(network, process, false, ask, where);
}

/// Returns the next message to a process if there is one.
template <Network N>
[[nodiscard]] std::optional<TakenParcel> poll(N& network, Process& process) {
  return take_by(network, process, true, [&] { return network.try_receive(process.name()); });
}

/// Returns the next message to a process if it arrives in time.
template <Network N>
[[nodiscard]] std::optional<TakenParcel> take_within(std::chrono::nanoseconds patience, N& network,
                                                     Process& process) {
  return take_by(network, process, true,
                 [&] { return network.receive_within(patience, process.name()); });
}

/// Takes the next message and records the event of receiving it.
template <Network N>
[[nodiscard]] std::optional<TakenParcel> receive(
    N& network, Process& process, const LiveState& state = {},
    const std::source_location& where = std::source_location::current()) {
  auto parcel = take(network, process, where);
  if (parcel) process.receive(std::move(parcel->taken), state, where);
  return parcel;
}

}  // namespace lightcone
