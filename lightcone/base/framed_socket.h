// A connected socket over which messages go whole: their size, then their bytes.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace lightcone {

/// One end of a connection. Not safe from several threads.
class FramedSocket {
 public:
  /// Takes over a connected stream socket. A message of more bytes ends the connection.
  FramedSocket(int descriptor, std::size_t longest_message)
      : descriptor_(descriptor), longest_(longest_message) {}
  FramedSocket(FramedSocket&& other) noexcept;
  FramedSocket& operator=(FramedSocket&& other) noexcept;
  ~FramedSocket();

  /// False when the other end is gone.
  bool send(std::string_view message);
  /// The next message; waits for it. Nothing when the other end is gone.
  [[nodiscard]] std::optional<std::string> receive();
  /// Returns whether `receive` would not wait: something came, or the other end is gone.
  [[nodiscard]] bool has_news(std::chrono::milliseconds patience) const;
  /// Returns whether a whole message has come already.
  [[nodiscard]] bool has_message() const;
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  [[nodiscard]] bool read_some();

  int descriptor_;
  std::size_t longest_;
  std::string received_;
};

}  // namespace lightcone
