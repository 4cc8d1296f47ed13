// A message as a journal keeps it, for a replay without its sender.
#pragma once

#include <lightcone/run/answers/prompter.h>

#include <optional>
#include <string>
#include <string_view>

namespace lightcone {

/// The tag and the contents as one text.
[[nodiscard]] std::string kept_message(std::string_view tag, std::string_view contents);
/// What was kept; nothing if it is not well-formed.
[[nodiscard]] std::optional<ArrivedMessage> message_kept(std::string_view kept);

}  // namespace lightcone
