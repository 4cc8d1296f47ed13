// JSON by nlohmann-json, which takes long to compile: only sources of this folder include it.
#include <lightcone/base/json.h>

#include <lightcone/error.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

namespace lightcone {

/// Hears of the values of a text in their order, and puts them together.
class JsonBuilder {
 public:
  [[nodiscard]] Json take() { return std::move(top_); }

  bool null() { return add(Json()); }
  bool boolean(bool value) { return add(Json(value)); }
  bool number_integer(std::int64_t value) { return add(Json(value)); }
  bool number_unsigned(std::uint64_t value) { return add(Json(value)); }
  bool number_float(double value, const std::string&) { return add(Json(value)); }
  bool string(std::string& value) { return add(Json(std::move(value))); }
  bool binary(nlohmann::ordered_json::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    name_ = std::move(name);
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) {
    return false;
  }

 private:
  /// Where the next value goes; nowhere if the object is full.
  [[nodiscard]] Json* room() {
    if (open_.empty()) return &top_;
    Json& parent = *open_.back();
    if (auto* items = std::get_if<Json::Items>(&parent.value_)) return &items->emplace_back();
    const auto& members = std::get<Json::Members>(parent.value_);
    if (members.size() == Json::most_members && !parent.contains(name_)) return nullptr;
    return &parent[name_];
  }
  bool add(Json value) {
    Json* const to = room();
    if (to == nullptr) return false;
    *to = std::move(value);
    return true;
  }
  bool open(Json value) {
    Json* const to = room();
    if (to == nullptr || open_.size() == Json::deepest_nesting) return false;
    *to = std::move(value);
    open_.push_back(to);  // its parent gets no other item before it is closed, so it stays there
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  Json top_;
  std::vector<Json*> open_;
  std::string name_;
};

/// Writes a value. Strings and reals are written by nlohmann-json.
class JsonWriter {
 public:
  explicit JsonWriter(Json::Layout layout) : layout_(layout) {}

  [[nodiscard]] std::string take() { return std::move(text_); }
  void add(const Json& json) {
    std::visit([this](const auto& value) { add_value(value); }, json.value_);
  }

 private:
  void add_value(std::nullptr_t) { text_ += "null"; }
  void add_value(bool value) { text_ += value ? "true" : "false"; }
  void add_value(std::int64_t value) { text_ += std::to_string(value); }
  void add_value(std::uint64_t value) { text_ += std::to_string(value); }
  void add_value(double value) { text_ += nlohmann::ordered_json(value).dump(); }
  void add_value(const std::string& value) {
    text_ += nlohmann::ordered_json(value).dump(-1, ' ', layout_ == Json::Layout::ascii_line,
                                                nlohmann::ordered_json::error_handler_t::replace);
  }
  void add_value(const Json::Items& items) {
    add_all('[', items, ']', [this](const Json& item) { add(item); });
  }
  void add_value(const Json::Members& members) {
    add_all('{', members, '}', [this](const auto& member) {
      add_value(member.first);
      text_ += layout_ == Json::Layout::indented ? ": " : ":";
      add(member.second);
    });
  }
  void add_all(char open, const auto& all, char close, const auto& add_one) {
    text_ += open;
    ++depth_;
    for (const auto& one : all) {
      if (&one != &all.front()) text_ += ',';
      begin_line();
      add_one(one);
    }
    --depth_;
    if (!all.empty()) begin_line();
    text_ += close;
  }
  void begin_line() {
    if (layout_ == Json::Layout::indented) text_ += '\n' + std::string(2 * depth_, ' ');
  }

  Json::Layout layout_;
  std::size_t depth_ = 0;
  std::string text_;
};

Json::Json(std::initializer_list<std::pair<std::string_view, Json>> members) : value_(Members()) {
  for (const auto& [name, value] : members) (*this)[name] = value;
}

std::optional<Json> Json::parse(std::string_view text) {
  JsonBuilder builder;
  if (!nlohmann::ordered_json::sax_parse(text, &builder)) return std::nullopt;
  return builder.take();
}

bool Json::is_integer() const {
  return std::holds_alternative<std::int64_t>(value_) ||
         std::holds_alternative<std::uint64_t>(value_);
}

std::optional<bool> Json::truth() const {
  const auto* value = std::get_if<bool>(&value_);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

std::optional<std::int64_t> Json::integer() const {
  if (const auto* value = std::get_if<std::int64_t>(&value_)) return *value;
  const auto* value = std::get_if<std::uint64_t>(&value_);
  if (value == nullptr || *value > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  return static_cast<std::int64_t>(*value);
}

std::optional<std::uint64_t> Json::natural() const {
  if (const auto* value = std::get_if<std::uint64_t>(&value_)) return *value;
  const auto* value = std::get_if<std::int64_t>(&value_);
  if (value == nullptr || *value < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*value);
}

const Json::Items& Json::items() const {
  static const Items none;
  const auto* items = std::get_if<Items>(&value_);
  return items == nullptr ? none : *items;
}

const Json* Json::find(std::string_view name) const {
  const auto* members = std::get_if<Members>(&value_);
  if (members == nullptr) return nullptr;
  const auto found = std::ranges::find(*members, name, &Members::value_type::first);
  return found == members->end() ? nullptr : &found->second;
}

bool Json::read(std::string_view name, bool& to) const {
  const Json* member = find(name);
  if (member == nullptr) return true;
  to = member->truth().value_or(to);
  return member->truth().has_value();
}

bool Json::read(std::string_view name, std::int64_t& to) const {
  const Json* member = find(name);
  if (member == nullptr) return true;
  to = member->integer().value_or(to);
  return member->integer().has_value();
}

bool Json::read(std::string_view name, std::uint64_t& to) const {
  const Json* member = find(name);
  if (member == nullptr) return true;
  to = member->natural().value_or(to);
  return member->natural().has_value();
}

bool Json::read(std::string_view name, std::string& to) const {
  const Json* member = find(name);
  if (member == nullptr) return true;
  if (member->text() == nullptr) return false;
  to = *member->text();
  return true;
}

bool Json::read(std::string_view name, std::vector<std::string>& to) const {
  const Json* member = find(name);
  if (member == nullptr) return true;
  if (!member->is_array()) return false;
  std::vector<std::string> texts;
  for (const Json& item : member->items()) {
    if (item.text() == nullptr) return false;
    texts.push_back(*item.text());
  }
  to = std::move(texts);
  return true;
}

Json& Json::operator[](std::string_view name) {
  if (std::holds_alternative<std::nullptr_t>(value_)) value_ = Members();
  auto* members = std::get_if<Members>(&value_);
  LIGHTCONE_ASSERT(members != nullptr);
  const auto found = std::ranges::find(*members, name, &Members::value_type::first);
  if (found != members->end()) return found->second;
  return members->emplace_back(name, Json()).second;
}

void Json::push_back(Json item) {
  if (std::holds_alternative<std::nullptr_t>(value_)) value_ = Items();
  auto* items = std::get_if<Items>(&value_);
  LIGHTCONE_ASSERT(items != nullptr);
  items->push_back(std::move(item));
}

Json& Json::back() {
  auto* items = std::get_if<Items>(&value_);
  LIGHTCONE_ASSERT(items != nullptr && !items->empty());
  return items->back();
}

void Json::update(const Json& other) {
  const auto* members = std::get_if<Members>(&other.value_);
  LIGHTCONE_ASSERT(members != nullptr);
  for (const auto& [name, value] : *members) (*this)[name] = value;
}

std::string Json::dump(Layout layout) const {
  JsonWriter writer(layout);
  writer.add(*this);
  return writer.take();
}

}  // namespace lightcone
