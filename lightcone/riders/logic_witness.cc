// Finds out what the value of an equation's variable rests on, from its state into the past.
#include <lightcone/riders/witness.h>

#include <lightcone/causality.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace lightcone {
namespace {

using FormulaKind = Formula::Kind;

[[nodiscard]] ProcessIndex process_of_row(const Computation& computation, Row row) {
  return row < computation.event_count() ? computation.process_of(row)
                                         : row - computation.event_count();
}

/// The local predecessor of a state; `none` for an initial one.
[[nodiscard]] Row previous_row(const Computation& computation, Row row) {
  if (row >= computation.event_count()) return none;
  return computation.rank_of(row) > 1 ? row - 1
                                      : computation.initial_row(process_of_row(computation, row));
}

[[nodiscard]] std::span<const MessageIndex> taken(const Computation& computation, Row row) {
  if (row >= computation.event_count()) return {};
  return computation.takes(row);
}

/// The values of all variables of a block in the past of one state.
class Values {
 public:
  Values(const Inspection& inspection, const CompiledLogic& logic, Row row)
      : inspection_(inspection),
        computation_(inspection.computation()),
        logic_(logic),
        past_(past_of(inspection.computation(), row)) {
    for (ProcessIndex p = 0; p < computation_.process_count(); ++p) {
      first_.push_back(states_);
      states_ += std::size_t{past_[p]} + 1;
    }
  }

  [[nodiscard]] std::size_t bytes() const { return states_ * logic_.formulas.size() / 8; }

  void compute() {
    values_.assign(states_ * logic_.formulas.size(), false);
    for (ProcessIndex p = 0; p < computation_.process_count(); ++p) {
      compute(computation_.initial_row(p));
    }
    for (const EventIndex e : computation_.order()) {
      if (computation_.rank_of(e) <= past_[computation_.process_of(e)]) compute(e);
    }
  }

  [[nodiscard]] bool at(std::uint32_t variable, Row row) const {
    return values_[place(row) + variable];
  }

  [[nodiscard]] bool evaluate(const Formula& formula, Row row) const {
    const auto is_true = [&](const Formula& part) { return evaluate(part, row); };
    const auto& parts = formula.parts;
    const auto holds = [&](auto test) {
      return inspection_.observer().holds(inspection_.scene(row), test);
    };
    switch (formula.kind) {
      case FormulaKind::constant: return formula.value;
      case FormulaKind::atom: return holds(logic_.tests[formula.variable]);
      case FormulaKind::initial: return holds(Vocabulary::initial);
      case FormulaKind::send: return holds(Vocabulary::send);
      case FormulaKind::receive: return holds(Vocabulary::receive);
      case FormulaKind::variable: return at(formula.variable, row);
      case FormulaKind::previous: {
        const Row before = previous_row(computation_, row);
        return before != none && at(formula.variable, before);
      }
      case FormulaKind::message: {
        const auto messages = taken(computation_, row);
        return std::any_of(messages.begin(), messages.end(), [&](MessageIndex m) {
          return at(formula.variable, computation_.sent_by(m));
        });
      }
      case FormulaKind::negation: return !is_true(parts[0]);
      case FormulaKind::conjunction: return std::all_of(parts.begin(), parts.end(), is_true);
      case FormulaKind::disjunction: return std::any_of(parts.begin(), parts.end(), is_true);
      case FormulaKind::equivalence: break;
    }
    return is_true(parts[0]) == is_true(parts[1]);
  }

 private:
  [[nodiscard]] static std::vector<Rank> past_of(const Computation& computation, Row row) {
    if (row < computation.event_count()) return causal_past(computation, row);
    return std::vector<Rank>(computation.process_count(), 0);
  }
  [[nodiscard]] std::size_t place(Row row) const {
    const Rank rank = row < computation_.event_count() ? computation_.rank_of(row) : 0;
    return (first_[process_of_row(computation_, row)] + rank) * logic_.formulas.size();
  }
  void compute(Row row) {
    for (std::uint32_t i = 0; i < logic_.formulas.size(); ++i) {
      values_[place(row) + i] = evaluate(logic_.formulas[i], row);
    }
  }

