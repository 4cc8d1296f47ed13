// A message is admitted by the receptions of three lists at most: those that admit everything,
// those that admit its tag, those that admit any. Of a list only runs of its own sender's are
// passed over, each at once; so the work is in proportion to what is found.
#include <lightcone/causal/races/earlier_receptions.h>

#include <algorithm>

namespace lightcone {
namespace {

/// Stands for all tags: no name has this number.
constexpr NameIndex every_tag{static_cast<std::uint32_t>(NameIndex::none) - 1};

[[nodiscard]] std::uint64_t key(NameIndex communicator, NameIndex tag) {
  return (std::uint64_t{static_cast<std::uint32_t>(communicator)} << 32) |
         static_cast<std::uint32_t>(tag);
}

}  // namespace

void EarlierReceptions::append(NameIndex communicator, NameIndex tag, const Reception& reception) {
  List& list = lists_[key(communicator, tag)];
  list.by_sender = true;
  const bool other = list.receptions.empty() ||
                     sender_of(list.receptions.back().message) != sender_of(reception.message);
  if (other) list.runs.push_back(static_cast<std::uint32_t>(list.receptions.size()));
  list.receptions.push_back(reception);
}

/// A receive that names its source admits no other message.
void EarlierReceptions::add(EventIndex receive) {
  const MessageLabels& labels = admission_.labels(receive);
  for (const MessageIndex m : computation_.takes(receive)) {
    const Reception reception{receive, m};
    if (!labels.selects()) {
      open_.receptions.push_back(reception);
    } else if (labels.any_source) {
      if (labels.any_tag) append(labels.communicator, every_tag, reception);
      if (!labels.any_tag || labels.tag == NameIndex::none) {
        append(labels.communicator, labels.tag, reception);
      }
    }
  }
}

EarlierReceptions::Cursors EarlierReceptions::lists_for(MessageIndex message, Rank after) const {
  Cursors cursors;
  const auto use = [&](const List& list) {
    const auto begin = std::partition_point(
        list.receptions.begin(), list.receptions.end(),
        [&](const Reception& r) { return computation_.rank_of(r.event) <= after; });
    if (begin == list.receptions.end()) return;
    const auto at = static_cast<std::size_t>(begin - list.receptions.begin());
    cursors.all[cursors.count++] = {&list, at};
  };
  use(open_);
  const MessageLabels& sent = admission_.labels(computation_.sent_by(message));
  if (!sent.selects()) return cursors;
  const auto use_tag = [&](NameIndex tag) {
    const auto found = lists_.find(key(sent.communicator, tag));
    if (found != lists_.end()) use(found->second);
  };
  use_tag(sent.tag);
  if (sent.tag != NameIndex::none) use_tag(every_tag);
  return cursors;
}

Rank EarlierReceptions::last_admitting(MessageIndex message) const {
  Rank last = 0;
  Cursors cursors = lists_for(message, 0);
  for (const auto& [list, at] : cursors.used()) {
    const std::vector<Reception>& all = list->receptions;
    std::size_t end = all.size();
    if (list->by_sender && sender_of(all.back().message) == sender_of(message)) {
      end = list->runs.back();
    }
    if (end != 0) last = std::max(last, computation_.rank_of(all[end - 1].event));
  }
  return last;
}

void EarlierReceptions::skip_sender(Cursor& cursor, ProcessIndex sender) const {
  const List& list = *cursor.list;
  if (!list.by_sender || cursor.at_end()) return;
  if (sender_of(cursor.reception().message) != sender) return;
  const auto next = std::ranges::upper_bound(list.runs, cursor.at);
  cursor.at = next != list.runs.end() ? *next : list.receptions.size();
}

bool EarlierReceptions::for_each_admitting(
    const Reception& later, Rank after,
    const std::function<bool(Reception, Reception)>& visit) const {
  Cursors cursors = lists_for(later.message, after);
  const ProcessIndex sender = sender_of(later.message);
  for (;;) {
    Cursor* first = nullptr;
    for (Cursor& cursor : cursors.used()) {
      skip_sender(cursor, sender);
      if (cursor.at_end()) continue;
      const bool earlier = first == nullptr || cursor.reception().event < first->reception().event;
      if (earlier) first = &cursor;
    }
    if (first == nullptr) return true;
    const Reception& reception = first->reception();
    ++first->at;
    if (reception.message != later.message && !visit(reception, later)) return false;
  }
}

}  // namespace lightcone
