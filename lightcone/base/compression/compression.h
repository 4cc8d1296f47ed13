// gzip and zstd around a text: unpacked while it is read, packed while it is written.
#pragma once

#include <lightcone/error.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace lightcone {

enum class Compression { plain, gzip, zstd };

/// The compression that the first bytes of a file show.
[[nodiscard]] Compression compression_in(std::string_view beginning);
/// The compression of a file of this name: `.gz`, `.zst`.
[[nodiscard]] Compression compression_of(std::string_view path);
/// The name of the file once it is unpacked: `a.jsonl` for `a.jsonl.gz`.
[[nodiscard]] std::string_view unpacked_name(std::string_view path);

/// What becomes of a compressed text that ends too early.
enum class TornEnd { error, ends };

/// Gives what a source gives, unpacked if its first bytes show a compression. Memory does not grow
/// with the text. A text that unpacks to far more than any log does is refused.
class UnpackedText {
 public:
  /// Gives what there is so far; waits for a byte at least. 0: it has ended.
  using Source = std::function<Expected<std::size_t>(char* buffer, std::size_t size)>;

  UnpackedText(Source source, std::string name, TornEnd torn_end = TornEnd::error);
  ~UnpackedText();
  UnpackedText(UnpackedText&&) noexcept;
  UnpackedText& operator=(UnpackedText&&) noexcept;

  /// As the source does.
  [[nodiscard]] Expected<std::size_t> read_some(char* buffer, std::size_t size);
  /// Known after the first read.
  [[nodiscard]] Compression compression() const;
  /// Says that it has ended too early, and how much could be unpacked; only with TornEnd::ends.
  [[nodiscard]] std::optional<std::string> torn_note() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Packs a text piece by piece.
class Packer {
 public:
  explicit Packer(Compression compression);
  ~Packer();
  Packer(Packer&&) noexcept;
  Packer& operator=(Packer&&) noexcept;

  /// Appends to `out` what is ready. After the last piece nothing may follow.
  enum class Piece { more_follow, last };
  void pack(std::string_view text, Piece piece, std::string& out);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lightcone
