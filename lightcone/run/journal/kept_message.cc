// The length of the tag, the tag, the contents.
#include <lightcone/run/journal/kept_message.h>

#include <lightcone/base/wire.h>

namespace lightcone {

std::string kept_message(std::string_view tag, std::string_view contents) {
  WireWriter wire;
  wire.text(tag);
  wire.bytes() += contents;
  return std::move(wire.bytes());
}

std::optional<ArrivedMessage> message_kept(std::string_view kept) {
  WireReader wire(kept);
  const std::string_view tag = wire.text(kept.size());
  if (wire.failed()) return std::nullopt;
  return ArrivedMessage{std::string(tag), std::string(kept.substr(kept.size() - wire.left()))};
}

}  // namespace lightcone
