// Two passes over the arrivals: one that places rows, one that places what rows hold in lists.
#include <lightcone/causal/layout.h>

#include <lightcone/base/memory/fresh_memory.h>
#include <lightcone/base/parallel.h>
#include <lightcone/causal/order/linear_extension.h>

#include <tsl/robin_set.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>
#include <numeric>

namespace lightcone {
namespace {

constexpr double no_time = std::numeric_limits<double>::quiet_NaN();

/// What one chunk needs and finds; chunks are placed in parallel.
struct ChunkWork {
  /// A row that is an initial state, and how many events of its process are before it in the chunk.
  struct Initial {
    std::size_t row;
    EventIndex events_before;
  };
  std::vector<EventIndex> next;  // of each process: the row of its next event
  std::vector<Initial> initial;
  std::size_t arrived = 0;  // rows in the chunks before
  std::size_t ordered = 0;  // events in the chunks before
  std::vector<EventIndex> duplicates;
  bool sends_first = true;
  MessageIndex unsent = none;  // a message that is taken and never sent
  std::size_t unsent_row = 0;
};

/// The rows of a chunk, and those among them that have this or that. Whether a row has it is as
/// good as random, so that such rows are first gathered without a branch, then served in a loop
/// of their own.
class ChunkRows {
 public:
  ChunkRows(const Arrivals& arrivals, ChunkWork& work, EventIndex events) : a_(arrivals) {
    make_room(rows_, a_.size());
    rows_.resize(a_.size());
    make_room(gathered_, a_.size() + 1);
    gathered_.resize(a_.size() + 1);
    std::vector<EventIndex> next = work.next;
    for (std::size_t i = 0; i < a_.size(); ++i) {
      const ProcessIndex p = a_.process[i];
      const bool initial = Arrivals::kind(a_.flags[i]) == Kind::initial;
      rows_[i] = initial ? events + p : next[p]++;
    }
  }

  [[nodiscard]] Row operator[](std::size_t arrival) const { return rows_[arrival]; }

  /// The arrivals whose flags are such; they stay until the next call.
  template <class Test>
  [[nodiscard]] std::span<const std::uint32_t> with(Test test) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < a_.size(); ++i) {
      gathered_[count] = static_cast<std::uint32_t>(i);
      count += test(a_.flags[i]);
    }
    return {gathered_.data(), count};
  }
  [[nodiscard]] std::span<const std::uint32_t> with(Arrivals::Flag flag) {
    return with([flag](std::uint8_t flags) { return (flags & flag) != 0; });
  }
  [[nodiscard]] std::span<const std::uint32_t> receiving() {
    return with([](std::uint8_t flags) { return Arrivals::kind(flags) == Kind::receive; });
  }

 private:
  const Arrivals& a_;
  std::vector<Row> rows_;
  std::vector<std::uint32_t> gathered_;
};

class Layout {
 public:
  Layout(std::span<const Arrivals> chunks, std::uint32_t processes, std::uint32_t messages)
      : chunks_(chunks), processes_(processes), messages_(messages), work_(chunks.size()) {}

  [[nodiscard]] tl::expected<Columns, LayoutError> run() {
    if (!count()) return tl::unexpected(std::move(error_));
    allocate();
    for_each_part(chunks_.size(), [&](std::size_t i) { place_rows(i); });
    if (!check_sends()) return tl::unexpected(std::move(error_));
    sum_counts();
    for_each_part(chunks_.size(), [&](std::size_t i) { place_lists(i); });
    if (!check_takes() || !settle_order()) return tl::unexpected(std::move(error_));
    return std::move(c_);
  }

 private:
  bool fail(LayoutError::Why why, std::size_t chunk, std::size_t row, MessageIndex m = none) {
    error_.why = why;
    error_.where = {chunk, row};
    error_.message = m;
    return false;
  }

