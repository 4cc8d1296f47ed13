// What is sent between the processes of one program, and what every network in it offers.
#pragma once

#include <chrono>
#include <concepts>
#include <optional>
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

/// Mailboxes by name. A program that uses only this concept runs on every network here.
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

}  // namespace lightcone
