// Draws a witness as a space-time diagram.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <lightcone/base/file.h>

#include <algorithm>
#include <map>

#include <lightcone/check/global_witness.h>
#include <lightcone/check/witness_steps.h>
#include "check/explanation_text.h"
#include "draw/space_time_svg.h"
#include "print/terminal.h"
#include "print/wording.h"
#include "program.h"

namespace lightcone::cli {
namespace {

constexpr std::size_t steps_drawn = 24;

[[nodiscard]] Moment moment_of(const Computation& computation, Row row) {
  const EventPlace place = place_of(computation, row);
  return {place.process, place.rank};
}

[[nodiscard]] std::string listed(const std::vector<std::string>& texts) {
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// The letters of a longest flow: the picture finds the same way between them. Of any other flow
/// the steps that are told, and the sends that lead to them; what lies between is local.
/// Labels that the property file declares stand above a step, too.
void add_path(const Inspection& inspection, const CompiledFlow& flow, const FlowWitness& witness,
              Picture& picture) {
  const Computation& computation = inspection.computation();
  std::vector<Moment>& path = picture.path;
  const auto add = [&](Row row) {
    const Moment moment = moment_of(computation, row);
    if (path.empty() || path.back() != moment) path.push_back(moment);
  };
  const auto steps = told_steps(witness_steps(inspection, flow, witness));
  const std::vector<bool> is_shown = steps_with_room(steps, steps_drawn);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!is_shown[i]) continue;
    for (const MessageIndex m : steps[i].messages) {
      if (!flow.longest) add(computation.sent_by(m));
    }
    add(steps[i].row);
    if (steps[i].labels.size() <= computation.labels(steps[i].row).size()) continue;
    picture.notes.push_back({path.back(), listed(steps[i].labels)});
  }
}

/// What holds at the states of reasons stands above them, if it is more than the labels of events.
void add_facts(const Computation& computation, const std::vector<LogicReason>& reasons,
               Picture& picture) {
  std::map<Row, std::vector<std::string>> words;
  for (const LogicReason& reason : reasons) {
    const auto [at, is_new] = words.try_emplace(reason.row);
    if (is_new) {
      for (const NameIndex label : computation.labels(reason.row)) {
        at->second.emplace_back(computation.names()[label]);
      }
    }
    for (const std::string& fact : reason.facts) {
      if (std::ranges::find(at->second, fact) == at->second.end()) at->second.push_back(fact);
    }
  }
  for (const auto& [row, texts] : words) {
    if (texts.size() <= computation.labels(row).size()) continue;
    picture.notes.push_back({moment_of(computation, row), listed(texts)});
  }
}

/// One chain of reasons is the path, as far as each has one; the others are marked.
void add_reasons(const Computation& computation, const std::vector<LogicReason>& reasons,
                 Picture& picture) {
  for (std::size_t i = 0;; i = reasons[i].because.front()) {
    const Moment moment = moment_of(computation, reasons[i].row);
    if (picture.path.empty() || picture.path.back() != moment) picture.path.push_back(moment);
    if (reasons[i].because.empty()) break;
  }
  std::reverse(picture.path.begin(), picture.path.end());
  for (const LogicReason& reason : reasons) {
    const Moment moment = moment_of(computation, reason.row);
    const auto is_known = [&](const std::vector<Moment>& moments) {
      return std::find(moments.begin(), moments.end(), moment) != moments.end();
    };
    if (!is_known(picture.path) && !is_known(picture.marked)) picture.marked.push_back(moment);
  }
  add_facts(computation, reasons, picture);
}

/// A state is a line across, with what is read of each process beside it (what is true first), and
/// rings around the events that made it so. An observation has its changes numbered.
void add_global(const Computation& computation, const GlobalAnswer& answer, Picture& picture) {
  const std::vector<Change> all = changes(answer, computation);
  picture.cut = answer.decision.cut;
  for (const StatePart& part : state_parts(answer, computation)) {
    std::vector<std::string> reads = part.reads;
    std::ranges::stable_partition(
        reads, [](const std::string& read) { return !read.ends_with(" = false"); });
    picture.notes.push_back({{part.process, part.rank}, listed(reads)});
  }
  std::vector<bool> is_marked(computation.process_count(), false);
  for (std::size_t i = all.size(); i-- > 0;) {
    const Moment moment = moment_of(computation, all[i].event);
    if (!picture.cut.empty() && is_marked[moment.process]) continue;
    is_marked[moment.process] = true;
    picture.marked.push_back(moment);
    if (!picture.cut.empty()) continue;
    picture.notes.push_back({moment, fmt::format("{}: {}", grouped(i + 1), listed(all[i].after))});
  }
  std::reverse(picture.marked.begin(), picture.marked.end());
}

[[nodiscard]] Picture picture_of(const Inspection& inspection, const Explanation& explanation) {
  const std::uint32_t index = explanation.property;
  const Property& property = inspection.properties().source().properties[index];
  Picture picture;
  std::string question = property.text;
  if (const auto* logic = std::get_if<Logic>(&property.question)) {
    const Equation& equation = logic->equations[logic->detected];
    question = fmt::format("{} := {}", equation.name, equation.text);
  }
  picture.title = fmt::format("{} {} : {}", name_of(property.verb), property.name, question);
  picture.subtitle =
      status_sentence(inspection, explanation) + " " + witness_sentence(inspection, explanation);
  picture.subtitle.back() = '.';  // for the colon before a table
  if (const auto* flow = std::get_if<FlowWitness>(&explanation.witness)) {
    add_path(inspection, flow_of(inspection, index), *flow, picture);
  } else if (const auto* global = std::get_if<const GlobalAnswer*>(&explanation.witness)) {
    add_global(inspection.computation(), **global, picture);
  } else {
    add_reasons(inspection.computation(), std::get<std::vector<LogicReason>>(explanation.witness),
                picture);
  }
  return picture;
}

}  // namespace

Expected<void> draw_witness(const Inspection& inspection, const std::vector<Explanation>& all,
                            const ExplainOptions& options) {
  if (options.svg.empty()) return {};
  if (options.svg == "-") {
    return failure("--svg -: standard output is already used", {}, 0,
                   "name a file for the picture");
  }
  const auto drawn = std::find_if(all.begin(), all.end(), [](const Explanation& explanation) {
    return explanation.has_witness();
  });
  if (drawn == all.end()) {
    report_note(fmt::format("there is nothing to draw: {} is not written", printable(options.svg)));
    return {};
  }
  auto file = OutputFile::create(options.svg);
  if (!file) return failure(file.error());
  const Inspection& answers = drawn->slice ? *drawn->slice : inspection;
  file->write(space_time_svg(inspection.computation(), picture_of(answers, *drawn)));
  return file->commit();
}

}  // namespace lightcone::cli
