// Joins rows at receives, takes a step at each observed event, copies rows at sends.
#include <lightcone/riders/walks/longest_flow_walk.h>

#include <lightcone/causal/order/vector_code.h>
#include <lightcone/error.h>

#include <algorithm>

namespace lightcone {
namespace {

/// into[k] = the greater of into[k] and keys[k], for each k below `count`. Returns whether a key is
/// raised.
LIGHTCONE_VECTOR_CODE
bool raise_keys(std::uint32_t* into, const std::uint32_t* keys, std::size_t count) {
  std::uint32_t changes = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t before = into[i], greater = std::max(before, keys[i]);
    into[i] = greater;
    changes |= greater ^ before;
  }
  return changes != 0;
}

}  // namespace

LongestFlowWalk::LongestFlowWalk(ReachedSets& sets, const Computation& computation,
                                 std::uint32_t scenes, std::size_t most_bytes)
    : sets_(sets),
      computation_(computation),
      most_bytes_(most_bytes),
      stride_((computation.process_count() + 7) / 8 * 8),
      fronts_(computation.process_count()),
      passages_(computation.message_count()) {
  for (Scene scene = 0; scene < scenes; ++scene) {
    is_labelled_.push_back(sets.is_labelled(scene) ? 1 : 0);
  }
  for (const MessageIndex m : computation.columns().takes) ++passages_[m].waiting;
  if (has_room(fronts_.size())) front_keys_.assign(fronts_.size() * stride_, 0);
}

void LongestFlowWalk::take(ProcessIndex p, MessageIndex m) {
  Passage& passage = passages_[m];
  if (passage.place == none) return;  // there was no room for it
  join(p, passage.place);
  if (--passage.waiting == 0) release(passage.place);
}

/// An uncovered entry stays one if its key is that of the join. One that both know of is the same
/// in both.
void LongestFlowWalk::join(ProcessIndex p, std::uint32_t place) {
  Front& front = fronts_[p];
  std::uint32_t* row = front_row(p);
  news_.clear();
  for (const Uncovered& entry : passing_[place].uncovered) {
    if (row[entry.process] < entry.key) news_.push_back(entry);
  }
  if (!raise_keys(row, passing_row(place), stride_)) return;
  std::erase_if(front.uncovered,
                [&](const Uncovered& entry) { return row[entry.process] != entry.key; });
  front.uncovered.insert(front.uncovered.end(), news_.begin(), news_.end());
  change(front);
}

/// As in LongestFlowRider::event: the union over the maximal entries, which the event covers.
ReachedSets::Index LongestFlowWalk::observe(ProcessIndex p, Scene scene) {
  Front& front = fronts_[p];
  std::uint32_t* row = front_row(p);
  ReachedSets::Index set = front.uncovered.empty() ? sets_.start() : front.uncovered[0].set;
  for (const Uncovered& entry : front.uncovered) {
    set = sets_.join(set, entry.set);
    row[entry.process] |= 1;
  }
  set = sets_.step(set, scene);
  LIGHTCONE_ASSERT(row[p] / 2 < most_observed);
  row[p] = (row[p] / 2 + 1) * 2;
  front.uncovered.assign(1, {p, row[p], set});
  change(front);
  return set;
}

void LongestFlowWalk::send(ProcessIndex p, MessageIndex m) {
  Passage& passage = passages_[m];
  if (passage.waiting == 0) return;
  Front& front = fronts_[p];
  if (front.copied_to == none) {
    if (free_.empty()) {
      if (!has_room(1)) {
        most_bytes_ = 0;
        passage.place = none;
        return;
      }
      free_.push_back(static_cast<std::uint32_t>(passing_.size()));
      passing_.emplace_back();
      passing_keys_.resize(passing_.size() * stride_);
    }
    front.copied_to = free_.back();
    free_.pop_back();
    std::copy_n(front_row(p), stride_, passing_row(front.copied_to));
    passing_[front.copied_to].uncovered = front.uncovered;
    passing_[front.copied_to].references = 1;
  }
  passage.place = front.copied_to;
  ++passing_[passage.place].references;
}

}  // namespace lightcone
