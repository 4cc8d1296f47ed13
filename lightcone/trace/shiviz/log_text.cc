// Repairs line ends and encoding.
#include <lightcone/trace/shiviz/log_text.h>

#include <lightcone/base/utf8.h>

#include <simdjson.h>

#include <algorithm>

namespace lightcone {

LogText::LogText(std::string_view original) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (original.starts_with(byte_order_mark)) original.remove_prefix(byte_order_mark.size());
  text_ = original;
  const bool is_utf8 = simdjson::validate_utf8(original.data(), original.size());
  if (is_utf8 && original.find("\r\n") == std::string_view::npos) return;
  repaired_.reserve(original.size());
  for (std::size_t at = 0; at < original.size();) {
    const std::size_t end = std::min(original.find('\n', at), original.size());
    std::string_view line = original.substr(at, end - at);
    const bool ends = end < original.size();
    if (ends && line.ends_with('\r')) line.remove_suffix(1);
    if (is_utf8 || simdjson::validate_utf8(line.data(), line.size())) {
      repaired_ += line;
    } else {
      repaired_ += as_utf8(line);
      ++repaired_lines_;
    }
    if (ends) repaired_ += '\n';
    at = end + 1;
  }
  text_ = repaired_;
}

}  // namespace lightcone
