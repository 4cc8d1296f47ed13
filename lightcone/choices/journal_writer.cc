// Writing a journal: header, then blocks, each with one write.
#include <lightcone/choices/journal.h>
#include <lightcone/choices/journal_file.h>

#include <utility>
#include <variant>

namespace lightcone {
namespace {

/// A block is written when its contents and values take so much memory.
constexpr std::size_t enough_bytes = 1 << 20;

/// What it may take to say how far senders have come.
constexpr std::size_t resumption_bytes = 16, bytes_a_sender = 3;

/// The bytes that an entry has beside its numbers.
[[nodiscard]] std::size_t bytes_of(const JournalEntry& entry) {
  if (const auto* message = std::get_if<ReceivedMessage>(&entry)) {
    return message->contents ? message->contents->size() : 0;
  }
  const auto* read = std::get_if<BytesRead>(&entry);
  return read != nullptr ? read->bytes.size() : 0;
}

}  // namespace

JournalWriter::JournalWriter(AppendedFile file, const JournalHeader& header,
                             std::size_t block_entries)
    : file_(std::move(file)),
      block_entries_(block_entries),
      kind_(header.kind),
      block_(header),
      races_(header) {
  LIGHTCONE_ASSERT(block_entries >= 1 && block_entries <= journal::most_entries);
}

JournalWriter::~JournalWriter() {
  if (file_.is_open() && !ended_) static_cast<void>(flush());  // no one is left to be told
}

Expected<JournalWriter> JournalWriter::create(const std::string& path, const JournalHeader& header,
                                              std::size_t block_entries) {
  if (header.process.size() > journal::longest_name) {
    return failure("cannot be the journal of a process with so long a name", path, 0,
                   "give the process a name of at most 4,096 bytes");
  }
  auto file = AppendedFile::open(path);
  if (!file) return failure(file.error());
  if (auto ok = file->cut(0); !ok) return failure(ok.error());
  JournalWriter writer(std::move(*file), header, block_entries);
  const std::string bytes = journal::file_header(header);
  writer.checksum_ = journal::file_header_checksum(bytes);
  if (auto ok = writer.write(bytes); !ok) return failure(ok.error());
  return writer;
}

Expected<std::uint32_t> JournalWriter::sender(std::string_view name) {
  const auto found = senders_.find(std::string(name));
  if (found != senders_.end()) return found->second;
  if (name.size() > journal::longest_name) {
    return fail("cannot name a sender of more than 4,096 bytes");
  }
  if (senders_.size() >= journal::most_senders) return fail("cannot name more than 65,536 senders");
  const std::uint32_t index = block_.add_sender(name);
  static_cast<void>(races_.add_sender(name));
  senders_.emplace(name, index);
  return index;
}

Expected<void> JournalWriter::add(const JournalEntry& entry, bool implied) {
  LIGHTCONE_ASSERT(!ended_);
  if (error_) return failure(*error_);
  if (bytes_of(entry) > journal::longest_bytes) {
    return fail("cannot hold a message or value of more than 256 MiB");
  }
  block_.add(entry);
  if (kind_ == JournalKind::races && !implied) races_.add(entry);
  if (block_.entries() >= block_entries_ || block_.bytes() >= enough_bytes) return flush();
  return {};
}

Expected<void> JournalWriter::flush() {
  if (error_) return failure(*error_);
  if (block_.entries() == 0) return {};
  const std::string payload = take_block();
  if (payload.empty()) return {};
  return write(journal::seal(payload, checksum_));
}

/// In a journal of races the smaller of the two blocks, or nothing if all is implied. After a block
/// that leaves receives out, one with all of them must say how far each sender has come: what is
/// saved has to pay for that too, or the journal could become larger than a full one.
std::string JournalWriter::take_block() {
  if (kind_ == JournalKind::full) return block_.take();
  if (races_.entries() == 0) {
    block_.follow(races_);
    return {};
  }
  std::string all = block_.take(), races = races_.take();
  if (all.size() < races.size() + resumption_bytes + bytes_a_sender * senders_.size()) {
    races_.follow(block_);
    return all;
  }
  block_.follow(races_);
  return races;
}

Expected<void> JournalWriter::end() {
  LIGHTCONE_ASSERT(!ended_);
  if (auto ok = flush(); !ok) return ok;
  ended_ = true;
  return write(journal::seal({}, checksum_));
}

/// Keeps an error: what comes after a hole would be taken for what came before it.
tl::unexpected<Error> JournalWriter::fail(std::string what) {
  error_ = Error{std::move(what), file_.path(), 0, "the journal is whole up to here", 0, {}};
  return failure(*error_);
}

Expected<void> JournalWriter::write(std::string_view bytes) {
  if (auto ok = file_.write(bytes); !ok) {
    static_cast<void>(file_.cut(size_));  // a half block is of no use; readers pass over it, too
    return fail(ok.error().what);
  }
  size_ += bytes.size();
  return {};
}

}  // namespace lightcone
