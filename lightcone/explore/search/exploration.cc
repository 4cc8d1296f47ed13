// Each execution once, without remembering those that were visited, after "Truly stateless, optimal
// dynamic partial order reduction" (Kokologiannakis, Marmanis, Gladstein, Vafeiadis, POPL 2022),
// for messages that are taken from mailboxes, any of them or those that a filter lets through.
//
// A move is a choice of one process with all it does until it waits again. What a process can
// choose depends on its own history and grows as others send; so the only conflicts are between
// different moves of one process at one point. A node of the search is a causally closed set G of
// moves with stamps. `choose` names a process that can move, and orders its alternatives. From G
//  - a child adds each alternative of that process, with the greatest stamp;
//  - if e is the move added last and sends s, a child for each move r outside the past of e that
//    could have taken s: the moves with stamps below r's, and the past of e, and r taking s, at its
//    old stamp (s pins e). But only if r, and all moves that are left out, are canonical, that is,
//    were added as the first alternative, and are not pinned.
//
// Theorem. Every maximal configuration C is a leaf exactly once.
// Existence. Let G be a node within C, at which process p is to move; C has a move c of p here. If
// c is an alternative, go there. Otherwise c takes some s that is not sent yet. Let K be the past
// of s. From G on, choose what K has, and the first alternative where K has nothing; where a choice
// of K is not an alternative yet, reach it the same way (its past is smaller). So e is added at
// last. All that is not in K was added as first alternative, and only moves in K were pinned; hence
// there is the child G + K + c, within C. Uniqueness. What takes a message of a greater stamp keeps
// it or changes it for one with a greater past: to leave its sender out is forbidden, the sender
// being pinned. So a move that is changed never becomes again what it was, and one is left out only
// with a change at a smaller stamp. Hence below a node G within C no path to C changes a move of G;
// if c is an alternative at G, the path goes there. Otherwise consider the node D where it changes
// p's move to c for good. Up to there p's move at this point, and by induction each further one in
// the order of stamps, is determined: it is in K, or was left out and so is the first alternative
// at the moves below it; and the way to it is determined by the induction over the size of pasts.
// A poll that is forced has all moves in its past, so it and they stay.
#include <lightcone/explore/search/exploration.h>

#include <lightcone/error.h>

#include <algorithm>
#include <utility>

