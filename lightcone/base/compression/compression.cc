// Streams of zlib and zstd behind one interface.
#include <lightcone/base/compression/compression.h>

#include <lightcone/base/wording.h>

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lightcone {
namespace {

constexpr std::string_view gzip_magic = "\x1f\x8b";
constexpr std::string_view zstd_magic = "\x28\xb5\x2f\xfd";
constexpr std::size_t packed_piece = 1 << 16;
// A text may grow by any factor up to this size. Above it, by less than a bomb does: no byte of
// gzip stands for more than 1,032, while one of zstd may stand for 30,000.
constexpr std::uint64_t surely_fine = std::uint64_t{1} << 30;
constexpr std::uint64_t most_growth = 1100;

[[nodiscard]] std::string_view tool_of(Compression compression) {
  return compression == Compression::gzip ? "gzip" : "zstd";
}

}  // namespace

/// What one step of a stream did.
struct UnpackStep {
  std::size_t used = 0;  // of the input
  std::size_t made = 0;  // of the output
  bool at_end = false;   // of a member (gzip) or a frame (zstd)
  bool damaged = false;
};

class GzipStream {
 public:
  GzipStream() {
    constexpr int only_gzip = 16;
    LIGHTCONE_ASSERT(::inflateInit2(&stream_, only_gzip + MAX_WBITS) == Z_OK);
  }
  GzipStream(const GzipStream&) = delete;
  GzipStream& operator=(const GzipStream&) = delete;
  ~GzipStream() { ::inflateEnd(&stream_); }

  [[nodiscard]] UnpackStep step(std::string_view input, char* output, std::size_t size) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
    stream_.avail_in = static_cast<uInt>(input.size());
    stream_.next_out = reinterpret_cast<Bytef*>(output);
    const auto room = static_cast<uInt>(std::min<std::size_t>(size, 1U << 30U));
    stream_.avail_out = room;
    const int result = ::inflate(&stream_, Z_NO_FLUSH);
    UnpackStep step{input.size() - stream_.avail_in, room - stream_.avail_out, false, false};
    step.at_end = result == Z_STREAM_END;
    step.damaged = result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR;
    return step;
  }
  void restart() { ::inflateReset(&stream_); }
  /// Zeros fill the last block of a tape.
  [[nodiscard]] static bool may_follow(char byte) { return byte == gzip_magic[0]; }
  [[nodiscard]] static bool is_filling(char byte) { return byte == '\0'; }

 private:
  z_stream stream_{};
};

class ZstdStream {
 public:
  ZstdStream() : stream_(::ZSTD_createDStream()) {
    LIGHTCONE_ASSERT(stream_ != nullptr);
    constexpr int log_of_largest_window = 27;  // 128 MiB
    ::ZSTD_DCtx_setParameter(stream_, ZSTD_d_windowLogMax, log_of_largest_window);
  }
  ZstdStream(const ZstdStream&) = delete;
  ZstdStream& operator=(const ZstdStream&) = delete;
  ~ZstdStream() { ::ZSTD_freeDStream(stream_); }

  [[nodiscard]] UnpackStep step(std::string_view input, char* output, std::size_t size) {
    ZSTD_inBuffer in{input.data(), input.size(), 0};
    ZSTD_outBuffer out{output, size, 0};
    const std::size_t result = ::ZSTD_decompressStream(stream_, &out, &in);
    UnpackStep step{in.pos, out.pos, result == 0, false};
    heading_.append(input.substr(0, std::min(in.pos, longest_heading - heading_.size())));
    made_ += out.pos;
    step.damaged = ::ZSTD_isError(result) != 0U || (step.at_end && !has_announced_size());
    return step;
  }
  void restart() {  // the next frame begins by itself
    heading_.clear();
    made_ = 0;
  }
  [[nodiscard]] static bool may_follow(char byte) {
    const auto first = static_cast<unsigned char>(byte);
    return byte == zstd_magic[0] || (first >= 0x50U && first <= 0x5fU);  // or a frame to skip
  }
  [[nodiscard]] static bool is_filling(char /*byte*/) { return false; }

 private:
  /// The library compares the size of a frame with the size that its heading announces, but not
  /// where the last block is empty and the frame came in pieces.
  [[nodiscard]] bool has_announced_size() const {
    const auto announced = ::ZSTD_getFrameContentSize(heading_.data(), heading_.size());
    return announced == ZSTD_CONTENTSIZE_UNKNOWN || announced == ZSTD_CONTENTSIZE_ERROR ||
           announced == made_;
  }

