// Two passes over the arrivals: one that places rows, one that places what rows hold in lists.
#include <lightcone/causal/layout.h>

#include <lightcone/causal/linear_extension.h>

#include <tsl/robin_set.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace lightcone {
namespace {

constexpr double no_time = std::numeric_limits<double>::quiet_NaN();

class Layout {
 public:
  Layout(std::span<const Arrivals> chunks, std::uint32_t processes, std::uint32_t messages)
      : chunks_(chunks), processes_(processes), sent_at_(messages, none) {
    c_.sent_by.assign(messages, none);
  }

  [[nodiscard]] tl::expected<Columns, LayoutError> run() {
    if (!count() || !place_rows() || !place_lists() || !settle_order()) {
      return tl::unexpected(std::move(error_));
    }
    return std::move(c_);
  }

 private:
  bool fail(LayoutError::Why why, std::size_t chunk, std::size_t row, MessageIndex m = none) {
    error_.why = why;
    error_.where = {chunk, row};
    error_.message = m;
    return false;
  }

  /// The ranges of the processes; each array gets its size.
  bool count() {
    std::size_t rows = 0;
    std::vector<std::uint64_t> events(processes_, 0);
    for (const Arrivals& chunk : chunks_) {
      rows += chunk.size();
      takes_ += chunk.taken.size();
      assignments_ += chunk.assignments.size();
      if (!chunk.label_sets.empty()) has_labels_ = true;
      for (std::size_t i = 0; i < chunk.size(); ++i) {
        events[chunk.process[i]] += Arrivals::kind(chunk.flags[i]) != Kind::initial;
      }
    }
    if (rows + processes_ >= none || takes_ >= none || assignments_ >= none) {
      return fail(LayoutError::Why::too_many, 0, 0);
    }
    c_.first.resize(processes_ + 1);
    for (ProcessIndex p = 0; p < processes_; ++p) {
      c_.first[p + 1] = c_.first[p] + static_cast<EventIndex>(events[p]);
    }
    events_ = c_.first.back();
    c_.process_of.reserve(events_);
    for (ProcessIndex p = 0; p < processes_; ++p) {
      c_.process_of.insert(c_.process_of.end(), events[p], p);
    }
    c_.kinds.resize(events_);
    c_.sends.assign(events_, none);
    c_.order.resize(events_);
    c_.takes_begin.resize(events_ + 1);
    c_.has_initial.assign(processes_, false);
    const std::size_t all_rows = events_ + processes_;
    if (has_labels_) c_.attributes.labels.resize(all_rows);
    if (assignments_ > 0) c_.attributes.assignments_begin.resize(all_rows + 1);
    return true;
  }

  /// Kinds, sends, labels, and how many messages and assignments each row has. Whether a row has
  /// this or that is as good as random, so that the rows that have it are first gathered without
  /// a branch, then served in a loop of their own.
  bool place_rows() {
    std::vector<EventIndex> next(c_.first.begin(), c_.first.end() - 1);
    std::size_t arrived = 0;
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
      const Arrivals& a = chunks_[i];
      if (!place(a, i, next)) return false;
      gather(a, [](std::uint8_t flags) { return Arrivals::sends(flags); });
      for (std::size_t k = 0; k < gathered_.size(); ++k) {
        const MessageIndex m = a.sent[k];
        const std::size_t row = gathered_[k];
        if (c_.sent_by[m] != none) return fail(LayoutError::Why::sent_twice, i, row, m);
        c_.sent_by[m] = rows_[row];
        c_.sends[rows_[row]] = m;
        sent_at_[m] = static_cast<std::uint32_t>(arrived + row);
      }
      count_takes(a);
      place_attributes(a);
      arrived += a.size();
    }
    std::sort(c_.duplicates.begin(), c_.duplicates.end());
    return true;
  }

  /// Gives each arrival of a chunk its row.
  bool place(const Arrivals& a, std::size_t chunk, std::vector<EventIndex>& next) {
    rows_.resize(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      const ProcessIndex p = a.process[i];
      const Kind kind = Arrivals::kind(a.flags[i]);
      if (kind != Kind::initial) {
        rows_[i] = next[p]++;
        c_.order[ordered_++] = rows_[i];
        c_.kinds[rows_[i]] = kind;
      } else if (c_.has_initial[p] || next[p] != c_.first[p]) {
        return fail(LayoutError::Why::late_initial, chunk, i);
      } else {
        c_.has_initial[p] = true;
        rows_[i] = events_ + p;
      }
    }
    return true;
  }

