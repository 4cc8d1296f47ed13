// Prints explanations that a tired reader can follow.
#include "check/explanation_text.h"

#include <fmt/format.h>
#include <lightcone/base/time/decimal_seconds.h>
#include <lightcone/check/global_witness.h>
#include <lightcone/check/verdicts.h>
#include <lightcone/check/witness_steps.h>

#include <set>

#include "print/table.h"
#include "print/terminal.h"
#include "print/wording.h"

namespace lightcone::cli {
namespace {

constexpr std::size_t lines_told = 30;   // of a path, of a tree of reasons
constexpr std::size_t reasons_told = 8;  // of a tree, where sentences say already what is missing
constexpr std::size_t deepest_indent = 12;
constexpr std::size_t messages_told = 3;
constexpr std::uint64_t flows_counted = 1'000'000;

[[nodiscard]] const Property& property_of(const Inspection& inspection,
                                          const Explanation& explanation) {
  return inspection.properties().source().properties[explanation.property];
}

[[nodiscard]] std::string name_text(const Inspection& inspection, const Explanation& explanation) {
  const Property& property = property_of(inspection, explanation);
  if (!explanation.value) return fmt::format("`{}`", printable(property.name));
  return fmt::format("For {} = {}, `{}`", printable(property.each, 24),
                     value_words(*explanation.value), printable(property.name));
}

/// `m1 from p2:4, m2 from p3:1`
[[nodiscard]] std::string messages_text(const Computation& computation,
                                        const std::vector<MessageIndex>& messages) {
  std::string text;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (messages.size() > messages_told && i == 1) {
      text += fmt::format(", {} more", messages.size() - 2);
      i = messages.size() - 1;
    }
    const std::string name = printable(computation.message_name(messages[i]), 24);
    const std::string place = place_text(computation, computation.sent_by(messages[i]));
    // Messages of a log of clocks are called as their sends.
    text += (text.empty() ? "" : ", ") + (name == place ? "" : name + " ") + "from " + place;
  }
  return text;
}

[[nodiscard]] std::string labels_text(const WitnessStep& step, const Paint& paint) {
  std::string text;
  for (std::size_t i = 0; i < step.labels.size(); ++i) {
    const std::string label = printable(step.labels[i], 24);
    text += (i == 0 ? "" : ", ") + (i < step.named ? paint.bold(label) : paint.dim(label));
  }
  return text;
}

[[nodiscard]] std::string shown(const std::optional<std::string_view>& text) {
  return text ? printable(*text) : std::string();
}

/// As it is: the table knows how much room there is.
[[nodiscard]] std::string whole_text(const std::optional<std::string_view>& text) {
  return text ? printable(*text, SIZE_MAX) : std::string();
}

void print_path(const Inspection& inspection, const std::vector<WitnessStep>& steps,
                const Paint& paint) {
  const Computation& computation = inspection.computation();
  Table table({{"Event"}, {"Labels"}, {"Came by"}, {"Source"}, {"Text"}});
  const std::vector<bool> is_shown = steps_with_room(steps, lines_told);
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!is_shown[i]) {
      ++left_out;
      continue;
    }
    if (left_out > 0) table.add({"...", fmt::format("({} more)", grouped(left_out))});
    left_out = 0;
    const WitnessStep& step = steps[i];
    table.add({place_text(computation, step.row), labels_text(step, paint),
               paint.yellow(messages_text(computation, step.messages)),
               shown(computation.source(step.row)), whole_text(computation.text(step.row))});
  }
  table.fit_last();
  fmt::print("\n{}", table.text(paint));
}

/// Prints the reasons as a tree; one that several others rest on is told once.
class ReasonTree {
 public:
  ReasonTree(const Inspection& inspection, const CompiledLogic& logic,
             const std::vector<LogicReason>& reasons, std::size_t most, const Paint& paint)
      : computation_(inspection.computation()),
        logic_(logic),
        reasons_(reasons),
        most_(most),
        paint_(paint) {}

  void print() {
    fmt::print("\n");
    print(0, none, 0);
    if (told_.size() < reasons_.size()) {
      fmt::print("  ... and {} more\n", counted(reasons_.size() - told_.size(), "reason"));
    }
  }

