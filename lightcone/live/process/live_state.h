// What a program says about the state that one of its events creates.
#pragma once

#include <lightcone/computation.h>

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>

namespace lightcone {

/// The value of a variable of the program.
using LiveValue = SpelledValue;

/// A list that can be written out in a call, `{"enter", "exit"}`, or taken from an array.
template <class T>
class LiveList {
 public:
  LiveList() = default;
  LiveList(std::initializer_list<T> items) : items_(items.begin(), items.size()) {}
  LiveList(std::span<const T> items) : items_(items) {}  // NOLINT: meant to convert
  [[nodiscard]] auto begin() const { return items_.begin(); }
  [[nodiscard]] auto end() const { return items_.end(); }
  [[nodiscard]] std::size_t size() const { return items_.size(); }

 private:
  std::span<const T> items_;
};

/// What an event says about the state it creates: `{.labels = {"enter"}, .variables = {{"x", 3}}}`.
/// It must be valid only during a call, which copies what it needs.
struct LiveState {
  LiveList<std::string_view> labels = {};
  LiveList<std::pair<std::string_view, LiveValue>> variables = {};
  std::string_view text = {};
  std::string_view source = {};  ///< `file:line`, instead of the place of the call
};

}  // namespace lightcone
