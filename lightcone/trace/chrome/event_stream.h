// The events of a Chrome trace one by one, without holding the file.
#pragma once

#include <lightcone/error.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace lightcone {

/// Cuts the list of events, which is the file itself or its member `traceEvents`, at its elements.
class EventStream {
 public:
  /// Fills the buffer as far as the file goes.
  using Source = std::function<Expected<std::size_t>(char* buffer, std::size_t size)>;

  EventStream(Source source, std::string name)
      : source_(std::move(source)), name_(std::move(name)) {}

  /// The text of the next event, which holds until the next call; nothing at the end of the list.
  [[nodiscard]] Expected<std::optional<std::string_view>> next();
  /// The line on which the last event begins.
  [[nodiscard]] std::uint64_t line() const { return element_line_; }
  /// Whether the file ended before the list did: some programs never write its end.
  [[nodiscard]] bool has_no_end() const { return has_no_end_; }
  /// Whether the file ended within an event, which is left out.
  [[nodiscard]] bool is_torn() const { return is_torn_; }
  /// The other members of the object that holds the list, as JSON text; long ones are left out.
  [[nodiscard]] const std::string& other_members() const { return other_members_; }
  [[nodiscard]] std::uint64_t bytes_read() const { return read_; }

 private:
  enum class Where : std::uint8_t { before, in_object, in_list, at_end };
  static constexpr int no_more = -1;

  [[nodiscard]] Expected<void> begin();
  [[nodiscard]] Expected<void> find_list();
  [[nodiscard]] Expected<std::string_view> take_value();
  void keep_member(const std::string& key, std::string_view value);
  [[nodiscard]] Expected<std::size_t> end_of_nested(std::size_t at);
  [[nodiscard]] Expected<bool> more();
  [[nodiscard]] Expected<int> peek();
  [[nodiscard]] tl::unexpected<Error> fail(std::string what, std::string hint = {}) const;

  Source source_;
  std::string name_;
  std::string buffer_;
  std::string other_members_;
  std::size_t at_ = 0;
  std::uint64_t line_ = 1, element_line_ = 0, read_ = 0;
  Where where_ = Where::before;
  bool is_member_ = false;  // the list is a member of an object
  bool ended_ = false, has_no_end_ = false, is_torn_ = false;
};

}  // namespace lightcone
