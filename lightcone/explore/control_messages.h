// What an explored process and its controller say to each other, a type for each thing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
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

namespace control {

// The process says:

/// It begins, and knows of these processes. Waits for GoOn.
struct Begins {
  std::string name;
  std::vector<std::string> members = {};
  friend bool operator==(const Begins&, const Begins&) = default;
};
/// It sends a message; the number counts its messages.
struct Sends {
  std::uint64_t number = 0;
  std::vector<std::string> to = {};
  std::string context = {};
  std::int32_t tag = 0;
  friend bool operator==(const Sends&, const Sends&) = default;
};
/// What it would like to get, as in a recording: no message, or one that a pattern accepts.
struct Wish {
  std::optional<ControlPattern> message = {};
  friend bool operator==(const Wish&, const Wish&) = default;
};
/// It asks for a message. Waits for Take, or for Nothing if it polls.
struct Takes {
  bool polls = false;                         ///< it may find nothing
  std::string in = {};                        ///< what it waits in, in words
  std::vector<ControlPattern> patterns = {};  ///< one of them accepts the message; none: any
  std::uint64_t own = 0;                      ///< `in` is about so many of them; 0: all
  std::optional<Wish> wish = {};
  friend bool operator==(const Takes&, const Takes&) = default;
};
/// It asks for one of several alternatives. Waits for GoOn.
struct Branches {
  std::uint64_t alternatives = 0;
  std::uint64_t wish = 0;  ///< the one to begin with, counted from 0
  friend bool operator==(const Branches&, const Branches&) = default;
};
/// It does something that depends on more than answers, and is not explored.
struct LeavesOut {
  std::string what;
  friend bool operator==(const LeavesOut&, const LeavesOut&) = default;
};
/// It cannot be explored. May be the first thing that is said.
struct Refuses {
  std::string why;
  friend bool operator==(const Refuses&, const Refuses&) = default;
};
/// It waits in a call for the receive of what it sends, and receivers do not tell.
struct NeedsAcknowledgements {
  std::string call = {};
  friend bool operator==(const NeedsAcknowledgements&, const NeedsAcknowledgements&) = default;
};
/// It comes to its end. It waits for Stop if it ends in another way than as it should: then it
/// dies, or ends the whole program, which may wait until no other process can move.
struct Ends {
  std::string how = {};  ///< empty: as it should
  bool fails = false;    ///< so the program ends with an error
  friend bool operator==(const Ends&, const Ends&) = default;
};
/// A simulation asks what is to be said of a recording. Waits for Checked.
struct Checks {
  std::string recording;
  friend bool operator==(const Checks&, const Checks&) = default;
};

// The controller says:

struct GoOn {
  std::uint64_t alternative = 0;
  friend bool operator==(const GoOn&, const GoOn&) = default;
};
/// The process takes this message.
struct Take {
  std::string sender;
  std::uint64_t number = 0;
  std::string context = {};
  std::int32_t tag = 0;
  friend bool operator==(const Take&, const Take&) = default;
};
/// The poll of the process finds no message.
struct Nothing {
  friend bool operator==(const Nothing&, const Nothing&) = default;
};
/// The process ends here.
struct Stop {
  friend bool operator==(const Stop&, const Stop&) = default;
};
struct Checked {
  std::string wrong = {};  ///< empty: nothing is
  friend bool operator==(const Checked&, const Checked&) = default;
};

}  // namespace control

/// One thing that is said.
using ControlMessage =
    std::variant<control::Begins, control::Sends, control::Takes, control::Branches,
                 control::LeavesOut, control::Refuses, control::NeedsAcknowledgements,
                 control::Checks, control::GoOn, control::Take, control::Nothing, control::Stop,
                 control::Checked, control::Ends>;

/// No message has more bytes.
inline constexpr std::size_t longest_control_message = 1 << 20;

/// The bytes of a message, without their number.
[[nodiscard]] std::string encoded(const ControlMessage& message);
/// Returns nothing for bytes that are not one message.
[[nodiscard]] std::optional<ControlMessage> decoded_control_message(std::string_view bytes);

}  // namespace lightcone