 private:
  void print(std::size_t index, MessageIndex by, std::size_t depth) {
    if (lines_++ >= most_) return;
    const LogicReason& reason = reasons_[index];
    const std::string name = printable(logic_.logic->equations[reason.variable].name, 24);
    std::string line =
        fmt::format("{}{} at {}", reason.value ? "" : "not ", paint_.bold(name), span_text(reason));
    const bool is_new = told_.insert(index).second;
    if (is_new) {
      for (std::size_t i = 0; i < reason.facts.size(); ++i) {
        line += (i == 0 ? ": " : ", ") + paint_.cyan(printable(reason.facts[i], 60));
      }
    }
    if (by != none) line += ", " + paint_.yellow("by " + messages_text(computation_, {by}));
    if (const auto source = computation_.source(reason.row); source && is_new) {
      line += fmt::format(" ({})", printable(*source));
    }
    if (!is_new) line += ", as above";
    fmt::print("  {}{}\n", std::string(2 * std::min(depth, deepest_indent), ' '), line);
    if (!is_new) return;
    for (std::size_t i = 0; i < reason.because.size(); ++i) {
      print(reason.because[i], reason.by[i], depth + 1);
    }
    if (reason.is_cut && lines_ < most_) {
      fmt::print("  {}...\n", std::string(2 * std::min(depth + 1, deepest_indent), ' '));
    }
  }

  [[nodiscard]] std::string span_text(const LogicReason& reason) const {
    const std::string last = place_text(computation_, reason.row);
    if (reason.since == reason.row) return last;
    return fmt::format("{} to {}", place_text(computation_, reason.since), last);
  }

  const Computation& computation_;
  const CompiledLogic& logic_;
  const std::vector<LogicReason>& reasons_;
  std::size_t most_;
  const Paint& paint_;
  std::set<std::size_t> told_;
  std::size_t lines_ = 0;
};

/// `request at client:1 (1 s), reply at server:2 (1.195 s): ...`
[[nodiscard]] std::string gap_sentence(const Inspection& inspection, const TimeGap& gap) {
  const Computation& computation = inspection.computation();
  const auto first = computation.time(gap.from), second = computation.time(gap.to);
  const auto place = [&](Row row, const std::optional<double>& time) {
    return fmt::format("{} {}", place_text(computation, row),
                       time ? fmt::format("at {} s", *time) : "without a time");
  };
  std::string text = fmt::format("From {} to {}", place(gap.from, first), place(gap.to, second));
  if (!first || !second) {
    return fmt::format("{}: no `within` matches an event without a time.", text);
  }
  text += fmt::format(" it is {}", duration_words(decimal_difference(*first, *second)));
  const auto bound = inspection.properties().source().clocks_within;
  const bool is_local =
      place_of(computation, gap.from).process == place_of(computation, gap.to).process;
  if (bound && !is_local) text += fmt::format(", give or take {}", duration_words(*bound));
  const std::string limit = duration_words(gap.within);
  if (!gap.in_time)
    return fmt::format("{}: the clocks cannot tell if it is within {}.", text, limit);
  return fmt::format("{}: {} {}.", text, *gap.in_time ? "within" : "not within", limit);
}

[[nodiscard]] std::string flow_sentence(const Inspection& inspection,
                                        const Explanation& explanation,
                                        const FlowWitness& witness) {
  const CompiledFlow& flow = flow_of(inspection, explanation.property);
  const std::string place = place_text(inspection.computation(), *explanation.row);
  const std::string_view noun = flow.longest ? "longest flow" : "flow";
  const bool only = witness.flows == 1;
  if (witness.is_undecided) {
    return fmt::format("Along {} to {}, times decide:",
                       only ? "the only " + std::string(noun) : fmt::format("one {}", noun), place);
  }
  const std::string count = witness.flows > flows_counted
                                ? fmt::format("more than a million {}s", noun)
                                : counted(witness.flows, noun);
  if (!flow.every && witness.matches) {
    const bool several = explanation.report->found_count > 1;
    const std::string subject = explanation.chosen ? "that at " + place
                                : several          ? "the first one"
                                                   : "it";
    return fmt::format("This is how {} came about, along {} to {}:", subject,
                       only ? fmt::format("the only {}", noun) : "one of " + count, place);
  }
  if (only) {
    return fmt::format("The only {} to {} {}:", noun, place,
                       witness.matches ? "matches" : "does not match");
  }
  if (flow.every && !witness.matches) {
    return fmt::format("Of {} to {}, this one does not match:", count, place);
  }
  return fmt::format("Of {} to {}, {}; this is one of them:", count, place,
                     witness.matches ? "all match" : "none matches");
}

