// No bytes make the unpacker do anything but return a text or an error; how they arrive makes no
// difference, and what was packed comes back.
#include <lightcone/base/compression/compression.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

namespace {

using namespace lightcone;

struct Unpacked {
  std::string text, error, note;
};

[[nodiscard]] Unpacked unpack(std::string_view bytes, std::size_t at_a_time, TornEnd torn) {
  std::size_t done = 0;
  UnpackedText unpacked(
      [&](char* buffer, std::size_t size) -> Expected<std::size_t> {
        const std::size_t count = bytes.copy(buffer, std::min(size, at_a_time), done);
        done += count;
        return count;
      },
      "fuzz", torn);
  constexpr std::size_t most = 1 << 22;
  Unpacked all;
  std::string buffer(at_a_time * 3, '\0');
  while (all.text.size() < most) {
    const auto got = unpacked.read_some(buffer.data(), buffer.size());
    if (!got) {
      all.error = got.error().what;
      break;
    }
    if (*got == 0) break;
    all.text.append(buffer, 0, *got);
  }
  all.text.resize(std::min(all.text.size(), most));
  all.note = unpacked.torn_note().value_or("");
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Unpacked whole = unpack(bytes, 1 << 16, TornEnd::error);
  const Unpacked dripped = unpack(bytes, 5, TornEnd::error);
  if (whole.error.empty() != dripped.error.empty()) __builtin_trap();
  if (whole.error.empty() && whole.text != dripped.text) __builtin_trap();
  const Unpacked torn = unpack(bytes, 100, TornEnd::ends);
  if (whole.error.empty() && (torn.text != whole.text || !torn.note.empty())) __builtin_trap();

  for (const Compression compression : {Compression::gzip, Compression::zstd}) {
    Packer packer(compression);
    std::string packed;
    packer.pack(bytes.substr(0, size / 2), Packer::Piece::more_follow, packed);
    packer.pack(bytes.substr(size / 2), Packer::Piece::last, packed);
    if (unpack(packed, 1000, TornEnd::error).text != bytes) __builtin_trap();
  }
  return 0;
}
