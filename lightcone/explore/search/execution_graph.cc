// Moves are added and taken back at the end, so that all lists can be undone: messages that are not
// taken are linked, and one that is taken still knows its place.
#include <lightcone/explore/search/execution_graph.h>

#include <lightcone/error.h>

#include <algorithm>

namespace lightcone {

std::uint32_t ExecutionGraph::choices(std::uint32_t process) const {
  const std::uint32_t last = processes_[process].last;
  return last == none ? 0 : moves_[last].choices;
}

std::uint32_t ExecutionGraph::row(std::uint32_t process) const {
  const std::uint32_t last = processes_[process].last;
  return last == none ? 0 : moves_[last].row;
}

/// Returns whether a message was taken before a move; without one, up to now.
bool ExecutionGraph::is_taken(const Message& message, const Move* at) const {
  return message.taken != none && (at == nullptr || moves_[message.taken].rank < at->rank);
}

/// Returns whether all messages that must be taken before a message were taken. If no process
/// selects messages, it is enough to ask for the last of them.
bool ExecutionGraph::comes_first(const Message& message, const Move* at) const {
  for (std::uint32_t m = message.before; m != none; m = messages_[m].before) {
    if (!is_taken(messages_[m], at)) return false;
    if (filters_->empty()) break;
  }
  return true;
}

bool ExecutionGraph::is_copy(const Message& message) const {
  return message.before != none && messages_[message.before].number == message.number;
}

/// Calls `visit` with the messages that a filter lets a process take, as long as it returns true.
/// Which they are depends on what the process has taken and on what their own senders sent before
/// them, so what can be taken now can be taken until the process moves, whatever else is sent.
template <class Visit>
void ExecutionGraph::visit_accepted(const Waiting& waiting, const Visit& visit) const {
  if (waiting.mailbox >= unread_.size()) return;
  const auto patterns = filters_->patterns(waiting.filter);
  const std::size_t senders = processes_.size() + 1;
  passed_.assign(patterns.size() * senders, 0);
  for (std::uint32_t m = unread_[waiting.mailbox].first; m != none; m = messages_[m].next) {
    const Message& message = messages_[m];
    std::size_t place = message.sender == outside ? senders - 1 : message.sender;
    bool accepted = false;
    for (const MessagePattern& pattern : patterns) {
      if (pattern.accepts(message.sender, message.kind)) {
        accepted |= passed_[place]++ == pattern.skip;
      }
      place += senders;
    }
    if (!accepted || (is_copy(message) && !is_taken(messages_[message.before], nullptr))) continue;
    if (!visit(m)) return;
  }
}

/// The same for one message at an earlier move.
bool ExecutionGraph::would_accept(const Move& move, const Message& message) const {
  if (is_copy(message) && !is_taken(messages_[message.before], &move)) return false;
  const auto lets = [&](const MessagePattern& pattern) {
    if (!pattern.accepts(message.sender, message.kind)) return false;
    std::uint32_t passed = 0;
    for (auto m = message.earlier; m != none && passed <= pattern.skip; m = messages_[m].earlier) {
      const Message& other = messages_[m];
      if (other.mailbox != message.mailbox || is_taken(other, &move)) continue;
      if (pattern.accepts(other.sender, other.kind)) ++passed;
    }
    return passed == pattern.skip;
  };
  return std::ranges::any_of(filters_->patterns(move.before.filter), lets);
}

bool ExecutionGraph::has_accepted(const Waiting& waiting) const {
  bool found = false;
  visit_accepted(waiting, [&](std::uint32_t) {
    found = true;
    return false;
  });
  return found;
}

void ExecutionGraph::add_takes(const Waiting& waiting, std::vector<WaitEnding>& to) const {
  if (waiting.filter != 0) {
    return visit_accepted(waiting, [&](std::uint32_t m) {
      to.push_back({WaitEnding::What::takes, m});
      return true;
    });
  }
  if (waiting.mailbox >= unread_.size()) return;
  for (std::uint32_t m = unread_[waiting.mailbox].first; m != none; m = messages_[m].next) {
    if (comes_first(messages_[m], nullptr)) to.push_back({WaitEnding::What::takes, m});
  }
}

bool ExecutionGraph::sees_closed(std::uint32_t process) const {
  if (closed_ == none) return false;
  const Process& who = processes_[process];
  if (who.waiting.mailbox >= unread_.size()) return true;
  bool sees = true;
  const auto visit = [&](std::uint32_t m) {
    const std::uint32_t sent = messages_[m].move;
    if (sent == none || in_past(sent, closed_) || in_past(sent, who.last)) sees = false;
    return sees;
  };
  if (who.waiting.filter != 0) {
    visit_accepted(who.waiting, visit);
    return sees;
  }
  std::uint32_t m = unread_[who.waiting.mailbox].first;
  while (m != none && visit(m)) m = messages_[m].next;
  return sees;
}

bool ExecutionGraph::could_have(std::uint32_t index, const WaitEnding& how) const {
  const Move& move = moves_[index];
  const bool selects = move.before.filter != 0;
  if (how.what == WaitEnding::What::takes) {
    const Message& message = messages_[how.message];
    if (move.before.what < Waiting::What::receives) return false;
    if (move.before.mailbox != message.mailbox) return false;
    if (selects) return would_accept(move, message);
    return comes_first(message, &move);
  }
  if (move.before.what != Waiting::What::receives) return false;
  return std::ranges::all_of(messages_, [&](const Message& message) {
    if (message.mailbox != move.before.mailbox || is_taken(message, &move)) return true;
    const std::uint32_t sent = message.move;
    if (sent != none && !in_past(sent, closed_) && !in_past(sent, move.previous)) return true;
    return selects && !would_accept(move, message);
  });
}

void ExecutionGraph::widen(std::uint32_t process) {
  if (process >= processes_.size()) processes_.resize(process + 1);
  if (process < width_) return;
  const std::uint32_t width = std::max(process + 1, 2 * width_);
  std::vector<std::uint32_t> clocks(moves_.size() * width, 0);
  for (std::size_t i = 0; i < moves_.size(); ++i) {
    std::copy_n(clocks_.begin() + static_cast<std::ptrdiff_t>(i * width_), width_,
                clocks.begin() + static_cast<std::ptrdiff_t>(i * width));
  }
  width_ = width;
  clocks_ = std::move(clocks);
}

/// What is forced happens after everything that has happened.
void ExecutionGraph::set_clock(const Move& move) {
  const std::size_t place = clocks_.size();
  clocks_.resize(place + width_, 0);
  std::uint32_t* const own = clocks_.data() + place;
  const auto join = [&](std::uint32_t cause) {
    if (cause == none) return;
    const std::uint32_t* const other = clock(cause);
    for (std::uint32_t p = 0; p < width_; ++p) own[p] = std::max(own[p], other[p]);
  };
  join(move.previous != none ? move.previous : processes_[move.process].spawner);
  switch (move.how.what) {
    case WaitEnding::What::takes: join(messages_[move.how.message].move); break;
    case WaitEnding::What::closed: join(closed_); break;
    case WaitEnding::What::forced:
      for (const Process& process : processes_) join(process.last);
      break;
    case WaitEnding::What::wakes:
    case WaitEnding::What::nothing: break;
  }
  own[move.process] = move.rank;
}

void ExecutionGraph::add_move(std::uint32_t process, const WaitEnding& how,
                              std::uint32_t alternative, bool canonical) {
  Process& who = processes_[process];
  Move move;
  move.process = process;
  move.previous = who.last;
  move.rank = 1;
  if (who.last != none) {
    const Move& previous = moves_[who.last];
    move.rank = previous.rank + 1;
    move.choices = previous.choices;
    move.row = previous.row;
  }
  move.how = how;
  move.before = who.waiting;
  move.stamp = next_stamp_++;
  move.alternative = alternative;
  move.canonical = canonical;
  if (how.what != WaitEnding::What::wakes) ++move.choices;
  if (how.what == WaitEnding::What::takes) move.row = 0;
  if (how.what == WaitEnding::What::nothing || how.what == WaitEnding::What::forced) ++move.row;
  move.messages = static_cast<std::uint32_t>(messages_.size());
  move.branches = static_cast<std::uint32_t>(branches_.size());
  move.spawns = static_cast<std::uint32_t>(spawns_.size());
  set_clock(move);
  who.last = size();
  who.waiting = {};
  if (how.what == WaitEnding::What::takes) take(how.message, size());
  moves_.push_back(move);
}

void ExecutionGraph::link(std::uint32_t index) {
  Message& message = messages_[index];
  if (message.mailbox >= unread_.size()) unread_.resize(message.mailbox + 1);
  Unread& box = unread_[message.mailbox];
  message.previous = box.last;
  message.next = none;
  (box.last != none ? messages_[box.last].next : box.first) = index;
  box.last = index;
}

void ExecutionGraph::take(std::uint32_t index, std::uint32_t move) {
  Message& message = messages_[index];
  Unread& box = unread_[message.mailbox];
  message.taken = move;
  (message.previous != none ? messages_[message.previous].next : box.first) = message.next;
  (message.next != none ? messages_[message.next].previous : box.last) = message.previous;
}

std::uint32_t& ExecutionGraph::last_message(std::uint32_t sender) {
  return sender == outside ? last_outside_ : processes_[sender].last_message;
}

/// On FIFO channels a message comes after the one before it, and a copy always after the first.
void ExecutionGraph::order(std::uint32_t index) {
  Message& message = messages_[index];
  std::uint32_t& last = last_message(message.sender);
  message.earlier = last;
  message.before = none;
  last = index;
  for (std::uint32_t m = message.earlier; m != none; m = messages_[m].earlier) {
    const bool copy = messages_[m].number == message.number;
    if (messages_[m].mailbox == message.mailbox && (fifo_ || copy)) message.before = m;
    if (message.before != none || !fifo_) return;
  }
}

void ExecutionGraph::add_message(std::uint32_t mailbox, std::uint64_t number,
                                 const MessageKind& kind) {
  Message message;
  message.mailbox = mailbox;
  message.number = number;
  message.kind = kind;
  if (!moves_.empty()) {
    message.sender = moves_.back().process;
    message.move = size() - 1;
  }
  messages_.push_back(message);
  link(static_cast<std::uint32_t>(messages_.size() - 1));
  order(static_cast<std::uint32_t>(messages_.size() - 1));
}

void ExecutionGraph::add_branch(const Branch& branch) {
  branches_.push_back(branch);
  ++moves_.back().choices;
}

void ExecutionGraph::add_spawn(std::uint32_t process) {
  widen(process);
  LIGHTCONE_ASSERT(!processes_[process].known);
  processes_[process] = {
      true, moves_.empty() ? none : size() - 1, none, none, {Waiting::What::ready, 0}};
  spawns_.push_back(process);
}

void ExecutionGraph::close() {
  if (closed_ != none) return;
  closed_ = size() - 1;
  moves_.back().closes = true;
}

void ExecutionGraph::set_waiting(std::uint32_t process, const Waiting& waiting) {
  processes_[process].waiting = waiting;
  moves_[processes_[process].last].after = waiting;
}

void ExecutionGraph::undo_effects() {
  Move& move = moves_.back();
  while (messages_.size() > move.messages) {
    const Message& message = messages_.back();
    last_message(message.sender) = message.earlier;
    take(static_cast<std::uint32_t>(messages_.size() - 1), none);
    messages_.pop_back();
  }
  while (spawns_.size() > move.spawns) {
    processes_[spawns_.back()] = {};
    spawns_.pop_back();
  }
  if (move.closes) closed_ = none;
  move.closes = false;
  processes_[move.process].waiting = move.after = {};
}

void ExecutionGraph::remove_move() {
  undo_effects();
  const Move move = moves_.back();
  branches_.resize(move.branches);
  if (move.how.what == WaitEnding::What::takes) {
    Message& message = messages_[move.how.message];
    Unread& box = unread_[message.mailbox];
    message.taken = none;
    (message.previous != none ? messages_[message.previous].next : box.first) = move.how.message;
    (message.next != none ? messages_[message.next].previous : box.last) = move.how.message;
  }
  Process& who = processes_[move.process];
  who.last = move.previous;
  who.waiting = move.before;
  next_stamp_ = move.stamp;
  moves_.pop_back();
  clocks_.resize(moves_.size() * width_);
}

void ExecutionGraph::remove_branches(std::size_t kept) {
  Move& move = moves_.back();
  const std::size_t own = std::max<std::size_t>(kept, move.branches);
  while (branches_.size() > own) {
    branches_.pop_back();
    --move.choices;
  }
}

bool ExecutionGraph::change_branch(std::size_t kept) {
  Move& move = moves_.back();
  while (branches_.size() > std::max<std::size_t>(kept, move.branches)) {
    Branch& branch = branches_.back();
    if (branch.tried + 1 < branch.of) {
      ++branch.tried;
      branch.which = branch.tried <= branch.preferred ? branch.tried - 1 : branch.tried;
      move.canonical = false;
      undo_effects();
      return true;
    }
    branches_.pop_back();
    --move.choices;
  }
  return false;
}

void ExecutionGraph::clear() {
  closed_ = last_outside_ = none;
  moves_.clear();
  messages_.clear();
  branches_.clear();
  spawns_.clear();
  clocks_.clear();
  std::ranges::fill(processes_, Process());
  std::ranges::fill(unread_, Unread());
}

void ExecutionGraph::copy_move(const ExecutionGraph& other, std::uint32_t index) {
  const auto part = [&](auto& to, const auto& from, std::uint32_t Move::*begin) {
    const std::size_t end = index + 1 < other.size() ? other.moves_[index + 1].*begin : from.size();
    const auto at = static_cast<std::uint32_t>(to.size());
    to.insert(to.end(), from.begin() + other.moves_[index].*begin,
              from.begin() + static_cast<std::ptrdiff_t>(end));
    return at;
  };
  Move move = other.moves_[index];
  const std::uint32_t here = new_moves_[index] = size();
  if (move.previous != none) move.previous = new_moves_[move.previous];
  if (move.how.what == WaitEnding::What::takes) {
    move.how.message = new_messages_[move.how.message];
    take(move.how.message, here);
  }
  if (move.closes) closed_ = here;
  const std::uint32_t old_messages = move.messages;
  move.messages = part(messages_, other.messages_, &Move::messages);
  move.branches = part(branches_, other.branches_, &Move::branches);
  move.spawns = part(spawns_, other.spawns_, &Move::spawns);
  for (auto m = move.messages; m < messages_.size(); ++m) {
    new_messages_[old_messages + (m - move.messages)] = m;
    Message& message = messages_[m];
    message.move = here;
    message.taken = none;
    link(m);
    order(m);
  }
  for (auto s = move.spawns; s < spawns_.size(); ++s) {
    processes_[spawns_[s]] = {true, here, none, none, {Waiting::What::ready, 0}};
  }
  clocks_.insert(clocks_.end(), other.clock(index), other.clock(index) + width_);
  processes_[move.process].last = here;
  processes_[move.process].waiting = move.after;
  moves_.push_back(move);
}

void ExecutionGraph::revise(const ExecutionGraph& other, std::uint32_t revised,
                            const WaitEnding& how) {
  clear();
  width_ = other.width_;
  fifo_ = other.fifo_;
  processes_.resize(other.processes_.size());
  new_moves_.assign(other.size(), none);
  new_messages_.assign(other.messages_.size(), none);
  const std::uint32_t begun = other.moves_.front().messages;  // from outside
  for (std::uint32_t m = 0; m < begun; ++m) {
    messages_.push_back(other.messages_[m]);
    messages_.back().taken = none;
    new_messages_[m] = m;
    link(m);
    order(m);
  }
  for (std::uint32_t s = 0; s < other.moves_.front().spawns; ++s) {
    spawns_.push_back(other.spawns_[s]);
    processes_[spawns_.back()] = {true, none, none, none, {Waiting::What::ready, 0}};
  }
  const std::uint32_t last = other.size() - 1;
  for (std::uint32_t i = 0; i <= last; ++i) {
    if (other.moves_[i].stamp < other.moves_[revised].stamp || other.in_past(i, last)) {
      copy_move(other, i);
    }
  }
  WaitEnding chosen = how;
  if (how.what == WaitEnding::What::takes) chosen.message = new_messages_[how.message];
  moves_.back().pinned = true;
  add_move(other.moves_[revised].process, chosen, 0, false);
  moves_.back().stamp = other.moves_[revised].stamp;
  next_stamp_ = other.next_stamp_;
}

}  // namespace lightcone
