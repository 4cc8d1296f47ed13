// Writes the forms of a condition and its parts.
#include "model/generators/condition_shape.h"

namespace lightcone {

std::string shape_of(const Condition& condition) {
  using Form = Condition::Form;
  using Relation = Condition::Relation;
  switch (condition.form) {
    case Form::constant: return condition.truth ? "true" : "false";
    case Form::local: return "local";
    case Form::sum:
      return condition.relation == Relation::at_least  ? "sum>="
             : condition.relation == Relation::at_most ? "sum<="
                                                       : "sum==";
    case Form::term: return "term";
    case Form::all:
    case Form::any: break;
  }
  std::string text = condition.form == Form::all ? "all(" : "any(";
  for (const Condition& part : condition.parts) text += shape_of(part) + " ";
  text.back() = ')';
  return text;
}

}  // namespace lightcone
