// Messages over ZeroMQ sockets that carry Lightcone's tag as an additional last frame.
#pragma once

#include <lightcone/process.h>
#include <lightcone/transport.h>

#include <cstdint>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include <zmq.hpp>

/// A peer without Lightcone can take part. Its messages are delivered as they are. The messages
/// that it receives have one more frame at the end. Frames at the front, such as the identities
/// that ROUTER sockets route by, topics and delimiters, stay where they are.
///
/// A peer without Lightcone must not send messages of several frames whose last frame begins with
/// the byte 0xC1: it would be taken for a tag. UTF-8 and MessagePack never do.
namespace lightcone::zeromq {

/// The result of a call that is not an error. Unless it is `done`, nothing was sent or received, no
/// event was recorded, and the call may be repeated.
enum class Outcome : std::uint8_t {
  done,
  would_block,  ///< EAGAIN: with dontwait, or after the socket's time-out
  interrupted,  ///< EINTR: a signal came
  terminated,   ///< ETERM: the context is being closed; close the socket, too
};

/// A message without its tag.
struct Message {
  std::vector<zmq::message_t> frames;  ///< without the tag
  TakenMessage taken;                  ///< set by `take`; for Process::receive
  std::string sender;                  ///< set by `receive`; empty without a usable tag

  /// Returns the text of a frame, or an empty text if there is no such frame.
  [[nodiscard]] std::string_view text(std::size_t frame = 0) const {
    return frame < frames.size() ? frames[frame].to_string_view() : std::string_view();
  }
};

/// Sends a message and records the event of sending it, when the socket has accepted all frames
/// except the tag. Only the first frame may have to wait. On `done` the frames are used up,
/// otherwise they are as before. While the message is being sent, the process may call
/// ProcessOptions::on_detection. It must not use this socket then.
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
/// it. The receiving functions hide it from the program.
[[nodiscard]] Expected<Outcome> send_marker(zmq::socket_ref socket, Process& process,
                                            std::string_view to,
                                            LiveList<std::string_view> front = {},
                                            zmq::send_flags flags = zmq::send_flags::none);

/// Receives a message and records the event of receiving it.
[[nodiscard]] Expected<Outcome> receive(
    zmq::socket_ref socket, Process& process, Message& message, const LiveState& state = {},
    zmq::recv_flags flags = zmq::recv_flags::none,
    const std::source_location& where = std::source_location::current());

/// Only takes the message. For programs that must read it to know which state it creates. They call
/// `process.receive(std::move(message.taken), state)` later. The process decides which message it
/// is: in a replay, the one that was taken when the process was recorded.
[[nodiscard]] Expected<Outcome> take(zmq::socket_ref socket, Process& process, Message& message,
                                     zmq::recv_flags flags = zmq::recv_flags::none);

}  // namespace lightcone::zeromq
