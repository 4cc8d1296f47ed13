// Writes random property files: whom and what they speak of is given, the rest is chance.
#include "model/generators/arbitrary_properties.h"

#include "model/definitions/predicate_definitions.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace lightcone::arbitrary {
namespace {

[[nodiscard]] bool needs_no_quotes(const std::string& name) {
  const auto in_word = [](unsigned char c) { return c == '_' || (c < 128 && std::isalnum(c)); };
  return !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
         std::all_of(name.begin(), name.end(), in_word);
}

class PropertyWriter {
 public:
  PropertyWriter(std::mt19937_64& random, const PropertyOptions& options)
      : random_(random), options_(options), labels_(options.labels) {
    if (labels_.empty()) labels_.emplace_back("a");
  }

  [[nodiscard]] std::string file() {
    std::string out = chance(20) ? "# a comment\n\n" : "";
    for (std::uint64_t i = below(3); i > 0; --i) out += group();
    for (std::uint64_t i = below(4); i > 0; --i) out += label();
    if (chance(20)) labels_.emplace_back("unheard of");
    for (std::size_t i = 0; i < options_.flows; ++i) out += property(flow());
    for (std::size_t i = 0; i < options_.blocks; ++i) out += property(block());
    return out;
  }

 private:
  [[nodiscard]] std::uint64_t below(std::uint64_t end) { return random_() % end; }
  [[nodiscard]] bool chance(std::uint64_t percent) { return below(100) < percent; }
  template <class T>
  [[nodiscard]] const T& one_of(const std::vector<T>& choices) {
    return choices[below(choices.size())];
  }
  [[nodiscard]] std::string one_of(std::initializer_list<const char*> choices) {
    return *(choices.begin() + below(choices.size()));
  }

