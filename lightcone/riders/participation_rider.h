// Longest flows where no process passes a message on unseen (RR-2595, section 5.1).
#pragma once

#include <lightcone/riders/one_set_tag.h>
#include <lightcone/riders/rider.h>

#include <optional>
#include <span>
#include <vector>

namespace lightcone {

/// For computations in which a process that receives makes an observed event before it sends. Then
/// all entries but the sender's own are covered when a message leaves: instead of a set for each
/// process, one travels, and the vector is half as large. Where the assumption is broken, the rider
/// notices, and says so from then on, also in the tags it gives.
class ParticipationRider {
 public:
  using Tag = OneSetTag;

  ParticipationRider(ReachedSets& sets, std::uint32_t self) : sets_(&sets), self_(self) {}

  void start(const Step&) {}
  void event(const Step& step);
  void receive(const Step& step, std::span<const Tag* const> tags) {
    for (const Tag* tag : tags) take(*tag);
    event(step);
  }
  [[nodiscard]] Tag tag() const {
    return {self_, own_, set_, others_, broken_ || has_candidates()};
  }

  /// The set that the last event reached, if it was labelled.
  [[nodiscard]] std::optional<ReachedSets::Index> observed() const { return observed_; }
  [[nodiscard]] bool is_broken() const { return broken_; }

 private:
  /// The last observed event of a sender, which may be a maximal one.
  struct Candidate {
    std::uint32_t process;
    std::uint32_t entry;
    ReachedSets::Index set;
  };

  void take(const Tag& tag);
  [[nodiscard]] bool is_maximal(const Candidate& candidate) const {
    return others_.at(candidate.process) == candidate.entry;
  }
  [[nodiscard]] bool has_candidates() const;

  ReachedSets* sets_;
  std::uint32_t self_;
  std::uint32_t own_ = 0;  // entries are 2 * rank, plus 1 when covered
  ReachedSets::Index set_ = 0;
  PlainClock others_;
  std::vector<Candidate> candidates_;  // since the last observed event
  bool broken_ = false;
  std::optional<ReachedSets::Index> observed_;
};

static_assert(Rider<ParticipationRider>);

}  // namespace lightcone
