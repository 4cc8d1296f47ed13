// Takes dates of RFC 3339 and its relatives apart.
#include <lightcone/trace/map/time_text.h>

#include <lightcone/base/time/decimal_seconds.h>

#include <charconv>
#include <chrono>
#include <cmath>
#include <string>

namespace lightcone {
namespace {

/// Takes so many digits from the front, and a sign after them if one is asked for.
class DateText {
 public:
  explicit DateText(std::string_view text) : text_(text) {}

  [[nodiscard]] bool take_number(std::size_t digits, int& number) {
    if (text_.size() < digits) return false;
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + digits, number);
    if (error != std::errc() || end != text_.data() + digits || text_.front() == '-') return false;
    text_.remove_prefix(digits);
    return true;
  }
  [[nodiscard]] bool take_one_of(std::string_view signs) {
    if (text_.empty() || signs.find(text_.front()) == std::string_view::npos) return false;
    text_.remove_prefix(1);
    return true;
  }
  /// `.25` or `,25`
  [[nodiscard]] double take_fraction() {
    double fraction = 0, weight = 0.1;
    if (!take_one_of(".,")) return 0;
    for (; !text_.empty() && text_.front() >= '0' && text_.front() <= '9'; weight /= 10) {
      fraction += weight * (text_.front() - '0');
      text_.remove_prefix(1);
    }
    return fraction;
  }
  /// `Z`, `+01:00`, `-0500` or nothing, in seconds.
  [[nodiscard]] std::optional<int> take_zone() {
    if (text_.empty() || text_ == "Z" || text_ == "z") return 0;
    const int sign = text_.front() == '-' ? -1 : 1;
    int hours = 0, minutes = 0;
    if (!take_one_of("+-") || !take_number(2, hours)) return std::nullopt;
    (void)take_one_of(":");
    if (!text_.empty() && !take_number(2, minutes)) return std::nullopt;
    if (!text_.empty()) return std::nullopt;
    return sign * (hours * 3600 + minutes * 60);
  }

 private:
  std::string_view text_;
};

template <class Number>
[[nodiscard]] bool is_number(std::string_view text, Number& number) {
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  return read.ec == std::errc() && read.ptr == end;
}

}  // namespace

std::optional<double> log_time_in(std::string_view text, int decimals) {
  std::uint64_t count = 0;
  if (is_number(text, count)) return decimal_seconds(count, decimals);
  double number = 0;
  if (is_number(text, number) && std::isfinite(number)) {
    return decimal_product(number, 1, -decimals);
  }
  DateText date(text);
  int year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0;
  if (!date.take_number(4, year) || !date.take_one_of("-/") || !date.take_number(2, month) ||
      !date.take_one_of("-/") || !date.take_number(2, day)) {
    return std::nullopt;
  }
  const std::chrono::year_month_day civil{std::chrono::year(year),
                                          std::chrono::month(static_cast<unsigned>(month)),
                                          std::chrono::day(static_cast<unsigned>(day))};
  if (!civil.ok() || !date.take_one_of("Tt ") || !date.take_number(2, hours) ||
      !date.take_one_of(":") || !date.take_number(2, minutes)) {
    return std::nullopt;
  }
  if (date.take_one_of(":") && !date.take_number(2, seconds)) return std::nullopt;
  if (hours > 24 || minutes > 59 || seconds > 60) return std::nullopt;
  const double fraction = date.take_fraction();
  const auto zone = date.take_zone();
  if (!zone) return std::nullopt;
  const auto days = std::chrono::sys_days(civil).time_since_epoch().count();
  return static_cast<double>(std::int64_t{days} * 86400 + hours * 3600 + minutes * 60 + seconds -
                             *zone) +
         fraction;
}

}  // namespace lightcone
