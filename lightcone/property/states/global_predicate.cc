// Walks through the states of each process and keeps what a global expression reads of them.
#include <lightcone/property/states/global_predicate.h>

#include <lightcone/property/language/expression_text.h>
#include <lightcone/property/states/evaluation.h>
#include <lightcone/property/states/local_expressions.h>
#include <lightcone/property/states/vocabulary.h>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

namespace lightcone {
namespace {

using Kind = Expression::Kind;
using Aggregate = Expression::Aggregate;

[[nodiscard]] Datum fold(Aggregate aggregate, std::span<const std::uint32_t> read,
                         std::span<const Datum> columns) {
  const auto holds = [&](std::uint32_t column) { return is_true(columns[column]); };
  switch (aggregate) {
    case Aggregate::count: return std::int64_t{std::count_if(read.begin(), read.end(), holds)};
    case Aggregate::all: return std::int64_t{std::all_of(read.begin(), read.end(), holds)};
    case Aggregate::any: return std::int64_t{std::any_of(read.begin(), read.end(), holds)};
    case Aggregate::sum: {
      ExactSum sum;
      for (const std::uint32_t column : read) {
        if (is_number(columns[column])) sum.add(columns[column]);
      }
      return sum.value();
    }
    default: break;
  }
  const Kind better = aggregate == Aggregate::min ? Kind::less : Kind::greater;
  Datum best;
  for (const std::uint32_t column : read) {
    const Datum& value = columns[column];
    if (!is_number(value)) continue;
    if (!is_number(best) || compare(better, value, best)) best = value;
  }
  return best;
}

[[nodiscard]] bool is_of_truth(Aggregate aggregate) {
  return aggregate == Aggregate::count || aggregate == Aggregate::all ||
         aggregate == Aggregate::any;
}

/// A text that two expressions share iff they are the same.
[[nodiscard]] std::string key_of(const Expression& e) {
  std::string key =
      fmt::format("{} {} {} {} {} {}:{}{}:{}(", static_cast<int>(e.kind),
                  static_cast<int>(e.aggregate), e.boolean, e.integer,
                  std::bit_cast<std::uint64_t>(e.real), e.name.size(), e.name, e.who.size(), e.who);
  for (const Expression& part : e.parts) key += key_of(part);
  return key + ')';
}

/// Which local expression a column holds the value of, or only the truth of.
struct Reading {
  ProcessIndex process;
  std::uint32_t expression;
  bool truth;
  std::string name;
};

/// Makes the term, and finds out what must be read for it.
class Binder {
 public:
  Binder(const Computation& computation, const Properties& properties,
         const std::function<bool()>& may_go_on)
      : computation_(computation),
        properties_(properties),
        may_go_on_(may_go_on),
        local_(properties, computation.names()) {}

  [[nodiscard]] Term bind(const Expression& expression) {
    Term term{expression.kind, expression.aggregate, constant_of(expression), {}, {}};
    if (expression.kind == Kind::process_variable) {
      const bool label = properties_.find_label(expression.name).has_value();
      Expression variable;
      variable.kind = label ? Kind::label : Kind::variable;
      variable.name = expression.name;
      term.columns.push_back(column({*computation_.find_process(expression.who),
                                     number_of(variable), label, text_of(variable)}));
    } else if (expression.kind == Kind::aggregate) {
      const std::uint32_t part = number_of(expression.parts[0]);
      const std::string name = text_of(expression.parts[0]);
      for (ProcessIndex p = 0; p < computation_.process_count(); ++p) {
        if (!belongs(p, expression.who)) continue;
        term.columns.push_back(column({p, part, is_of_truth(expression.aggregate), name}));
      }
    } else {
      for (const Expression& part : expression.parts) term.parts.push_back(bind(part));
    }
    return term;
  }

