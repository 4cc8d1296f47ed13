// Packing numbers into bytes: digits, runs, lowest bytes; and compressing these.
#include <lightcone/run/journal/journal_columns.h>

#include <zstd.h>

#include <algorithm>
#include <array>
#include <bit>

namespace lightcone::journal {
namespace {

constexpr int compression_level = 3;
constexpr std::uint64_t greatest_digit = 15;
/// Runs are tried when they have so many numbers each, in the mean.
constexpr std::size_t long_run = 4;

/// zstd needs about as many bytes for itself.
constexpr std::size_t worth_trying = 16;

using Values = std::vector<std::uint64_t>;

/// Returns how many digits of this base fit into a byte.
[[nodiscard]] std::size_t digits_in_byte(std::uint64_t base) {
  std::size_t digits = 0;
  for (std::uint64_t values = base; values <= 256; values *= base) ++digits;
  return digits;
}

void put_digits(WireWriter& wire, std::span<const std::uint64_t> values, std::uint64_t base) {
  const std::size_t digits = digits_in_byte(base);
  std::string bytes;
  bytes.reserve(values.size() / digits + 1);
  for (std::size_t i = 0; i < values.size(); i += digits) {
    std::uint64_t byte = 0;
    for (std::size_t k = std::min(digits, values.size() - i); k-- > 0;) {
      byte = byte * base + values[i + k];
    }
    bytes += static_cast<char>(byte);
  }
  put_piece(wire, bytes);
}

[[nodiscard]] Values get_digits(WireReader& wire, std::size_t count, std::uint64_t base) {
  const std::size_t digits = digits_in_byte(base);
  const std::string bytes = get_piece(wire, (count + digits - 1) / digits);
  Values values;
  for (const char packed : bytes) {
    std::uint64_t byte = static_cast<unsigned char>(packed);
    for (std::size_t k = 0; k < digits && values.size() < count; ++k, byte /= base) {
      values.push_back(byte % base);
    }
    if (byte != 0) wire.fail();
  }
  return values;
}

void put_plain(WireWriter& wire, std::span<const std::uint64_t> values, std::uint64_t greatest) {
  if (greatest <= greatest_digit) return put_digits(wire, values, greatest + 1);
  std::string lowest;
  Values rest;
  for (const std::uint64_t value : values) {
    lowest += static_cast<char>(value);
    rest.push_back(value >> 8);
  }
  put_piece(wire, lowest);
  put_column(wire, rest);
}

[[nodiscard]] Values get_plain(WireReader& wire, std::size_t count, std::uint64_t greatest) {
  if (greatest <= greatest_digit) return get_digits(wire, count, greatest + 1);
  const std::string lowest = get_piece(wire, count);
  Values values = get_column(wire, count, greatest >> 8);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = values[i] << 8 | static_cast<unsigned char>(lowest[i]);
    if (values[i] > greatest) wire.fail();
  }
  return values;
}

struct Runs {
  Values values, more;  ///< how many follow the first of each run
};

[[nodiscard]] Runs runs_of(std::span<const std::uint64_t> values) {
  Runs runs;
  for (const std::uint64_t value : values) {
    if (!runs.values.empty() && runs.values.back() == value) {
      ++runs.more.back();
    } else {
      runs.values.push_back(value);
      runs.more.push_back(0);
    }
  }
  return runs;
}

[[nodiscard]] Values get_runs(WireReader& wire, std::size_t runs, std::size_t count,
                              std::uint64_t greatest) {
  const Values values = get_plain(wire, runs, greatest);
  const Values more = get_column(wire, runs, count);
  Values all;
  for (std::size_t i = 0; i < runs && !wire.failed(); ++i) {
    if (more[i] >= count - all.size()) wire.fail();
    if (!wire.failed()) all.insert(all.end(), more[i] + 1, values[i]);
  }
  if (all.size() != count) wire.fail();
  return all;
}

}  // namespace