  static constexpr std::size_t longest_heading = 18;  // as the format says
  ZSTD_DStream* stream_;
  std::string heading_;  // the first bytes of this frame
  std::uint64_t made_ = 0;
};

Compression compression_in(std::string_view beginning) {
  if (beginning.starts_with(gzip_magic)) return Compression::gzip;
  if (beginning.starts_with(zstd_magic)) return Compression::zstd;
  return Compression::plain;
}

Compression compression_of(std::string_view path) {
  const auto ends_with = [&](std::string_view extension) {
    return path.size() > extension.size() &&
           std::ranges::equal(path.substr(path.size() - extension.size()), extension,
                              [](char a, char b) { return (a | 0x20) == (b | 0x20); });
  };
  if (ends_with(".gz")) return Compression::gzip;
  if (ends_with(".zst")) return Compression::zstd;
  return Compression::plain;
}

std::string_view unpacked_name(std::string_view path) {
  const bool is_packed = compression_of(path) != Compression::plain;
  return is_packed ? path.substr(0, path.rfind('.')) : path;
}

struct UnpackedText::State {
  Source source;
  std::string name;
  TornEnd torn_end;
  std::optional<Compression> compression = {};
  std::optional<GzipStream> gzip = {};
  std::optional<ZstdStream> zstd = {};
  std::vector<char> packed = {};  // from the source; `rest` is what has not been used
  std::string_view rest = {};
  std::uint64_t used = 0, made = 0;
  bool has_ended = false;      // the source
  bool is_inside = true;       // a member or frame has begun and not ended
  bool may_hold_more = false;  // the stream has filled its room, and may have more to give
  bool torn = false;

  [[nodiscard]] tl::unexpected<Error> fail(const std::string& what, std::string hint = {}) const {
    return failure("is a " + std::string(tool_of(*compression)) + " file " + what, name, 0,
                   std::move(hint));
  }

  [[nodiscard]] Expected<void> refill() {
    const auto got = source(packed.data(), packed.size());
    if (!got) return failure(got.error());
    has_ended = *got == 0;
    rest = {packed.data(), *got};
    return {};
  }

  /// Reads as many bytes as tell the compression, and no more than the source has.
  [[nodiscard]] Expected<void> begin() {
    packed.resize(packed_piece);
    std::size_t size = 0;
    while (size < zstd_magic.size()) {
      const auto got = source(packed.data() + size, packed.size() - size);
      if (!got) return failure(got.error());
      has_ended = *got == 0;
      size += *got;
      const bool may_be_packed =
          size == 0 || packed[0] == gzip_magic[0] || packed[0] == zstd_magic[0];
      if (has_ended || !may_be_packed) break;
    }
    rest = {packed.data(), size};
    compression = compression_in(rest);
    if (*compression == Compression::gzip) gzip.emplace();
    if (*compression == Compression::zstd) zstd.emplace();
    return {};
  }

  [[nodiscard]] Expected<std::size_t> plain(char* buffer, std::size_t size) {
    if (rest.empty()) return has_ended ? 0 : source(buffer, size);
    const std::size_t count = rest.copy(buffer, size);
    rest.remove_prefix(count);
    return count;
  }

  /// Unpacks until there is something to give.
  template <class Stream>
  [[nodiscard]] Expected<std::size_t> unpack(Stream& stream, char* buffer, std::size_t size) {
    for (;;) {
      if (rest.empty() && !has_ended && !may_hold_more) {
        if (auto ok = refill(); !ok) return failure(ok.error());
      }
      if (!is_inside) {
        if (auto ok = begin_next(stream); !ok) return failure(ok.error());
        if (!is_inside && has_ended) return 0;
        if (!is_inside) continue;
      }
      if (rest.empty() && has_ended && !may_hold_more) return end_early();
      const UnpackStep step = stream.step(rest, buffer, size);
      rest.remove_prefix(step.used);
      used += step.used;
      made += step.made;
      may_hold_more = step.made == size && !step.at_end;
      if (step.damaged) {
        return fail("that is damaged, after " + grouped(used) + " of its bytes");
      }
      if (made > surely_fine && made / most_growth > used) {
        return fail("that unpacks to more than " + grouped(most_growth) + " times its size",
                    "if that is right, unpack it first");
      }
      if (step.at_end) is_inside = false;
      if (step.made > 0) return step.made;
    }
  }