[[nodiscard]] std::string global_status(const Inspection& inspection,
                                        const Explanation& explanation, const std::string& name) {
  const Property& property = property_of(inspection, explanation);
  const auto what =
      what_was_found(std::get<Global>(property.question).modality, explanation.report->found);
  if (explanation.report->verdict != Verdict::fail) {
    return fmt::format("{} was found: {}.", name, what);
  }
  switch (property.verb) {
    case Verb::forbid: return fmt::format("{} is forbidden, and {}.", name, what);
    case Verb::require: return fmt::format("{} is required, but {}.", name, what);
    default: return fmt::format("{} was expected, but {}.", name, what);
  }
}

[[nodiscard]] std::string global_sentence(const Explanation& explanation) {
  const Decision& decision = explanation.global->decision;
  if (!decision.cut.empty()) return "This is such a state:";
  if (!decision.observation.empty()) return "These are the changes of one, in its order:";
  return fmt::format("Decided by: {}.", with_grouped_numbers(decision.method));
}

/// The property as it was written, one equation per line.
void print_property(const Property& property, const Paint& paint) {
  const std::string each =
      property.each.empty() ? "" : fmt::format("for each {} ", printable(property.each, 24));
  const std::string head =
      fmt::format("{} {} {}: ", name_of(property.verb), paint.bold(printable(property.name)), each);
  const auto* logic = std::get_if<Logic>(&property.question);
  if (logic == nullptr) {
    fmt::print("\n{}\n\n", wrapped(head + printable(property.text, 2000), text_columns(), 4));
    return;
  }
  fmt::print("\n{}logic {{\n", head);
  for (std::size_t i = 0; i < logic->equations.size(); ++i) {
    if (i == lines_told) {
      fmt::print("  ... {} more\n", grouped(logic->equations.size() - i));
      break;
    }
    const Equation& equation = logic->equations[i];
    const std::string text =
        fmt::format("{} := {}", printable(equation.name, 24), printable(equation.text, 400));
    fmt::print("  {}\n", wrapped(text, text_columns(), 6));
  }
  fmt::print("}}\n\n");
}

/// What a global property that was not found reads: in each inevitable state, or in all states.
void add_values_read(const Inspection& inspection, const Explanation& explanation,
                     std::vector<std::string>& lacks) {
  constexpr std::size_t processes_told = 8;
  const Computation& computation = inspection.computation();
  std::string all;
  for (std::size_t i = 0; i < std::min(explanation.values.size(), processes_told); ++i) {
    all += (i == 0 ? "" : " ") + sentence_of(explanation.values[i], computation);
  }
  if (!all.empty()) lacks.push_back(all);
  if (explanation.global == nullptr || explanation.report->found) return;
  for (const std::vector<Rank>& cut : explanation.global->decision.inevitable) {
    std::string parts;
    const auto state = state_parts(*explanation.global, computation, cut);
    for (std::size_t i = 0; i < std::min(state.size(), processes_told); ++i) {
      for (const std::string& read : state[i].reads) {
        const Row row = row_of(computation, {state[i].process, state[i].rank});
        parts += fmt::format("{}{} at {}", parts.empty() ? "" : ", ", printable(read, 60),
                             place_text(computation, row));
      }
    }
    if (state.size() > processes_told) parts += ", ...";
    lacks.push_back(fmt::format("In an inevitable state: {}.", parts));
  }
}

