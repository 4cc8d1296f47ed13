// Encoding and decoding columns as planes of bytes.
#include <lightcone/trace/lct/lct_columns.h>

#include <lightcone/base/memory/fresh_memory.h>
#include <lightcone/base/wire.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace lightcone::lct {
namespace {

// A section: tag (1 byte), shape (1 byte: width in bytes, plus 16 for deltas), count (4 bytes,
// little-endian), then width * count bytes.
constexpr std::size_t section_header = 6;
constexpr std::uint8_t delta_flag = 16;
// A column of zeros takes no bytes, unless it is longer than this: it bounds what a forged count
// can make a reader allocate.
constexpr std::uint32_t most_zeros = 1 << 19;

/// What a value of a section takes in memory.
[[nodiscard]] std::size_t decoded_width(Section section) {
  switch (section) {
    case Section::names:
    case Section::header_extra:
    case Section::event_flags:
    case Section::variable_types:
    case Section::more: return 1;
    case Section::new_numbers:
    case Section::variable_values:
    case Section::times: return 8;
    case Section::name_lengths: return sizeof(std::uint32_t) + sizeof(std::string_view);
    default: return 4;
  }
}

void put_header(std::string& out, Section section, std::uint8_t shape, std::uint32_t count) {
  out += static_cast<char>(section);
  out += static_cast<char>(shape);
  for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>(count >> shift);
}

/// Gathers planes into integers; the width is a constant so that the loop becomes vector code.
template <class T, std::size_t Width>
void gather(const unsigned char* data, std::size_t count, T* out) {
  for (std::size_t i = 0; i < count; ++i) {
    T value = 0;
    for (std::size_t plane = 0; plane < Width; ++plane) {
      value |= static_cast<T>(static_cast<T>(data[plane * count + i]) << (8 * plane));
    }
    out[i] = value;
  }
}

template <class T>
void gather(std::size_t width, const unsigned char* data, std::size_t count, T* out) {
  switch (width) {
    case 0: return std::fill(out, out + count, T{0});
    case 1: return gather<T, 1>(data, count, out);
    case 2: return gather<T, 2>(data, count, out);
    case 3: return gather<T, 3>(data, count, out);
    case 4: return gather<T, 4>(data, count, out);
    default: break;
  }
  if constexpr (sizeof(T) == 8) {
    switch (width) {
      case 5: return gather<T, 5>(data, count, out);
      case 6: return gather<T, 6>(data, count, out);
      case 7: return gather<T, 7>(data, count, out);
      default: return gather<T, 8>(data, count, out);
    }
  }
}

}  // namespace

void SectionWriter::bytes(Section section, std::string_view data) {
  if (data.empty()) return;
  put_header(payload_, section, 1, static_cast<std::uint32_t>(data.size()));
  payload_ += data;
}

/// The loops work on pointers that nothing else changes: then they become vector code.
template <class T>
void SectionWriter::planes(Section section, std::span<const T> values, bool delta) {
  if (values.empty()) return;
  const std::size_t count = values.size();
  std::vector<T> differences;
  const T* from = values.data();
  if (delta) {
    differences.resize(count);
    T* const into = differences.data();
    into[0] = zigzag<T>(from[0]);
    for (std::size_t i = 1; i < count; ++i) {
      into[i] = zigzag<T>(static_cast<T>(from[i] - from[i - 1]));
    }
    from = into;
  }
  T all = 0;
  for (std::size_t i = 0; i < count; ++i) all |= from[i];
  if (count > most_zeros) all |= 1;
  const auto width = static_cast<std::uint8_t>((std::bit_width(all) + 7) / 8);
  put_header(payload_, section, static_cast<std::uint8_t>(width | (delta ? delta_flag : 0)),
             static_cast<std::uint32_t>(count));
  const std::size_t begin = payload_.size();
  payload_.resize(begin + width * count);
  for (std::size_t plane = 0; plane < width; ++plane) {
    auto* const out = reinterpret_cast<std::uint8_t*>(payload_.data() + begin + plane * count);
    for (std::size_t i = 0; i < count; ++i) {
      out[i] = static_cast<std::uint8_t>(from[i] >> (8 * plane));
    }
  }
}

void SectionWriter::u32(Section section, std::span<const std::uint32_t> values, bool delta) {
  planes(section, values, delta);
}

void SectionWriter::u64(Section section, std::span<const std::uint64_t> values, bool delta) {
  planes(section, values, delta);
}

bool SectionReader::open(std::string_view payload, std::size_t most) {
  places_.fill({});
  decoded_bytes_ = 0;
  while (!payload.empty()) {
    if (payload.size() < section_header) return false;
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(payload[i]); };
    const std::uint8_t tag = byte(0);
    SectionPlace place;
    place.width = byte(1) & (delta_flag - 1);
    place.delta = (byte(1) & delta_flag) != 0;
    if (place.width > 8 || byte(1) >= 2 * delta_flag) return false;
    for (std::size_t i = 0; i < 4; ++i) place.count |= std::uint32_t{byte(2 + i)} << (8 * i);
    const std::uint64_t size = std::uint64_t{place.count} * place.width;
    if (payload.size() - section_header < size) return false;
    if (place.width == 0 && place.count > most_zeros) return false;
    decoded_bytes_ += place.count * decoded_width(static_cast<Section>(tag));
    if (decoded_bytes_ > most) return false;
    place.data = payload.substr(section_header, size);
    payload.remove_prefix(section_header + size);
    if (tag < section_limit) places_[tag] = place;
  }
  return true;
}

std::string_view SectionReader::bytes(Section section) const {
  const SectionPlace& place = places_[static_cast<std::size_t>(section)];
  return place.width == 1 && !place.delta ? place.data : std::string_view();
}

template <class T>
void SectionReader::planes(const SectionPlace& place, std::vector<T>& into) const {
  into.clear();
  if (place.width > sizeof(T)) return;
  make_room(into, place.count);
  into.resize(place.count);
  gather(place.width, reinterpret_cast<const unsigned char*>(place.data.data()), place.count,
         into.data());
  if (!place.delta) return;
  T previous = 0;
  for (T& value : into) value = previous += unzigzag(value);
}

void SectionReader::u32(Section section, std::vector<std::uint32_t>& into) const {
  planes(places_[static_cast<std::size_t>(section)], into);
}

void SectionReader::u64(Section section, std::vector<std::uint64_t>& into) const {
  planes(places_[static_cast<std::size_t>(section)], into);
}

}  // namespace lightcone::lct
