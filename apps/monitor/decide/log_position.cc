// Files of a folder of state.
#include "decide/log_position.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <lightcone/base/file.h>
#include <lightcone/base/json.h>
#include <lightcone/base/wire.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "accept/stored_files.h"

namespace lightcone::service {
namespace {

constexpr std::uint64_t ended_version = 1;

[[nodiscard]] std::string ended_path(const std::string& folder, std::uint64_t file) {
  return fmt::format("{}/ended.{:08}", folder, file);
}

[[nodiscard]] Expected<std::string> read_whole(const std::string& path) {
  auto file = InputFile::open_regular(path);
  if (!file) return failure(file.error());
  return file->read_all();
}

/// A folder of an earlier Lightcone has no such file.
[[nodiscard]] Expected<std::vector<std::uint64_t>> read_ended(const std::string& path) {
  std::vector<std::uint64_t> ended;
  if (!std::filesystem::exists(path)) return ended;
  const auto bytes = read_whole(path);
  if (!bytes) return failure(bytes.error());
  WireReader reader(*bytes);
  const std::uint64_t version = reader.number(), count = reader.number();
  if (version != ended_version || reader.failed() || reader.left() != count * 8) {
    return failure("is damaged", path);
  }
  for (std::uint64_t i = 0; i < count; ++i) ended.push_back(reader.fixed(8));
  return ended;
}

}  // namespace

Expected<int> lock_folder(const std::string& folder) {
  const std::string path = folder + "/lock";
  const int lock = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  if (lock >= 0 && ::flock(lock, LOCK_EX | LOCK_NB) == 0) return lock;
  const std::string why = lock < 0 ? std::strerror(errno) : "another monitor uses this folder";
  if (lock >= 0) ::close(lock);
  return failure(why, folder);
}

Expected<void> check_identity(const std::string& folder, const std::string& identity) {
  const std::string path = folder + "/properties";
  if (!std::filesystem::exists(path)) return replace_file(path, identity);
  const auto kept = read_whole(path);
  if (!kept) return failure(kept.error());
  if (*kept == identity) return {};
  return failure("holds what was decided for other properties", folder, 0,
                 "what was told would not agree with what is decided again; use another folder for "
                 "the new properties");
}

Expected<LogPosition> read_position(const std::string& folder) {
  const std::string path = folder + "/position";
  LogPosition position;
  if (!std::filesystem::exists(path)) return position;
  const auto text = read_whole(path);
  if (!text) return failure(text.error());
  const auto json = Json::parse(*text);
  const bool is_good = json && json->read("file", position.file) &&
                       json->read("sequence", position.sequence) &&
                       json->read("decided", position.decided) && position.file > 0;
  if (!is_good) return failure("is damaged", path);
  auto ended = read_ended(ended_path(folder, position.file));
  if (!ended) return failure(ended.error());
  position.ended = std::move(*ended);
  return position;
}

Expected<void> write_position(const std::string& folder, const LogPosition& position) {
  WireWriter writer;
  writer.number(ended_version);
  writer.number(position.ended.size());
  for (const std::uint64_t digest : position.ended) writer.fixed(digest, 8);
  const std::string path = ended_path(folder, position.file);
  if (auto written = replace_file(path, writer.bytes()); !written) return written;
  const Json json{
      {"file", position.file}, {"sequence", position.sequence}, {"decided", position.decided}};
  auto written = replace_file(folder + "/position", json.dump() + "\n");
  if (!written) return written;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const bool is_ended = entry.path().filename().string().starts_with("ended.");
    if (is_ended && entry.path() != path) std::filesystem::remove(entry.path(), ignored);
  }
  return {};
}

void EndedExecutions::add(std::uint64_t digest) {
  digests_.push_back(digest);
  if (digests_.size() <= most_) return;
  digests_.pop_front();
  ++forgotten_;
}

std::vector<std::uint64_t> EndedExecutions::first(std::uint64_t count, std::size_t most) const {
  const std::uint64_t end = std::min(count, this->count());
  const std::uint64_t begin = std::max(forgotten_, end - std::min<std::uint64_t>(end, most));
  std::vector<std::uint64_t> digests;
  for (std::uint64_t i = begin; i < end; ++i) digests.push_back(digests_[i - forgotten_]);
  return digests;
}

}  // namespace lightcone::service