  const Inspection& inspection_;
  const Computation& computation_;
  const CompiledLogic& logic_;
  std::vector<Rank> past_;
  std::vector<std::size_t> first_;
  std::size_t states_ = 0;
  std::vector<bool> values_;  // by state and variable
};

/// A name as a property file has it.
[[nodiscard]] std::string written(const std::string& name) {
  const auto in_word = [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  const bool is_word = !name.empty() && !(name[0] >= '0' && name[0] <= '9') &&
                       std::all_of(name.begin(), name.end(), in_word);
  if (is_word) return name;
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

/// `busy`, `not p1:busy`, `[a b]`, `[^a b]`
[[nodiscard]] std::string atom_text(const Atom& atom, bool value) {
  const bool one_of = (atom.kind == Atom::Kind::one_of) == value;
  std::string names;
  for (const LabelName& name : atom.names) {
    if (!names.empty()) names += ' ';
    names += (name.who.empty() ? "" : written(name.who) + ":") + written(name.label);
  }
  if (atom.names.size() == 1) return (one_of ? "" : "not ") + names;
  return (one_of ? "[" : "[^") + names + "]";
}

/// A variable at a state.
struct Subject {
  std::uint32_t variable = 0;
  Row row = 0;
  friend auto operator<=>(const Subject&, const Subject&) = default;
};

/// What a formula's value rests on at one state.
struct Support {
  std::vector<std::string> facts;
  std::vector<Subject> subjects;
  std::vector<MessageIndex> by;  ///< how each subject is known here; `none`: without a message
  std::string absence;           ///< of a predecessor: said only where it is all there is to say

  void add_fact(std::string fact) {
    if (std::find(facts.begin(), facts.end(), fact) == facts.end()) facts.push_back(fact);
  }
  void add_subject(Subject subject, MessageIndex message = none) {
    if (std::find(subjects.begin(), subjects.end(), subject) != subjects.end()) return;
    subjects.push_back(subject);
    by.push_back(message);
  }
};

/// Collects the support of one formula at one state.
class SupportFinder {
 public:
  SupportFinder(const Computation& computation, const Values& values, Row row)
      : computation_(computation), values_(values), row_(row) {}

  [[nodiscard]] Support find(const Formula& formula) {
    support_ = {};
    add(formula, values_.evaluate(formula, row_));
    if (support_.facts.empty() && support_.subjects.empty() && !support_.absence.empty()) {
      support_.facts.push_back(support_.absence);
    }
    return std::move(support_);
  }

 private:
  /// Returns how far the eye has to go for a formula: atoms, this state, the state before, a
  /// message.
  [[nodiscard]] int distance(const Formula& formula, bool value) const {
    switch (formula.kind) {
      case FormulaKind::variable: return 1;
      case FormulaKind::previous: return 2;
      case FormulaKind::message: return 3;
      case FormulaKind::negation: return distance(formula.parts[0], !value);
      case FormulaKind::conjunction:
      case FormulaKind::disjunction:
        if (rests_on_one(formula, value)) {
          const Formula* part = choose(formula, value);
          return part == nullptr ? 0 : distance(*part, value);
        }
        break;
      default: break;
    }
    int farthest = 0;
    for (const Formula& part : formula.parts) {
      farthest = std::max(farthest, distance(part, values_.evaluate(part, row_)));
    }
    return farthest;
  }
  /// A disjunction that holds, a conjunction that does not: one part is enough.
  [[nodiscard]] static bool rests_on_one(const Formula& formula, bool value) {
    return formula.kind == (value ? FormulaKind::disjunction : FormulaKind::conjunction);
  }
  /// The nearest part that has this value.
  [[nodiscard]] const Formula* choose(const Formula& formula, bool value) const {
    const Formula* nearest = nullptr;
    int least = 0;
    for (const Formula& part : formula.parts) {
      if (values_.evaluate(part, row_) != value) continue;
      const int far = distance(part, value);
      if (nearest == nullptr || far < least) {
        nearest = &part;
        least = far;
      }
    }
    return nearest;
  }

  void add(const Formula& formula, bool value) {
    const std::string no = value ? "" : "not ";
    switch (formula.kind) {
      case FormulaKind::constant: return;
      case FormulaKind::atom:
        if (!formula.atom.names.empty()) support_.add_fact(atom_text(formula.atom, value));
        return;  // `.` says nothing
      case FormulaKind::initial: return support_.add_fact(no + "initial");
      case FormulaKind::send: return support_.add_fact(no + "send");
      case FormulaKind::receive: return support_.add_fact(no + "receive");
      case FormulaKind::variable: return support_.add_subject({formula.variable, row_});
      case FormulaKind::previous: return add_previous(formula.variable);
      case FormulaKind::message: return add_message(formula.variable, value);
      case FormulaKind::negation: return add(formula.parts[0], !value);
      case FormulaKind::equivalence:
        for (const Formula& part : formula.parts) add(part, values_.evaluate(part, row_));
        return;
      case FormulaKind::conjunction:
      case FormulaKind::disjunction: break;
    }
    if (rests_on_one(formula, value)) {
      if (const Formula* part = choose(formula, value)) add(*part, value);
      return;
    }
    for (const Formula& part : formula.parts) add(part, value);
  }
  void add_previous(std::uint32_t variable) {
    const Row before = previous_row(computation_, row_);
    if (before != none) return support_.add_subject({variable, before});
    if (support_.absence.empty()) support_.absence = "nothing before it";
  }
  void add_message(std::uint32_t variable, bool value) {
    const auto messages = taken(computation_, row_);
    if (messages.empty() && support_.absence.empty()) support_.absence = "no message received";
    for (const MessageIndex m : messages) {
      if (values_.at(variable, computation_.sent_by(m)) != value) continue;
      support_.add_subject({variable, computation_.sent_by(m)}, m);
      if (value) return;
    }
  }

  const Computation& computation_;
  const Values& values_;
  Row row_;
  Support support_;
};

/// Follows subjects into the past, the nearest first.
class ReasonSearch {
 public:
  ReasonSearch(const Inspection& inspection, const CompiledLogic& logic, const Values& values,
               std::size_t most)
      : computation_(inspection.computation()), logic_(logic), values_(values), most_(most) {}

  [[nodiscard]] std::vector<LogicReason> run(Row row) {
    (void)index_of({logic_.logic->detected, row});
    for (std::size_t i = 0; i < reasons_.size(); ++i) follow(i);
    return std::move(reasons_);
  }

 private:
  [[nodiscard]] Support support(Subject subject) const {
    return SupportFinder(computation_, values_, subject.row)
        .find(logic_.formulas[subject.variable]);
  }
  /// Returns whether all that is not a fact is the same variable, of the same value, in the state
  /// before.
  [[nodiscard]] bool is_carried(const Support& support, Subject subject) const {
    const Subject before{subject.variable, previous_row(computation_, subject.row)};
    return support.subjects.size() == 1 && support.subjects[0] == before &&
           values_.at(before.variable, before.row) == values_.at(subject.variable, subject.row);
  }
  /// Where a value that is merely carried along, without facts, came from.
  [[nodiscard]] Subject source_of(Subject subject) const {
    for (Support found = support(subject); found.facts.empty() && is_carried(found, subject);
         found = support(subject)) {
      subject = found.subjects[0];
    }
    return subject;
  }
  [[nodiscard]] std::optional<std::size_t> index_of(Subject subject) {
    const auto known = index_.find(subject);
    if (known != index_.end()) return known->second;
    if (reasons_.size() == most_) return std::nullopt;
    index_.emplace(subject, reasons_.size());
    LogicReason reason;
    reason.variable = subject.variable;
    reason.row = subject.row;
    reason.value = values_.at(subject.variable, subject.row);
    reasons_.push_back(std::move(reason));
    return reasons_.size() - 1;
  }
  void follow(std::size_t index) {
    Subject subject{reasons_[index].variable, reasons_[index].row};
    Support found = support(subject);
    while (is_carried(found, subject)) {
      Support before = support(found.subjects[0]);
      if (before.facts != found.facts) break;
      subject = found.subjects[0];
      found = std::move(before);
    }
    reasons_[index].since = subject.row;
    reasons_[index].facts = std::move(found.facts);
    for (std::size_t i = 0; i < found.subjects.size(); ++i) {
      if (const auto other = index_of(source_of(found.subjects[i]))) {
        reasons_[index].because.push_back(*other);
        reasons_[index].by.push_back(found.by[i]);
      } else {
        reasons_[index].is_cut = true;
      }
    }
  }

  const Computation& computation_;
  const CompiledLogic& logic_;
  const Values& values_;
  std::size_t most_;
  std::vector<LogicReason> reasons_;
  std::map<Subject, std::size_t> index_;
};

}  // namespace

Expected<std::vector<LogicReason>> logic_witness(const Inspection& inspection,
                                                 const CompiledLogic& logic, Row row,
                                                 std::size_t most, std::size_t budget) {
  Values values(inspection, logic, row);
  if (values.bytes() > budget) return failure("the past of this event is too large to search");
  values.compute();
  return ReasonSearch(inspection, logic, values, most).run(row);
}

}  // namespace lightcone
