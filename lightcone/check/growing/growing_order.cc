// Queues of events that wait, one per process, and the messages that set them free.
#include <lightcone/check/growing/growing_order.h>

#include <lightcone/riders/tags/incarnation.h>

#include <algorithm>
#include <utility>

namespace lightcone {
namespace {

/// Of names and texts that an event has by itself.
[[nodiscard]] std::size_t text_bytes(const GrowingEvent& event) {
  std::size_t bytes = 0;
  for (const std::string& name : event.to) bytes += name.size();
  if (!event.words) return bytes;
  bytes += (event.words->text ? event.words->text->size() : 0);
  bytes += (event.words->source ? event.words->source->size() : 0);
  for (const std::string& name : event.words->messages) bytes += name.size();
  return bytes;
}

}  // namespace

GrowingOrder::GrowingOrder(std::string file, bool keeps_clocks, GrowingMessages messages,
                           Happens happens)
    : file_(std::move(file)),
      keeps_clocks_(keeps_clocks),
      happens_(std::move(happens)),
      messages_(std::move(messages)) {}

Expected<void> GrowingOrder::look_up_messages(const MonitoredEvent& event, ProcessIndex index,
                                              GrowingEvent& known) {
  using Why = LayoutError::Why;
  if (event.sends.data() != nullptr) {
    known.sends = messages_.find_or_add(event.sends);
    if (known.sends == GrowingMessages::forgotten || messages_[known.sends].is_named_as_sent) {
      return failure(refusal(event, Why::sent_twice, event.sends, file_));
    }
    known.to.assign(event.to.begin(), event.to.end());
  }
  for (const std::string_view taken : event.takes) {
    const GrowingMessages::Index slot = messages_.find_or_add(taken);
    if (slot == GrowingMessages::forgotten) {
      known.lost_a_message = true;
      ++received_too_late_;
      continue;
    }
    const auto& receivers = messages_[slot].receivers;
    const bool again = std::ranges::find(receivers, index) != receivers.end() ||
                       std::ranges::find(known.takes, slot) != known.takes.end();
    if (again && !event.duplicate) {
      return failure(refusal(event, Why::received_twice, taken, file_));
    }
    known.takes.push_back(slot);
  }
  return {};
}

void GrowingOrder::add(ProcessIndex index, GrowingEvent event) {
  Process& here = processes_[index];
  if (event.sends != GrowingEvent::no_message) {
    messages_[event.sends].is_named_as_sent = true;
    messages_.use(event.sends);
  }
  for (const GrowingMessages::Index taken : event.takes) {
    messages_[taken].receivers.push_back(index);
    messages_.use(taken);
  }
  const bool first = here.queue.empty();
  waiting_bytes_ += text_bytes(event);
  here.queue.push_back(std::move(event));
  ++waiting_;
  if (first) advance(index);
}

/// Lets the process go on as far as it can, and those that its messages set free.
void GrowingOrder::advance(ProcessIndex first) {
  ready_.assign(1, first);
  while (!ready_.empty()) {
    const ProcessIndex index = ready_.back();
    ready_.pop_back();
    Process& here = processes_[index];
    while (!here.queue.empty() && !must_wait(index)) {
      const GrowingEvent event = std::move(here.queue.front());
      here.queue.pop_front();
      --waiting_;
      waiting_bytes_ -= text_bytes(event);
      happen(index, event);
    }
  }
}

/// Returns whether the first event of the queue takes a message that has not been sent; that
/// message then knows which process waits for it.
bool GrowingOrder::must_wait(ProcessIndex index) {
  for (const GrowingMessages::Index taken : processes_[index].queue.front().takes) {
    if (messages_[taken].is_sent) continue;
    messages_[taken].waiting.push_back(index);
    return true;
  }
  return false;
}

void GrowingOrder::happen(ProcessIndex index, const GrowingEvent& event) {
  Process& here = processes_[index];
  ++here.rank;
  ++events_;
  learn(here, event);
  std::vector<const GrowingTag*> tags;
  tags.reserve(event.takes.size());
  for (const GrowingMessages::Index taken : event.takes) tags.push_back(&messages_[taken].tag);
  GrowingTag tag = happens_(index, event, tags);
  for (const GrowingMessages::Index taken : event.takes) {
    std::vector<std::string>& awaited = messages_[taken].awaited;
    // A process that was restarted receives what was sent to its first incarnation.
    const bool has_come = std::erase(awaited, here.name) > 0 ||
                          std::erase(awaited, incarnation_of(here.name).name) > 0;
    if (has_come && awaited.empty()) awaited = {};  // gives memory back
    messages_.release(taken);
  }
  if (event.sends != GrowingEvent::no_message) send(here, event, std::move(tag));
}

/// How much the process knows now, and whether something of it is lost.
void GrowingOrder::learn(Process& here, const GrowingEvent& event) {
  here.is_exact = here.is_exact && !event.lost_a_message;
  if (keeps_clocks_) here.clock.tick();
  for (const GrowingMessages::Index taken : event.takes) {
    const GrowingTag& tag = messages_[taken].tag;
    here.is_exact = here.is_exact && tag.is_exact;
    if (keeps_clocks_) here.clock.join(tag.clock);
  }
}

void GrowingOrder::send(const Process& from, const GrowingEvent& event, GrowingTag tag) {
  GrowingMessage& message = messages_[event.sends];
  message.is_sent = true;
  if (keeps_clocks_) tag.clock = from.clock.tag();
  tag.is_exact = from.is_exact;
  messages_.set_tag(event.sends, std::move(tag));
  message.names_receivers = !event.to.empty();
  message.awaited = event.to;
  ready_.insert(ready_.end(), message.waiting.begin(), message.waiting.end());
  message.waiting = {};
  messages_.release(event.sends);
}

Expected<void> GrowingOrder::check_waiting(Unsent unsent) const {
  struct Waiting {
    const GrowingEvent* event;
    ProcessIndex process;
  };
  std::vector<Waiting> all;
  Builder builder(file_);
  for (ProcessIndex p = 0; p < processes_.size(); ++p) {
    (void)builder.process(processes_[p].name);
    for (const GrowingEvent& event : processes_[p].queue) all.push_back({&event, p});
  }
  std::ranges::stable_sort(all, {}, [](const Waiting& it) { return it.event->line; });
  for (const auto& [event, p] : all) {
    Arrival arrival;
    arrival.process = p;
    arrival.kind = event->kind;
    arrival.line = event->line;
    std::vector<MessageIndex> takes;
    for (const GrowingMessages::Index taken : event->takes) {
      if (!messages_[taken].is_sent) takes.push_back(builder.message(messages_[taken].name));
    }
    if (arrival.kind == Kind::receive && takes.empty()) arrival.kind = Kind::internal;
    arrival.takes = takes;
    arrival.duplicate = true;  // that has been looked at
    if (event->sends != GrowingEvent::no_message) {
      arrival.sends = builder.message(messages_[event->sends].name);
    }
    builder.add(arrival);
  }
  if (auto built = builder.build(unsent); !built) return failure(std::move(built.error()));
  return {};
}

std::size_t GrowingOrder::bytes() const {
  constexpr std::size_t of_process = 1400, of_entry = 4, of_event = 320;
  return messages_.bytes() + waiting_ * of_event + waiting_bytes_ +
         processes_.size() * (of_process + of_entry * processes_.size());
}

void GrowingOrder::forget_unsent() {
  for (ProcessIndex p = 0; p < processes_.size(); ++p) {
    for (GrowingEvent& event : processes_[p].queue) {
      const std::size_t before = event.takes.size();
      std::erase_if(event.takes, [&](GrowingMessages::Index taken) {
        return !messages_[taken].is_named_as_sent;
      });
      if (event.takes.size() == before) continue;
      event.lost_a_message = true;
      without_send_.places.push_back({p, 0});
      if (event.kind != Kind::receive || !event.takes.empty()) continue;
      event.kind = event.sends == GrowingEvent::no_message ? Kind::internal : Kind::send;
      ++without_send_.made_internal;
    }
  }
  for (ProcessIndex p = 0; p < processes_.size(); ++p) advance(p);
}

std::vector<MonitorWait> GrowingOrder::waits() const {
  std::vector<MonitorWait> all;
  for (const Process& process : processes_) {
    if (process.queue.empty()) continue;
    for (const GrowingMessages::Index taken : process.queue.front().takes) {
      if (messages_[taken].is_sent) continue;
      all.push_back({std::string(process.name), messages_[taken].name, process.queue.size()});
      break;
    }
  }
  return all;
}

/// Lets a builder see the event and one before it that contradicts it.
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
