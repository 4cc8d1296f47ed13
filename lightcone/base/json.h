// JSON documents that are small: what a command and the programs that it runs tell each other.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace lightcone {

/// A JSON value. An object keeps its members in the order in which they were added.
class Json {
 public:
  using Items = std::vector<Json>;
  using Members = std::vector<std::pair<std::string, Json>>;

  static constexpr std::size_t deepest_nesting = 64;
  static constexpr std::size_t most_members = 1000;  // of one object

  /// Returns the value of the text. Returns nothing if the text is not JSON, or exceeds a limit.
  [[nodiscard]] static std::optional<Json> parse(std::string_view text);
  [[nodiscard]] static Json array() { return Json(Content(Items())); }
  [[nodiscard]] static Json object() { return Json(Content(Members())); }

  Json() = default;  // null
  Json(std::nullptr_t) {}
  Json(std::same_as<bool> auto value) : value_(value) {}
  Json(std::signed_integral auto value) : value_(std::int64_t{value}) {}
  Json(std::unsigned_integral auto value) requires(!std::same_as<decltype(value), bool>)
      : value_(std::uint64_t{value}) {}
  Json(double value) : value_(value) {}
  Json(std::string text) : value_(std::move(text)) {}
  Json(std::string_view text) : value_(std::string(text)) {}
  Json(const char* text) : value_(std::string(text)) {}
  /// An array of the items of any other range, or an object if the range is a map.
  template <std::ranges::input_range Range>
  requires(!std::convertible_to<const Range&, std::string_view>) Json(const Range& items) {
    if constexpr (requires { items.begin()->second; }) {
      auto& members = value_.template emplace<Members>();
      for (const auto& [name, value] : items) members.emplace_back(name, Json(value));
    } else {
      auto& all = value_.template emplace<Items>();
      for (const auto& item : items) all.push_back(Json(item));
    }
  }
  /// An object of these members.
  Json(std::initializer_list<std::pair<std::string_view, Json>> members);

  [[nodiscard]] bool is_object() const { return std::holds_alternative<Members>(value_); }
  [[nodiscard]] bool is_array() const { return std::holds_alternative<Items>(value_); }
  [[nodiscard]] bool is_integer() const;

  /// Returns what the value holds, or nothing if its type is another one.
  [[nodiscard]] const std::string* text() const { return std::get_if<std::string>(&value_); }
  [[nodiscard]] std::optional<bool> truth() const;
  [[nodiscard]] std::optional<std::int64_t> integer() const;
  [[nodiscard]] std::optional<std::uint64_t> natural() const;
  /// Returns the items of an array, in other cases none.
  [[nodiscard]] const Items& items() const;

  /// Returns the member of an object, or null if there is no such member.
  [[nodiscard]] const Json* find(std::string_view name) const;
  [[nodiscard]] bool contains(std::string_view name) const { return find(name) != nullptr; }

  /// Copies a member to a variable, which keeps its value if there is no such member. Returns
  /// whether the type of the member is that of the variable, or there is no such member.
  [[nodiscard]] bool read(std::string_view name, bool& to) const;
  [[nodiscard]] bool read(std::string_view name, std::int64_t& to) const;
  [[nodiscard]] bool read(std::string_view name, std::uint64_t& to) const;
  [[nodiscard]] bool read(std::string_view name, std::string& to) const;
  [[nodiscard]] bool read(std::string_view name, std::vector<std::string>& to) const;

  /// Returns the member of an object, which is added if there is none. Null becomes an object.
  Json& operator[](std::string_view name);
  /// Adds an item to an array. Null becomes an array.
  void push_back(Json item);
  /// Returns the last item of an array that has one.
  [[nodiscard]] Json& back();
  /// Adds or replaces the members that the other object has.
  void update(const Json& other);

  /// How a document is laid out. Bytes that are not UTF-8 become U+FFFD in each of them.
  enum class Layout { line, ascii_line, indented };
  [[nodiscard]] std::string dump(Layout layout = Layout::line) const;

 private:
  using Content = std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double,
                               std::string, Items, Members>;
  friend class JsonBuilder;
  friend class JsonWriter;

  explicit Json(Content value) : value_(std::move(value)) {}

  Content value_ = nullptr;
};

}  // namespace lightcone