  /// The ranges of the processes, and where in them each chunk begins.
  bool count() {
    for_each_part(chunks_.size(), [&](std::size_t i) { count_chunk(i); });
    std::vector<std::uint64_t> events(processes_, 0);
    c_.has_initial.assign(processes_, false);
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
      const Arrivals& a = chunks_[i];
      work_[i].arrived = rows_;
      rows_ += a.size();
      takes_ += a.taken.size();
      assignments_ += a.assignments.size();
      for (const ChunkWork::Initial& initial : work_[i].initial) {
        const ProcessIndex p = a.process[initial.row];
        if (events[p] + initial.events_before > 0 || c_.has_initial[p]) {
          return fail(LayoutError::Why::late_initial, i, initial.row);
        }
        c_.has_initial[p] = true;
      }
      // From how many events of each process are here to how many came before.
      for (ProcessIndex p = 0; p < processes_; ++p) {
        const EventIndex here = work_[i].next[p];
        work_[i].next[p] = static_cast<EventIndex>(events[p]);
        events[p] += here;
      }
    }
    if (rows_ + processes_ >= none || takes_ >= none || assignments_ >= none) {
      return fail(LayoutError::Why::too_many, 0, 0);
    }
    c_.first.resize(processes_ + 1);
    for (ProcessIndex p = 0; p < processes_; ++p) {
      c_.first[p + 1] = c_.first[p] + static_cast<EventIndex>(events[p]);
    }
    events_ = c_.first.back();
    for (ChunkWork& work : work_) {
      work.ordered = std::accumulate(work.next.begin(), work.next.end(), std::size_t{0});
      for (ProcessIndex p = 0; p < processes_; ++p) work.next[p] += c_.first[p];
    }
    return true;
  }

  void count_chunk(std::size_t chunk) {
    const Arrivals& a = chunks_[chunk];
    ChunkWork& work = work_[chunk];
    work.next.assign(processes_, 0);
    for (std::size_t row = 0; row < a.size(); ++row) {
      EventIndex& events = work.next[a.process[row]];
      if (Arrivals::kind(a.flags[row]) != Kind::initial) {
        ++events;
      } else {
        work.initial.push_back({row, events});
      }
    }
  }

  /// Gives each array that the trace uses its size; memory that is fresh costs more to touch than
  /// to fill, so that all cores do it.
  void allocate() {
    const std::size_t rows = events_ + processes_;
    const auto uses = [&](auto member) {
      return std::any_of(chunks_.begin(), chunks_.end(),
                         [&](const Arrivals& a) { return !(a.*member).empty(); });
    };
    Attributes& to = c_.attributes;
    const auto fill = [](auto& column, std::size_t size, auto value) {
      make_room(column, size);
      column.assign(size, value);
    };
    const auto clear = [](auto& column, std::size_t size) {
      make_room(column, size);
      column.resize(size);
    };
    const std::function<void()> tasks[] = {
        [&] {
          make_room(c_.process_of, events_);
          for (ProcessIndex p = 0; p < processes_; ++p) {
            c_.process_of.insert(c_.process_of.end(), c_.first[p + 1] - c_.first[p], p);
          }
        },
        [&] { fill(c_.sends, events_, none); },
        [&] { clear(c_.order, events_); },
        [&] { clear(c_.takes_begin, events_ + 1); },
        [&] { clear(c_.kinds, events_); },
        [&] { clear(c_.takes, takes_); },
        [&] { fill(c_.sent_by, messages_, none); },
        [&] { fill(sent_at_, messages_, none); },
        [&] { clear(to.assignments, assignments_); },
        [&] { clear(to.assignments_begin, assignments_ > 0 ? rows + 1 : 0); },
        [&] { clear(to.labels, uses(&Arrivals::label_sets) ? rows : 0); },
        [&] { clear(to.to, uses(&Arrivals::receivers) ? rows : 0); },
        [&] { fill(to.time, uses(&Arrivals::times) ? rows : 0, no_time); },
        [&] { fill(to.text, uses(&Arrivals::texts) ? rows : 0, NameIndex::none); },
        [&] { fill(to.source, uses(&Arrivals::sources) ? rows : 0, NameIndex::none); },
        [&] { fill(to.digest, uses(&Arrivals::digests) ? rows : 0, std::uint64_t{0}); },
        [&] { fill(to.extra, uses(&Arrivals::extras) ? rows : 0, NameIndex::none); },
    };
    const std::size_t parts = chunks_.size() > 1 ? std::size(tasks) : 1;
    for_each_part(parts, [&](std::size_t part) {
      for (std::size_t i = part; i < std::size(tasks); i += parts) tasks[i]();
    });
  }

  /// Kinds, sends, labels, and how many messages and assignments each row has.
  void place_rows(std::size_t chunk) {
    const Arrivals& a = chunks_[chunk];
    ChunkWork& work = work_[chunk];
    ChunkRows rows(a, work, events_);
    std::size_t ordered = work.ordered;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (Arrivals::kind(a.flags[i]) == Kind::initial) continue;
      c_.order[ordered++] = rows[i];
      c_.kinds[rows[i]] = Arrivals::kind(a.flags[i]);
    }
    const auto sending = rows.with([](std::uint8_t flags) { return Arrivals::sends(flags); });
    for (std::size_t k = 0; k < sending.size(); ++k) {
      const MessageIndex m = a.sent[k];
      c_.sends[rows[sending[k]]] = m;
      // Two chunks meet here only when they send the same message, which check_sends finds.
      using Shared = std::atomic_ref<std::uint32_t>;
      Shared(c_.sent_by[m]).store(rows[sending[k]], std::memory_order_relaxed);
      Shared(sent_at_[m])
          .store(static_cast<std::uint32_t>(work.arrived + sending[k]), std::memory_order_relaxed);
    }
    for (const std::uint32_t i : rows.receiving()) c_.takes_begin[rows[i] + 1] = 1;
    const auto batches = rows.with(Arrivals::batch);
    for (std::size_t k = 0; k < batches.size(); ++k) {
      c_.takes_begin[rows[batches[k]] + 1] = a.take_counts[k];
    }
    place_attributes(a, rows, work);
  }

  void place_attributes(const Arrivals& a, ChunkRows& rows, ChunkWork& work) {
    const auto labelled = rows.with(Arrivals::labelled);
    for (std::size_t k = 0; k < labelled.size(); ++k) {
      c_.attributes.labels[rows[labelled[k]]] = a.label_sets[k];
    }
    const auto assigning = rows.with(Arrivals::assigns);
    for (std::size_t k = 0; k < assigning.size(); ++k) {
      c_.attributes.assignments_begin[rows[assigning[k]] + 1] = a.assignment_counts[k];
    }
    for (const std::uint32_t i : rows.with(Arrivals::duplicate)) {
      work.duplicates.push_back(rows[i]);
    }
    const auto saying_more = rows.with(Arrivals::says_more);
    std::size_t to = 0, time = 0, text = 0, source = 0, extra = 0, digest = 0;
    for (std::size_t k = 0; k < saying_more.size(); ++k) {
      const Row row = rows[saying_more[k]];
      const std::uint8_t more = a.more[k];
      if ((more & Arrivals::to) != 0) c_.attributes.to[row] = a.receivers[to++];
      if ((more & Arrivals::time) != 0) c_.attributes.time[row] = a.times[time++];
      if ((more & Arrivals::text) != 0) c_.attributes.text[row] = a.texts[text++];
      if ((more & Arrivals::source) != 0) c_.attributes.source[row] = a.sources[source++];
      if ((more & Arrivals::extra) != 0) c_.attributes.extra[row] = a.extras[extra++];
      if ((more & Arrivals::digest) != 0) c_.attributes.digest[row] = a.digests[digest++];
    }
  }

  /// Each message is sent once: then there are as many sends as messages that were sent.
  bool check_sends() {
    std::size_t sends = 0;
    for (const Arrivals& a : chunks_) sends += a.sent.size();
    const auto sent = c_.sent_by.size() - static_cast<std::size_t>(std::count(
                                              c_.sent_by.begin(), c_.sent_by.end(), none));
    if (sends == sent) return true;
    std::vector<bool> seen(c_.sent_by.size(), false);
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
      for (ArrivalCursor at; at.row < chunks_[i].size(); at.advance(chunks_[i])) {
        if (!Arrivals::sends(chunks_[i].flags[at.row])) continue;
        const MessageIndex m = chunks_[i].sent[at.sent];
        if (seen[m]) return fail(LayoutError::Why::sent_twice, i, at.row, m);
        seen[m] = true;
      }
    }
    broken_invariant("a message is sent twice", __FILE__, __LINE__);
  }

  /// From how many entries each row has to where they begin.
  void sum_counts() {
    std::vector<std::uint32_t>* const lists[] = {&c_.takes_begin, &c_.attributes.assignments_begin};
    for_each_part(chunks_.size() > 1 ? std::size(lists) : 1, [&](std::size_t part) {
      for (std::size_t i = part; i<std::size(lists); i += chunks_.size()> 1 ? 2 : 1) {
        std::inclusive_scan(lists[i]->begin(), lists[i]->end(), lists[i]->begin());
      }
    });
    for (const ChunkWork& work : work_) {
      c_.duplicates.insert(c_.duplicates.end(), work.duplicates.begin(), work.duplicates.end());
    }
    std::sort(c_.duplicates.begin(), c_.duplicates.end());
  }

  /// Receptions and assignments, each in the place that the counts give it.
  void place_lists(std::size_t chunk) {
    const Arrivals& a = chunks_[chunk];
    ChunkWork& work = work_[chunk];
    ChunkRows rows(a, work, events_);
    std::size_t taken = 0;
    for (const std::uint32_t i : rows.receiving()) {
      const EventIndex e = rows[i];
      for (std::uint32_t to = c_.takes_begin[e]; to < c_.takes_begin[e + 1]; ++to) {
        const MessageIndex m = a.taken[taken++];
        c_.takes[to] = m;
        work.sends_first = work.sends_first && sent_at_[m] < work.arrived + i;
        if (sent_at_[m] != none || work.unsent != none) continue;
        work.unsent = m;
        work.unsent_row = i;
      }
    }
    const auto& begins = c_.attributes.assignments_begin;
    auto from = a.assignments.begin();
    for (const std::uint32_t i : rows.with(Arrivals::assigns)) {
      const auto end = from + (begins[rows[i] + 1] - begins[rows[i]]);
      std::copy(from, end, c_.attributes.assignments.begin() + begins[rows[i]]);
      from = end;
    }
  }

  /// The event to which this entry of `takes` belongs.
  [[nodiscard]] EventIndex taker(std::uint32_t at) const {
    const auto after = std::upper_bound(c_.takes_begin.begin(), c_.takes_begin.end(), at);
    return static_cast<EventIndex>(after - c_.takes_begin.begin() - 1);
  }

  [[nodiscard]] bool is_redelivery(std::uint32_t at) const {
    return std::binary_search(c_.duplicates.begin(), c_.duplicates.end(), taker(at));
  }

  /// A process takes a message once, unless it says that this is a redelivery; and each message
  /// that is taken was sent. In this order: a lost send is forgiven, and a second receive is not.
  bool check_takes() {
    std::vector<ProcessIndex> first_receiver;
    make_room(first_receiver, c_.sent_by.size());
    first_receiver.assign(c_.sent_by.size(), none);
    tsl::robin_set<std::uint64_t> other_receivers;  // of messages with several
    for (ProcessIndex p = 0; p < processes_; ++p) {
      const std::uint32_t end = c_.takes_begin[c_.first[p + 1]];
      for (std::uint32_t at = c_.takes_begin[c_.first[p]]; at < end; ++at) {
        const MessageIndex m = c_.takes[at];
        const ProcessIndex first = first_receiver[m];
        if (first == none) {
          first_receiver[m] = p;
          continue;
        }
        const bool again = first == p || !other_receivers.insert(std::uint64_t{m} << 32 | p).second;
        if (again && !is_redelivery(at)) {
          const ArrivalPlace where = place_of(chunks_, c_, taker(at));
          return fail(LayoutError::Why::received_twice, where.chunk, where.row, m);
        }
      }
    }
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
      const ChunkWork& work = work_[i];
      if (work.unsent == none) continue;
      return fail(LayoutError::Why::unsent, i, work.unsent_row, work.unsent);
    }
    return true;
  }

  /// The order of arrival where every send comes before its receives, as in most traces.
  bool settle_order() {
    if (std::all_of(work_.begin(), work_.end(),
                    [](const ChunkWork& work) { return work.sends_first; })) {
      return true;
    }
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
  std::uint32_t messages_;
  std::size_t rows_ = 0;
  EventIndex events_ = 0;
  std::size_t takes_ = 0;
  std::size_t assignments_ = 0;
  std::vector<ChunkWork> work_;         // one per chunk
  std::vector<std::uint32_t> sent_at_;  // indexed by message: how many rows arrived before
  Columns c_;
  LayoutError error_;
};

}  // namespace

tl::expected<Columns, LayoutError> lay_out(std::span<const Arrivals> chunks,
                                           std::uint32_t processes, std::uint32_t messages) {
  return Layout(chunks, processes, messages).run();
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
