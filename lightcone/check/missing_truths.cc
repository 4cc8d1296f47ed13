// Looks through the local states that a global property reads.
#include <lightcone/check/missing_truths.h>

#include <fmt/format.h>
#include <lightcone/base/wording.h>
#include <lightcone/causal/process_words.h>
#include <lightcone/causality.h>
#include <lightcone/check/explanation.h>
#include <lightcone/check/recorded_check.h>
#include <lightcone/property/language/expression_text.h>

#include <algorithm>
#include <map>

namespace lightcone {
namespace {

constexpr std::size_t processes_named = 3;
constexpr std::size_t values_named = 4;
constexpr std::size_t most_states_compared = 64;   // of one process
constexpr std::size_t most_columns_compared = 16;  // each with each

/// The local states of a process in which a predicate is true: from an event on (0: from the
/// beginning) until another one (none: to the end).
struct TrueState {
  Rank begin = 0;
  std::optional<Rank> end = {};
};

[[nodiscard]] std::vector<TrueState> true_states(const GlobalAnswer& answer,
                                                 const ReadColumn& column,
                                                 const Computation& computation) {
  std::vector<TrueState> all;
  const Selection& relevant = answer.predicate.relevant();
  const auto rank = [&](std::size_t state) {
    return computation.rank_of(relevant.event(column.process, static_cast<Rank>(state)));
  };
  for (std::size_t state = 0; state < column.values.size(); ++state) {
    if (!is_true(column.values[state])) continue;
    TrueState one;
    if (state > 0) one.begin = rank(state);
    if (state + 1 < column.values.size()) one.end = rank(state + 1);
    all.push_back(one);
  }
  return all;
}

/// Two processes, and where a predicate is true in them.
class Pair {
 public:
  Pair(const Computation& computation, ProcessIndex p, const std::vector<TrueState>& of_p,
       ProcessIndex q, const std::vector<TrueState>& of_q)
      : computation_(computation), p_(p), q_(q), of_p_(of_p), of_q_(of_q) {}

  /// Where one ended before the other began, if they are never true together.
  [[nodiscard]] std::optional<std::pair<EventPlace, EventPlace>> apart() const {
    std::optional<std::pair<EventPlace, EventPlace>> place;
    for (const TrueState& s : of_p_) {
      for (const TrueState& t : of_q_) {
        if (is_over(p_, s, q_, t)) {
          if (!place) place = {{p_, *s.end}, {q_, t.begin}};
        } else if (is_over(q_, t, p_, s)) {
          if (!place) place = {{q_, *t.end}, {p_, s.begin}};
        } else {
          return std::nullopt;
        }
      }
    }
    return place;
  }

 private:
  /// Returns whether state s of process p has ended in the past of the beginning of state t of q.
  [[nodiscard]] bool is_over(ProcessIndex p, const TrueState& s, ProcessIndex q,
                             const TrueState& t) const {
    if (!s.end || t.begin == 0) return false;
    return causal_past(computation_, computation_.event(q, t.begin))[p] >= *s.end;
  }

  const Computation& computation_;
  ProcessIndex p_, q_;
  const std::vector<TrueState>&of_p_, &of_q_;
};

/// Each value once: null, then numbers, then texts, in their order.
[[nodiscard]] std::vector<Datum> distinct_values(std::vector<Datum> values) {
  const auto rank = [](const Datum& value) {
    if (std::holds_alternative<std::monostate>(value)) return 0;
    return is_number(value) ? 1 : 2;
  };
  std::ranges::sort(values, [&](const Datum& a, const Datum& b) {
    if (rank(a) != rank(b)) return rank(a) < rank(b);
    return compare(Expression::Kind::less, a, b);
  });
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// A predicate, and where it is true in each process.
using TruthsByRead = std::map<std::string, std::map<ProcessIndex, std::vector<TrueState>>>;

void find_apart(const std::map<ProcessIndex, std::vector<TrueState>>& truths,
                const Computation& computation, MissingTruth& missing) {
  if (truths.size() > most_columns_compared) return;
  for (auto p = truths.begin(); p != truths.end(); ++p) {
    for (auto q = std::next(p); q != truths.end() && !missing.apart; ++q) {
      const bool is_much = std::max(p->second.size(), q->second.size()) > most_states_compared;
      if (p->second.empty() || q->second.empty() || is_much) continue;
      missing.apart = Pair(computation, p->first, p->second, q->first, q->second).apart();
    }
  }
}

}  // namespace

std::vector<MissingTruth> missing_truths(const GlobalAnswer& answer,
                                         const Computation& computation) {
  TruthsByRead truths;
  for (const ReadColumn& column : answer.predicate.columns()) {
    if (!column.is_truth) continue;
    truths[column.name][column.process] = true_states(answer, column, computation);
  }
  std::vector<MissingTruth> all;
  for (const auto& [read, by_process] : truths) {
    MissingTruth missing{read};
    for (const auto& [process, states] : by_process) {
      if (states.empty()) missing.never.push_back(process);
    }
    if (missing.never.empty()) find_apart(by_process, computation, missing);
    if (!missing.never.empty() || missing.apart) all.push_back(std::move(missing));
  }
  return all;
}

std::vector<ValuesRead> values_read(const GlobalAnswer& answer) {
  std::map<std::pair<ProcessIndex, std::string>, ValuesRead> reads;
  for (const ReadColumn& column : answer.predicate.columns()) {
    if (column.is_truth) continue;
    const auto [at, is_new] = reads.try_emplace({column.process, column.name});
    if (is_new) at->second = {column.name, column.process, distinct_values(column.values)};
  }
  std::vector<ValuesRead> all;
  for (auto& [key, read] : reads) all.push_back(std::move(read));
  return all;
}

std::string sentence_of(const ValuesRead& read, const Computation& computation) {
  const std::vector<Datum>& values = read.values;
  std::string words;
  if (values.size() <= values_named) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      words += (i == 0 ? "" : i + 1 == values.size() ? " or " : ", ") + text_of(values[i]);
    }
  } else if (std::ranges::all_of(values, is_number)) {
    words = fmt::format("{} to {}", text_of(values.front()), text_of(values.back()));
  } else {
    words = fmt::format("one of {} values", grouped(values.size()));
  }
  return fmt::format("`{}` is {} in {}.", printable(read.read), words,
                     process_words(computation, read.process));
}

std::string sentence_of(const MissingTruth& missing, const Computation& computation) {
  const std::string read = printable(missing.read);
  if (missing.apart) {
    const auto place = [&](EventPlace at) {
      return place_text(computation, row_of(computation, at));
    };
    const auto& [ended, begun] = *missing.apart;
    return fmt::format(
        "`{}` is never true in {} and {} at one moment: at {}, where it becomes "
        "true, it is known that it ended at {}.",
        read, process_words(computation, ended.process), process_words(computation, begun.process),
        place(begun), place(ended));
  }
  std::string names;
  // One more name is as short as saying that there is one.
  const std::size_t count = missing.never.size();
  const std::size_t named = count == processes_named + 1 ? count : std::min(count, processes_named);
  for (std::size_t i = 0; i < named; ++i) {
    names += (i == 0 ? "" : ", ") + process_words(computation, missing.never[i]);
  }
  if (count > named) names += fmt::format(" and {} other processes", grouped(count - named));
  return fmt::format("`{}` is true nowhere in {}.", read, names);
}

}  // namespace lightcone
