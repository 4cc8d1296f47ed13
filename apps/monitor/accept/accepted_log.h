// The log of what was accepted: what is in it is decided, whatever happens to the monitor.
#pragma once

#include <lightcone/error.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "accept/acceptance.h"

namespace lightcone::service {

/// Files `accepted.N` in a folder. Each holds records: four bytes with the size of the content,
/// eight with its digest, the content. A record that is torn or damaged ends its file.
class AcceptedLog {
 public:
  /// Called with each record, and the number of the file that it is in.
  using Take = std::function<void(AcceptedItem item, std::uint64_t file)>;

  /// Reads all files from the one with this number on, and goes on after the last whole record. A
  /// record that another one follows must be whole.
  [[nodiscard]] static Expected<AcceptedLog> open(std::string folder, std::uint64_t first,
                                                  const Take& take);
  AcceptedLog(AcceptedLog&& other) noexcept;
  AcceptedLog& operator=(AcceptedLog&&) = delete;
  ~AcceptedLog();

  /// Adds a record to what `commit` writes.
  void add(const AcceptedItem& item);
  /// Returns when all that was added is on the disk.
  [[nodiscard]] Expected<void> commit();
  /// The number of the file that is written.
  [[nodiscard]] std::uint64_t file() const { return file_; }
  /// After so many bytes a new file is begun.
  void begin_files_after(std::uint64_t bytes) { most_bytes_ = bytes; }
  /// Removes the files before this one.
  void remove_before(std::uint64_t file);
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

  static constexpr std::uint64_t longest_file = 64 << 20;

 private:
  AcceptedLog(std::string folder, std::uint64_t file) : folder_(std::move(folder)), file_(file) {}
  [[nodiscard]] std::string path_of(std::uint64_t file) const;
  [[nodiscard]] Expected<void> open_file(std::uint64_t size);

  std::string folder_;
  std::uint64_t file_;        // the number of the last one
  std::uint64_t oldest_ = 1;  // that may be there
  std::uint64_t most_bytes_ = longest_file;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;   // of the last one
  std::uint64_t bytes_ = 0;  // of all that was written
  std::string unwritten_;
};

/// A record as bytes, and back; nothing if the bytes are no record.
[[nodiscard]] std::string bytes_of(const AcceptedItem& item);
[[nodiscard]] std::optional<AcceptedItem> item_of(std::string_view bytes);

}  // namespace lightcone::service