  /// The arrivals of a chunk whose flags are such, into gathered_.
  template <class Test>
  void gather(const Arrivals& a, Test test) {
    gathered_.resize(a.size() + 1);
    std::size_t count = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      gathered_[count] = static_cast<std::uint32_t>(i);
      count += test(a.flags[i]);
    }
    gathered_.resize(count);
  }
  void gather(const Arrivals& a, Arrivals::Flag flag) {
    gather(a, [flag](std::uint8_t flags) { return (flags & flag) != 0; });
  }

  void count_takes(const Arrivals& a) {
    gather(a, [](std::uint8_t flags) { return Arrivals::kind(flags) == Kind::receive; });
    for (const std::uint32_t i : gathered_) c_.takes_begin[rows_[i] + 1] = 1;
    if (a.take_counts.empty()) return;
    gather(a, Arrivals::batch);
    for (std::size_t k = 0; k < gathered_.size(); ++k) {
      c_.takes_begin[rows_[gathered_[k]] + 1] = a.take_counts[k];
    }
  }

  void place_attributes(const Arrivals& a) {
    gather(a, Arrivals::labelled);
    for (std::size_t k = 0; k < gathered_.size(); ++k) {
      c_.attributes.labels[rows_[gathered_[k]]] = a.label_sets[k];
    }
    gather(a, Arrivals::assigns);
    for (std::size_t k = 0; k < gathered_.size(); ++k) {
      c_.attributes.assignments_begin[rows_[gathered_[k]] + 1] = a.assignment_counts[k];
    }
    gather(a, Arrivals::duplicate);
    for (const std::uint32_t i : gathered_) {
      if (rows_[i] < events_) c_.duplicates.push_back(rows_[i]);
    }
    gather(a, Arrivals::says_more);
    MoreCursor at;
    for (std::size_t k = 0; k < gathered_.size(); ++k) {
      place_more(a, a.more[k], at, rows_[gathered_[k]]);
    }
  }

  /// How far the arrays of the rarer attributes have been read.
  struct MoreCursor {
    std::size_t to = 0, time = 0, text = 0, source = 0, extra = 0;
  };

  void place_more(const Arrivals& a, std::uint8_t more, MoreCursor& at, Row row) {
    Attributes& to = c_.attributes;
    if ((more & Arrivals::to) != 0) put(to.to, row, a.receivers[at.to++], NameSetIndex{0});
    if ((more & Arrivals::time) != 0) put(to.time, row, a.times[at.time++], no_time);
    if ((more & Arrivals::text) != 0) put(to.text, row, a.texts[at.text++], NameIndex::none);
    if ((more & Arrivals::source) != 0) {
      put(to.source, row, a.sources[at.source++], NameIndex::none);
    }
    if ((more & Arrivals::extra) != 0) put(to.extra, row, a.extras[at.extra++], NameIndex::none);
  }

  /// An array that the trace uses has an entry for every row.
  template <class T>
  void put(std::vector<T>& column, Row row, T value, T absent) const {
    if (column.empty()) column.assign(events_ + processes_, absent);
    column[row] = value;
  }

  /// Receptions and assignments, each in the place that the counts give it.
  bool place_lists() {
    std::inclusive_scan(c_.takes_begin.begin(), c_.takes_begin.end(), c_.takes_begin.begin());
    auto& begins = c_.attributes.assignments_begin;
    std::inclusive_scan(begins.begin(), begins.end(), begins.begin());
    c_.takes.resize(takes_);
    c_.attributes.assignments.resize(assignments_);
    first_receiver_.assign(c_.sent_by.size(), none);
    std::vector<EventIndex> next(c_.first.begin(), c_.first.end() - 1);
    std::size_t arrived = 0;
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
      const Arrivals& a = chunks_[i];
      rows_.resize(a.size());
      for (std::size_t k = 0; k < a.size(); ++k) {
        const bool initial = Arrivals::kind(a.flags[k]) == Kind::initial;
        rows_[k] = initial ? events_ + a.process[k] : next[a.process[k]]++;
      }
      if (!place_takes(a, i, arrived)) return false;
      gather(a, Arrivals::assigns);
      auto from = a.assignments.begin();
      for (const std::uint32_t k : gathered_) {
        const std::uint32_t begin = begins[rows_[k]];
        const auto end = from + (begins[rows_[k] + 1] - begin);
        std::copy(from, end, c_.attributes.assignments.begin() + begin);
        from = end;
      }
      arrived += a.size();
    }
    return true;
  }

  bool place_takes(const Arrivals& a, std::size_t chunk, std::size_t arrived) {
    gather(a, [](std::uint8_t flags) { return Arrivals::kind(flags) == Kind::receive; });
    std::size_t taken = 0;
    for (const std::uint32_t i : gathered_) {
      const EventIndex e = rows_[i];
      for (std::uint32_t to = c_.takes_begin[e]; to < c_.takes_begin[e + 1]; ++to, ++taken) {
        const MessageIndex m = a.taken[taken];
        if (c_.sent_by[m] == none) return fail(LayoutError::Why::unsent, chunk, i, m);
        sends_first_ = sends_first_ && sent_at_[m] < arrived + i;
        c_.takes[to] = m;
        if (is_again(m, a.process[i]) && (a.flags[i] & Arrivals::duplicate) == 0) {
          return fail(LayoutError::Why::received_twice, chunk, i, m);
        }
      }
    }
    return true;
  }

  /// Whether this process has received this message before.
  bool is_again(MessageIndex m, ProcessIndex p) {
    if (first_receiver_[m] == none) {
      first_receiver_[m] = p;
      return false;
    }
    return first_receiver_[m] == p || !other_receivers_.insert(std::uint64_t{m} << 32 | p).second;
  }

  /// The order of arrival where every send comes before its receives, as in most traces.
  bool settle_order() {
    if (sends_first_) return true;
    const CausalRelation relation{c_.first, c_.process_of, c_.takes_begin, c_.takes, c_.sent_by};
    OrderOrCycle result = order_causally(relation, c_.order);
    if (result.cycle.empty()) {
      c_.order = std::move(result.order);
      return true;
    }
    report_cycle(result.cycle);
    return false;
  }

  /// Each event of the cycle waits for a send of the next one's process, there or later.
  void report_cycle(const std::vector<EventIndex>& cycle) {
    error_.why = LayoutError::Why::cycle;
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      const EventIndex e = cycle[i];
      const EventIndex next = cycle[(i + 1) % cycle.size()];
      for (std::uint32_t at = c_.takes_begin[e]; at < c_.takes_begin[e + 1]; ++at) {
        const EventIndex send = c_.sent_by[c_.takes[at]];
        if (c_.process_of[send] != c_.process_of[next] || send < next) continue;
        error_.cycle.push_back(
            {place_of(chunks_, c_, e), c_.takes[at], place_of(chunks_, c_, send)});
        break;
      }
    }
    // The receive that was read first is where the error is put.
    const auto earlier = [](const Wait& a, const Wait& b) {
      return std::pair(a.receive.chunk, a.receive.row) < std::pair(b.receive.chunk, b.receive.row);
    };
    error_.where = std::min_element(error_.cycle.begin(), error_.cycle.end(), earlier)->receive;
  }

  std::span<const Arrivals> chunks_;
  std::uint32_t processes_;
  EventIndex events_ = 0;
  std::size_t takes_ = 0;
  std::size_t assignments_ = 0;
  bool has_labels_ = false;
  bool sends_first_ = true;
  std::vector<std::uint32_t> sent_at_;        // indexed by message: how many rows arrived before
  std::vector<ProcessIndex> first_receiver_;  // indexed by message
  tsl::robin_set<std::uint64_t> other_receivers_;  // of messages with several
  std::size_t ordered_ = 0;
  std::vector<Row> rows_;                // of the arrivals of a chunk
  std::vector<std::uint32_t> gathered_;  // arrivals of a chunk that have something
  Columns c_;
  LayoutError error_;
};

}  // namespace

