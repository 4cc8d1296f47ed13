// Most kept values are short numbers and texts.
#include <lightcone/trace/spans/kept_members.h>

#include <fmt/format.h>
#include <lightcone/base/json_text.h>

#include <algorithm>
#include <iterator>

namespace lightcone {
namespace dom = simdjson::dom;
namespace {

/// Returns whether a value has at most so many levels of lists and objects.
[[nodiscard]] bool is_flat(const dom::element& value, std::size_t levels) {
  dom::array list;
  dom::object object;
  if (!value.get_array().get(list)) {
    if (levels == 0) return false;
    for (const dom::element item : list) {
      if (!is_flat(item, levels - 1)) return false;
    }
  } else if (!value.get_object().get(object)) {
    if (levels == 0) return false;
    for (const auto field : object) {
      if (!is_flat(field.value, levels - 1)) return false;
    }
  }
  return true;
}

void append_json(std::string& out, const dom::element& value) {
  switch (value.type()) {
    case dom::element_type::INT64:
      fmt::format_to(std::back_inserter(out), "{}", value.get_int64().value_unsafe());
      return;
    case dom::element_type::STRING: out += json_string(value.get_string().value_unsafe()); return;
    default: out += simdjson::minify(value);
  }
}

}  // namespace

void KeptMembers::clear() {
  starts.clear();
  ends.clear();
  events.clear();
  links.clear();
  resources.clear();
}

void MemberText::begin(std::string_view key) {
  if (!text_.empty()) text_ += ", ";
  text_ += json_string(key);
  text_ += ": ";
}

bool MemberText::add(std::string_view key, const dom::element& value) {
  if (value.is_null()) return true;
  if (!is_flat(value, most_levels)) return false;
  const std::size_t before = text_.size();
  begin(key);
  append_json(text_, value);
  if (text_.size() <= most_bytes) return true;
  text_.resize(before);
  return false;
}

void MemberText::add(std::string_view key, std::uint64_t number) {
  begin(key);
  fmt::format_to(std::back_inserter(text_), "{}", number);
}

void MemberText::add_others(const dom::object& object, std::span<const std::string_view> but) {
  for (const auto field : object) {
    if (std::find(but.begin(), but.end(), field.key) == but.end()) add(field.key, field.value);
  }
}

void MemberText::add_object(std::string_view key, std::string_view members) {
  if (members.empty()) return;
  begin(key);
  text_ += '{';
  text_ += members;
  text_ += '}';
}

}  // namespace lightcone