  /// What follows the end of a member or frame must be another one.
  template <class Stream>
  [[nodiscard]] Expected<void> begin_next(Stream& stream) {
    while (!rest.empty() && Stream::is_filling(rest.front())) rest.remove_prefix(1);
    if (rest.empty()) return {};
    if (!Stream::may_follow(rest.front())) {
      return fail("with other bytes behind its end, after " + grouped(used) + " bytes");
    }
    stream.restart();
    is_inside = true;
    return {};
  }

  [[nodiscard]] Expected<std::size_t> end_early() {
    if (torn_end == TornEnd::error) {
      return fail("that is cut off after " + grouped(used) + " bytes",
                  "--cut-off reads as far as it can be unpacked");
    }
    torn = true;
    return 0;
  }
};

UnpackedText::UnpackedText(Source source, std::string name, TornEnd torn_end)
    : state_(new State{std::move(source), std::move(name), torn_end}) {}
UnpackedText::~UnpackedText() = default;
UnpackedText::UnpackedText(UnpackedText&&) noexcept = default;
UnpackedText& UnpackedText::operator=(UnpackedText&&) noexcept = default;

Expected<std::size_t> UnpackedText::read_some(char* buffer, std::size_t size) {
  if (!state_->compression) {
    if (auto ok = state_->begin(); !ok) return failure(ok.error());
  }
  if (size == 0) return 0;
  switch (*state_->compression) {
    case Compression::gzip: return state_->unpack(*state_->gzip, buffer, size);
    case Compression::zstd: return state_->unpack(*state_->zstd, buffer, size);
    case Compression::plain: break;
  }
  return state_->plain(buffer, size);
}

Compression UnpackedText::compression() const {
  return state_->compression.value_or(Compression::plain);
}

std::optional<std::string> UnpackedText::torn_note() const {
  if (!state_->torn) return std::nullopt;
  return "the compressed file is cut off: " + counted(state_->made, "byte") +
         " of it could be unpacked";
}

struct Packer::State {
  Compression compression;
  z_stream gzip{};
  ZSTD_CStream* zstd = nullptr;

  explicit State(Compression which) : compression(which) {
    constexpr int as_gzip = 16;
    constexpr int usual_memory = 8;
    if (which == Compression::gzip) {
      LIGHTCONE_ASSERT(::deflateInit2(&gzip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, as_gzip + MAX_WBITS,
                                      usual_memory, Z_DEFAULT_STRATEGY) == Z_OK);
    } else {
      zstd = ::ZSTD_createCStream();
      LIGHTCONE_ASSERT(zstd != nullptr);
      ::ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1);
    }
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (compression == Compression::gzip) ::deflateEnd(&gzip);
    ::ZSTD_freeCStream(zstd);
  }

  void pack_gzip(std::string_view text, Piece piece, std::string& out) {
    std::array<char, packed_piece> room;
    do {  // so much at a time as its counters can hold
      const std::string_view part = text.substr(0, std::size_t{1} << 30U);
      text.remove_prefix(part.size());
      gzip.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(part.data()));
      gzip.avail_in = static_cast<uInt>(part.size());
      const int flush = piece == Piece::last && text.empty() ? Z_FINISH : Z_NO_FLUSH;
      do {
        gzip.next_out = reinterpret_cast<Bytef*>(room.data());
        gzip.avail_out = static_cast<uInt>(room.size());
        ::deflate(&gzip, flush);
        out.append(room.data(), room.size() - gzip.avail_out);
      } while (gzip.avail_out == 0);
    } while (!text.empty());
  }

  void pack_zstd(std::string_view text, Piece piece, std::string& out) {
    std::array<char, packed_piece> room;
    ZSTD_inBuffer in{text.data(), text.size(), 0};
    const ZSTD_EndDirective end = piece == Piece::last ? ZSTD_e_end : ZSTD_e_continue;
    for (;;) {
      ZSTD_outBuffer made{room.data(), room.size(), 0};
      const std::size_t left = ::ZSTD_compressStream2(zstd, &made, &in, end);
      LIGHTCONE_ASSERT(ZSTD_isError(left) == 0U);
      out.append(room.data(), made.pos);
      if (piece == Piece::last ? left == 0 : in.pos == in.size) return;
    }
  }
};

Packer::Packer(Compression compression) : state_(std::make_unique<State>(compression)) {}
Packer::~Packer() = default;
Packer::Packer(Packer&&) noexcept = default;
Packer& Packer::operator=(Packer&&) noexcept = default;

void Packer::pack(std::string_view text, Piece piece, std::string& out) {
  if (state_->compression == Compression::gzip) {
    state_->pack_gzip(text, piece, out);
  } else {
    state_->pack_zstd(text, piece, out);
  }
}

}  // namespace lightcone
