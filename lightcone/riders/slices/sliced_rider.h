// `for each` on the fly: one rider for the slices of all values, in one process.
#pragma once

#include <lightcone/property/states/local_expressions.h>
#include <lightcone/riders/slices/property_rider.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace lightcone {

/// What the riders of a property with `for each` share.
struct SlicedRules {
  SlicedRules(CompiledProperties alone, const Names& names) : property(std::move(alone), names) {}
  PropertyRules property;
  std::vector<bool> forgotten = {};  ///< by value: it does not matter any more

  [[nodiscard]] bool is_forgotten(std::uint32_t value) const {
    return value < forgotten.size() && forgotten[value];
  }
};

/// What travels with a message: the tag that it has in the slice of a value that has not occurred
/// in its past, and those of the others.
struct SlicedTag {
  using Values = std::vector<std::pair<std::uint32_t, PropertyRider::Tag>>;  // sorted
  PropertyRider::Tag background = {};
  std::shared_ptr<const Values> values = {};  ///< nullptr: none
};

/// The state that an event creates, as it is in the slice of its value; in all other slices it
/// carries nothing.
struct SlicedState {
  StateContent content = {};
  std::optional<std::uint32_t> value = {};  ///< by number; nothing: it assigns none
  bool is_of_all = false;                   ///< there is one slice only, which has all states

  /// What is left of it in other slices: its kind, its messages and its time.
  [[nodiscard]] StateContent blank() const;
};

/// Follows a property with `for each` in one process. In the slice of a value, nothing is labelled
/// and nothing assigned before the first event of this value. So until one is in its past, a state
/// is the same in all slices: that is the background. Only the others have riders of their own.
class SlicedRider {
 public:
  /// `self` is the number of the process, the same in all riders of the property. The rules must
  /// outlive this.
  SlicedRider(SlicedRules& rules, std::uint32_t self, std::string_view name);

  void start(const StateContent& initial);
  /// An event, which may receive messages.
  void event(const SlicedState& state, std::span<const SlicedTag* const> tags = {});
  /// Copies what it knows of each value.
  [[nodiscard]] SlicedTag tag() const;

  using AskedHere = std::optional<PropertyRider::FoundHere>;
  /// At the last state: in slices of values that are not in its past; and of one that may be.
  [[nodiscard]] AskedHere background() const { return background_.answer(scene_); }
  [[nodiscard]] AskedHere answer(std::uint32_t value) const;
  /// Calls `visit(value, answer)` for each value with a rider of its own.
  template <class Visit>
  void for_each_value(const Visit& visit) const {
    for (const auto& [value, strand] : strands_) visit(value, strand.rider.answer(strand.scene));
  }
  [[nodiscard]] const PropertyRider& background_rider() const { return background_; }
  [[nodiscard]] const PropertyRider* rider(std::uint32_t value) const {
    const auto found = strands_.find(value);
    return found == strands_.end() ? nullptr : &found->second.rider;
  }
  [[nodiscard]] std::size_t followed() const { return strands_.size(); }
  /// Does not follow this value any more. If the rules do not say that it is forgotten, messages
  /// and events bring it back.
  void forget(std::uint32_t value);
  /// Forgets what is known of these processes, whose numbers others get.
  void forget_peers(const std::vector<bool>& peers);

 private:
  /// A value that is in the past of the process.
  struct Strand {
    PropertyRider rider;
    std::optional<ProcessIndex> observed = {};  // its number in the observer, if it has one
    Scene scene = 0;
  };

  void follow(std::uint32_t value);
  void look(Strand& strand, const SlicedState& state, bool is_of_value);
  void drop_idle();

  SlicedRules* all_;
  PropertyRules* rules_;
  ProcessIndex process_;  // in the observer
  PropertyRider background_;
  Scene scene_ = 0;
  std::map<std::uint32_t, Strand> strands_;  // by value
  std::vector<ProcessIndex> free_;           // numbers in the observer
};

}  // namespace lightcone
