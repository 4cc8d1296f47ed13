// Puts a header and arrays together.
#include "view/packed_arrays.h"

#include <bit>
#include <cstring>

namespace lightcone::cli {
namespace {

static_assert(std::endian::native == std::endian::little, "the page reads little-endian numbers");

void pad(std::string& bytes) {
  while (bytes.size() % 8 != 0) bytes += '\0';
}

}  // namespace

void PackedArrays::add(std::string_view name, std::span<const std::uint8_t> numbers) {
  add_bytes(name, "u8", numbers.size(), numbers.data(), numbers.size_bytes());
}

void PackedArrays::add(std::string_view name, std::span<const std::uint32_t> numbers) {
  add_bytes(name, "u32", numbers.size(), numbers.data(), numbers.size_bytes());
}

void PackedArrays::add(std::string_view name, std::span<const double> numbers) {
  add_bytes(name, "f64", numbers.size(), numbers.data(), numbers.size_bytes());
}

void PackedArrays::add_bytes(std::string_view name, std::string_view type, std::size_t length,
                             const void* data, std::size_t size) {
  Json entry = Json::array();
  entry.push_back(name);
  entry.push_back(type);
  entry.push_back(length);
  list_.push_back(std::move(entry));
  if (size > 0) arrays_.append(static_cast<const char*>(data), size);
  pad(arrays_);
}

std::string PackedArrays::bytes(Json header) const {
  header["arrays"] = list_;
  std::string text = header.dump();
  while ((4 + text.size()) % 8 != 0) text += ' ';
  const auto length = static_cast<std::uint32_t>(text.size());
  std::string out(4, '\0');
  std::memcpy(out.data(), &length, 4);
  return out + text + arrays_;
}

}  // namespace lightcone::cli