  /// Fills the columns; marks the events that change one. False if it had to stop.
  [[nodiscard]] bool read(std::vector<ReadColumn>& columns, std::vector<bool>& relevant) const {
    columns.resize(readings_.size());
    std::vector<std::vector<std::uint32_t>> of_process(computation_.process_count());
    for (std::uint32_t i = 0; i < readings_.size(); ++i) {
      columns[i].process = readings_[i].process;
      columns[i].name = readings_[i].name;
      columns[i].is_truth = readings_[i].truth;
      of_process[readings_[i].process].push_back(i);
    }
    for (ProcessIndex p = 0; p < computation_.process_count(); ++p) {
      if (!of_process[p].empty() && !read(p, of_process[p], columns, relevant)) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] bool belongs(ProcessIndex p, const std::string& who) const {
    if (who.empty()) return true;
    const Group* group = properties_.find_group(who);
    const std::string_view name = computation_.process_name(p);
    return group != nullptr ? contains(*group, name) : name == who;
  }

  /// The number of a local expression; one that occurs twice is followed once.
  [[nodiscard]] std::uint32_t number_of(const Expression& local) {
    const auto [place, is_new] = numbers_.try_emplace(key_of(local), 0);
    if (is_new) place->second = local_.add(local);
    return place->second;
  }

  [[nodiscard]] std::uint32_t column(Reading reading) {
    const auto next = static_cast<std::uint32_t>(readings_.size());
    const auto [place, is_new] =
        column_of_.try_emplace({reading.process, reading.expression, reading.truth}, next);
    if (is_new) readings_.push_back(std::move(reading));
    return place->second;
  }

  /// Asks once for about a million values that are looked at.
  [[nodiscard]] bool may_go_on(std::size_t values) const {
    constexpr std::uint32_t often = 1 << 20;
    looks_ += static_cast<std::uint32_t>(std::min<std::size_t>(values, often));
    if (looks_ < often) return true;
    looks_ = 0;
    return !may_go_on_ || may_go_on_();
  }

  [[nodiscard]] bool read(ProcessIndex p, const std::vector<std::uint32_t>& read,
                          std::vector<ReadColumn>& columns, std::vector<bool>& relevant) const {
    LocalExpressions::Process process = local_.start(computation_.process_name(p));
    std::vector<Datum> now(read.size());
    const auto look = [&](Row row) {
      const auto labels = computation_.labels(row);
      const auto truth = local_.declared(process, labels);
      for (std::size_t i = 0; i < read.size(); ++i) {
        const Reading& reading = readings_[read[i]];
        now[i] = local_.value(reading.expression, process, labels, truth);
        if (reading.truth) now[i] = std::int64_t{is_true(now[i])};
      }
    };
    const auto keep = [&] {
      for (std::size_t i = 0; i < read.size(); ++i) columns[read[i]].values.push_back(now[i]);
    };
    const auto changed = [&] {
      for (std::size_t i = 0; i < read.size(); ++i) {
        if (columns[read[i]].values.back() != now[i]) return true;
      }
      return false;
    };
    const Row initial = computation_.initial_row(p);
    (void)local_.assign(process, computation_.assignments(initial));
    look(initial);
    keep();
    for (EventIndex e = computation_.first_event(p); e < computation_.end_event(p); ++e) {
      const auto assignments = computation_.assignments(e);
      const bool assigned = !assignments.empty() && local_.assign(process, assignments);
      if (!assigned && !local_.read_events()) continue;
      if (!may_go_on(read.size())) return false;
      look(e);
      if (!changed()) continue;
      relevant[e] = true;
      keep();
    }
    return true;
  }

  const Computation& computation_;
  const Properties& properties_;
  const std::function<bool()>& may_go_on_;
  LocalExpressions local_;
  std::map<std::string, std::uint32_t> numbers_;  // of local expressions, by their keys
  std::map<std::tuple<ProcessIndex, std::uint32_t, bool>, std::uint32_t> column_of_;
  std::vector<Reading> readings_;
  mutable std::uint32_t looks_ = 0;
};

}  // namespace

Datum value_of(const Term& term, std::span<const Datum> columns) {
  return evaluate(term, [&](const Term& leaf) -> Datum {
    if (leaf.kind == Expression::Kind::aggregate)
      return fold(leaf.aggregate, leaf.columns, columns);
    return columns[leaf.columns[0]];
  });
}

GlobalPredicate::GlobalPredicate(const Computation& computation, const Properties& properties,
                                 const Expression& expression,
                                 const std::function<bool()>& may_go_on)
    : relevant_(computation, [](EventIndex) { return false; }) {
  Binder binder(computation, properties, may_go_on);
  term_ = binder.bind(expression);
  std::vector<bool> relevant(computation.event_count(), false);
  is_whole_ = binder.read(columns_, relevant);
  if (!is_whole_) {
    columns_.clear();
    term_ = {};
    return;
  }
  relevant_ = Selection(computation, [&](EventIndex e) { return relevant[e]; });
}

}  // namespace lightcone
