// A property with `for each` or `within` in a live process, watched apart from the others.
#pragma once

#include <lightcone/live/watch/live_content.h>
#include <lightcone/property/states/value_slice.h>
#include <lightcone/riders/slices/sliced_rider.h>
#include <lightcone/riders/tags/property_tags.h>

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// Returns whether a property is watched in this way.
[[nodiscard]] bool is_watched_alone(const Property& property);

/// Follows the slices of the values that are in the past of the process. Without `for each` there
/// is one slice, the whole.
///
/// At most so many values are followed. If there are more, the one that has been silent longest is
/// forgotten, and messages say that one was. From there on only what rests on one path is told:
/// that path exists, whatever was forgotten.
class PropertyWatch {
 public:
  /// `self` is the number of this process among its peers.
  PropertyWatch(CompiledProperties alone, std::uint32_t property, std::uint32_t self,
                std::string_view name, std::uint32_t most_values);
  PropertyWatch(const PropertyWatch&) = delete;
  PropertyWatch& operator=(const PropertyWatch&) = delete;

  void start(const LiveState& initial);
  /// `sends`: a message leaves at an event that receives.
  void event(Kind kind, const LiveState& state, bool sends,
             std::span<const PropertyTag* const> tags);
  [[nodiscard]] PropertyTag tag() const;
  /// Returns whether a tag speaks of letters of this process that it has made.
  [[nodiscard]] bool is_credible(const PropertyTag& tag) const;
  /// Forgets these peers, whose numbers others get.
  void forget(const std::vector<bool>& peers);

  /// What the last event decided. With a value, its answer is another one than it would be for a
  /// value that has not occurred.
  struct Found {
    std::optional<OwnedValue> value = {};
    bool found = false;
  };
  [[nodiscard]] std::vector<Found> found() const;

  [[nodiscard]] std::uint32_t index() const { return index_; }
  [[nodiscard]] const Property& property() const {
    return rules_->property.compiled().source().properties[index_];
  }
  [[nodiscard]] PropertyRules& rules() { return rules_->property; }
  [[nodiscard]] bool reads_times() const { return rules_->property.timed() != nullptr; }
  /// Returns whether it read a text on which a regular expression took too long.
  [[nodiscard]] bool is_given_up() const;
  /// Returns what is not watched any more since the last event, in words, once; empty for nothing.
  [[nodiscard]] std::string news();

 private:
  static constexpr std::size_t most_text_bytes = std::size_t{1} << 26;

  struct FollowedValue {
    std::uint32_t number = 0;
    std::list<const OwnedValue*>::iterator use = {};
  };

  [[nodiscard]] std::uint32_t number_of(const OwnedValue& value);
  void forget_oldest();
  [[nodiscard]] std::optional<OwnedValue> value_of(const LiveState& state) const;
  [[nodiscard]] bool is_certain(bool found) const;

  std::uint32_t index_;
  std::uint32_t self_;
  std::uint32_t most_values_;
  std::unique_ptr<LiveContent> content_;
  std::unique_ptr<SlicedRules> rules_;
  std::unique_ptr<SlicedRider> rider_;
  std::map<OwnedValue, FollowedValue> values_;  // that are followed
  std::list<const OwnedValue*> uses_;           // the one that was silent longest comes first
  std::vector<const OwnedValue*> by_number_;    // nullptr: the number is free
  std::vector<std::uint32_t> free_;
  bool is_whole_ = true;    // no value has been forgotten in the past
  std::uint32_t made_ = 0;  // events of this process
  bool is_over_ = false;    // there were too many texts, or events
  bool has_told_forgetting_ = false, has_told_comparing_ = false, has_told_texts_ = false;
};

}  // namespace lightcone
