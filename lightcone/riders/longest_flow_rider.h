// Automata along the longest control flows, on the fly (RR-2595, statements S1 to S4).
#pragma once

#include <lightcone/riders/observed_vector.h>
#include <lightcone/riders/reached_sets.h>
#include <lightcone/riders/rider.h>

#include <optional>
#include <span>

namespace lightcone {

/// What the riders of one alphabet share: the sets, and memory for vectors.
struct LongestFlows {
  LongestFlows(std::vector<const CompiledFlow*> flows, std::uint32_t labelled,
               const Observer& observer)
      : sets(std::move(flows), labelled, observer) {}
  ReachedSets sets;
  VectorPool pool;
};

/// LO and SLO of the sender: its own entry, and those of all others.
struct LongestFlowTag {
  std::uint32_t sender = UINT32_MAX;
  ObservedEntry own = 0;
  VectorPool::Reference others;
};

/// Follows the longest flows of one alphabet in one process.
///
/// Φ(x) = δ(∪ SLO[k] over the maximal k, λ(x)), from the start where there is no observed
/// predecessor at all. An event covers everything before it, so that between two receives the own
/// entry is all that changes: the vector of the others is shared with the tags of messages, and
/// a send costs no copy.
class LongestFlowRider {
 public:
  using Tag = LongestFlowTag;

  LongestFlowRider(LongestFlows& flows, std::uint32_t self)
      : flows_(&flows), self_(self), others_(flows.pool.take()) {
    others_.own()->clear();
  }

  void start(const Step&) { observed_.reset(); }  // initial states take no part
  void event(const Step& step) {
    observed_.reset();
    if (flows_->sets.is_labelled(step.scene)) observe(step.scene);
  }
  void receive(const Step& step, std::span<const Tag* const> tags) {
    for (const Tag* tag : tags) take(*tag);
    event(step);
  }
  /// One entry of a tag, told alone; `event` follows when all have been told. Of its own events
  /// the process knows all but whether the last one is covered.
  void take(std::uint32_t process, ObservedEntry entry);
  /// Whether no further observed event can be counted: `event` must not be told of one.
  [[nodiscard]] bool is_full() const { return rank_of(own_) == most_observed; }
  /// Takes up the count of a process that has made so many observed events, and forgets what they
  /// have reached.
  void resume(std::uint32_t observed) {
    own_ = observed == 0 ? 0 : observed_entry(observed, 0) | covered_bit;
  }
  /// Forgets what is known of a process, whose number another one gets.
  void forget(std::uint32_t process);
  /// The sets that entries refer to; `renumber_sets` gives these sets other numbers, in the same
  /// order.
  [[nodiscard]] std::vector<ReachedSets::Index> used_sets() const;
  void renumber_sets(std::span<const ReachedSets::Index> sets);
  [[nodiscard]] Tag tag() const { return {self_, own_, others_}; }

  /// The set that the last event reached, if it was labelled.
  [[nodiscard]] std::optional<ReachedSets::Index> observed() const { return observed_; }
  /// The last observed event of a process in the past.
  [[nodiscard]] ObservedEntry entry(std::uint32_t process) const {
    return process == self_ ? own_ : others_->at(process);
  }
  /// The processes whose last observed event is an immediate predecessor of the next one here.
  [[nodiscard]] std::vector<std::uint32_t> maximal() const;
  [[nodiscard]] std::uint32_t process_count() const;

 private:
  void take(const Tag& tag);
  void observe(Scene scene);
  [[nodiscard]] ObservedVector& writable();

  LongestFlows* flows_;
  std::uint32_t self_;
  ObservedEntry own_ = 0;
  VectorPool::Reference others_;
  std::optional<ReachedSets::Index> observed_;
};

static_assert(Rider<LongestFlowRider>);

}  // namespace lightcone
