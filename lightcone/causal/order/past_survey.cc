// Clocks of processes and of messages on their way, some columns at a time.
#include <lightcone/causal/order/past_survey.h>

#include <lightcone/base/parallel.h>
#include <lightcone/causal/order/vector_code.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>

namespace lightcone {
namespace {

constexpr std::size_t clock_lanes = TimestampTable::lanes;

/// Raises a row to the greater of both. Returns the sum of its entries.
LIGHTCONE_VECTOR_CODE
std::uint32_t join_rows(std::uint32_t* row, const std::uint32_t* other, std::size_t stride) {
  std::uint32_t sums[clock_lanes] = {};
  for (std::size_t at = 0; at < stride; at += clock_lanes) {
    for (std::size_t lane = 0; lane < clock_lanes; ++lane) {
      const std::uint32_t greater = std::max(row[at + lane], other[at + lane]);
      row[at + lane] = greater;
      sums[lane] += greater;
    }
  }
  return std::accumulate(std::begin(sums), std::end(sums), 0U);
}

/// What does not depend on the columns.
struct SurveyPlan {
  std::vector<std::uint32_t> takers;       // of each message: how many events take it
  std::vector<std::uint32_t> asked_begin;  // of each message, among these; empty: none are
  std::vector<std::uint32_t> asked;        // indices of addressees, by message
  std::size_t most_in_transit = 0;

  SurveyPlan(const Computation& computation, std::span<const Unreceived> addressees)
      : takers(computation.message_count(), 0) {
    for (const MessageIndex m : computation.columns().takes) ++takers[m];
    std::vector<std::uint32_t> waiting = takers;
    std::size_t in_transit = 0;
    for (const EventIndex e : computation.order()) {
      for (const MessageIndex m : computation.takes(e)) in_transit -= --waiting[m] == 0 ? 1 : 0;
      const MessageIndex m = computation.sends(e);
      if (m != none && waiting[m] != 0) most_in_transit = std::max(most_in_transit, ++in_transit);
    }
    if (addressees.empty()) return;
    asked_begin.assign(computation.message_count() + 1, 0);
    for (const Unreceived& each : addressees) ++asked_begin[each.message + 1];
    std::partial_sum(asked_begin.begin(), asked_begin.end(), asked_begin.begin());
    asked.resize(addressees.size());
    std::vector<std::uint32_t> next(asked_begin.begin(), asked_begin.end() - 1);
    for (std::uint32_t i = 0; i < addressees.size(); ++i) {
      asked[next[addressees[i].message]++] = i;
    }
  }

  [[nodiscard]] std::span<const std::uint32_t> asked_of(MessageIndex m) const {
    if (asked_begin.empty()) return {};
    return std::span(asked).subspan(asked_begin[m], asked_begin[m + 1] - asked_begin[m]);
  }
};

/// Goes through all events for some columns. Clocks without an entry are not written.
class SurveyPass {
 public:
  SurveyPass(const Computation& computation, const PastQuestions& questions, const SurveyPlan& plan,
             std::uint32_t most_columns, PastSurvey& survey)
      : computation_(computation),
        questions_(questions),
        plan_(plan),
        survey_(survey),
        column_of_(computation.process_count(), none),
        fronts_(computation.process_count(), most_columns),
        sums_(computation.process_count()),
        passing_(plan.most_in_transit, most_columns),
        passing_sums_(plan.most_in_transit),
        place_(computation.message_count()),
        sizes_(questions.sizes ? computation.event_count() : 0, 0) {}

  void run(std::span<const ProcessIndex> columns) {
    for (std::uint32_t i = 0; i < columns.size(); ++i) column_of_[columns[i]] = i;
    stride_ = (columns.size() + clock_lanes - 1) / clock_lanes * clock_lanes;
    std::fill(sums_.begin(), sums_.end(), 0);
    waiting_ = plan_.takers;
    free_.resize(plan_.most_in_transit);
    std::iota(free_.rbegin(), free_.rend(), 0U);
    for (const EventIndex e : computation_.order()) pass(e);
    for (const ProcessIndex p : columns) column_of_[p] = none;
  }

  [[nodiscard]] const std::vector<std::uint32_t>& sizes() const { return sizes_; }

 private:
  void pass(EventIndex e) {
    const ProcessIndex p = computation_.process_of(e);
    const std::uint32_t column = column_of_[p];
    const std::uint32_t begin = computation_.columns().takes_begin[e];
    const auto takes = computation_.takes(e);
    for (std::size_t i = 0; i < takes.size(); ++i) {
      const Rank known = take(p, column, takes[i]);
      if (column != none) survey_.known_of_receiver[begin + i] = known;
    }
    if (column != none) tick(p, column, computation_.rank_of(e));
    if (!sizes_.empty()) sizes_[e] += sums_[p];
    if (const MessageIndex m = computation_.sends(e); m != none) send(p, m);
  }

