// What selective receives accept: messages by their sender, their context and their tag.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace lightcone {

/// What a message is called when it is sent, so that receives can choose by it.
struct MessageKind {
  std::uint32_t context = 0, tag = 0;
  friend bool operator==(const MessageKind&, const MessageKind&) = default;
};

/// Accepts messages of a sender, context and tag. Those of one sender do not overtake each other:
/// of the messages that it accepts and that are not taken yet, only the one after the first `skip`
/// of each sender can be taken.
struct MessagePattern {
  static constexpr std::uint32_t any = 0x80000000;  ///< no process and no tag has this number

  std::uint32_t sender = any;  ///< a process, `outside` or any
  std::uint32_t context = 0;
  std::uint32_t tag = any;
  std::uint32_t skip = 0;  ///< so many are kept for receives that were there before
  friend auto operator<=>(const MessagePattern&, const MessagePattern&) = default;

  /// Returns whether a message is one of those that it chooses from.
  [[nodiscard]] bool accepts(std::uint32_t from, const MessageKind& kind) const {
    return kind.context == context && (sender == any || sender == from) &&
           (tag == any || tag == kind.tag);
  }
};

/// Sets of patterns, numbered from 1; what one of its patterns lets a process take, the set does.
class Filters {
 public:
  Filters() = default;
  Filters(const Filters& other) { *this = other; }
  Filters& operator=(const Filters& other);
  ~Filters() = default;

  /// The number of a set, always the same for equal ones. The empty set lets nothing be taken.
  [[nodiscard]] std::uint32_t index_of(std::vector<MessagePattern> patterns);
  [[nodiscard]] bool empty() const { return sets_.empty(); }
  [[nodiscard]] std::span<const MessagePattern> patterns(std::uint32_t filter) const {
    return *sets_[filter - 1];
  }

 private:
  std::map<std::vector<MessagePattern>, std::uint32_t> indices_;
  std::vector<const std::vector<MessagePattern>*> sets_;
};

}  // namespace lightcone
