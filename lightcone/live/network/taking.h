// Sending and receiving over the networks inside a program, with the choices of a process.
#pragma once

#include <lightcone/live/network/parcel.h>
#include <lightcone/live/process/process.h>

#include <chrono>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>

namespace lightcone {

/// Sends a message and records the event of sending it.
template <Network N>
void send(N& network, Process& process, std::string_view to, std::string content,
          const LiveState& state = {},
          const std::source_location& where = std::source_location::current()) {
  std::string tag = process.send(to, state, where);
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

/// Returns what `ask` gets from the network, as the process decides. For programs that must read a
/// message to know which state it creates. They call `process.receive(parcel->tag, state)` later.
template <Network N, class Ask>
[[nodiscard]] std::optional<Parcel> take_by(
    N& network, Process& process, bool polls, const Ask& ask,
    const std::source_location& where = std::source_location::current()) {
  if (!process.is_prompted()) {
    while (std::optional<Parcel> parcel = ask()) {
      const auto contents = [&] { return parcel->from + '\n' + parcel->content; };
      if (process.took(parcel->tag, contents)) return parcel;
    }
    process.found_nothing();
    return std::nullopt;
  }
  const auto arrive = [&](std::chrono::milliseconds patience) -> std::optional<ArrivedMessage> {
    auto parcel = N::finds_deadlocks ? next_message(network, process.name(), where)
                                     : network.receive_within(patience, process.name());
    if (!parcel) return std::nullopt;
    return ArrivedMessage{std::move(parcel->tag), parcel->from + '\n' + parcel->content};
  };
  auto arrival = process.take(process.name(), polls, arrive);
  if (!arrival) return std::nullopt;
  const std::size_t end = arrival->contents.find('\n');
  return Parcel{arrival->contents.substr(0, end), arrival->contents.substr(end + 1),
                std::move(arrival->tag)};
}

/// Returns the next message to a process when there is one, or nothing if none will come.
template <Network N>
[[nodiscard]] std::optional<Parcel> take(
    N& network, Process& process,
    const std::source_location& where = std::source_location::current()) {
  const auto ask = [&] { return next_message(network, process.name(), where); };
  return take_by(network, process, false, ask, where);
}

/// Returns the next message to a process if there is one.
template <Network N>
[[nodiscard]] std::optional<Parcel> poll(N& network, Process& process) {
  return take_by(network, process, true, [&] { return network.try_receive(process.name()); });
}

/// Returns the next message to a process if it arrives in time.
template <Network N>
[[nodiscard]] std::optional<Parcel> take_within(std::chrono::nanoseconds patience, N& network,
                                                Process& process) {
  return take_by(network, process, true,
                 [&] { return network.receive_within(patience, process.name()); });
}

/// Takes the next message and records the event of receiving it.
template <Network N>
[[nodiscard]] std::optional<Parcel> receive(
    N& network, Process& process, const LiveState& state = {},
    const std::source_location& where = std::source_location::current()) {
  auto parcel = take(network, process, where);
  if (parcel) process.receive(parcel->tag, state, where);
  return parcel;
}

}  // namespace lightcone
