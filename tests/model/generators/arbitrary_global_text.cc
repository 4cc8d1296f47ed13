// Writes random global predicates: bounds are near what occurs, so that both answers are likely.
#include <fmt/format.h>
#include <lightcone/error.h>
#include <lightcone/property/language/parser.h>

#include <initializer_list>

#include "model/definitions/global_definitions.h"
#include "model/generators/arbitrary_globals.h"

namespace lightcone::arbitrary {
namespace {

[[nodiscard]] std::string spelled(const definition::Scalar& value) {
  if (const auto* number = std::get_if<mpq_class>(&value)) {
    if (number->get_den() == 1 && number->get_num().fits_slong_p()) return number->get_str();
    const std::string digits = fmt::format("{}", number->get_d());
    return digits.find_first_of(".e") == std::string::npos ? digits + ".0" : digits;
  }
  if (const auto* text = std::get_if<std::string>(&value)) return "\"" + *text + "\"";
  return "0";
}

class GlobalWriter {
 public:
  GlobalWriter(std::mt19937_64& random, const Computation& computation)
      : random_(random), computation_(computation) {}

  [[nodiscard]] std::string file() {
    if (chance(50)) declare_group();
    if (chance(20)) declare_label(one_of({"flag", "y", "a"}));
    if (chance(60)) declare_label("busy");
    std::string properties;
    for (const char* modality : {"possibly", "definitely", "properly"}) {
      properties += fmt::format("watch {0}_it : {0} {1}\n", modality, expression(2));
    }
    return header_ + properties;
  }

 private:
  [[nodiscard]] std::uint64_t below(std::uint64_t end) { return random_() % end; }
  [[nodiscard]] bool chance(std::uint64_t percent) { return below(100) < percent; }
  [[nodiscard]] std::string one_of(std::initializer_list<const char*> choices) {
    return *(choices.begin() + below(choices.size()));
  }

  // Who, and what of them.

  [[nodiscard]] std::string process() {
    return std::string(
        computation_.process_name(static_cast<ProcessIndex>(below(computation_.process_count()))));
  }

  void declare_group() {
    group_ = chance(20) ? process() : "team";
    header_ +=
        "group " + group_ + " = " + one_of({"p1", "*1", "p2", "p*"}) + ", " + process() + "\n";
  }

  void declare_label(const std::string& name) {
    header_ += "label " + name + " = " + local(1) + "\n";
    if (name == "busy") labels_.push_back(name);
  }

  [[nodiscard]] std::string within() {
    if (!chance(35)) return "";
    return " in " + (group_.empty() || chance(20) ? process() : group_);
  }

  [[nodiscard]] std::string relation() { return one_of({"==", "==", "!=", "<", "<=", ">", ">="}); }
  [[nodiscard]] std::string number() { return one_of({"x", "x", "y"}); }

  [[nodiscard]] std::string local(int depth) {
    if (depth > 0 && chance(30)) {
      switch (below(3)) {
        case 0: return local(depth - 1) + " and " + local(depth - 1);
        case 1: return local(depth - 1) + " or " + local(depth - 1);
        default: return "not " + local(depth - 1);
      }
    }
    switch (below(10)) {
      case 0: return "flag";
      case 1: return labels_.empty() ? "flag" : labels_[below(labels_.size())];
      case 2: return "event == \"" + one_of({"a", "b"}) + "\"";
      case 3: return "(process != \"" + process() + "\" or flag)";
      case 4: return "name " + relation() + " \"" + one_of({"ann", "bob", ""}) + "\"";
      case 5: return "x + y " + relation() + " " + std::to_string(below(4));
      default: return number() + " " + relation() + " " + std::to_string(below(4));
    }
  }

  [[nodiscard]] std::string own() { return process() + "." + number(); }
  [[nodiscard]] std::string own_truth() {
    switch (below(5)) {
      case 0: return process() + (labels_.empty() ? ".flag" : "." + labels_[below(labels_.size())]);
      case 1: return process() + ".flag";
      case 2: return process() + ".name == \"" + one_of({"ann", "bob", ""}) + "\"";
      case 3: return chance(50) ? "not " + process() + ".flag" : compared(own() + " + " + own());
      default: return compared(own());
    }
  }

  // Terms.

  /// A constant near what the term is worth in some global state, consistent or not.
  [[nodiscard]] std::string near(const std::string& term) {
    const auto properties = parse_property_syntax(header_ + "watch w : possibly " + term, "term");
    LIGHTCONE_ASSERT(properties.has_value());
    const auto& global = std::get<Global>(properties->properties.at(0).question);
    definition::GlobalState state;
    for (ProcessIndex p = 0; p < computation_.process_count(); ++p) {
      state.push_back(static_cast<Rank>(below(computation_.last_rank(p) + std::uint64_t{1})));
    }
    const std::string value = spelled(
        definition::GlobalExpression(computation_, *properties, global.expression).value_at(state));
    if (value[0] == '"' || chance(70)) return value;
    return value + one_of({" + 1", " - 1", " + 0.5"});
  }