namespace lightcone {
namespace {

using How = WaitEnding::What;
using ChoiceKind = Guide::Choice::Kind;
constexpr std::uint32_t none = ExecutionGraph::none;

/// How eager a process is to move; less is more.
enum Eagerness : std::uint32_t { ready, guided, served, idle, diverted, stuck };

}  // namespace

Exploration::Exploration(const ExplorationOptions& options, Guide first)
    : options_(options), first_(std::move(first)) {
  go_to(0);
}

void Exploration::go_to(std::size_t depth) {
  if (depth == frames_.size()) frames_.push_back({ExecutionGraph(options_.fifo, filters_)});
  depth_ = depth;
  graph_ = &frames_[depth].graph;
}

bool Exploration::begin() {
  if (done_ || trouble_) return false;
  if (begun_ && !advance()) {
    done_ = true;
    return false;
  }
  begun_ = true;
  start();
  return true;
}

void Exploration::start() {
  current_ = none;
  known_ = graph().size() == 0 ? 0 : graph().size() - 1;
  message_ = branch_ = spawn_ = 0;
  waiting_ = {};
  over_ = false;
}

/// A move that was cut short is not what the process does after its choices: nothing follows from
/// it.
void Exploration::end(bool cut_short) {
  if (!cut_short) finish_move();
  if (trouble_) return;
  over_ = true;
  knows_outside_ = true;
  ++executions_;
  if (cut_short || current_ + 1 < graph().size()) cut_short_ = true;
}

/// Prepares the next execution: the deepest place where something is left to be done.
bool Exploration::advance() {
  for (;;) {
    Frame& frame = frames_[depth_];
    const bool is_end = depth_ == end_.depth && frame.graph.size() == end_.size;
    const std::size_t others = is_end ? end_.revisions : 0;
    if (frame.revisions.size() > others && frame.revisions.back().size == frame.graph.size()) {
      const Revision revision = frame.revisions.back();
      frame.revisions.pop_back();
      revise(revision);
      return true;
    }
    if (frame.graph.size() == 0) return false;
    if (frame.graph.change_branch(is_end ? end_.branches : 0)) return true;
    if (is_end) return false;
    if (frame.graph.size() == frame.base) {
      go_to(depth_ - 1);
      continue;
    }
    const ExecutionGraph::Move& last = frame.graph.moves().back();
    const std::uint32_t process = last.process;
    const std::uint32_t alternative = last.alternative + 1;
    const bool forced = last.how.what == How::forced;
    frame.graph.remove_move();
    if (forced) continue;
    list_alternatives(process);
    if (alternative >= alternatives_.size()) continue;
    frame.graph.add_move(process, alternatives_[alternative], alternative, false);
    return true;
  }
}

/// Takes back the last move. Returns whether its process had another alternative after it.
bool Exploration::has_alternative_left(ExecutionGraph& graph) {
  const ExecutionGraph::Move last = graph.moves().back();
  graph.remove_move();
  if (last.how.what == How::forced) return false;
  ExecutionGraph* const own = std::exchange(graph_, &graph);
  list_alternatives(last.process);
  graph_ = own;
  return last.alternative + 1 < alternatives_.size();
}

/// Of what is to be done about a graph, the part that comes last.
std::optional<Exploration::WayBack> Exploration::last_work(std::size_t depth) {
  const Frame& frame = frames_[depth];
  const bool is_end = depth == end_.depth;
  const std::uint32_t least = is_end ? end_.size : frame.base;
  const std::size_t others = is_end ? end_.revisions : 0;
  ExecutionGraph graph = frame.graph;
  std::optional<WayBack> found;
  std::size_t revisions = frame.revisions.size();
  while (graph.size() >= std::max(least, 1U)) {
    const std::uint32_t size = graph.size();
    const bool at_least = size == least;
    while (revisions > others && frame.revisions[revisions - 1].size == size) {
      found = WayBack{depth, size, revisions--, graph.branches().size()};
    }
    const std::size_t own = graph.moves().back().branches;
    const std::size_t kept = is_end && at_least ? std::max(end_.branches, own) : own;
    for (std::size_t b = graph.branches().size(); b > kept; --b) {
      const ExecutionGraph::Branch& branch = graph.branches()[b - 1];
      if (branch.tried + 1 < branch.of) found = WayBack{depth, size, revisions, b};
    }
    if (at_least) break;
    if (has_alternative_left(graph)) found = WayBack{depth, size, revisions, own};
  }
  return found;
}

/// The rest of the search, from a place on its way back on, is that of another exploration. It has
/// the graphs as they will be there.
std::unique_ptr<Exploration> Exploration::split() {
  LIGHTCONE_ASSERT(begun_ && !over_ && current_ == none);
  std::optional<WayBack> place;
  for (std::size_t d = end_.depth; d <= depth_ && !place && knows_outside_; ++d) {
    place = last_work(d);
  }
  if (!place) return nullptr;
  auto rest = std::make_unique<Exploration>(options_, first_);
  rest->filters_ = filters_;
  rest->readers_ = readers_;
  rest->preferred_ = preferred_;
  rest->begun_ = rest->knows_outside_ = true;
  rest->end_ = std::exchange(end_, *place);
  rest->frames_.clear();
  for (std::size_t d = 0; d <= place->depth; ++d) {
    rest->frames_.push_back(frames_[d]);
    rest->frames_[d].graph.use(rest->filters_);
  }
  rest->go_to(place->depth);
  while (rest->graph().size() > place->size) rest->graph().remove_move();
  rest->graph().remove_branches(place->branches);
  auto& revisions = rest->frames_[place->depth].revisions;
  revisions.erase(revisions.begin() + static_cast<std::ptrdiff_t>(place->revisions),
                  revisions.end());
  return rest;
}

void Exploration::revise(const Revision& revision) {
  const ExecutionGraph& from = graph();
  go_to(depth_ + 1);
  graph().revise(from, revision.move, revision.how);
  frames_[depth_].base = graph().size();
  frames_[depth_].revisions.clear();
}

void Exploration::differs() {
  if (trouble_) return;
  const std::uint32_t process = current_ == none ? outside : graph().move(current_).process;
  trouble_ = Trouble{Trouble::What::difference, process, 0, 0};
}

bool Exploration::is_new() const { return current_ == none ? !knows_outside_ : current_ >= known_; }

void Exploration::spawns(std::uint32_t process) {
  if (trouble_) return;
  if (is_new()) return graph().add_spawn(process);
  const auto spawns = graph().spawns();
  if (spawn_ >= spawns.size() || spawns[spawn_++] != process) differs();
}

void Exploration::sends(std::uint32_t mailbox, std::uint64_t number, const MessageKind& kind) {
  if (trouble_) return;
  if (is_new()) return graph().add_message(mailbox, number, kind);
  const auto messages = graph().messages();
  if (message_ >= messages.size()) return differs();
  const ExecutionGraph::Message& known = messages[message_++];
  if (known.mailbox != mailbox || known.number != number || known.kind != kind) differs();
}

std::uint32_t Exploration::branches(std::uint32_t alternatives, std::uint32_t preferred) {
  LIGHTCONE_ASSERT(current_ != none && alternatives != 0);
  const ExecutionGraph::Move& move = graph().move(current_);
  const std::uint32_t place = move.branches + branch_++;
  const auto branches = graph().branches();
  const std::size_t end =
      current_ + 1 < graph().size() ? graph().move(current_ + 1).branches : branches.size();
  if (trouble_) return 0;
  if (place < end) {
    if (branches[place].of != alternatives) differs();
    return trouble_ ? 0 : branches[place].which;
  }
  if (!is_new()) {
    differs();
    return 0;
  }
  const Guide::Choice wanted = first_.at(move.process, move.choices);
  const bool guides = wanted.kind == ChoiceKind::branch && wanted.value < alternatives;
  const std::uint32_t which =
      guides ? static_cast<std::uint32_t>(wanted.value) : std::min(preferred, alternatives - 1);
  graph().add_branch({which, alternatives, 0, which});
  return which;
}

void Exploration::closes() {
  if (trouble_ || !is_new()) return;
  const std::uint32_t closed = graph().closed();
  if (current_ == none) {
    trouble_ = Trouble{Trouble::What::early_closing, outside, 0, 0};
  } else if (closed == none || graph().in_past(closed, current_)) {
    graph().close();
  } else {
    trouble_ = Trouble{Trouble::What::second_closing, graph().move(current_).process,
                       graph().move(closed).process, 0};
  }
}

void Exploration::waits(const Waiting& waiting) {
  LIGHTCONE_ASSERT(current_ != none);
  waiting_ = waiting;
  if (waiting.what < Waiting::What::receives) return;
  if (waiting.mailbox >= readers_.size()) readers_.resize(waiting.mailbox + 1, none);
  std::uint32_t& reader = readers_[waiting.mailbox];
  const std::uint32_t process = graph().move(current_).process;
  if (reader == none) reader = process;
  if (reader == process || trouble_) return;
  trouble_ = Trouble{Trouble::What::second_reader, process, reader, waiting.mailbox};
}

void Exploration::finish_move() {
  if (over_ || trouble_) return;
  if (current_ == none || !is_new()) {
    if (is_new() || graph().size() == 0) return;
    const ExecutionGraph::Move& next = graph().move(current_ + 1);
    if (message_ != next.messages || spawn_ != next.spawns) return differs();
    if (current_ != none && graph().move(current_).after != waiting_) differs();
    return;
  }
  const ExecutionGraph::Move& move = graph().move(current_);
  graph().set_waiting(move.process, waiting_);
  const auto messages = static_cast<std::uint32_t>(graph().messages().size());
  for (std::uint32_t m = move.messages; m < messages; ++m) {
    const std::uint32_t mailbox = graph().messages()[m].mailbox;
    if (mailbox < readers_.size() && readers_[mailbox] != none) {
      add_revisions(readers_[mailbox], {How::takes, m});
    }
  }
  if (!move.closes) return;
  for (std::uint32_t p = 0; p < graph().processes().size(); ++p) add_revisions(p, {How::closed, 0});
}

/// Of the moves of a process those that may happen another way now.
void Exploration::add_revisions(std::uint32_t process, const WaitEnding& how) {
  Frame& frame = frames_[depth_];
  const ExecutionGraph& graph = frame.graph;
  std::uint32_t scanned = graph.size();
  std::uint32_t allowed = 0;  // stamps from there on
  for (std::uint32_t r = graph.processes()[process].last; r != none; r = graph.move(r).previous) {
    if (graph.in_past(r, current_)) return;
    while (scanned > r) {
      const ExecutionGraph::Move& move = graph.move(--scanned);
      if (move.canonical && !move.pinned) continue;
      if (!graph.in_past(scanned, current_)) allowed = std::max(allowed, move.stamp + 1);
    }
    const ExecutionGraph::Move& move = graph.move(r);
    if (move.stamp < allowed) return;
    if (graph.could_have(r, how)) frame.revisions.push_back({graph.size(), r, how});
  }
}

void Exploration::prefers(const std::optional<MessagePattern>& message) {
  LIGHTCONE_ASSERT(current_ != none);
  if (knows_outside_) return;
  const std::uint32_t process = graph().move(current_).process;
  preferred_[{process, graph().choices(process)}] = message;
}

/// Returns whether the guide, or the process itself, says how its waiting is to end.
bool Exploration::is_guided(std::uint32_t process) const {
  const std::uint32_t choices = graph().choices(process);
  const ChoiceKind kind = first_.at(process, choices).kind;
  return kind == ChoiceKind::takes || kind == ChoiceKind::nothing ||
         preferred_.contains({process, choices});
}

bool Exploration::is_wanted(std::uint32_t process, const WaitEnding& how) const {
  const std::uint32_t choices = graph().choices(process);
  const Guide::Choice choice = first_.at(process, choices);
  const auto preferred = preferred_.find({process, choices});
  const bool finds_nothing = how.what == How::nothing || how.what == How::closed;
  if (choice.kind == ChoiceKind::nothing) return finds_nothing;
  if (choice.kind == ChoiceKind::any && preferred != preferred_.end() && !preferred->second) {
    return finds_nothing;
  }
  if (how.what != How::takes) return false;
  const ExecutionGraph::Message& message = graph().messages()[how.message];
  if (choice.kind == ChoiceKind::takes) {
    return message.sender == choice.sender && message.number == choice.value;
  }
  return preferred != preferred_.end() && preferred->second->accepts(message.sender, message.kind);
}

bool Exploration::may_find_nothing(std::uint32_t process) const {
  return graph().row(process) < options_.empty_polls || is_wanted(process, {How::nothing, 0});
}

/// Messages in the order in which they were sent, then nothing; but what the guide says first.
void Exploration::list_alternatives(std::uint32_t process) {
  alternatives_.clear();
  const Waiting waiting = graph().processes()[process].waiting;
  if (waiting.what == Waiting::What::ready) alternatives_.push_back({How::wakes, 0});
  if (waiting.what < Waiting::What::receives) return;
  graph().add_takes(waiting, alternatives_);
  const bool polls = waiting.what == Waiting::What::polls;
  if (polls && may_find_nothing(process)) {
    alternatives_.push_back({How::nothing, 0});
  } else if (polls) {
    has_limited_polls_ = true;
  }
  if (!polls && graph().sees_closed(process)) alternatives_.push_back({How::closed, 0});
  if (!is_guided(process)) return;
  const auto found = std::ranges::find_if(
      alternatives_, [&](const WaitEnding& how) { return is_wanted(process, how); });
  if (found != alternatives_.end()) std::rotate(alternatives_.begin(), found, found + 1);
}

/// Those who wake come first, then those who do as the guide says, then those who take a message.
std::uint32_t Exploration::eagerness(std::uint32_t process) {
  const Waiting waiting = graph().processes()[process].waiting;
  if (waiting.what == Waiting::What::ready) return ready;
  if (waiting.what == Waiting::What::ended) return stuck;
  if (is_guided(process)) {
    list_alternatives(process);
    if (alternatives_.empty()) return stuck;
    return is_wanted(process, alternatives_.front()) ? guided : diverted;
  }
  if (graph().has_message(waiting)) return served;
  if (waiting.what == Waiting::What::receives) {
    return graph().sees_closed(process) ? served : stuck;
  }
  return may_find_nothing(process) ? idle : stuck;
}

bool Exploration::choose() {
  std::uint32_t eager = none, least = stuck;
  for (std::uint32_t p = 0; p < graph().processes().size() && least != ready; ++p) {
    const std::uint32_t now = eagerness(p);
    if (now >= least) continue;
    least = now;
    eager = p;
  }
  if (eager == none) return force();
  list_alternatives(eager);
  graph().add_move(eager, alternatives_.front(), 0, true);
  return true;
}

bool Exploration::force() {
  std::uint32_t chosen = none;
  for (std::uint32_t p = 0; p < graph().processes().size(); ++p) {
    if (graph().processes()[p].waiting.what != Waiting::What::polls) continue;
    if (chosen == none || graph().row(p) < graph().row(chosen)) chosen = p;
  }
  if (chosen == none) return false;
  graph().add_move(chosen, {How::forced, 0}, 0, true);
  return true;
}

std::optional<Exploration::Next> Exploration::next() {
  finish_move();
  waiting_ = {};
  branch_ = 0;
  if (trouble_ || over_) return std::nullopt;
  if (current_ + 1 == graph().size() && !choose()) {
    over_ = true;
    return std::nullopt;
  }
  ++current_;
  const ExecutionGraph::Move& move = graph().move(current_);
  if (move.how.what == How::wakes) return Next{Next::What::wakes, move.process};
  if (move.how.what != How::takes) return Next{Next::What::nothing, move.process};
  const ExecutionGraph::Message& message = graph().messages()[move.how.message];
  return Next{Next::What::takes, move.process, message.sender, message.number};
}

Guide Exploration::guide() const {
  Guide guide;
  const std::uint32_t made = current_ + 1;
  guide.processes.resize(graph().processes().size());
  for (std::uint32_t i = 0; i < made; ++i) {
    const ExecutionGraph::Move& move = graph().move(i);
    auto& choices = guide.processes[move.process];
    if (move.how.what == How::takes) {
      const ExecutionGraph::Message& message = graph().messages()[move.how.message];
      choices.push_back({ChoiceKind::takes, message.sender, message.number});
    } else if (move.how.what != How::wakes) {
      choices.push_back({ChoiceKind::nothing, 0, 0});
    }
    const std::size_t end =
        i + 1 < graph().size() ? graph().move(i + 1).branches : graph().branches().size();
    for (std::size_t b = move.branches; b < end; ++b) {
      choices.push_back({ChoiceKind::branch, 0, graph().branches()[b].which});
    }
  }
  return guide;
}

}  // namespace lightcone