  [[nodiscard]] std::string name(const std::string& name) {
    if (needs_no_quotes(name) && !chance(5)) return name;
    std::string quoted = "\"";
    for (const char c : name) {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
    return quoted + '"';
  }

  /// A space, or the next line of the same statement.
  [[nodiscard]] std::string space() {
    return chance(3) ? one_of({"\n    ", "  # why not\n  ", "\t"}) : " ";
  }

  // Groups.

  [[nodiscard]] std::string process_pattern() {
    const std::string& process = one_of(options_.processes);
    const std::size_t cut = below(process.size() + 1);
    switch (below(4)) {
      case 0: return process.substr(0, cut) + "*";
      case 1: return "*" + process.substr(cut);
      case 2: return process.substr(0, cut) + "*" + process.substr(cut);
      default: return process;
    }
  }

  [[nodiscard]] std::string group() {
    std::string group = chance(15) ? one_of(options_.processes) : one_of({"team", "our team"});
    if (!groups_.insert(group).second) return {};
    std::string out = "group " + name(group) + " = " + process_pattern();
    while (chance(30)) out += one_of({", ", ",\n  "}) + process_pattern();
    return out + "\n";
  }

  // Declared labels.

  [[nodiscard]] std::string label() {
    // Names of its own, and such as hide an event label. The first may have a variable's, which
    // then means the label everywhere else.
    std::string label = chance(30) ? one_of(labels_) : one_of({"big", "odd one", "here"});
    if (declared_.empty() && chance(30)) label = variable_or(label);
    if (!declared_.insert(label).second) return {};
    std::string out = "label " + name(label) + " =" + space() + predicate(2) + "\n";
    readable_.push_back(label);
    if (std::find(labels_.begin(), labels_.end(), label) == labels_.end()) {
      labels_.push_back(label);
    }
    return out;
  }

  [[nodiscard]] std::string predicate(int depth) {
    if (depth > 0 && chance(50)) {
      switch (below(4)) {
        case 0: return predicate(depth - 1) + space() + "and " + predicate(depth - 1);
        case 1: return predicate(depth - 1) + " or" + space() + predicate(depth - 1);
        case 2: return "not " + predicate(depth - 1);
        default: return "(" + predicate(depth - 1) + ")";
      }
    }
    switch (below(10)) {
      case 0: return "event " + one_of({"==", "!="}) + " \"" + one_of(options_labels()) + "\"";
      case 1: return "process " + one_of({"==", "!="}) + " \"" + one_of(options_.processes) + "\"";
      case 2: return one_of({"true", "false"});
      case 3: return chance(50) ? variable() : another_label();
      case 4: return edge_of_arithmetic();
      default: return term(1) + " " + one_of({"==", "!=", "<", "<=", ">", ">="}) + " " + term(1);
    }
  }

  [[nodiscard]] std::vector<std::string> options_labels() const {
    return options_.labels.empty() ? std::vector<std::string>{"a"} : options_.labels;
  }

  [[nodiscard]] std::string variable_or(const std::string& other) {
    return options_.variables.empty() ? other : one_of(options_.variables);
  }
  [[nodiscard]] std::string variable() { return variable_or(one_of({"0", "1", "2.5"})); }

  /// Where integers end, reals begin, and rounding would be seen.
  [[nodiscard]] std::string edge_of_arithmetic() {
    const std::string v = variable();
    switch (below(9)) {
      case 0: return v + " / 2 >= 0.5";
      case 1: return v + " / 2 == 1 / 2";
      case 2: return "-1 - " + v + " == 9223372036854775807";
      case 3: return v + " + 1 > " + v;
      case 4: return v + " == 9223372036854775807.0";
      case 5: return v + " contains \"" + one_of({"1", "2", "5"}) + "\"";
      case 6: return v + " / 4 contains \"" + one_of({".5", ".75", "-", "0."}) + "\"";
      case 7: return v + " * 1e-30 contains \"" + one_of({"e-30", "2e"}) + "\"";
      default: return v + " * " + v + " >= 9223372036854775808.0";
    }
  }

  /// A label that is declared above and has a name that needs no quotes.
  [[nodiscard]] std::string another_label() {
    if (readable_.empty()) return variable();
    const std::string& label = one_of(readable_);
    return needs_no_quotes(label) ? label : variable();
  }

  [[nodiscard]] std::string constant() {
    return one_of({"0", "1", "2", "2", "0.5", "2.0", "-1", "\"ann\"", "\"\"", "true", "1e3",
                   "9223372036854775807", "9223372036854775808.0"});
  }

  [[nodiscard]] std::string term(int depth) {
    if (depth > 0 && chance(35)) {
      switch (below(6)) {
        case 0: return term(depth - 1) + " + " + term(depth - 1);
        case 1: return term(depth - 1) + " - " + term(depth - 1);
        case 2: return term(depth - 1) + " * " + term(depth - 1);
        case 3: return term(depth - 1) + " / " + term(depth - 1);
        case 4: return "-" + term(depth - 1);
        default: return "(" + term(depth - 1) + " " + one_of({"+", "-"}) + " 1)";
      }
    }
    if (chance(60)) return variable();
    return chance(80) ? constant() : another_label();
  }

  // Flows.

  [[nodiscard]] std::string who() {
    if (!groups_.empty() && chance(50)) {
      return name(one_of(std::vector<std::string>(groups_.begin(), groups_.end())));
    }
    return name(one_of(options_.processes));
  }

  [[nodiscard]] std::string label_name() {
    const std::string label = name(one_of(labels_));
    return chance(20) ? who() + ":" + label : label;
  }

  [[nodiscard]] std::string atom() {
    switch (below(12)) {
      case 0: return "!" + label_name();
      case 1: return "[" + label_name() + " " + label_name() + "]";
      case 2: return "[^" + label_name() + (chance(50) ? " " + label_name() : "") + "]";
      case 3: return ".";
      default: return label_name();
    }
  }

  [[nodiscard]] std::string repetition() {
    const std::string least = std::to_string(below(3));
    switch (below(6)) {
      case 0: return "*";
      case 1: return "+";
      case 2: return "?";
      case 3: return "{" + std::to_string(1 + below(2)) + "}";
      case 4: return "{" + least + ",}";
      default: return "{" + least + "," + std::to_string(2 + below(2)) + "}";
    }
  }

  [[nodiscard]] std::string sequence(int depth) {
    std::string out;
    do {
      if (!out.empty()) out += space();
      out += depth > 0 && chance(20) ? "(" + pattern(depth - 1) + ")" : atom();
      if (chance(25)) out += repetition();
    } while (chance(25));
    return out;
  }

  [[nodiscard]] std::string choice(int depth) {
    std::string out = sequence(depth);
    while (chance(15)) out += " | " + sequence(depth);
    return out;
  }

  [[nodiscard]] std::string pattern(int depth) {
    std::string out = choice(depth);
    while (chance(25)) {
      out += space() + "-> " + choice(depth);
      if (chance(50)) out += " without " + atom();
    }
    return out;
  }

  [[nodiscard]] std::string flow() {
    std::string out = one_of({"some", "every"}) + (chance(50) ? " longest flow" : " flow");
    if (chance(35)) {
      out += " over {" + name(one_of(labels_));
      while (chance(50)) out += ", " + name(one_of(labels_));
      out += "}";
    }
    if (chance(30)) out += space() + "at " + atom();
    const std::uint64_t kind = below(3);
    if (kind == 0) return out + " matches " + (chance(40) ? ".* " : "") + pattern(2);
    return out + (kind == 1 ? " ends with" : " contains") + space() + pattern(2);
  }

  // Logic.

  [[nodiscard]] std::string formula(int depth, std::size_t equation, std::size_t equations) {
    const auto part = [&] { return formula(depth - 1, equation, equations); };
    if (depth > 0 && !chance(25)) {
      switch (below(9)) {
        case 0:
        case 1: return part() + " and" + space() + part();
        case 2:
        case 3: return part() + space() + "or " + part();
        case 4: return "not " + part();
        case 5: return part() + " => " + part();
        case 6: return part() + " <=> " + part();
        default: return "(" + part() + ")";
      }
    }
    switch (below(10)) {
      case 0: return one_of({"initial", "send", "receive", "external"});
      case 1: return one_of({"true", "false"});
      case 2: return equation == 0 ? atom() : "v" + std::to_string(below(equation));
      case 3:
      case 4:
      case 5:
      case 6: return one_of({"prev", "msg", "any"}) + " v" + std::to_string(below(equations));
      default: return atom();
    }
  }

  [[nodiscard]] std::string block() {
    const std::size_t equations = 1 + below(4);
    std::string out = "logic {\n";
    for (std::size_t i = 0; i < equations; ++i) {
      out += "  v" + std::to_string(i) + " := " + formula(2, i, equations) + "\n";
    }
    if (chance(30)) out += "  detect v" + std::to_string(below(equations)) + "\n";
    return out + "}";
  }

  [[nodiscard]] std::string property(const std::string& question) {
    const std::string verb = one_of({"forbid", "expect", "require", "watch"});
    return verb + " property_" + std::to_string(++properties_) + " : " + question + "\n";
  }

  std::mt19937_64& random_;
  const PropertyOptions& options_;
  std::vector<std::string> labels_;  // of events, and declared
  std::vector<std::string> readable_;
  std::set<std::string> groups_, declared_;
  std::size_t properties_ = 0;
};

}  // namespace

PropertyOptions property_options(const Computation& computation) {
  PropertyOptions options;
  std::set<std::string> labels, variables;
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    options.processes.emplace_back(computation.process_name(p));
    for (Rank k = 0; k <= computation.last_rank(p); ++k) {
      const Row row = definition::row_of(computation, {p, k});
      for (const NameIndex label : computation.labels(row)) {
        labels.emplace(computation.names()[label]);
      }
      for (const Assignment& assignment : computation.assignments(row)) {
        const std::string variable(computation.names()[assignment.variable]);
        if (needs_no_quotes(variable)) variables.insert(variable);
      }
    }
  }
  options.labels.assign(labels.begin(), labels.end());
  options.variables.assign(variables.begin(), variables.end());
  return options;
}

std::string random_properties(std::mt19937_64& random, const PropertyOptions& options) {
  return PropertyWriter(random, options).file();
}

}  // namespace lightcone::arbitrary
