// One flow or logic property as one rider, whichever kind of rider it needs.
#pragma once

#include <lightcone/property/automata/compiled.h>
#include <lightcone/property/automata/lrdag.h>
#include <lightcone/property/states/observer.h>
#include <lightcone/riders/inspection.h>
#include <lightcone/riders/longest_flow_rider.h>
#include <lightcone/riders/lrdag_rider.h>
#include <lightcone/riders/timed/timed_flow_rider.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

namespace lightcone {

/// What the riders of one property share. It stays where it is: riders point into it.
class PropertyRules {
 public:
  /// The properties, of which one was compiled alone. `names` has all names of their vocabulary,
  /// and outlives this.
  PropertyRules(CompiledProperties alone, const Names& names);
  PropertyRules(const PropertyRules&) = delete;
  PropertyRules& operator=(const PropertyRules&) = delete;

  [[nodiscard]] const CompiledProperties& compiled() const { return compiled_; }
  [[nodiscard]] Observer& observer() { return observer_; }
  [[nodiscard]] const Observer& observer() const { return observer_; }
  [[nodiscard]] Lrdag& lrdag() { return lrdag_; }
  /// nullptr unless it is a longest flow without `within`.
  [[nodiscard]] LongestFlows* longest() { return longest_.empty() ? nullptr : longest_[0].get(); }
  /// nullptr unless it is a flow with `within`.
  [[nodiscard]] TimedFlows* timed() { return timed_ ? &*timed_ : nullptr; }
  [[nodiscard]] const TimedFlows* timed() const { return timed_ ? &*timed_ : nullptr; }

 private:
  CompiledProperties compiled_;
  Observer observer_;
  Lrdag lrdag_;
  std::vector<std::unique_ptr<LongestFlows>> longest_;
  std::optional<TimedFlows> timed_;
};

/// Follows the property in one process.
class PropertyRider {
 public:
  using Tag = std::variant<LrdagTag, LongestFlowTag, TimedFlowTag>;

  PropertyRider(PropertyRules& rules, std::uint32_t self);

  void start(const Step& step);
  void event(const Step& step);
  void receive(const Step& step, std::span<const Tag* const> tags);
  [[nodiscard]] Tag tag() const;

  /// The answer at the last state, which shows this scene. Nothing if it is not asked there.
  struct FoundHere {
    std::optional<bool> found = {};  ///< nothing where clocks cannot tell
    friend bool operator==(const FoundHere&, const FoundHere&) = default;
  };
  [[nodiscard]] std::optional<FoundHere> answer(Scene scene) const;
  /// Returns whether two riders of one process are known to go on alike; false where that is not
  /// easily seen.
  [[nodiscard]] bool is_like(const PropertyRider& other) const;
  /// Forgets what is known of these processes, whose numbers others get.
  void forget_peers(const std::vector<bool>& peers);
  /// Returns how many letters of this process a longest flow has counted; 0 for other properties.
  [[nodiscard]] std::uint32_t own_letters() const;

 private:
  PropertyRules* rules_;
  std::uint32_t self_;
  std::variant<LrdagRider, LongestFlowRider, TimedFlowRider> rider_;
};

static_assert(Rider<PropertyRider>);

}  // namespace lightcone
