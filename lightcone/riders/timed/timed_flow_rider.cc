// Joins the paths that messages bring, and reads letters.
#include <lightcone/riders/timed/timed_flow_rider.h>

#include <utility>

namespace lightcone {

TimedFlowRider::TimedFlowRider(TimedFlows& flows, std::uint32_t self)
    : flows_(&flows),
      self_(self),
      paths_(std::make_shared<const TimedState>(TimedState::start())),
      letters_(std::make_shared<const std::vector<TimedEntry>>()) {}

void TimedFlowRider::start(const Step& step) {
  if (flows_->flow.longest) return;  // initial states take no part
  event(step);
  is_asked_ = false;
}

void TimedFlowRider::event(const Step& step) {
  const bool is_letter = flows_->is_letter(step.scene);
  is_asked_ = is_letter || !flows_->flow.longest;
  if (is_letter) read_letter(step);
}

void TimedFlowRider::receive(const Step& step, std::span<const Tag* const> tags) {
  for (const Tag* tag : tags) take(*tag);
  event(step);
}

void TimedFlowRider::take(const Tag& tag) {
  if (!flows_->flow.longest) {
    if (!tag.paths || tag.paths == paths_) return;
    auto joined = std::make_shared<TimedState>(*paths_);
    joined->join(*flows_, *tag.paths);
    paths_ = std::move(joined);
    return;
  }
  if (!tag.letters || tag.letters == letters_) return;
  std::vector<TimedEntry>& known = writable();
  if (known.size() < tag.letters->size()) known.resize(tag.letters->size());
  for (std::size_t k = 0; k < tag.letters->size(); ++k) {
    const TimedEntry& other = (*tag.letters)[k];
    if (other.rank > known[k].rank) {
      known[k] = other;
    } else if (other.rank == known[k].rank && other.is_covered) {
      known[k].is_covered = true;
      known[k].paths = nullptr;
    }
  }
}

void TimedFlowRider::read_letter(const Step& step) {
  auto next = std::make_shared<TimedState>();
  if (!flows_->flow.longest) {
    *next = *paths_;
    next->read_letter(*flows_, step, self_);
    paths_ = std::move(next);
    return;
  }
  std::vector<TimedEntry>& known = writable();
  if (known.size() <= self_) known.resize(self_ + 1);
  bool has_predecessor = false;
  for (TimedEntry& entry : known) {
    if (entry.rank == 0) continue;
    has_predecessor = true;
    if (entry.is_covered) continue;
    next->join(*flows_, *entry.paths);
    entry.is_covered = true;
    entry.paths = nullptr;
  }
  if (!has_predecessor) *next = TimedState::start();
  next->read_letter(*flows_, step, self_);
  paths_ = std::move(next);
  known[self_] = {known[self_].rank + 1, false, paths_};
}

/// The letters, for a change: messages on their way keep what they have.
std::vector<TimedEntry>& TimedFlowRider::writable() {
  auto copy = std::make_shared<std::vector<TimedEntry>>(*letters_);
  std::vector<TimedEntry>& letters = *copy;
  letters_ = std::move(copy);
  return letters;
}

void TimedFlowRider::forget(std::uint32_t process) {
  if (!flows_->flow.longest) {
    paths_ = std::make_shared<const TimedState>(paths_->without(process));
    return;
  }
  std::vector<TimedEntry>& letters = writable();
  if (process < letters.size() && process != self_) letters[process] = {};
  for (TimedEntry& entry : letters) {
    if (!entry.paths) continue;
    entry.paths = std::make_shared<const TimedState>(entry.paths->without(process));
  }
}

}  // namespace lightcone
