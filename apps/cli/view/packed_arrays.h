// Arrays of numbers with a JSON header, as one piece of bytes that a browser reads without parsing.
#pragma once

#include <lightcone/base/json.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lightcone::cli {

/// Collects arrays. The bytes are: the length of the header (4 bytes, little-endian), the header,
/// and the arrays, each from a multiple of 8 on. Its member `arrays` lists them in their order, as
/// `[name, type, length]`; types are `u8`, `u32` and `f64`.
class PackedArrays {
 public:
  void add(std::string_view name, std::span<const std::uint8_t> numbers);
  void add(std::string_view name, std::span<const std::uint32_t> numbers);
  void add(std::string_view name, std::span<const double> numbers);
  /// Returns all of it.
  [[nodiscard]] std::string bytes(Json header) const;

 private:
  void add_bytes(std::string_view name, std::string_view type, std::size_t length, const void* data,
                 std::size_t size);

  Json list_ = Json::array();
  std::string arrays_;
};

}  // namespace lightcone::cli
