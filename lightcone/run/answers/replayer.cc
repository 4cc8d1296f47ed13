// A receive that a journal of races leaves out takes the message that was sent after the receive
// before it: Journal::implies says which that is.
#include <lightcone/run/answers/replayer.h>

#include <lightcone/run/journal/kept_message.h>

#include <fmt/format.h>

#include <utility>
#include <variant>

namespace lightcone {
namespace {

using Why = Standstill::Why;

[[nodiscard]] std::string name_of(std::string_view sender, std::uint64_t number) {
  if (sender.empty()) return "a message without a tag";
  return fmt::format("{}:{}", sender, number);
}

/// An entry of a journal, for people.
struct EntryWords {
  const Journal& journal;
  std::string operator()(const ReceivedMessage& m) const {
    return "it takes " + name_of(journal.sender(m.sender), m.number);
  }
  std::string operator()(const EmptyPolls&) const { return "it finds no message"; }
  std::string operator()(const ClockReading&) const { return "it asks for the time"; }
  std::string operator()(const RandomDraw&) const { return "it draws a random number"; }
  std::string operator()(const BytesRead&) const { return "it reads something from outside"; }
  std::string operator()(const BranchTaken& branch) const {
    return fmt::format("it chooses among {}", branch.of);
  }
  template <class OfMpi>
  std::string operator()(const OfMpi&) const {
    return "an answer to an MPI call";
  }
};

}  // namespace

Expected<Replayer> Replayer::open(const std::string& path, std::chrono::milliseconds patience) {
  auto journal = Journal::open(path);
  if (!journal) return failure(journal.error());
  auto events = RecordedEvents::open(path);
  if (!events) return failure(events.error());
  return Replayer(std::move(*journal), std::move(*events), patience);
}

Expected<void> Replayer::resume(std::uint64_t blocks, std::uint64_t takes) {
  for (std::uint64_t i = 0; i < blocks; ++i) {
    const auto there = journal_.next_block();
    if (!there) return failure(there.error());
    if (!*there) return failure("the journal ends before the checkpoint");
  }
  while (journal_.peek() != nullptr) journal_.pop();
  if (journal_.facts().receives != takes) return failure("the checkpoint is not of this journal");
  takes_ = takes;
  return events_.skip(blocks);
}

/// What stands next in the journal, for people.
std::string Replayer::next_recorded() const {
  const JournalEntry* entry = journal_.peek();
  if (entry == nullptr) {
    if (journal_.facts().receives > takes_) return "it takes a message";
    return journal_.ended() ? "it ends" : "nothing more";
  }
  return std::visit(EntryWords{journal_}, *entry);
}

tl::unexpected<Standstill> Replayer::diverged(std::string_view asked) const {
  return standstill(Why::diverged, fmt::format("recorded: {}; came: {}", next_recorded(), asked));
}

Prompted<void> Replayer::next_block(std::string_view asked) {
  const auto there = journal_.next_block();
  if (!there) return standstill(Why::recording_ended, there.error().text());
  if (*there) return {};
  if (journal_.ended()) return diverged(asked);
  return standstill(Why::recording_ended, "the recording ends here: the process was cut off");
}

Prompted<void> Replayer::find_answer(std::string_view asked) {
  while (journal_.peek() == nullptr && journal_.facts().receives <= takes_) {
    if (auto found = next_block(asked); !found) return found;
  }
  return {};
}

Prompted<Prompter::Turn> Replayer::begin_entered(const ReceivedMessage& message) {
  entered_ = true;
  sender_ = journal_.sender(message.sender);
  number_ = message.number;
  if (!message.contents) return Turn{};
  auto kept = message_kept(*message.contents);
  if (!kept) return standstill(Why::diverged, "the contents in the journal are damaged");
  return Turn{Turn::What::stands_in, std::move(*kept)};
}

Prompted<Prompter::Turn> Replayer::begin_take(std::string_view, bool polls) {
  const std::string_view asked = polls ? "it polls for a message" : "it waits for a message";
  if (auto found = find_answer(asked); !found) return tl::unexpected(found.error());
  const std::uint64_t receive = takes_ + 1;
  const JournalEntry* entry = journal_.peek();
  if (entry != nullptr) {
    if (const auto* empty = std::get_if<EmptyPolls>(entry); empty && empty->receive == receive) {
      if (++polls_ == empty->count) {
        polls_ = 0;
        journal_.pop();
      }
      return Turn{Turn::What::nothing, {}};
    }
    const auto* message = std::get_if<ReceivedMessage>(entry);
    if (message != nullptr && message->receive == receive) return begin_entered(*message);
  }
  if (journal_.facts().receives < receive || kind() == JournalKind::full) return diverged(asked);
  entered_ = false;
  return Turn{};
}

bool Replayer::admits(const MessageIdentity& message) const {
  if (entered_) return message.sender == sender_ && message.number == number_;
  if (message.receives_known != takes_ || message.channel == 0) return false;
  const auto sender = journal_.find_sender(message.sender);
  return sender && journal_.implies(*sender, message.channel, message.number);
}

void Replayer::took(const MessageIdentity&) {
  ++takes_;
  if (entered_) journal_.pop();
}

std::string Replayer::waits_for() const {
  const std::string as = fmt::format("receive {}", takes_ + 1);
  if (entered_) return fmt::format("waits for {} as its {}", name_of(sender_, number_), as);
  return fmt::format("waits for its {}: a message sent after receive {}", as, takes_);
}

template <class Entry>
Prompted<const Entry*> Replayer::answer(std::string_view asked) {
  if (auto found = find_answer(asked); !found) return tl::unexpected(found.error());
  const JournalEntry* entry = journal_.peek();
  const Entry* wanted = entry != nullptr ? std::get_if<Entry>(entry) : nullptr;
  if (wanted == nullptr) return diverged(asked);
  return wanted;
}

Prompted<std::uint64_t> Replayer::now() {
  return answer<ClockReading>("it asks for the time").map([&](const ClockReading* reading) {
    const std::uint64_t value = reading->value;
    journal_.pop();
    return value;
  });
}

Prompted<std::uint64_t> Replayer::random() {
  return answer<RandomDraw>("it draws a random number").map([&](const RandomDraw* draw) {
    const std::uint64_t value = draw->value;
    journal_.pop();
    return value;
  });
}

Prompted<std::uint64_t> Replayer::choose(std::uint64_t alternatives) {
  const std::string asked = fmt::format("it chooses among {}", alternatives);
  const auto branch = answer<BranchTaken>(asked);
  if (!branch) return tl::unexpected(branch.error());
  if ((*branch)->of != alternatives) return diverged(asked);
  const std::uint64_t which = (*branch)->which;
  journal_.pop();
  return which;
}

Prompted<std::optional<std::string>> Replayer::read() {
  return answer<BytesRead>("it reads something from outside").map([&](const BytesRead* read) {
    std::optional<std::string> bytes(read->bytes);
    journal_.pop();
    return bytes;
  });
}

Prompted<void> Replayer::made(std::uint64_t events, std::uint32_t digest,
                              const std::function<std::string()>& words) {
  return events_.made(events, digest, words);
}

Prompted<void> Replayer::end() {
  while (journal_.peek() == nullptr && journal_.facts().receives <= takes_) {
    const auto there = journal_.next_block();
    if (!there || !*there) return events_.end("it ends");
  }
  return diverged("it ends");
}

}  // namespace lightcone
