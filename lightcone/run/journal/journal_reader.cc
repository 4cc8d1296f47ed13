// Reading a journal: block after block, up to its end, to where it was torn, or to damage.
#include <lightcone/run/journal/journal.h>
#include <lightcone/run/journal/journal_file.h>

#include <algorithm>
#include <utility>

namespace lightcone {
namespace {

constexpr std::size_t largest_body = journal::longest_name + 16;
constexpr const char* record_again = "record the program again";

}  // namespace

Expected<Journal> Journal::open(const std::string& path) {
  auto file = InputFile::open_regular(path);
  if (!file) return failure(file.error());
  Journal journal(std::move(*file), path);
  if (auto ok = journal.read_header(); !ok) return failure(ok.error());
  return journal;
}

/// As many of the next bytes as there are.
Expected<std::string> Journal::read_bytes(std::size_t size) {
  constexpr std::size_t piece = 1 << 20;  // a size that is a lie must not make us ask for memory
  std::string bytes;
  while (bytes.size() < size) {
    const std::size_t before = bytes.size();
    const std::size_t want = std::min(piece, size - before);
    bytes.resize(before + want);
    const auto got = file_.read(bytes.data() + before, want);
    if (!got) return failure(got.error());
    bytes.resize(before + *got);
    if (*got < want) break;
  }
  return bytes;
}

Expected<void> Journal::read_header() {
  auto bytes = read_bytes(journal::file_start_size);
  if (!bytes) return failure(bytes.error());
  const std::string_view known = std::string_view(*bytes).substr(0, journal::file_magic.size());
  if (bytes->empty())
    return failure("is empty: its process wrote no journal", path_, 0, record_again);
  if (!journal::file_magic.starts_with(known)) {
    return failure("is not a journal", path_, 0, "name a file that `lightcone record` has made");
  }
  const auto torn = [&] {
    return failure("is torn in its first bytes: its process was killed before it wrote anything",
                   path_, 0, record_again);
  };
  if (bytes->size() < journal::file_start_size) return torn();
  const std::uint32_t version = journal::file_header_version(*bytes);
  if (version < journal::oldest_version || version > journal::version) {
    return failure("is a journal of version " + std::to_string(version) + ", and only versions " +
                       std::to_string(journal::oldest_version) + " to " +
                       std::to_string(journal::version) + " can be read",
                   path_, 0, "use the Lightcone that recorded it, or record the program again");
  }
  const std::size_t body_size = journal::file_header_body_size(*bytes);
  if (body_size > largest_body) return damaged("its header is too long");
  const auto body = read_bytes(body_size);
  if (!body) return failure(body.error());
  if (body->size() < body_size) return torn();
  *bytes += *body;
  auto header = journal::read_file_header(*bytes);
  if (!header) return damaged("its header is not as it was written");
  header_ = std::move(*header);
  checksum_ = journal::file_header_checksum(*bytes);
  return {};
}

Expected<const JournalEntry*> Journal::next() {
  if (!advance()) {
    if (error_) return failure(*error_);
    return nullptr;
  }
  entry_ = *peek();
  pop();
  // A run of empty polls that a flush has cut in two is one run still.
  if (auto* polls = std::get_if<EmptyPolls>(&entry_)) {
    while (advance()) {
      const auto* more = std::get_if<EmptyPolls>(&decoder_.entries()[at_]);
      if (more == nullptr || more->receive != polls->receive) break;
      polls->count += more->count;
      ++at_;
    }
  }
  if (auto* result = std::get_if<PollResult>(&entry_); result != nullptr && !result->found) {
    while (advance()) {
      const auto* more = std::get_if<PollResult>(&decoder_.entries()[at_]);
      if (more == nullptr || more->found) break;
      result->count += more->count;
      ++at_;
    }
  }
  return &entry_;
}

/// Returns whether there is a next entry; reads blocks when the last one is used up.
bool Journal::advance() {
  while (peek() == nullptr) {
    if (!step()) return false;
  }
  return true;
}

/// Returns whether there is a next block; then it is the current one.
bool Journal::step() {
  if (finished_) return false;
  given_ += decoder_.entries().size() - at_;
  at_ = decoder_.entries().size();
  if (auto ok = read_block(); !ok) {
    error_ = ok.error();
    finished_ = true;
  }
  return !finished_;
}

Expected<bool> Journal::next_block() {
  if (step()) return true;
  if (error_) return failure(*error_);
  return false;
}

const JournalEntry* Journal::peek() const {
  return at_ < decoder_.entries().size() ? &decoder_.entries()[at_] : nullptr;
}

void Journal::pop() {
  LIGHTCONE_ASSERT(peek() != nullptr);
  ++at_;
  ++given_;
}

Expected<void> Journal::read_block() {
  auto block = read_bytes(journal::block_header_size);
  if (!block) return failure(block.error());
  const auto torn = [&]() -> Expected<void> {
    finished_ = true;
    lost_bytes_ = block->size();
    return {};
  };
  if (block->size() < journal::block_header_size) return torn();
  const journal::BlockHeader header = journal::block_header(*block);
  if (header.size > journal::most_bytes) return damaged("a block has a size that no block has");
  const auto payload = read_bytes(header.size);
  if (!payload) return failure(payload.error());
  *block += *payload;
  if (payload->size() < header.size) return torn();
  if (journal::block_checksum(*block, checksum_) != header.checksum) {
    return damaged("a block is not as it was written");
  }
  checksum_ = header.checksum;
  if (header.size == 0) return read_end();
  at_ = 0;
  if (!decoder_.read(*payload, header_)) {
    return damaged("a block has content that no process can have written");
  }
  return {};
}

/// After the block that ends a journal, nothing follows.
Expected<void> Journal::read_end() {
  const auto more = read_bytes(1);
  if (!more) return failure(more.error());
  if (!more->empty()) return damaged("something follows its end");
  finished_ = true;
  ended_ = true;
  return {};
}

tl::unexpected<Error> Journal::damaged(const std::string& how) const {
  return failure("is damaged after " + std::to_string(given_) + " entries: " + how, path_, 0,
                 "restore the file from where it was recorded, or record the program again");
}

}  // namespace lightcone
