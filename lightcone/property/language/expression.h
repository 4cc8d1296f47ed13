// Local predicates and global expressions, as trees.
#pragma once

#include <lightcone/base/regular_expression.h>
#include <lightcone/property/language/token.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lightcone {

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
    attribute,         // of its event: text, message, kind, source or time, as `name` says
    some_message,      // the comparison in its part is true of one message of the event
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
    containing,  // the text of the first part has that of the second in it
    matching,    // the expression `regex` matches somewhere in the first part
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
  std::shared_ptr<const RegularExpression> regex = {};  ///< of matching; `name` is its text
  TextPlace place = {};
};

/// `possibly E`, `definitely E`, `properly E`.
struct Global {
  enum class Modality : std::uint8_t { possibly, definitely, properly };
  Modality modality = Modality::possibly;
  Expression expression;
};

}  // namespace lightcone
