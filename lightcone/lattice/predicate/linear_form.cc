// Finds linear forms. Numbers are exact: 128-bit integers that count in steps of 2^-52.
#include <lightcone/lattice/predicate/linear_form.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace lightcone {
namespace {

using ExpressionKind = Expression::Kind;
__extension__ using Fixed = __int128;

constexpr int fraction_bits = 52;
constexpr Fixed greatest_exact_integer = Fixed{1} << 62;
constexpr Fixed greatest_exact_real = Fixed{1} << 53;  // up to here doubles add without rounding
constexpr Fixed one = Fixed{1} << fraction_bits;

[[nodiscard]] std::optional<Fixed> fixed(const Datum& datum) {
  if (const auto* integer = std::get_if<std::int64_t>(&datum)) {
    return *integer * one;
  }
  const auto* real = std::get_if<double>(&datum);
  if (real == nullptr || std::abs(*real) > 0x1p62) return std::nullopt;
  const double scaled = std::ldexp(*real, fraction_bits);
  if (scaled != std::floor(scaled)) return std::nullopt;
  return static_cast<Fixed>(scaled);
}

[[nodiscard]] bool is_null(const Datum& datum) {
  return std::holds_alternative<std::monostate>(datum);
}

/// A sum as it is being put together. All numbers, and all sums of some of them, are multiples of
/// `step` that are at most `reach` away from 0. Where that takes at most 53 bits, or `step` is 1,
/// evaluating the sum or a part of it rounds nowhere.
struct Sum {
  std::map<ProcessIndex, std::vector<Fixed>> summands;
  Fixed constant = 0;
  Fixed bits = one;  ///< all that are set in some number
  Fixed reach = 0;   ///< the most that any part of it can be away from 0
  bool has_reals = false;
  std::vector<Condition> known;

  /// The greatest power of two, up to 1, that divides all numbers.
  [[nodiscard]] Fixed step() const { return bits & -bits; }
  [[nodiscard]] bool is_exact() const {
    return reach / step() <= (has_reals ? greatest_exact_real : greatest_exact_integer);
  }
};

/// Calls `visit` with each column that a term reads.
template <class Visit>
void for_each_column(const Term& term, const Visit& visit) {
  for (const std::uint32_t column : term.columns) visit(column);
  for (const Term& part : term.parts) for_each_column(part, visit);
}

class LinearReader {
 public:
  explicit LinearReader(const std::vector<ReadColumn>& columns) : columns_(columns) {}

  /// Adds `factor` times the term; false if that cannot be done exactly.
  [[nodiscard]] bool add(const Term& term, std::int64_t factor, Sum& sum) const {
    // A part of a sum that is a sum itself is not rounded before the whole is.
    if (term.kind == ExpressionKind::minus) return add(term.parts[0], -factor, sum);
    if (term.kind == ExpressionKind::plus) {
      return std::all_of(term.parts.begin(), term.parts.end(),
                         [&](const Term& part) { return add(part, factor, sum); });
    }
    const std::vector<ProcessIndex> read = processes_of(term, columns_);
    if (read.size() <= 1) return add_local(term, read, factor, sum);
    switch (term.kind) {
      case ExpressionKind::times: return add_product(term, factor, sum);
      case ExpressionKind::aggregate: return add_aggregate(term, factor, sum);
      default: return false;
    }
  }

 private:
  static constexpr std::int64_t greatest_factor = 1 << 20;

  [[nodiscard]] bool add_product(const Term& term, std::int64_t factor, Sum& sum) const {
    for (const std::size_t i : {0, 1}) {
      if (!processes_of(term.parts[i], columns_).empty()) continue;
      const Datum value = values_by_state(term.parts[i], columns_, none).front();
      const auto* times = std::get_if<std::int64_t>(&value);
      if (times == nullptr || *times == 0) return false;
      const Fixed product = Fixed{factor} * *times;
      if (product < -greatest_factor || product > greatest_factor) return false;
      return add(term.parts[1 - i], static_cast<std::int64_t>(product), sum);
    }
    return false;
  }

  /// Counts and sums pass over what is no number.
  [[nodiscard]] bool add_aggregate(const Term& term, std::int64_t factor, Sum& sum) const {
    if (term.aggregate != Expression::Aggregate::count &&
        term.aggregate != Expression::Aggregate::sum) {
      return false;
    }
    for (const std::uint32_t column : term.columns) {
      std::vector<Datum> values = columns_[column].values;
      for (Datum& value : values) {
        if (is_null(value) || std::holds_alternative<std::string_view>(value)) {
          value = std::int64_t{0};
        }
      }
      if (!add_table(columns_[column].process, values, factor, sum)) return false;
    }
    return true;
  }

