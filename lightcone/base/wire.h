// Bytes on the wire: numbers of varying length, and every byte is checked when read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace lightcone {

/// 0, -1, 1, -2, … become 0, 1, 2, 3, …; the difference is given as an unsigned number that wraps.
template <class T>
[[nodiscard]] constexpr T zigzag(T difference) {
  static_assert(std::is_unsigned_v<T>);
  const T sign = static_cast<T>(difference >> (sizeof(T) * 8 - 1));
  return static_cast<T>(static_cast<T>(difference << 1) ^ static_cast<T>(0 - sign));
}

/// The difference that `zigzag` was given.
template <class T>
[[nodiscard]] constexpr T unzigzag(T coded) {
  static_assert(std::is_unsigned_v<T>);
  return static_cast<T>(static_cast<T>(coded >> 1) ^ static_cast<T>(0 - (coded & 1)));
}

/// What a number takes at most.
inline constexpr std::size_t longest_number = 10;

/// Writes a number of varying length: seven bits per byte, the lowest first. Returns its end.
inline char* put_number(char* to, std::uint64_t value) {
  for (; value >= 128; value >>= 7) *to++ = static_cast<char>(value | 128);
  *to++ = static_cast<char>(value);
  return to;
}

/// Appends to a string.
class WireWriter {
 public:
  /// Of varying length. Small numbers take one byte.
  void number(std::uint64_t value) {
    if (value < 128) return bytes_.push_back(static_cast<char>(value));
    std::array<char, longest_number> digits;
    const char* const end = put_number(digits.data(), value);
    bytes_.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
  }
  /// The lowest `count` bytes, the lowest first; at most 8.
  void fixed(std::uint64_t value, std::size_t count) {
    std::array<char, 8> lowest;
    for (std::size_t i = 0; i < lowest.size(); ++i) lowest[i] = static_cast<char>(value >> (8 * i));
    bytes_.append(lowest.data(), count);
  }
  void text(std::string_view text) {
    number(text.size());
    bytes_ += text;
  }
  [[nodiscard]] std::string& bytes() { return bytes_; }

 private:
  std::string bytes_;
};

/// Reads what a WireWriter wrote. Whatever does not fit makes it fail, and everything read after
/// that is zero.
class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] std::uint64_t number() {
    if (!failed_ && !bytes_.empty() && static_cast<std::uint8_t>(bytes_[0]) < 128) {
      const auto value = static_cast<std::uint8_t>(bytes_[0]);
      bytes_.remove_prefix(1);
      return value;
    }
    return long_number();
  }
  [[nodiscard]] std::uint64_t fixed(std::size_t count) {
    const std::string_view taken = take(count);
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < count; ++i) {
      value |= std::uint64_t{static_cast<std::uint8_t>(taken[i])} << (8 * i);
    }
    return value;
  }
  [[nodiscard]] std::string_view text(std::size_t longest) {
    const std::uint64_t size = number();
    if (size > longest || size > bytes_.size()) {
      failed_ = true;
      return {};
    }
    return take(size);
  }
  [[nodiscard]] bool failed() const { return failed_; }
  void fail() { failed_ = true; }
  [[nodiscard]] std::size_t left() const { return bytes_.size(); }

 private:
  [[nodiscard]] std::uint64_t long_number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<std::uint8_t>(take(1)[0]);
      if (shift == 63 && byte > 1) break;
      value |= std::uint64_t{byte & 127U} << shift;
      if (byte < 128) {
        if (byte == 0 && shift != 0) break;  // one number, one way to write it
        return value;
      }
    }
    failed_ = true;
    return 0;
  }
  [[nodiscard]] std::string_view take(std::size_t count) {
    static constexpr std::string_view zeros("\0\0\0\0\0\0\0\0", 8);
    if (count > bytes_.size() || failed_) {
      failed_ = true;
      bytes_ = {};
      return count <= zeros.size() ? zeros.substr(0, count) : std::string_view();
    }
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }

  std::string_view bytes_;
  bool failed_ = false;
};

}  // namespace lightcone
