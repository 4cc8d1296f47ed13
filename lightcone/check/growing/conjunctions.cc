// Multiplies terms out, and makes choices of counts.
#include <lightcone/check/growing/conjunctions.h>

#include <algorithm>

namespace lightcone {
namespace {

using Form = Expression::Kind;
using Aggregate = Expression::Aggregate;
using Disjunction = std::optional<std::vector<Conjunction>>;

class Multiplier {
 public:
  Multiplier(const std::vector<GlobalReads::Column>& columns, std::size_t most)
      : columns_(columns), most_(most) {}

  /// The ways in which the term has this truth.
  [[nodiscard]] Disjunction ways(const Term& term, bool expected) const {
    const std::vector<ProcessIndex> read = processes_of(term);
    if (read.empty()) return constant(is_true(value_of(term, {})) == expected);
    if (read.size() == 1) return std::vector<Conjunction>{{{read[0], term, expected}}};
    switch (term.kind) {
      case Form::negation: return ways(term.parts[0], !expected);
      case Form::conjunction: return expected ? all(term.parts, true) : any(term.parts, false);
      case Form::disjunction: return expected ? any(term.parts, true) : all(term.parts, false);
      case Form::aggregate: return of_aggregate(term, expected);
      default: return of_comparison(term, expected);
    }
  }

 private:
  [[nodiscard]] static Disjunction constant(bool truth) {
    return truth ? std::vector<Conjunction>(1) : std::vector<Conjunction>();
  }

  void collect(const Term& term, std::vector<ProcessIndex>& read) const {
    for (const std::uint32_t column : term.columns) read.push_back(columns_[column].process);
    for (const Term& part : term.parts) collect(part, read);
  }
  [[nodiscard]] std::vector<ProcessIndex> processes_of(const Term& term) const {
    std::vector<ProcessIndex> read;
    collect(term, read);
    std::ranges::sort(read);
    read.erase(std::ranges::unique(read).begin(), read.end());
    return read;
  }

  [[nodiscard]] Disjunction any(const std::vector<Term>& parts, bool expected) const {
    std::vector<Conjunction> all;
    for (const Term& part : parts) {
      auto some = ways(part, expected);
      if (!some || all.size() + some->size() > most_) return std::nullopt;
      std::ranges::move(*some, std::back_inserter(all));
    }
    return all;
  }
  [[nodiscard]] Disjunction all(const std::vector<Term>& parts, bool expected) const {
    std::vector<Conjunction> products(1);
    for (const Term& part : parts) {
      const auto factor = ways(part, expected);
      if (!factor || products.size() * factor->size() > most_) return std::nullopt;
      std::vector<Conjunction> longer;
      for (const Conjunction& one : products) {
        for (const Conjunction& other : *factor) {
          longer.push_back(one);
          longer.back().insert(longer.back().end(), other.begin(), other.end());
        }
      }
      products = std::move(longer);
    }
    return products;
  }

  /// The truth of one column.
  [[nodiscard]] LocalLiteral literal(std::uint32_t column, bool expected) const {
    return {columns_[column].process,
            Term{Form::process_variable, Aggregate::count, {}, {column}, {}}, expected};
  }

  [[nodiscard]] Disjunction of_aggregate(const Term& term, bool expected) const {
    switch (term.aggregate) {
      case Aggregate::all:
        return expected ? choose(term.columns, term.columns.size(), true)
                        : choose(term.columns, 1, false);
      case Aggregate::any:
      case Aggregate::count:
        return expected ? choose(term.columns, 1, true)
                        : choose(term.columns, term.columns.size(), false);
      default: return std::nullopt;
    }
  }

  /// A count against a constant, if it holds from some number on, or up to some number.
  [[nodiscard]] Disjunction of_comparison(const Term& term, bool expected) const {
    if (term.kind < Form::equal || term.kind > Form::at_least) return std::nullopt;
    const auto is_count = [](const Term& part) {
      return part.kind == Form::aggregate && part.aggregate == Aggregate::count;
    };
    const bool left = is_count(term.parts[0]);
    const Term& counted = term.parts[left ? 0 : 1];
    const Term& other = term.parts[left ? 1 : 0];
    if (!is_count(counted) || !processes_of(other).empty()) return std::nullopt;
    const Datum bound = value_of(other, {});
    std::vector<bool> holds;
    for (std::size_t n = 0; n <= counted.columns.size(); ++n) {
      const Datum number = static_cast<std::int64_t>(n);
      holds.push_back((left ? compare(term.kind, number, bound)
                            : compare(term.kind, bound, number)) == expected);
    }
    const auto changes = std::ranges::adjacent_find(holds, std::not_equal_to<>());
    if (changes == holds.end()) return constant(holds[0]);
    if (std::adjacent_find(changes + 1, holds.end(), std::not_equal_to<>()) != holds.end()) {
      return std::nullopt;
    }
    const auto last = static_cast<std::size_t>(changes - holds.begin());
    return holds[0] ? choose(counted.columns, counted.columns.size() - last, false)
                    : choose(counted.columns, last + 1, true);
  }

  /// At least so many of the columns have this truth.
  [[nodiscard]] Disjunction choose(const std::vector<std::uint32_t>& columns, std::size_t count,
                                   bool expected) const {
    std::vector<std::size_t> chosen(count);
    for (std::size_t i = 0; i < count; ++i) chosen[i] = i;
    std::vector<Conjunction> all;
    for (;;) {
      if (all.size() == most_) return std::nullopt;
      Conjunction& one = all.emplace_back();
      for (const std::size_t i : chosen) one.push_back(literal(columns[i], expected));
      // The next combination: the last index that can still move on does, those behind it follow.
      std::size_t moved = count;
      while (moved > 0 && chosen[moved - 1] == columns.size() - count + moved - 1) --moved;
      if (moved == 0) return all;
      ++chosen[moved - 1];
      for (std::size_t i = moved; i < count; ++i) chosen[i] = chosen[i - 1] + 1;
    }
  }

  const std::vector<GlobalReads::Column>& columns_;
  std::size_t most_;
};

}  // namespace

std::optional<std::vector<Conjunction>> conjunctions(
    const Term& term, const std::vector<GlobalReads::Column>& columns, std::size_t most) {
  return Multiplier(columns, most).ways(term, true);
}

}  // namespace lightcone