tl::expected<Columns, LayoutError> lay_out(std::span<const Arrivals> chunks,
                                           std::uint32_t processes, std::uint32_t messages) {
  return Layout(chunks, processes, messages).run();
}

std::size_t make_unsent_internal(std::span<Arrivals> chunks, std::uint32_t messages) {
  std::vector<bool> sent(messages, false);
  for (const Arrivals& chunk : chunks) {
    for (const MessageIndex m : chunk.sent) sent[m] = true;
  }
  std::size_t made_internal = 0;
  for (Arrivals& a : chunks) {
    std::vector<std::uint8_t> flags = a.flags;
    std::vector<std::uint32_t> counts;
    std::vector<MessageIndex> taken;
    for (ArrivalCursor at; at.row < a.size(); at.advance(a)) {
      if (Arrivals::kind(a.flags[at.row]) != Kind::receive) continue;
      std::uint32_t left = 0;
      for (std::uint32_t k = 0; k < at.take_count(a); ++k) {
        const MessageIndex m = a.taken[at.taken + k];
        if (!sent[m]) continue;
        taken.push_back(m);
        ++left;
      }
      std::uint8_t& flag = flags[at.row];
      flag &= static_cast<std::uint8_t>(~Arrivals::batch);
      if (left == 0) {
        const bool also_sends = (flag & Arrivals::sends_too) != 0;
        const Kind kind = also_sends ? Kind::send : Kind::internal;
        constexpr auto of_receives = 3 | Arrivals::sends_too | Arrivals::duplicate;
        flag = static_cast<std::uint8_t>((flag & ~of_receives) | static_cast<int>(kind));
        ++made_internal;
      } else if (left > 1) {
        flag |= Arrivals::batch;
        counts.push_back(left);
      }
    }
    a.flags = std::move(flags);
    a.take_counts = std::move(counts);
    a.taken = std::move(taken);
  }
  return made_internal;
}

ArrivalPlace place_of(std::span<const Arrivals> chunks, const Columns& columns, EventIndex e) {
  const ProcessIndex p = columns.process_of[e];
  Rank left = e - columns.first[p] + 1;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    for (std::size_t row = 0; row < chunks[i].size(); ++row) {
      const bool counts =
          chunks[i].process[row] == p && Arrivals::kind(chunks[i].flags[row]) != Kind::initial;
      if (counts && --left == 0) return {i, row};
    }
  }
  broken_invariant("every event arrived", __FILE__, __LINE__);
}

}  // namespace lightcone
