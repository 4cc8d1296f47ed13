// No bytes make the reader of journals do anything but give entries that could have been written,
// or an error.
#include <lightcone/run/journal/journal.h>
#include <lightcone/run/journal/journal_file.h>

#include <cstdint>
#include <string>
#include <variant>

#include "fuzz/file_in_memory.h"

namespace {

using namespace lightcone;

/// Going block by block gives facts that never go back, and answers about any message.
void read_blocks(const std::string& path) {
  auto journal = Journal::open(path);
  if (!journal) return;
  JournalFacts before;
  for (auto more = journal->next_block(); more && *more; more = journal->next_block()) {
    const JournalFacts& facts = journal->facts();
    if (facts.receives < before.receives || facts.events < before.events) __builtin_trap();
    std::uint64_t implied = 0;
    for (std::uint64_t channel = 0; channel < 64; ++channel) {
      implied += journal->implies(0, channel, channel) + journal->implies(70'000, channel, 1);
    }
    if (implied > 64 || journal->implies(0, 0, 1)) __builtin_trap();
    if (implied > 0 && facts.receives == before.receives) __builtin_trap();
    before = facts;
    while (journal->peek() != nullptr) journal->pop();
  }
}

/// A reader that goes through what was written must never find receives that go back.
void read(const std::string& path) {
  auto journal = Journal::open(path);
  if (!journal) {
    if (journal.error().what.empty() || journal.error().file != path) __builtin_trap();
    return;
  }
  std::uint64_t receives = 0, bytes = 0;
  for (;;) {
    const auto entry = journal->next();
    if (!entry && entry.error().hint.empty()) __builtin_trap();
    if (!entry || *entry == nullptr) break;
    if (const auto* message = std::get_if<ReceivedMessage>(*entry)) {
      if (message->receive < receives || message->number == 0) __builtin_trap();
      receives = message->receive;
      bytes += journal->sender(message->sender).size();
      for (const char c : message->contents.value_or("")) bytes += c != 0;
    } else if (const auto* polls = std::get_if<EmptyPolls>(*entry)) {
      if (polls->receive <= receives || polls->count == 0) __builtin_trap();
    } else if (const auto* branch = std::get_if<BranchTaken>(*entry)) {
      if (branch->which >= branch->of) __builtin_trap();
    } else if (const auto* read = std::get_if<BytesRead>(*entry)) {
      for (const char c : read->bytes) bytes += c != 0;
    } else if (const auto* kept = std::get_if<KeptContents>(*entry)) {
      for (const char c : kept->bytes) bytes += c != 0;
    } else if (const auto* choice = std::get_if<RequestChoice>(*entry)) {
      if (choice->which > choice->of) __builtin_trap();
    } else if (const auto* result = std::get_if<PollResult>(*entry)) {
      if (result->count == 0 || (result->found && result->count != 1)) __builtin_trap();
    }
  }
  if (bytes == UINT64_MAX) __builtin_trap();  // so that all bytes were looked at
  read_blocks(path);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  read(fuzz::file_in_memory(bytes));
  // A forger can compute checksums as well as we can: the same bytes as the payload of a block.
  if (size == 0 || size > (1 << 16)) return 0;
  for (const JournalKind kind : {JournalKind::full, JournalKind::races}) {
    for (std::uint32_t version = 2; version <= journal::version; ++version) {
      const std::string header = journal::file_header({"p1", kind, true, version});
      std::uint64_t checksum = journal::file_header_checksum(header);
      const std::string block = journal::seal(bytes, checksum);
      read(fuzz::file_in_memory(header + block + journal::seal(bytes, checksum)));
    }
  }
  return 0;
}