  /// Returns what the sender knew of this column.
  Rank take(ProcessIndex p, std::uint32_t column, MessageIndex m) {
    const std::uint32_t place = place_[m];
    Rank known = 0;
    if (place != none) {
      const std::uint32_t* sent = passing_.row(place);
      if (sums_[p] == 0) {
        std::copy(sent, sent + stride_, fronts_.row(p));
        sums_[p] = passing_sums_[place];
      } else {
        sums_[p] = join_rows(fronts_.row(p), sent, stride_);
      }
      if (column != none) known = sent[column];
    }
    if (--waiting_[m] == 0 && place != none) free_.push_back(place);
    return known;
  }

  void tick(ProcessIndex p, std::uint32_t column, Rank rank) {
    std::uint32_t* row = fronts_.row(p);
    if (sums_[p] == 0) std::fill(row, row + stride_, 0);
    sums_[p] += rank - row[column];
    row[column] = rank;
  }

  void send(ProcessIndex p, MessageIndex m) {
    place_[m] = none;
    if (sums_[p] != 0 && waiting_[m] != 0) {
      place_[m] = free_.back();
      free_.pop_back();
      std::copy(fronts_.row(p), fronts_.row(p) + stride_, passing_.row(place_[m]));
      passing_sums_[place_[m]] = sums_[p];
    }
    for (const std::uint32_t i : plan_.asked_of(m)) {
      const std::uint32_t column = column_of_[questions_.addressees[i].addressee];
      if (column == none) continue;
      survey_.known_of_addressee[i] = sums_[p] == 0 ? 0 : fronts_.row(p)[column];
    }
  }

  const Computation& computation_;
  const PastQuestions& questions_;
  const SurveyPlan& plan_;
  PastSurvey& survey_;  // passes on other cores write other entries
  std::vector<std::uint32_t> column_of_;
  std::size_t stride_ = 0;
  TimestampTable fronts_;            // by process
  std::vector<std::uint32_t> sums_;  // of its entries; 0: the row is not written
  TimestampTable passing_;           // of messages on their way, where place_ says
  std::vector<std::uint32_t> passing_sums_;
  std::vector<std::uint32_t> place_;    // by message; none: its clock has no entry
  std::vector<std::uint32_t> waiting_;  // by message: how many have not taken it yet
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> sizes_;
};

/// As many columns as keep all clocks in the caches, and never more than memory allows. But some:
/// each pass goes through all events once more.
[[nodiscard]] std::uint32_t columns_of_pass(const Computation& computation, std::size_t columns,
                                            std::size_t in_transit, std::size_t clock_bytes) {
  constexpr std::size_t cached = std::size_t{1} << 21;
  constexpr std::size_t some = 256;
  const std::size_t column_bytes =
      std::max<std::size_t>((computation.process_count() + in_transit) * sizeof(Rank), 1);
  std::size_t fitting = std::min(std::max(cached / column_bytes, some), clock_bytes / column_bytes);
  fitting = std::max(fitting / clock_lanes * clock_lanes, clock_lanes);
  return static_cast<std::uint32_t>(std::min(fitting, columns));
}

}  // namespace

std::vector<ProcessIndex> all_processes(const Computation& computation) {
  std::vector<ProcessIndex> all(computation.process_count());
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

PastSurvey survey_pasts(const Computation& computation, const PastQuestions& questions,
                        const Progress& progress, std::size_t clock_bytes) {
  PastSurvey survey;
  survey.sizes.assign(questions.sizes ? computation.event_count() : 0, 0);
  survey.known_of_receiver.assign(computation.edge_count(), 0);
  survey.known_of_addressee.assign(questions.addressees.size(), 0);
  const std::size_t columns = questions.processes.size();
  if (columns == 0) return survey;
  const SurveyPlan plan(computation, questions.addressees);
  const std::uint32_t width =
      columns_of_pass(computation, columns, plan.most_in_transit, clock_bytes);
  const std::size_t ranges = (columns + width - 1) / width;
  std::atomic<std::size_t> next = 0;
  std::mutex lock;
  for_each_part(std::min(ranges, core_count()), [&](std::size_t part) {
    SurveyPass pass(computation, questions, plan, width, survey);
    for (std::size_t i = next++; i < ranges; i = next++) {
      if (progress && part == 0) progress("computing clocks", i, ranges);
      const std::size_t first = i * width;
      pass.run(questions.processes.subspan(first, std::min<std::size_t>(width, columns - first)));
    }
    const std::lock_guard guard(lock);
    for (std::size_t e = 0; e < survey.sizes.size(); ++e) survey.sizes[e] += pass.sizes()[e];
  });
  return survey;
}

}  // namespace lightcone
