// The messages between an explored process and its controller, over a socket.
#pragma once

#include <lightcone/error.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// Which messages a receive accepts.
struct ControlPattern {
  std::string sender = {};  ///< empty: anyone
  std::string context = {};
  std::optional<std::int32_t> tag = {};  ///< none: any
  std::uint32_t skip = 0;                ///< as in a MessagePattern
  friend bool operator==(const ControlPattern&, const ControlPattern&) = default;
};

/// One thing that is said.
struct ControlMessage {
  enum class What : std::uint8_t {
    // The process says:
    begins,    ///< `name`, `names` are all that it knows of; waits for `go_on`
    sends,     ///< `number`, to `names`, with `context` and `tag`
    takes,     ///< it asks for a message that one of `patterns` accepts, or for any; `flag`: it may
               ///< find nothing; `name`: in words, what it waits in, for which the first `number`
               ///< patterns are, or all if that is 0; waits for one of the below
    branches,  ///< it asks for one of `number` alternatives; waits for `go_on`
    checks,    ///< a simulation asks what is to be said of the recording `name`
    leaves_out,  ///< `name`: what it does that depends on more than answers, and is not explored
    refuses,     ///< `name`: why it cannot be explored; also as the first thing that is said
    needs_acknowledgements,  ///< it waits for receives of what it sends, and receivers do not tell
    // The controller says:
    go_on,    ///< with alternative `number`; to `checks`: `name` is what is wrong, if anything
    take,     ///< the message `number` of `name`, which has `context` and `tag`
    nothing,  ///< no message
    stop,     ///< no more
  };
  What what = What::begins;
  bool flag = false;
  std::uint64_t number = 0;
  std::string name = {};
  std::vector<std::string> names = {};
  std::string context = {};
  std::int32_t tag = 0;
  std::vector<ControlPattern> patterns = {};
};

/// One end of a conversation. Not safe from several threads.
class ControlChannel {
 public:
  /// Takes over a connected socket.
  explicit ControlChannel(int descriptor) : descriptor_(descriptor) {}
  [[nodiscard]] static Expected<ControlChannel> connect(const std::string& path);
  ControlChannel(ControlChannel&& other) noexcept;
  ControlChannel& operator=(ControlChannel&& other) noexcept;
  ~ControlChannel();

  /// False when the other end is gone.
  bool say(const ControlMessage& message);
  /// The next thing that is said; waits for it. Nothing when the other end is gone.
  [[nodiscard]] std::optional<ControlMessage> hear();
  /// Returns whether `hear` would not wait: something was said, or the other end is gone.
  [[nodiscard]] bool has_news(std::chrono::milliseconds patience);
  [[nodiscard]] int descriptor() const { return descriptor_; }
  /// Returns whether a whole message has come already.
  [[nodiscard]] bool has_message() const;

 private:
  [[nodiscard]] bool read_some();

  int descriptor_;
  std::string received_;
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

 private:
  ControlSocket(int descriptor, std::string path)
      : descriptor_(descriptor), path_(std::move(path)) {}

  int descriptor_;
  std::string path_;
};

}  // namespace lightcone