void print_explanation(const Inspection& inspection, const Explanation& explanation,
                       const Paint& paint) {
  print_property(property_of(inspection, explanation), paint);
  std::string sentences = status_sentence(inspection, explanation);
  if (explanation.row && !explanation.missing.empty()) {
    sentences +=
        fmt::format(" This is about {}.", place_text(inspection.computation(), *explanation.row));
  }
  std::vector<std::string> lacks;
  for (const MissingLabel& missing : explanation.missing) {
    lacks.push_back(sentence_of(missing, inspection.computation()));
  }
  for (const MissingTruth& missing : explanation.truths) {
    lacks.push_back(sentence_of(missing, inspection.computation()));
  }
  add_values_read(inspection, explanation, lacks);
  if (const auto* flow = std::get_if<FlowWitness>(&explanation.witness)) {
    for (const TimeGap& gap : flow->gaps) lacks.push_back(gap_sentence(inspection, gap));
  }
  for (const std::string& sentence : lacks) {
    fmt::print("{}\n\n", wrapped(sentences, text_columns()));
    sentences = sentence;
  }
  const std::string witness = witness_sentence(inspection, explanation);
  if (!lacks.empty() && !witness.empty()) {
    fmt::print("{}\n\n", wrapped(sentences, text_columns()));
    sentences.clear();
  }
  if (!witness.empty()) sentences += (sentences.empty() ? "" : " ") + witness;
  fmt::print("{}\n", wrapped(sentences, text_columns()));
  if (const auto* flow = std::get_if<FlowWitness>(&explanation.witness)) {
    const CompiledFlow& compiled = flow_of(inspection, explanation.property);
    print_path(inspection, told_steps(witness_steps(inspection, compiled, *flow)), paint);
  } else if (const auto* reasons = std::get_if<std::vector<LogicReason>>(&explanation.witness)) {
    const CompiledLogic& compiled = logic_of(inspection, explanation.property);
    const std::size_t most = explanation.missing.empty() ? lines_told : reasons_told;
    ReasonTree(inspection, compiled, *reasons, most, paint).print();
  } else if (explanation.has_witness()) {
    print_global_witness(inspection, explanation, paint);
  }
}

}  // namespace

std::string status_sentence(const Inspection& inspection, const Explanation& explanation) {
  const std::string name = name_text(inspection, explanation);
  if (explanation.global != nullptr) return global_status(inspection, explanation, name);
  const std::uint64_t asked = explanation.report->asked_count;
  const std::uint64_t found = explanation.report->found_count;
  const std::uint64_t undecided = explanation.report->undecided_count;
  if (explanation.report->verdict == Verdict::unknown) {
    return fmt::format("{} is not decided: the clocks cannot tell at {} of {}.", name,
                       grouped(undecided), counted(asked, "place"));
  }
  const Verb verb = property_of(inspection, explanation).verb;
  if (found == 0 && asked > 0 && (verb == Verb::forbid || verb == Verb::watch)) {
    return fmt::format("{} was found nowhere among {}.", name, counted(asked, "place"));
  }
  if (asked == 0 && verb != Verb::expect) return fmt::format("{} is asked nowhere.", name);
  switch (verb) {
    case Verb::forbid:
      return fmt::format("{} is forbidden, and was found at {}.", name, counted(found, "place"));
    case Verb::require:
      if (found == asked) {
        return fmt::format("{} is required, and was found at all {}.", name,
                           counted(asked, "place"));
      }
      return fmt::format("{} is required, and is missing at {} of {}.", name,
                         grouped(asked - found - undecided), counted(asked, "place"));
    case Verb::expect:
      if (found > 0) break;
      if (asked == 0) return fmt::format("{} was expected, and is asked nowhere.", name);
      return fmt::format("{} was expected, and was found nowhere among {}.", name,
                         counted(asked, "place"));
    case Verb::watch: break;
  }
  return fmt::format("{} was found at {}.", name, counted(found, "place"));
}

std::string witness_sentence(const Inspection& inspection, const Explanation& explanation) {
  if (explanation.global != nullptr) return global_sentence(explanation);
  if (!explanation.row) {
    const Computation& computation = inspection.computation();
    if (explanation.report->asked_count == 0 || computation.event_count() == 0) return {};
    return fmt::format("There is no place to show; --at {}, and so on, says what is so at a place.",
                       place_text(computation, Row{0}));
  }
  if (!explanation.has_witness()) return explanation.problem;
  if (const auto* flow = std::get_if<FlowWitness>(&explanation.witness)) {
    return flow_sentence(inspection, explanation, *flow);
  }
  const LogicReason& first = std::get<std::vector<LogicReason>>(explanation.witness).front();
  const auto& equations = logic_of(inspection, explanation.property).logic->equations;
  return fmt::format("This is why `{}` {} at {}:", printable(equations[first.variable].name, 24),
                     first.value ? "holds" : "does not hold",
                     place_text(inspection.computation(), first.row));
}

void print_explanations(const Inspection& inspection, const std::vector<Explanation>& all) {
  const Paint paint = paint_for(stdout);
  for (const Explanation& explanation : all) {
    print_explanation(explanation.slice ? *explanation.slice : inspection, explanation, paint);
  }
}

}  // namespace lightcone::cli
