// Chooses what to explain, and finds the witnesses.
#include "check/explanation.h"

#include <fmt/format.h>
#include <lightcone/base/spelling.h>

#include <algorithm>
#include <charconv>

#include "print/terminal.h"
#include "print/wording.h"

namespace lightcone::cli {
namespace {

constexpr std::size_t most_reasons = 200;

[[nodiscard]] Error no_place(std::string what, std::string hint) {
  return {std::move(what), {}, 0, std::move(hint)};
}

/// Reads `p2:4`; names may have colons of their own.
[[nodiscard]] Expected<Row> find_place(const Computation& computation, const std::string& text) {
  const std::size_t colon = text.rfind(':');
  Rank rank = 0;
  const char* const end = text.data() + text.size();
  const char* const digits = colon == std::string::npos ? end : text.data() + colon + 1;
  if (const auto [rest, code] = std::from_chars(digits, end, rank);
      digits == end || rest != end || code != std::errc()) {
    return failure(no_place(fmt::format("--at {}: not a place", printable(text)),
                            "a place is a process and the rank of an event, as in `p2:4`"));
  }
  const std::string name = text.substr(0, colon);
  const auto process = computation.find_process(name);
  if (!process) {
    std::vector<std::string> known;
    for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
      known.emplace_back(computation.process_name(p));
    }
    const auto meant = nearest_word(name, known);
    return failure(no_place(
        fmt::format("--at {}: no process is called `{}`", printable(text), printable(name)),
        meant ? fmt::format("did you mean `{}`?", printable(*meant)) : std::string()));
  }
  if (rank > computation.last_rank(*process)) {
    return failure(
        no_place(fmt::format("--at {}: `{}` has only {}", printable(text), printable(name),
                             counted(computation.last_rank(*process), "event")),
                 {}));
  }
  return rank == 0 ? computation.initial_row(*process) : computation.event(*process, rank);
}

[[nodiscard]] bool is_explained(const Inspection& inspection, const Outcome& outcome) {
  if (outcome.answer == nullptr && outcome.global == nullptr) return false;
  if (outcome.verdict == Verdict::fail) return true;
  const Verb verb = inspection.properties().source().properties[outcome.property].verb;
  return outcome.found && (verb == Verb::watch || verb == Verb::expect);
}

void find_witness(const Inspection& inspection, Explanation& explanation) {
  const std::uint32_t property = explanation.outcome.property;
  const auto& question = inspection.properties().source().properties[property].question;
  const auto keep = [&](auto found) {
    if (found) {
      explanation.witness = std::move(*found);
    } else {
      explanation.problem = found.error().what;
    }
  };
  if (std::holds_alternative<Flow>(question)) {
    keep(flow_witness(inspection, flow_of(inspection, property), *explanation.row));
  } else {
    keep(logic_witness(inspection, logic_of(inspection, property), *explanation.row, most_reasons));
  }
}

[[nodiscard]] Explanation explain(const Inspection& inspection, const Outcome& outcome,
                                  const std::optional<Row>& at) {
  Explanation explanation{outcome};
  if (outcome.global != nullptr) {
    const Decision& decision = outcome.global->decision;
    if (!decision.cut.empty() || !decision.observation.empty()) {
      explanation.witness = outcome.global;
    }
    return explanation;
  }
  if (at) {
    explanation.row = at;
    explanation.chosen = true;
    if (!inspection.is_asked(outcome.property, *at)) {
      explanation.problem =
          fmt::format("It is not asked at {}.", place_text(inspection.computation(), *at));
      return explanation;
    }
  } else {
    const std::vector<Row> rows = deciding_rows(inspection, outcome, 1);
    if (rows.empty()) return explanation;
    explanation.row = rows.front();
  }
  find_witness(inspection, explanation);
  return explanation;
}

}  // namespace

Expected<std::vector<Explanation>> explanations(const Inspection& inspection,
                                                const std::vector<Outcome>& outcomes,
                                                const ExplainOptions& options) {
  std::vector<Explanation> all;
  if (!options.explain) return all;
  std::optional<Row> at;
  if (!options.at.empty()) {
    const auto place = find_place(inspection.computation(), options.at);
    if (!place) return failure(place.error());
    at = *place;
  }
  for (const Outcome& outcome : outcomes) {
    if (is_explained(inspection, outcome)) all.push_back(explain(inspection, outcome, at));
  }
  return all;
}

const Explanation* find_explanation(const std::vector<Explanation>& all, std::uint32_t property) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Explanation& explanation) {
    return explanation.outcome.property == property;
  });
  return found == all.end() ? nullptr : &*found;
}

const CompiledFlow& flow_of(const Inspection& inspection, std::uint32_t property) {
  const auto& flows = inspection.properties().flows();
  const auto found = std::find_if(flows.begin(), flows.end(),
                                  [&](const auto& flow) { return flow.property == property; });
  LIGHTCONE_ASSERT(found != flows.end());
  return *found;
}

const CompiledLogic& logic_of(const Inspection& inspection, std::uint32_t property) {
  const auto& logics = inspection.properties().logics();
  const auto found = std::find_if(logics.begin(), logics.end(),
                                  [&](const auto& logic) { return logic.property == property; });
  LIGHTCONE_ASSERT(found != logics.end());
  return *found;
}

std::string place_text(const Computation& computation, Row row) {
  const RowPlace place = place_of(computation, row);
  return fmt::format("{}:{}", printable(computation.process_name(place.process), 24), place.rank);
}

}  // namespace lightcone::cli