void put_piece(WireWriter& wire, std::string_view bytes) {
  if (bytes.size() < worth_trying) return wire.text(bytes);
  std::string smaller(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size =
      ZSTD_compress(smaller.data(), smaller.size(), bytes.data(), bytes.size(), compression_level);
  const bool helps = !ZSTD_isError(size) && size < bytes.size();
  wire.text(helps ? std::string_view(smaller).substr(0, size) : bytes);
}

std::string get_piece(WireReader& wire, std::size_t size) {
  const std::string_view stored = wire.text(size);
  if (stored.size() == size) return std::string(stored);
  std::string bytes(size, '\0');
  if (wire.failed()) return bytes;
  const std::size_t got = ZSTD_decompress(bytes.data(), size, stored.data(), stored.size());
  if (ZSTD_isError(got) || got != size) wire.fail();
  return bytes;
}

void put_column(WireWriter& wire, std::span<const std::uint64_t> values) {
  if (values.empty()) return;
  const std::uint64_t greatest = *std::max_element(values.begin(), values.end());
  wire.number(greatest);
  if (greatest == 0 || values.size() == 1) return;
  if (values.size() < long_run) return put_plain(wire, values, greatest);
  WireWriter plain;
  plain.number(0);
  put_plain(plain, values, greatest);
  const Runs runs = runs_of(values);
  WireWriter by_runs;
  if (runs.values.size() <= values.size() / long_run) {
    by_runs.number(runs.values.size());
    put_plain(by_runs, runs.values, greatest);
    put_column(by_runs, runs.more);
  }
  const bool shorter = !by_runs.bytes().empty() && by_runs.bytes().size() < plain.bytes().size();
  wire.bytes() += shorter ? by_runs.bytes() : plain.bytes();
}

std::vector<std::uint64_t> get_column(WireReader& wire, std::size_t count, std::uint64_t most) {
  if (count == 0) return {};
  const std::uint64_t greatest = wire.number();
  if (greatest > most) wire.fail();
  if (count == 1) return {wire.failed() ? 0 : greatest};
  Values values;
  if (greatest != 0 && !wire.failed()) {
    const std::uint64_t runs = count < long_run ? 0 : wire.number();
    if (runs > count / long_run) wire.fail();
    if (!wire.failed()) {
      values = runs == 0 ? get_plain(wire, count, greatest) : get_runs(wire, runs, count, greatest);
    }
  }
  values.resize(count, 0);  // whatever failed, others may go on with zeros
  return values;
}

void put_sparse(WireWriter& wire, std::span<const std::uint64_t> values) {
  if (std::all_of(values.begin(), values.end(), [](auto value) { return value == 0; })) {
    return put_column(wire, values);
  }
  Values flags, others;
  flags.reserve(values.size());
  for (const std::uint64_t value : values) {
    flags.push_back(value != 0);
    if (value != 0) others.push_back(value);
  }
  put_column(wire, flags);
  put_column(wire, others);
}

std::vector<std::uint64_t> get_sparse(WireReader& wire, std::size_t count) {
  Values values = get_column(wire, count, 1);
  const auto ones = static_cast<std::size_t>(std::count(values.begin(), values.end(), 1U));
  const Values others = get_column(wire, ones);
  auto other = others.begin();
  for (std::uint64_t& value : values) {
    if (value != 0) value = *other++;
  }
  return values;
}

std::vector<std::uint64_t> KindNumbers::narrowed(std::span<const std::uint64_t> kinds) const {
  Values numbers;
  numbers.reserve(kinds.size());
  for (const std::uint64_t kind : kinds) {
    numbers.push_back(static_cast<std::uint64_t>(std::popcount(mask_ & ((1ULL << kind) - 1))));
  }
  return numbers;
}

std::vector<std::uint64_t> KindNumbers::widened(std::span<const std::uint64_t> numbers) const {
  std::array<std::uint64_t, 64> kinds{};
  std::size_t count = 0;
  for (std::uint64_t rest = mask_; rest != 0; rest &= rest - 1) {
    kinds[count++] = static_cast<std::uint64_t>(std::countr_zero(rest));
  }
  Values wide;
  wide.reserve(numbers.size());
  for (const std::uint64_t number : numbers) wide.push_back(kinds[number]);
  return wide;
}

}  // namespace lightcone::journal
