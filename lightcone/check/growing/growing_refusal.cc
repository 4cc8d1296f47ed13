// Lets a builder see the event and one before it that contradicts it.
#include <lightcone/check/growing/growing_refusal.h>

#include <lightcone/causal/builder.h>

namespace lightcone {

Error refusal(const MonitoredEvent& event, LayoutError::Why why, std::string_view message,
              const std::string& file) {
  using Why = LayoutError::Why;
  Builder builder(file);
  const ProcessIndex other = builder.process("another process");
  Arrival again;
  again.process = builder.process(event.process);
  again.line = event.line;
  Arrival before = again;
  const MessageIndex m = message.data() == nullptr ? none : builder.message(message);
  const std::vector<MessageIndex> taken{m};
  switch (why) {
    case Why::sent_twice:
      before.kind = again.kind = Kind::send;
      before.sends = again.sends = m;
      break;
    case Why::received_twice: {
      Arrival sent;
      sent.process = other;
      sent.kind = Kind::send;
      sent.sends = m;
      builder.add(sent);
      before.kind = again.kind = Kind::receive;
      before.takes = again.takes = taken;
      break;
    }
    default: again.kind = Kind::initial; break;
  }
  builder.add(before);
  builder.add(again);
  auto refused = builder.build();
  LIGHTCONE_ASSERT(!refused.has_value());
  return refused.error();
}

}  // namespace lightcone
