// Writing a journal: header, then blocks, each with one write.
#include <lightcone/base/success.h>
#include <lightcone/run/journal/journal.h>
#include <lightcone/run/journal/journal_file.h>

#include <utility>
#include <variant>

namespace lightcone {
namespace {

/// A block is written when its contents and values take so much memory.
constexpr std::size_t enough_bytes = 1 << 20;

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
  if (file_.is_open() && !ended_) static_cast<void>(flush());  // an error can no longer be reported
}

Expected<JournalWriter> JournalWriter::create(const std::string& path, const JournalHeader& header,
                                              std::size_t block_entries) {
  if (header.process.size() > journal::longest_name) {
    return failure("the name of the process is too long for a journal", path, 0,
                   "give the process a name of at most 4,096 bytes");
  }
  auto file = AppendedFile::open(path);
  if (!file) return failure(file.error());
  if (auto ok = file->cut(0); !ok) return failure(ok.error());
  JournalWriter writer(std::move(*file), header, block_entries);
  const std::string bytes = journal::file_header(header);
  writer.checksum_ = journal::file_header_checksum(bytes);
  // Whoever cannot write is told so at the first flush: a program goes on without its journal.
  static_cast<void>(writer.write(bytes));
  return writer;
}

JournalWriter JournalWriter::missing(const std::string& path, const JournalHeader& header,
                                     Error why) {
  JournalWriter writer(AppendedFile::missing(path), header, journal::usual_entries);
  writer.error_ = std::move(why);
  return writer;
}

Expected<std::uint32_t> JournalWriter::find_or_add_sender(std::string_view name) {
  const auto found = senders_.find(name);
  if (found != senders_.end()) {
    last_sender_ = name;
    last_sender_index_ = found->second;
    return found->second;
  }
  if (name.size() > journal::longest_name) {
    return fail("cannot name a sender of more than 4,096 bytes");
  }
  if (senders_.size() >= journal::most_senders) return fail("cannot name more than 65,536 senders");
  const std::uint32_t index = block_.add_sender(name);
  static_cast<void>(races_.add_sender(name));
  left_out_.add_sender();
  senders_.emplace(std::string(name), index);
  return index;
}

Expected<void> JournalWriter::add(const JournalEntry& entry) {
  if (const auto* message = std::get_if<ReceivedMessage>(&entry)) return add(*message, 0, false);
  const auto* read = std::get_if<BytesRead>(&entry);
  const auto* kept = std::get_if<KeptContents>(&entry);
  const std::size_t bytes = read != nullptr   ? read->bytes.size()
                            : kept != nullptr ? kept->bytes.size()
                                              : 0;
  if (!has_room(bytes, false)) {
    if (auto ok = make_room(bytes); !ok) return ok;
  }
  block_.add(entry);
  if (kind_ == JournalKind::races) races_.add(entry);
  return success();
}

Expected<void> JournalWriter::add(const WildcardMatch& match) {
  if (!has_room(0, false)) {
    if (auto ok = make_room(0); !ok) return ok;
  }
  block_.add(match);
  if (kind_ == JournalKind::races) races_.add(match);
  return success();
}

Expected<void> JournalWriter::add(const ReceivedMessage& message, std::uint64_t channel,
                                  bool implied) {
  const std::size_t bytes = message.contents ? message.contents->size() : 0;
  const bool same_batch = message.receive == block_.receives();
  if (!has_room(bytes, same_batch)) {
    if (auto ok = make_room(bytes); !ok) return ok;
  }
  // A replay could not know how many messages a left-out receive takes.
  LIGHTCONE_ASSERT(message.receive > (implied ? block_.receives() : implied_at_));
  if (implied) implied_at_ = message.receive;
  block_.add(message);
  if (kind_ == JournalKind::full) return success();
  if (implied && left_out_.leave_out(message, channel)) return success();
  left_out_.enter(message, channel, races_.messages());
  races_.add(message);
  return success();
}

/// Returns whether an entry with so many bytes besides its numbers may be added. A batch stays
/// together in a block, if it is not too large: a killed process has received all of it or nothing.
bool JournalWriter::has_room(std::size_t bytes, bool same_batch) const {
  LIGHTCONE_ASSERT(!ended_);
  if (error_ || bytes > journal::longest_bytes) return false;
  const bool has_place =
      block_.weight() < block_entries_ && block_.entries() < journal::most_entries;
  if (has_place && block_.bytes() < enough_bytes) return true;
  return same_batch && block_.entries() < journal::most_entries &&
         block_.bytes() + bytes <= journal::longest_bytes;
}

/// Where there is none.
Expected<void> JournalWriter::make_room(std::size_t bytes) {
  if (error_) return failure(*error_);
  if (bytes <= journal::longest_bytes) return flush();
  return fail("cannot hold a message or value of more than 256 MiB");
}

Expected<void> JournalWriter::flush() {
  if (error_) return failure(*error_);
  if (block_.entries() == 0 && facts_.events == said_events_) return {};
  said_events_ = facts_.events;
  ++blocks_;
  if (auto ok = write(journal::seal(take_block(), checksum_)); !ok) return ok;
  kept_events_ = said_events_;
  return {};
}

/// In a journal of races the smaller of two blocks. Readers know the same after either, and a block
/// of all receives is that of a full journal: so the journal never becomes larger than a full one.
std::string JournalWriter::take_block() {
  facts_.receives = block_.receives();
  std::string all = block_.take(facts_, nullptr);
  if (kind_ == JournalKind::full) return all;
  std::string races = races_.take(facts_, &left_out_);
  races_.follow(block_);
  const bool smaller = races.size() <= all.size();
  left_out_.next_block(smaller);
  return smaller ? races : all;
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
