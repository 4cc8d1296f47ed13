// Finds the leaves of a global expression, and evaluates them state by state.
#include <lightcone/property/states/global_reads.h>

#include <fmt/format.h>
#include <lightcone/property/language/expression_text.h>
#include <lightcone/property/states/evaluation.h>
#include <lightcone/property/states/vocabulary.h>

#include <algorithm>
#include <bit>

namespace lightcone {
namespace {

using Form = Expression::Kind;
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
  const Form better = aggregate == Aggregate::min ? Form::less : Form::greater;
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

}  // namespace

Datum value_of(const Term& term, std::span<const Datum> columns) {
  return evaluate(term, [&](const Term& leaf) -> Datum {
    if (leaf.kind == Form::aggregate) return fold(leaf.aggregate, leaf.columns, columns);
    return columns[leaf.columns[0]];
  });
}

GlobalReads::GlobalReads(const Properties& properties, const Expression& expression,
                         const Names& names)
    : properties_(properties), expression_(expression), local_(properties, names) {
  collect(expression);
}

void GlobalReads::intern_names(const Expression& expression, Names& names) {
  if (expression.kind == Form::variable || expression.kind == Form::process_variable ||
      expression.kind == Form::event_is) {
    (void)names.intern(expression.name);
  }
  for (const Expression& part : expression.parts) intern_names(part, names);
}

void GlobalReads::collect(const Expression& expression) {
  if (expression.kind == Form::process_variable) {
    const bool label = properties_.find_label(expression.name).has_value();
    Expression variable;
    variable.kind = label ? Form::label : Form::variable;
    variable.name = expression.name;
    leaves_.push_back({&expression, read_of(variable, label)});
  } else if (expression.kind == Form::aggregate) {
    leaves_.push_back(
        {&expression, read_of(expression.parts[0], is_of_truth(expression.aggregate))});
  } else {
    for (const Expression& part : expression.parts) collect(part);
  }
}

/// The number of a read; what is read twice is followed once.
std::uint32_t GlobalReads::read_of(const Expression& local, bool is_truth) {
  const auto next = static_cast<std::uint32_t>(reads_.size());
  const auto [place, is_new] = read_index_.try_emplace({key_of(local), is_truth}, next);
  if (is_new) reads_.push_back({local_.add(local), is_truth, text_of(local)});
  return place->second;
}

bool GlobalReads::concerns(const Leaf& leaf, std::string_view process) const {
  const std::string& who = leaf.expression->who;
  if (leaf.expression->kind == Form::process_variable) return who == process;
  if (who.empty()) return true;
  const Group* group = properties_.find_group(who);
  return group != nullptr ? contains(*group, process) : who == process;
}

std::vector<std::uint32_t> GlobalReads::of(std::string_view process) const {
  std::vector<std::uint32_t> read;
  for (const Leaf& leaf : leaves_) {
    if (concerns(leaf, process) && std::ranges::find(read, leaf.read) == read.end()) {
      read.push_back(leaf.read);
    }
  }
  return read;
}

std::optional<std::vector<std::string>> GlobalReads::only_processes() const {
  std::vector<std::string> all;
  for (const Leaf& leaf : leaves_) {
    const std::string& who = leaf.expression->who;
    const Group* group =
        leaf.expression->kind == Form::aggregate ? properties_.find_group(who) : nullptr;
    if (who.empty()) return std::nullopt;
    if (group == nullptr) {
      all.push_back(who);
      continue;
    }
    for (const std::string& pattern : group->patterns) {
      if (pattern.find('*') != std::string::npos) return std::nullopt;
      all.push_back(pattern);
    }
  }
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  return all;
}

Term GlobalReads::bind(std::span<const std::string> processes, std::vector<Column>& columns) const {
  std::map<Column, std::uint32_t> index;
  std::size_t leaf = 0;
  return bind(expression_, processes, leaf, index, columns);
}

Term GlobalReads::bind(const Expression& expression, std::span<const std::string> processes,
                       std::size_t& leaf, std::map<Column, std::uint32_t>& index,
                       std::vector<Column>& columns) const {
  Term term{expression.kind, expression.aggregate, constant_of(expression), {}, {}};
  if (expression.kind != Form::process_variable && expression.kind != Form::aggregate) {
    for (const Expression& part : expression.parts) {
      term.parts.push_back(bind(part, processes, leaf, index, columns));
    }
    return term;
  }
  const Leaf& here = leaves_[leaf++];
  for (ProcessIndex p = 0; p < processes.size(); ++p) {
    if (!concerns(here, processes[p])) continue;
    const Column column{p, here.read};
    const auto [place, is_new] =
        index.try_emplace(column, static_cast<std::uint32_t>(columns.size()));
    if (is_new) columns.push_back(column);
    term.columns.push_back(place->second);
  }
  if (term.columns.empty() && term.kind == Form::process_variable) {
    // Of several executions, some may lack a process. What it would have is null, as the minimum
    // of nothing.
    term.kind = Form::aggregate;
    term.aggregate = Aggregate::min;
  }
  return term;
}

StateReader::StateReader(const GlobalReads& reads, std::string_view process)
    : all_(&reads),
      read_(reads.of(process)),
      state_(reads.local().start(process)),
      values_(read_.size()),
      next_(read_.size()) {}

bool StateReader::observe(const StateContent& state) {
  const LocalExpressions& local = all_->local();
  const bool assigned = !state.assignments.empty() && local.assign(state_, state.assignments);
  if (has_started_ && !assigned && !local.read_events()) return false;
  has_started_ = true;
  if (read_.empty()) return false;
  const auto truth = local.declared(state_, state);
  for (std::size_t i = 0; i < read_.size(); ++i) {
    const GlobalReads::Read& read = all_->reads()[read_[i]];
    next_[i] = local.value(read.expression, state_, state, truth);
    if (read.is_truth) next_[i] = std::int64_t{is_true(next_[i])};
  }
  if (next_ == values_) return false;
  values_.swap(next_);
  return true;
}

}  // namespace lightcone
