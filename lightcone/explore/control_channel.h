// The conversation of an explored process with its controller, over a socket.
#pragma once

#include <lightcone/base/framed_socket.h>
#include <lightcone/error.h>
#include <lightcone/explore/control_messages.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace lightcone {

/// One end of a conversation. Not safe from several threads.
class ControlChannel {
 public:
  /// Takes over a connected socket.
  explicit ControlChannel(int descriptor) : socket_(descriptor, longest_control_message) {}
  [[nodiscard]] static Expected<ControlChannel> connect(const std::string& path);

  /// False when the other end is gone.
  bool say(const ControlMessage& message) { return socket_.send(encoded(message)); }
  /// The next thing that is said; waits for it. Nothing when the other end is gone, or what it says
  /// is not understood.
  [[nodiscard]] std::optional<ControlMessage> hear();
  /// Returns whether `hear` would not wait: something was said, or the other end is gone.
  [[nodiscard]] bool has_news(std::chrono::milliseconds patience) const {
    return socket_.has_news(patience);
  }
  [[nodiscard]] int descriptor() const { return socket_.descriptor(); }
  /// Returns whether a whole message has come already.
  [[nodiscard]] bool has_message() const { return socket_.has_message(); }

 private:
  FramedSocket socket_;
};

/// A socket where processes come.
class ControlSocket {
 public:
  /// Makes it, under a name that is not too long for one.
  [[nodiscard]] static Expected<ControlSocket> listen(const std::string& path);
  ControlSocket(ControlSocket&& other) noexcept;
  ControlSocket& operator=(ControlSocket&&) = delete;
  ~ControlSocket();

  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  /// Returns the next process that has come, if there is one.
  [[nodiscard]] std::optional<ControlChannel> accept();
  /// Returns whether one has come, or comes within this time.
  [[nodiscard]] bool has_someone(std::chrono::milliseconds patience) const;

 private:
  ControlSocket(int descriptor, std::string path)
      : descriptor_(descriptor), path_(std::move(path)) {}

  int descriptor_;
  std::string path_;
};

}  // namespace lightcone
