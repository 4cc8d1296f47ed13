// Files as readers and writers need them: read in pieces or whole, written whole, or block by
// block.
#pragma once

#include <lightcone/base/compression/compression.h>
#include <lightcone/error.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace lightcone {

/// A file or standard input (`-`), read from front to back.
class InputFile {
 public:
  [[nodiscard]] static Expected<InputFile> open(const std::string& path);
  /// A file of a recording or of a directory of traces, which others may have made: anything but a
  /// regular file is refused. Never waits, as opening a FIFO would.
  [[nodiscard]] static Expected<InputFile> open_regular(const std::string& path);
  /// Returns the first bytes of standard input, unpacked; fewer than `most` only if it ends. Who
  /// opens it next reads them, too.
  [[nodiscard]] static Expected<std::string> look_into_standard_input(std::size_t most);
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&&) = delete;
  ~InputFile();

  /// From here on, what is read is unpacked, if the next bytes show a compression.
  void unpack(TornEnd torn_end = TornEnd::error);
  /// Says so if only the beginning could be unpacked.
  [[nodiscard]] std::optional<std::string> torn_note() const;

  /// Fills the buffer as far as the file goes; less than `size` bytes only at its end.
  [[nodiscard]] Expected<std::size_t> read(char* buffer, std::size_t size);
  /// What there is so far of a file that grows, such as a pipe; waits for a byte at least. 0: it
  /// has ended.
  [[nodiscard]] Expected<std::size_t> read_some(char* buffer, std::size_t size);
  /// All the rest of the file; of a compressed one no more than memory should hold.
  [[nodiscard]] Expected<std::string> read_all();
  /// The size of the file, or 0 where it has none (a pipe).
  [[nodiscard]] std::uint64_t size() const { return size_; }

 private:
  InputFile(std::string path, int descriptor, std::uint64_t size);

  std::string path_;
  int descriptor_;
  std::uint64_t size_;
  std::optional<UnpackedText> unpacked_ = {};
};

/// A file that comes into being, whole, at `commit`; standard output for `-`. Without a commit
/// nothing is left behind, whatever happens to the program (where the file system knows files
/// without a name; else a killed program leaves a `.partial` file).
class OutputFile {
 public:
  [[nodiscard]] static Expected<OutputFile> create(const std::string& path);
  /// One that stays in memory; take_bytes gives what was written.
  [[nodiscard]] static OutputFile in_memory();
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();

  /// From here on, what is written is packed.
  void pack(Compression compression) { packer_.emplace(compression); }
  /// Appends; a failure is kept and reported by `commit`.
  void write(std::string_view bytes);
  [[nodiscard]] Expected<void> commit();
  [[nodiscard]] std::string take_bytes() { return std::move(buffer_); }

 private:
  enum class Way { in_place, unnamed, partial };

  OutputFile(std::string path, Way way, int descriptor);
  void flush(Packer::Piece piece = Packer::Piece::more_follow);
  [[nodiscard]] int give_name() const;
  [[nodiscard]] std::string partial() const;

  std::string path_;
  Way way_;
  int descriptor_;  // -1: in memory
  int error_ = 0;
  std::string buffer_;
  std::optional<Packer> packer_ = {};
};

/// A file that grows block by block while a program runs, and survives it.
class AppendedFile {
 public:
  /// Opens the file, or makes it.
  [[nodiscard]] static Expected<AppendedFile> open(const std::string& path);
  /// Stands for a file that could not be opened: nothing can be written to it.
  [[nodiscard]] static AppendedFile missing(std::string path) { return {std::move(path), -1}; }
  AppendedFile(AppendedFile&& other) noexcept;
  AppendedFile& operator=(AppendedFile&&) = delete;
  ~AppendedFile();

  /// Puts the bytes at the end of the file, with one call of the system where it takes them all.
  [[nodiscard]] Expected<void> write(std::string_view bytes);
  /// Keeps the file from all others who lock it, until this is gone. False: another one has it.
  [[nodiscard]] bool lock() const;
  /// Cuts off what follows the first `size` bytes.
  [[nodiscard]] Expected<void> cut(std::uint64_t size);
  [[nodiscard]] const std::string& path() const { return path_; }
  /// False for one that is missing, or was moved from.
  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }

 private:
  AppendedFile(std::string path, int descriptor);

  std::string path_;
  int descriptor_;
};

}  // namespace lightcone
