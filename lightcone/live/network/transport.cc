// What transports hand to a process goes to its core; tags and contents are packed as riders do.
#include <lightcone/transport.h>

#include <lightcone/base/wire.h>
#include <lightcone/live/process/process_core.h>
#include <lightcone/riders/tags/envelope.h>

#include <utility>

namespace lightcone {

bool Intake::is_prompted() const { return process_.core_->is_prompted(); }

TakenMessage Intake::took(std::string tag, const std::function<std::string()>& contents) {
  return process_.core_->took(std::move(tag), contents);
}

void Intake::found_nothing() { process_.core_->found_nothing(); }

TakenMessage Intake::take(std::string_view mailbox, Patience patience, const Arrive& arrive) {
  std::optional<MessageWait> wait;
  if (!patience) wait.emplace(process_);
  return process_.core_->take(mailbox, patience, arrive);
}

MessageWait::MessageWait(Process& process) : process_(process) { process.core_->begin_wait(); }
MessageWait::~MessageWait() { process_.core_->end_wait(); }

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