  [[nodiscard]] bool add_local(const Term& term, const std::vector<ProcessIndex>& read,
                               std::int64_t factor, Sum& sum) const {
    const ProcessIndex process = read.empty() ? none : read[0];
    std::vector<Datum> values = values_by_state(term, columns_, process);
    Condition::Local known{process, {}, none};
    for (const Datum& value : values) {
      if (std::holds_alternative<std::string_view>(value)) return false;
      known.values.push_back(!is_null(value));
    }
    sum.known.push_back(local_condition(std::move(known)));
    fill_nulls(values);
    return add_table(process, values, factor, sum);
  }

  /// Where a value is null the sum does not matter: it stays as it was, so that it changes little.
  static void fill_nulls(std::vector<Datum>& values) {
    const auto first = std::find_if_not(values.begin(), values.end(), is_null);
    Datum last = first == values.end() ? Datum(std::int64_t{0}) : *first;
    for (Datum& value : values) {
      if (is_null(value)) value = last;
      last = value;
    }
  }

  [[nodiscard]] static bool add_table(ProcessIndex process, const std::vector<Datum>& values,
                                      std::int64_t factor, Sum& sum) {
    std::vector<Fixed> table;
    const Fixed limit = greatest_exact_integer * one / (factor < 0 ? -factor : factor);
    Fixed most = 0;
    for (const Datum& value : values) {
      const std::optional<Fixed> exact = fixed(value);
      if (!exact || *exact > limit || *exact < -limit) return false;
      table.push_back(*exact * factor);
      most = std::max({most, table.back(), -table.back()});
      sum.bits |= table.back();
      sum.has_reals |= std::holds_alternative<double>(value);
    }
    sum.reach += most;
    if (sum.reach > greatest_exact_integer * one) return false;
    if (table.size() == 1) {
      sum.constant += table[0];
      return true;
    }
    std::vector<Fixed>& total = sum.summands.try_emplace(process, table.size(), 0).first->second;
    for (std::size_t k = 0; k < table.size(); ++k) total[k] += table[k];
    return true;
  }

  const std::vector<ReadColumn>& columns_;
};

}  // namespace

std::optional<LinearForm> linear_form(const Term& left, const Term& right,
                                      const std::vector<ReadColumn>& columns) {
  Sum sum;
  const LinearReader reader(columns);
  if (!reader.add(left, 1, sum) || !reader.add(right, -1, sum)) return std::nullopt;
  if (!sum.is_exact()) return std::nullopt;
  const Fixed step = sum.step();
  LinearForm form;
  form.bound = static_cast<std::int64_t>(-sum.constant / step);
  form.known = std::move(sum.known);
  for (const auto& [process, table] : sum.summands) {
    Condition::Summand summand{process, {}, none};
    for (const Fixed value : table) {
      summand.values.push_back(static_cast<std::int64_t>(value / step));
    }
    form.sum.push_back(std::move(summand));
  }
  return form;
}

// Only the columns that the term reads are looked at: a predicate may have thousands of others.
std::vector<Datum> values_by_state(const Term& term, const std::vector<ReadColumn>& columns,
                                   ProcessIndex process) {
  thread_local std::vector<Datum> now;
  if (now.size() < columns.size()) now.resize(columns.size());
  std::size_t states = 1;
  std::vector<std::uint32_t> own;
  for_each_column(term, [&](std::uint32_t column) {
    now[column] = columns[column].values.front();
    if (columns[column].process != process) return;
    own.push_back(column);
    states = columns[column].values.size();
  });
  std::vector<Datum> values;
  values.reserve(states);
  for (std::size_t k = 0; k < states; ++k) {
    for (const std::uint32_t column : own) now[column] = columns[column].values[k];
    values.push_back(value_of(term, now));
  }
  return values;
}

std::vector<ProcessIndex> processes_of(const Term& term, const std::vector<ReadColumn>& columns) {
  std::set<ProcessIndex> found;
  for_each_column(term, [&](std::uint32_t column) {
    if (columns[column].values.size() > 1) found.insert(columns[column].process);
  });
  return {found.begin(), found.end()};
}

}  // namespace lightcone
