// Writes records in groups, so that one wait for the disk serves many clients.
#include "accept/accepted_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <lightcone/base/file.h>
#include <lightcone/base/wire.h>
#include <lightcone/trace/digest.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "accept/stored_files.h"

namespace lightcone::service {
namespace {

constexpr std::size_t head_size = 12;
constexpr std::size_t longest_record = std::size_t{1} << 30;
constexpr std::size_t most_names = 1 << 20;

[[nodiscard]] tl::unexpected<Error> system_error(std::string_view what, const std::string& path) {
  return failure(fmt::format("{}: {}", what, std::strerror(errno)), path, 0,
                 "what was accepted before is safe; the monitor goes on when the disk does");
}

/// Reads the whole records of a file; returns how many bytes they take.
[[nodiscard]] Expected<std::uint64_t> read_records(std::string_view bytes, const std::string& path,
                                                   const std::function<void(AcceptedItem)>& take) {
  std::uint64_t at = 0;
  while (bytes.size() - at >= head_size) {
    WireReader head(bytes.substr(at, head_size));
    const std::uint64_t size = head.fixed(4), digest = head.fixed(8);
    if (size > longest_record || size > bytes.size() - at - head_size) break;
    const std::string_view content = bytes.substr(at + head_size, size);
    if (digest_of(content) != digest) break;
    auto item = item_of(content);
    if (!item) return failure("holds a record that this Lightcone does not know", path);
    take(std::move(*item));
    at += head_size + size;
  }
  return at;
}

}  // namespace

std::string bytes_of(const AcceptedItem& item) {
  WireWriter writer;
  writer.number(static_cast<std::uint64_t>(item.what));
  writer.text(item.execution);
  writer.text(item.client);
  writer.number(item.names.size());
  for (const std::string& name : item.names) writer.text(name);
  if (item.spans) {
    writer.number(static_cast<std::uint64_t>(item.spans->encoding));
    writer.text(item.spans->bytes);
  }
  if (!item.piece) return std::move(writer.bytes());
  if (item.lines.size() == item.piece->lines.lines.size() && !item.piece->lines.error) {
    writer.text(item.piece->original);
    return std::move(writer.bytes());
  }
  std::string lines;
  for (const std::uint32_t line : item.lines) {
    lines += item.piece->text_of(item.piece->lines.lines[line]);
    if (!lines.ends_with('\n')) lines += '\n';
  }
  writer.text(lines);
  return std::move(writer.bytes());
}

std::optional<AcceptedItem> item_of(std::string_view bytes) {
  WireReader reader(bytes);
  AcceptedItem item;
  const std::uint64_t what = reader.number();
  item.what = static_cast<AcceptedItem::What>(what);
  item.execution = reader.text(bytes.size());
  item.client = reader.text(bytes.size());
  const std::uint64_t names = reader.number();
  if (names > most_names || names > bytes.size()) return std::nullopt;
  for (std::uint64_t i = 0; i < names && !reader.failed(); ++i) {
    item.names.emplace_back(reader.text(bytes.size()));
  }
  if (reader.failed() || what < 1 || what > 7) return std::nullopt;
  if (item.what == AcceptedItem::What::spans) {
    item.spans = std::make_shared<SpanBatch>();
    item.spans->encoding = static_cast<SpanBatch::Encoding>(reader.number());
    item.spans->bytes = reader.text(bytes.size());
    if (reader.failed()) return std::nullopt;
  }
  if (item.what != AcceptedItem::What::lines) {
    return reader.left() == 0 ? std::optional(item) : std::nullopt;
  }
  item.piece = std::make_shared<LinePiece>();
  item.piece->execution = item.execution;
  item.piece->original = reader.text(bytes.size());
  if (reader.failed() || reader.left() != 0) return std::nullopt;
  item.piece->parse();
  for (std::uint32_t i = 0; i < item.piece->lines.lines.size(); ++i) item.lines.push_back(i);
  return item;
}

std::string AcceptedLog::path_of(std::uint64_t file) const {
  return fmt::format("{}/accepted.{:08}", folder_, file);
}

Expected<AcceptedLog> AcceptedLog::open(std::string folder, std::uint64_t first, const Take& take) {
  AcceptedLog log(std::move(folder), first);
  log.oldest_ = first;
  std::uint64_t size = 0;
  for (;; ++log.file_) {
    const std::string path = log.path_of(log.file_);
    const bool is_last = !std::filesystem::exists(log.path_of(log.file_ + 1));
    if (is_last && !std::filesystem::exists(path)) break;
    auto file = InputFile::open_regular(path);
    if (!file) return failure(file.error());
    const auto bytes = file->read_all();
    if (!bytes) return failure(bytes.error());
    const auto read =
        read_records(*bytes, path, [&](AcceptedItem item) { take(std::move(item), log.file_); });
    if (!read) return failure(read.error());
    if (!is_last && *read != bytes->size()) {
      return failure(fmt::format("is damaged after {} bytes", *read), path, 0,
                     "restore it, or begin anew in another folder");
    }
    size = *read;
    if (is_last) break;
  }
  if (auto opened = log.open_file(size); !opened) return failure(opened.error());
  return log;
}

/// Opens the last file, and cuts off what is torn.
Expected<void> AcceptedLog::open_file(std::uint64_t size) {
  const std::string path = path_of(file_);
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = ::open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  if (descriptor_ < 0) return system_error("cannot be opened", path);
  if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0 ||
      ::lseek(descriptor_, static_cast<off_t>(size), SEEK_SET) < 0) {
    return system_error("cannot be continued", path);
  }
  size_ = size;
  // The name of the file must survive, too.
  return store_names(folder_);
}

AcceptedLog::AcceptedLog(AcceptedLog&& other) noexcept
    : folder_(std::move(other.folder_)),
      file_(other.file_),
      oldest_(other.oldest_),
      most_bytes_(other.most_bytes_),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_),
      bytes_(other.bytes_),
      unwritten_(std::move(other.unwritten_)) {}

AcceptedLog::~AcceptedLog() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void AcceptedLog::add(const AcceptedItem& item) {
  const std::string content = bytes_of(item);
  WireWriter head;
  head.fixed(content.size(), 4);
  head.fixed(digest_of(content), 8);
  unwritten_ += head.bytes();
  unwritten_ += content;
}

Expected<void> AcceptedLog::commit() {
  if (unwritten_.empty()) return {};
  std::string_view left = unwritten_;
  while (!left.empty()) {
    const ssize_t written = ::write(descriptor_, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return system_error("cannot be written", path_of(file_));
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::fdatasync(descriptor_) != 0) return system_error("cannot be stored", path_of(file_));
  size_ += unwritten_.size();
  bytes_ += unwritten_.size();
  unwritten_.clear();
  if (size_ < most_bytes_) return {};
  ++file_;
  return open_file(0);
}

void AcceptedLog::remove_before(std::uint64_t file) {
  for (; oldest_ < file; ++oldest_) {
    std::error_code ignored;
    std::filesystem::remove(path_of(oldest_), ignored);
  }
}

}  // namespace lightcone::service
