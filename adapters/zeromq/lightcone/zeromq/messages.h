// Messages over ZeroMQ sockets that carry Lightcone's tag as one more frame, the last.
#pragma once

#include <lightcone/process.h>

#include <cstdint>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include <zmq.hpp>

/// A peer without Lightcone interoperates in both directions. What it sends is delivered as it is,
/// and what it receives has one frame more than was sent, at the end. Frames at the front, such as
/// the identities that ROUTER sockets route by, topics and delimiters, stay where they are.
///
/// A peer without Lightcone must not send messages of several frames of which the last begins with
/// the byte 0xC1: it would be taken for a tag. UTF-8 and MessagePack never do.
namespace lightcone::zeromq {

/// What became of a message, where that is no error. Unless done, nothing was sent or received, no
/// event was recorded, and the call may be repeated.
enum class Outcome : std::uint8_t {
  done,
  would_block,  ///< EAGAIN: with dontwait, or after the socket's time-out
  interrupted,  ///< EINTR: a signal came
  terminated,   ///< ETERM: the context is being closed, and so should be the socket
};

/// A message as its sender meant it.
struct Message {
  std::vector<zmq::message_t> frames;  ///< without the tag
  std::string tag;                     ///< what Process::receive takes; empty: it carried none
  std::string sender;                  ///< set by `receive`; empty without a usable tag

  /// The text of a frame, or none where there is no such frame.
  [[nodiscard]] std::string_view text(std::size_t frame = 0) const {
    return frame < frames.size() ? frames[frame].to_string_view() : std::string_view();
  }
};

/// Sends a message and records the event of sending it, once the socket has accepted all frames
/// but the tag, which do not wait for anything after the first. On `done` the frames are spent,
/// else they are as before. While the message is under way the process may call back
/// (ProcessOptions::on_detection), and must not be made to use this socket then.
[[nodiscard]] Expected<Outcome> send(
    zmq::socket_ref socket, Process& process, std::span<const std::string_view> to,
    std::span<zmq::message_t> frames, const LiveState& state = {},
    zmq::send_flags flags = zmq::send_flags::none,
    const std::source_location& where = std::source_location::current());

/// The same to one receiver, with frames copied from texts:
/// `send(socket, process, "p2", {"hello"}, {.labels = {"greet"}})`.
[[nodiscard]] Expected<Outcome> send(
    zmq::socket_ref socket, Process& process, std::string_view to,
    LiveList<std::string_view> frames, const LiveState& state = {},
    zmq::send_flags flags = zmq::send_flags::none,
    const std::source_location& where = std::source_location::current());

/// Sends a marker of the last snapshot (Process::marker), with these frames at the front to route
/// it; where it is received it is kept from the program.
[[nodiscard]] Expected<Outcome> send_marker(zmq::socket_ref socket, Process& process,
                                            std::string_view to,
                                            LiveList<std::string_view> front = {},
                                            zmq::send_flags flags = zmq::send_flags::none);

/// Receives a message and records the event of receiving it.
[[nodiscard]] Expected<Outcome> receive(
    zmq::socket_ref socket, Process& process, Message& message, const LiveState& state = {},
    zmq::recv_flags flags = zmq::recv_flags::none,
    const std::source_location& where = std::source_location::current());

/// Only takes the message: for those who must read it to know what state it creates, and then
/// call `process.receive(message.tag, state)` themselves. Which message it is goes through the door
/// of the process: in a replay, the one that was taken when the process was recorded.
[[nodiscard]] Expected<Outcome> take(zmq::socket_ref socket, Process& process, Message& message,
                                     zmq::recv_flags flags = zmq::recv_flags::none);

}  // namespace lightcone::zeromq
