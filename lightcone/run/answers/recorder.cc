// Turns what a process gets into entries of its journal.
#include <lightcone/run/answers/recorder.h>

#include <algorithm>
#include <utility>

namespace lightcone {

Expected<Recorder> Recorder::create(const std::string& path, std::string process,
                                    JournalKind kind) {
  auto writer = JournalWriter::create(path, {std::move(process), kind, true});
  if (!writer) return failure(writer.error());
  return Recorder(std::move(*writer));
}

Expected<void> Recorder::took(const MessageIdentity& message, bool races,
                              std::optional<std::string_view> contents) {
  const auto sender = writer_.sender(message.sender);
  if (!sender) return failure(sender.error());
  // A message without a tag has no number; any will do, as its contents are kept.
  const std::uint64_t number = std::max<std::uint64_t>(message.number, 1);
  const ReceivedMessage entry{*sender, number, ++takes_, contents};
  return races ? writer_.add(entry, message.channel) : writer_.add_implied(entry, message.channel);
}

Expected<void> Recorder::found_nothing() {
  return writer_.add(EmptyPolls{.receive = takes_ + 1, .count = 1});
}

Expected<void> Recorder::answered(const JournalEntry& answer) { return writer_.add(answer); }

Expected<void> Recorder::flush() {
  flushed_ = CoarseClock::now();
  return writer_.flush();
}

Expected<void> Recorder::end() { return writer_.end(); }

}  // namespace lightcone
