// What transports hand to a process goes to its core; tags and contents are packed as riders do.
#include <lightcone/transport.h>

#include <lightcone/base/wire.h>
#include <lightcone/live/process/process_core.h>
#include <lightcone/riders/tags/envelope.h>

#include <utility>

namespace lightcone {

bool Intake::is_prompted() const { return process_.core_->is_prompted(); }

bool Intake::took(std::string_view tag, const std::function<std::string()>& contents) {
  return process_.core_->took(tag, contents);
}

void Intake::found_nothing() { process_.core_->found_nothing(); }

std::optional<ArrivedMessage> Intake::take(std::string_view mailbox, bool polls,
                                           const Arrive& arrive) {
  return process_.core_->take(mailbox, polls, arrive);
}

bool is_tag(std::string_view bytes) { return EnvelopeCodec::is_envelope(bytes); }

std::string_view unusable_tag() {
  static constexpr char mark = static_cast<char>(envelope_mark);
  return {&mark, 1};
}

std::string packed(std::span<const std::string_view> texts) {
  WireWriter wire;
  for (const std::string_view text : texts) wire.text(text);
  return std::move(wire.bytes());
}

std::vector<std::string_view> unpacked(std::string_view bytes) {
  std::vector<std::string_view> texts;
  WireReader wire(bytes);
  while (wire.left() != 0) {
    const std::string_view text = wire.text(bytes.size());
    if (wire.failed()) break;
    texts.push_back(text);
  }
  return texts;
}

}  // namespace lightcone
