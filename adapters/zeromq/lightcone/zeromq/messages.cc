// Sends and receives by libzmq's own calls, which return errors where cppzmq would throw them.
#include <lightcone/zeromq/messages.h>

#include <lightcone/transport.h>

#include <cerrno>
#include <exception>
#include <optional>

namespace lightcone::zeromq {
namespace {

/// What a failed call of libzmq means.
[[nodiscard]] Expected<Outcome> outcome_of(int error, std::string_view doing) {
  switch (error) {
    case EAGAIN: return Outcome::would_block;
    case EINTR: return Outcome::interrupted;
    case ETERM: return Outcome::terminated;
    default: break;
  }
  return failure("a message could not be " + std::string(doing) + ": " + zmq_strerror(error));
}

/// A failure in the middle of a message, which cannot be repeated.
[[nodiscard]] Expected<Outcome> broken_off(int error) {
  if (error == ETERM) return Outcome::terminated;
  return failure(std::string("a message broke off while it was sent: ") + zmq_strerror(error));
}

/// 0, or the error. A signal between the frames of a message is no reason to stop.
[[nodiscard]] int send_frame(void* socket, zmq_msg_t* frame, int flags, bool first) {
  while (zmq_msg_send(frame, socket, flags) < 0) {
    if (first || zmq_errno() != EINTR) return zmq_errno();
  }
  return 0;
}

[[nodiscard]] int receive_frame(void* socket, zmq_msg_t* frame, int flags, bool first) {
  while (zmq_msg_recv(frame, socket, flags) < 0) {
    if (first || zmq_errno() != EINTR) return zmq_errno();
  }
  return 0;
}

/// The last frame. libzmq cannot take back the frames before it, so there always is one: where the
/// process could not make a tag (memory ran out, a callback threw), one that receivers refuse.
class LastFrame {
 public:
  LastFrame(void* socket, int flags) : socket_(socket), flags_(flags) {}
  LastFrame(const LastFrame&) = delete;
  LastFrame& operator=(const LastFrame&) = delete;
  ~LastFrame() {
    if (!sent_) (void)send(unusable_tag());
  }

  [[nodiscard]] int send(std::string_view tag) {
    sent_ = true;
    int bytes = -1;
    do {
      bytes = zmq_send(socket_, tag.data(), tag.size(), flags_);
    } while (bytes < 0 && zmq_errno() == EINTR);
    return bytes < 0 ? zmq_errno() : 0;
  }

