// What a property file says, as trees: groups, labels, flows, logic, global predicates.
#pragma once

#include <lightcone/property/token.h>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace lightcone {

/// `a` or `who:a`: a label, carried by anyone or by a process or group.
struct LabelName {
  std::string who = {};  ///< empty: anyone
  std::string label = {};
  Place place = {};
  friend bool operator==(const LabelName& a, const LabelName& b) {
    return a.who == b.who && a.label == b.label;
  }
};

/// A test of one letter: `.` is none_of nothing, `a` one_of a, `!a` none_of a.
struct Atom {
  enum class Kind : std::uint8_t { one_of, none_of };
  Kind kind = Kind::none_of;
  std::vector<LabelName> names = {};
};

/// A regular expression over letters.
struct Pattern {
  enum class Kind : std::uint8_t { atom, sequence, choice, repeat };
  static constexpr std::uint32_t unbounded = UINT32_MAX;

  Kind kind = Kind::sequence;
  Atom atom = {};
  std::vector<Pattern> parts = {};  ///< of a sequence, a choice; the one that is repeated
  std::uint32_t least = 1, most = 1;
};

/// A question about the words of events.
struct Flow {
  bool every = false;    ///< all words, not just one
  bool longest = false;  ///< words of maximal paths of the covering graph
  std::optional<std::vector<LabelName>> over = {};  ///< the alphabet, where it is said
  std::optional<Atom> at = {};
  Pattern pattern = {};  ///< of the whole word
};

/// One side of an LRDAG equation.
struct Formula {
  enum class Kind : std::uint8_t {
    constant,
    atom,
    initial,
    send,
    receive,  // of the state itself
    variable,
    previous,
    message,  // of a variable: here, in the local, the remote past
    negation,
    conjunction,
    disjunction,
    equivalence,
  };
  Kind kind = Kind::constant;
  bool value = false;          ///< of a constant
  std::uint32_t variable = 0;  ///< the index of its equation
  Atom atom = {};
  std::vector<Formula> parts = {};
};

/// `x := f`
struct Equation {
  std::string name;
  Formula formula;
  std::string text;  ///< the formula as it was written
};

/// A block of equations; the property is where one of them holds.
struct Logic {
  std::vector<Equation> equations;
  std::uint32_t detected = 0;
};

/// An expression over the variables of one process, or of all.
struct Expression {
  enum class Kind : std::uint8_t {
    boolean,
    integer,
    real,
    text,  // constants
    variable,
    label,
    event_is,
    process_is,        // of one local state; `name` says which
    process_variable,  // `process.name`
    aggregate,         // over processes: `count(part in group)`
    minus,
    plus,
    times,
    divided,  // minus of one part, plus of any number
    equal,
    unequal,
    less,
    at_most,
    greater,
    at_least,
    negation,
    conjunction,
    disjunction,
  };
  enum class Aggregate : std::uint8_t { count, all, any, sum, min, max };

  Kind kind = Kind::boolean;
  Aggregate aggregate = Aggregate::count;
  bool boolean = false;
  std::int64_t integer = 0;
  double real = 0;
  std::string name = {};
  std::string who = {};  ///< a process, or the group of an aggregate (empty: all processes)
  std::vector<Expression> parts = {};
  Place place = {};
};

/// `possibly E`, `definitely E`, `properly E`.
struct Global {
  enum class Modality : std::uint8_t { possibly, definitely, properly };
  Modality modality = Modality::possibly;
  Expression expression;
};

enum class Verb : std::uint8_t { forbid, expect, require, watch };

struct Property {
  Verb verb = Verb::watch;
  std::string name;
  std::string text;  ///< the question as it was written, on one line
  Place place = {};
  std::variant<Flow, Logic, Global> question;
};

/// Processes by name; `*` in a pattern stands for any run of characters.
struct Group {
  std::string name;
  std::vector<std::string> patterns;
  Place place = {};
};

/// A local predicate with a name.
struct DeclaredLabel {
  std::string name;
  Expression predicate;
  Place place = {};
};

/// All that a property file says.
struct Properties {
  std::string file;
  std::vector<Group> groups;
  std::vector<DeclaredLabel> labels;
  std::vector<Property> properties;

  [[nodiscard]] const Group* find_group(std::string_view name) const;
  /// The index of a declared label.
  [[nodiscard]] std::optional<std::uint32_t> find_label(std::string_view name) const;
};

[[nodiscard]] std::string_view name_of(Verb verb);

}  // namespace lightcone
