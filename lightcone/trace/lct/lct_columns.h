// Columns of integers and bytes as they stand inside a block of an lct file.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone::lct {

/// What a section of a block holds. The numbers are part of the format.
enum class Section : std::uint8_t {
  names = 1,             ///< bytes of all names that the block uses, one after the other
  name_lengths = 2,      ///< u32
  processes = 3,         ///< names of processes, in the order in which they are declared
  header_extra = 4,      ///< bytes: unknown members of the trace's header
  event_process = 5,     ///< u32, one per row: index into the processes of the block
  event_flags = 6,       ///< bytes, one per row: Arrivals::Flag
  sent = 7,              ///< u32, one per sending row: number of the message in the file
  take_counts = 8,       ///< u32, one per row with Arrivals::batch
  taken = 9,             ///< u32, one per reception: number of the message in the file
  new_messages = 10,     ///< u32: numbers of the messages that this block mentions first
  new_prefixes = 11,     ///< u32: their names' prefixes
  new_numbers = 12,      ///< u64: their names' numbers, plus one; 0 for none
  set_sizes = 13,        ///< u32: sizes of the sets of names that the block uses
  set_members = 14,      ///< u32
  labels = 15,           ///< u32, one per row with Arrivals::labelled: a set
  to = 16,               ///< u32, one per row with Arrivals::to: a set
  variable_counts = 17,  ///< u32, one per row with Arrivals::assigns
  variable_names = 18,   ///< u32, one an assignment
  variable_types = 19,   ///< bytes, one an assignment: index of the alternative of Value
  variable_values = 20,  ///< u64, one an assignment: the bits
  more = 21,             ///< bytes, one per row with Arrivals::says_more: Arrivals::More
  times = 22,            ///< u64: bits of a double
  texts = 23,            ///< u32: names
  sources = 24,          ///< u32: names
  extras = 25,           ///< u32: names
  ranks_before = 26,     ///< u32, one per process of the block: how many events it had before
  digests = 27,          ///< u64, one per row with Arrivals::digest: of contents; none is 0
};
inline constexpr std::size_t section_limit = 32;

/// Appends sections to a block's payload. Integers are stored as planes: all lowest bytes, then
/// all second bytes, and so on, up to the widest value there is; planes compress and decode fast.
class SectionWriter {
 public:
  void bytes(Section section, std::string_view data);
  /// `delta`: each value as the zigzag difference to the one before, for values that climb.
  void u32(Section section, std::span<const std::uint32_t> values, bool delta = false);
  void u64(Section section, std::span<const std::uint64_t> values, bool delta = false);
  [[nodiscard]] std::string& payload() { return payload_; }
  void clear() { payload_.clear(); }

 private:
  template <class T>
  void planes(Section section, std::span<const T> values, bool delta);

  std::string payload_;
};

/// Finds and decodes the sections of a payload; a section that is not there reads as empty, one
/// that is unknown is passed over.
class SectionReader {
 public:
  /// False when the payload is not a sequence of whole sections, or would take more bytes than
  /// `most` once it is decoded.
  [[nodiscard]] bool open(std::string_view payload, std::size_t most);
  /// Returns how many bytes it takes once it is decoded.
  [[nodiscard]] std::size_t decoded_bytes() const { return decoded_bytes_; }
  [[nodiscard]] std::string_view bytes(Section section) const;
  void u32(Section section, std::vector<std::uint32_t>& into) const;
  void u64(Section section, std::vector<std::uint64_t>& into) const;

 private:
  struct SectionPlace {
    std::uint32_t count = 0;
    std::uint8_t width = 0;
    bool delta = false;
    std::string_view data;
  };
  template <class T>
  void planes(const SectionPlace& place, std::vector<T>& into) const;

  std::array<SectionPlace, section_limit> places_;
  std::size_t decoded_bytes_ = 0;
};

}  // namespace lightcone::lct