  [[nodiscard]] std::string compared(const std::string& term) {
    const std::string bound = near(term);
    return chance(85) ? term + " " + relation() + " " + bound
                      : bound + " " + relation() + " " + term;
  }

  [[nodiscard]] std::string linear() {
    std::string out = chance(20) ? "-" + own() : own();
    do {
      out += one_of({" + ", " - "}) +
             one_of({"", "", "", "2 * ", "3 * ", "(1 - 3) * ", "0 * ", "1.5 * "}) +
             (chance(70) ? own() : aggregate());
    } while (chance(40));
    return out;
  }

  [[nodiscard]] std::string aggregate() {
    switch (below(5)) {
      case 0: return "count(" + local(1) + within() + ")";
      case 1: return "min(" + number() + within() + ")";
      case 2: return "max(" + number() + within() + ")";
      default: return "sum(" + number() + within() + ")";
    }
  }

  [[nodiscard]] std::string other_term() {
    switch (below(7)) {
      case 0: return own() + " * " + own();
      case 1: return own() + " / " + own();
      case 2: return "sum(" + number() + ") / count(" + local(0) + ")";
      case 3: return aggregate() + " - " + aggregate();
      case 4: return "2 * (" + linear() + ")";
      case 5: return "(" + own_truth() + ") + count(" + local(1) + ")";
      default: return "-(" + aggregate() + " / 2)";
    }
  }

  /// Where integers end, reals begin, and rounding would be seen.
  [[nodiscard]] std::string edge_of_arithmetic() {
    const std::string most = "9223372036854775807";
    const std::string large = one_of({"9223372036854775807", "4611686018427387904",
                                      "9007199254740992", "9007199254740992.0", "1e300"});
    switch (below(6)) {
      case 0: return own() + " + " + most + " " + relation() + " " + own() + " + " + most;
      case 1: return own() + " + " + large + " - " + large + " " + relation() + " " + own();
      case 2: return "sum(x) + " + large + " " + relation() + " " + large;
      case 3: return own() + " + " + own() + " + " + own() + " " + relation() + " " + own();
      case 4: return "(-" + most + " - 1) * (" + own() + " - " + own() + ") " + relation() + " 0";
      default: return own() + " / 0 == 1 or " + own() + " - 0.1 " + relation() + " " + own();
    }
  }

  // Truths.

  [[nodiscard]] std::string of_locals(const std::string& join) {
    std::string out = own_truth();
    do {
      out += join + (chance(80) ? own_truth() : compared("p1.x"));
    } while (chance(50));
    return out;
  }

  [[nodiscard]] std::string of_count() {
    return "count(" + local(1) + within() + ") " + relation() + " " +
           std::to_string(below(computation_.process_count() + std::uint64_t{1}));
  }

  [[nodiscard]] std::string nested(int depth) {
    const auto part = [&] { return "(" + expression(depth - 1) + ")"; };
    switch (below(7)) {
      case 0: return part() + " and " + part();
      case 1: return part() + " or " + part();
      case 2: return "not " + part();
      case 3: return part() + " and " + part() + " and not " + part();
      case 4: return part() + " or (" + part() + " and " + part() + ")";
      case 5: return part() + " == " + part();
      default: return part() + one_of({" and true", " or false", " and 1 / 0 != 1", " or 0.5"});
    }
  }

  [[nodiscard]] std::string expression(int depth) {
    if (depth > 0 && chance(25)) return nested(depth);
    switch (below(20)) {
      case 0:
      case 1: return of_locals(" and ");
      case 2: return of_locals(" or ");
      case 16:
      case 17: return compared("sum(" + number() + ")");
      case 18: return compared(linear());
      case 19: return "sum(x) - " + own() + " " + relation() + " " + process() + ".y";
      case 3: return "all(" + local(1) + within() + ")";
      case 4: return "any(" + local(1) + within() + ")";
      case 5: return of_count();
      case 6:
      case 7: return compared("sum(" + number() + within() + ")");
      case 8: return compared(linear());
      case 9: return own() + " " + relation() + " " + own();
      case 10: return compared(aggregate());
      case 11: return compared(other_term());
      case 12: return process() + ".name " + relation() + " " + process() + ".name";
      case 13: return edge_of_arithmetic();
      case 14: return chance(50) ? linear() : aggregate();
      default: return aggregate() + " " + relation() + " " + linear();
    }
  }

  std::mt19937_64& random_;
  const Computation& computation_;
  std::string header_;
  std::string group_;
  std::vector<std::string> labels_;
};

}  // namespace

std::string random_globals(std::mt19937_64& random, const Computation& computation) {
  return GlobalWriter(random, computation).file();
}

}  // namespace lightcone::arbitrary