 private:
  void* socket_;
  int flags_;
  bool sent_ = false;
};

/// `tag` makes the tag, once there is no way back.
template <class MakeTag>
[[nodiscard]] Expected<Outcome> send_all(void* socket, std::span<zmq::message_t> frames, int flags,
                                         const MakeTag& tag) {
  // Only the first frame can be refused, and is as it was then. With it the socket has a place for
  // the whole message.
  const int refused = send_frame(socket, frames[0].handle(), flags | ZMQ_SNDMORE, true);
  if (refused != 0) return outcome_of(refused, "sent");
  LastFrame last(socket, flags);
  for (zmq::message_t& frame : frames.subspan(1)) {
    const int error = send_frame(socket, frame.handle(), flags | ZMQ_SNDMORE, false);
    if (error != 0) return broken_off(error);
  }
  const int error = last.send(tag());
  return error == 0 ? Outcome::done : broken_off(error);
}

/// Takes the frames of a message, and its tag apart from them.
[[nodiscard]] Expected<Outcome> take_all(void* socket, Message& message, std::string& tag,
                                         int flags) {
  message = Message();
  tag.clear();
  do {
    zmq::message_t frame;
    const bool first = message.frames.empty();
    const int error = receive_frame(socket, frame.handle(), flags, first);
    if (error != 0) {
      message.frames.clear();
      return outcome_of(error, "received");
    }
    message.frames.push_back(std::move(frame));
  } while (message.frames.back().more());
  if (message.frames.size() < 2) return Outcome::done;
  const std::string_view last = message.frames.back().to_string_view();
  if (!is_tag(last)) return Outcome::done;
  tag = last;
  message.frames.pop_back();
  return Outcome::done;
}

/// The frames of a message as one text.
[[nodiscard]] std::string contents_of(const Message& message) {
  std::vector<std::string_view> frames;
  for (const zmq::message_t& frame : message.frames) frames.push_back(frame.to_string_view());
  return packed(frames);
}

/// The message of such a text.
[[nodiscard]] Message message_of(TakenMessage&& taken) {
  Message message;
  for (const std::string_view frame : unpacked(taken.contents())) {
    message.frames.emplace_back(frame.data(), frame.size());
  }
  message.taken = std::move(taken);
  return message;
}

/// Returns how long a receive on this socket waits.
[[nodiscard]] Intake::Patience patience_of(void* socket, int flags) {
  if ((flags & ZMQ_DONTWAIT) != 0) return std::chrono::milliseconds(0);
  int patience = -1;
  std::size_t size = sizeof patience;
  if (zmq_getsockopt(socket, ZMQ_RCVTIMEO, &patience, &size) != 0 || patience < 0) return {};
  return std::chrono::milliseconds(patience);
}

/// Takes what comes, and tells the process; what is only for the process is no message.
[[nodiscard]] Expected<Outcome> take_next(void* socket, Process& process, Message& message,
                                          int flags) {
  Intake intake(process);
  std::optional<MessageWait> wait;
  if (!patience_of(socket, flags)) wait.emplace(process);
  for (std::string tag;;) {
    auto outcome = take_all(socket, message, tag, flags);
    if (outcome && *outcome == Outcome::would_block) intake.found_nothing();
    if (!outcome || *outcome != Outcome::done) return outcome;
    message.taken = intake.took(std::move(tag), [&] { return contents_of(message); });
    if (message.taken) return outcome;
  }
}

/// Takes what the process is to take.
[[nodiscard]] Expected<Outcome> take_prompted(void* socket, Process& process, Message& message,
                                              int flags) {
  Expected<Outcome> outcome = Outcome::done;
  const auto arrive = [&](Intake::Patience patience) -> std::optional<ArrivedMessage> {
    zmq_pollitem_t item = {socket, 0, ZMQ_POLLIN, 0};
    const long milliseconds = patience ? static_cast<long>(patience->count()) : -1;
    while (zmq_poll(&item, 1, milliseconds) < 0 && zmq_errno() == EINTR) {
    }
    Message next;
    std::string tag;
    outcome = take_all(socket, next, tag, ZMQ_DONTWAIT);
    if (!outcome || *outcome != Outcome::done) return std::nullopt;
    return ArrivedMessage{std::move(tag), contents_of(next)};
  };
  const std::string mailbox = std::to_string(reinterpret_cast<std::uintptr_t>(socket));
  auto taken = Intake(process).take(mailbox, patience_of(socket, flags), arrive);
  if (!taken) return outcome && *outcome == Outcome::done ? Outcome::would_block : outcome;
  message = message_of(std::move(taken));
  return Outcome::done;
}

[[nodiscard]] Expected<Outcome> take_either(void* socket, Process& process, Message& message,
                                            int flags) {
  return Intake(process).is_prompted() ? take_prompted(socket, process, message, flags)
                                       : take_next(socket, process, message, flags);
}

/// No exception leaves the adapter: memory may run out, and callbacks are the user's.
template <class Action>
[[nodiscard]] Expected<Outcome> as_value(Action&& action) {
  try {
    return action();
  } catch (const std::exception& exception) {
    return failure(std::string("a message was given up: ") + exception.what());
  } catch (...) {
    return failure("a message was given up: something was thrown");
  }
}

}  // namespace

Expected<Outcome> send(zmq::socket_ref socket, Process& process,
                       std::span<const std::string_view> to, std::span<zmq::message_t> frames,
                       const LiveState& state, zmq::send_flags flags,
                       const std::source_location& where) {
  if (frames.empty()) {
    return failure("a message needs at least one frame besides the tag", {}, 0,
                   "send an empty frame");
  }
  LiveState sent = state;
  if (frames.size() == 1) sent.contents = frames.front().to_string_view();
  return as_value([&] {
    return send_all(socket.handle(), frames, static_cast<int>(flags),
                    [&] { return process.send(to, sent, where); });
  });
}

Expected<Outcome> send(zmq::socket_ref socket, Process& process, std::string_view to,
                       LiveList<std::string_view> frames, const LiveState& state,
                       zmq::send_flags flags, const std::source_location& where) {
  return as_value([&] {
    std::vector<zmq::message_t> messages;
    for (const std::string_view frame : frames) messages.emplace_back(frame.data(), frame.size());
    return send(socket, process, std::span(&to, 1), messages, state, flags, where);
  });
}

Expected<Outcome> send_marker(zmq::socket_ref socket, Process& process, std::string_view to,
                              LiveList<std::string_view> front, zmq::send_flags flags) {
  return as_value([&] {
    std::vector<zmq::message_t> frames;
    for (const std::string_view frame : front) frames.emplace_back(frame.data(), frame.size());
    frames.emplace_back();  // a tag needs a frame before it
    return send_all(socket.handle(), frames, static_cast<int>(flags),
                    [&] { return process.marker(to); });
  });
}

Expected<Outcome> take(zmq::socket_ref socket, Process& process, Message& message,
                       zmq::recv_flags flags) {
  return as_value(
      [&] { return take_either(socket.handle(), process, message, static_cast<int>(flags)); });
}

Expected<Outcome> receive(zmq::socket_ref socket, Process& process, Message& message,
                          const LiveState& state, zmq::recv_flags flags,
                          const std::source_location& where) {
  return as_value([&]() -> Expected<Outcome> {
    auto outcome = take_either(socket.handle(), process, message, static_cast<int>(flags));
    if (outcome && *outcome == Outcome::done) {
      message.sender = process.receive(std::move(message.taken), state, where);
    }
    return outcome;
  });
}

}  // namespace lightcone::zeromq
