// Chooses what to explain, and finds the witnesses.
#include <lightcone/check/explanation.h>

#include <fmt/format.h>
#include <lightcone/base/spelling.h>
#include <lightcone/base/wording.h>
#include <lightcone/causal/process_words.h>

#include <algorithm>
#include <charconv>
#include <iterator>

namespace lightcone {
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

[[nodiscard]] bool is_explained(const PropertyReport& report) {
  if (report.verdict == Verdict::unknown) return report.undecided_count > 0;
  if (report.verdict == Verdict::fail) return true;
  return report.found && (report.verb == Verb::watch || report.verb == Verb::expect);
}

void find_witness(const Inspection& inspection, Explanation& explanation) {
  const std::uint32_t property = explanation.property;
  const auto& question = inspection.properties().source().properties[property].question;
  const auto keep = [&](auto found) {
    if (found) {
      explanation.witness = std::move(*found);
    } else {
      explanation.problem = found.error().what;
    }
  };
  if (const auto* flow = std::get_if<Flow>(&question);
      flow != nullptr && has_times(flow->pattern)) {
    keep(timed_witness(inspection, flow_of(inspection, property), *explanation.row));
  } else if (flow != nullptr) {
    keep(flow_witness(inspection, flow_of(inspection, property), *explanation.row));
  } else {
    keep(logic_witness(inspection, logic_of(inspection, property), *explanation.row, most_reasons));
  }
}

void find_missing(const Inspection& inspection, Explanation& explanation) {
  const Property& property = inspection.properties().source().properties[explanation.property];
  explanation.missing =
      missing_labels(inspection, property, explanation.row ? &*explanation.row : nullptr);
}

/// The value of the event that the user named. Without it, one whose verdict is that of the
/// property, or that was found; nullptr for none.
[[nodiscard]] const PropertyReport* explained_value(const PropertyReport& report,
                                                    const ValueCheck& values,
                                                    const std::optional<Row>& at) {
  const auto chosen = at ? values.value_at(*at) : std::nullopt;
  const bool passes = report.verdict == Verdict::pass || report.verdict == Verdict::info;
  for (const PropertyReport& one : report.values) {
    const bool decides = passes ? one.found : one.verdict == report.verdict;
    if (chosen ? one.value == *chosen : decides) return &one;
  }
  return nullptr;
}

[[nodiscard]] Explanation explain(const RecordedCheck& check, std::uint32_t property,
                                  const std::optional<Row>& at) {
  const PropertyReport& whole = check.report().properties[property];
  const PropertyReport* const one =
      whole.each.empty() ? nullptr : explained_value(whole, *check.values(property), at);
  const PropertyReport& report = one == nullptr ? whole : *one;
  Explanation explanation{property, &report, check.global(property)};
  if (one != nullptr) {
    const ValueCheck& values = *check.values(property);
    const std::uint32_t value = values.number_of(one->value);
    explanation.value = one->value;
    explanation.slice = values.inspection(value);
    explanation.slice_global = values.global(value, true);
    explanation.global = explanation.slice_global.get();
  } else if (!whole.each.empty()) {
    explanation.problem = "There is no value to show.";
    return explanation;
  }
  const Inspection& inspection = explanation.slice ? *explanation.slice : check.inspection();
  if (explanation.global != nullptr) {
    const Decision& decision = explanation.global->decision;
    if (!decision.cut.empty() || !decision.observation.empty()) {
      explanation.witness = explanation.global;
    }
    if (!report.found) {
      explanation.truths = missing_truths(*explanation.global, check.computation());
      const bool is_shown = explanation.has_witness() || !decision.inevitable.empty();
      if (!is_shown) explanation.values = values_read(*explanation.global);
    }
    return explanation;
  }
  if (at) {
    explanation.row = at;
    explanation.chosen = true;
    if (!inspection.is_asked(property, *at)) {
      explanation.problem =
          fmt::format("It is not asked at {}.", place_text(check.computation(), *at));
      return explanation;
    }
  } else {
    const bool missing = report.verb == Verb::require && report.verdict == Verdict::fail;
    const std::vector<EventPlace>& places = report.verdict == Verdict::unknown ? report.undecided
                                            : missing                          ? report.missing
                                                                               : report.at;
    if (places.empty()) {
      if (!report.found) find_missing(inspection, explanation);
      return explanation;
    }
    explanation.row = row_of(check.computation(), places.front());
  }
  find_witness(inspection, explanation);
  const FoundRows& answer = *inspection.answer(property);
  if (!answer.found_at(*explanation.row) && !answer.is_undecided(*explanation.row)) {
    find_missing(inspection, explanation);
  }
  return explanation;
}

}  // namespace

Expected<std::vector<Explanation>> explanations(const RecordedCheck& check, const std::string& at) {
  std::optional<Row> row;
  if (!at.empty()) {
    const auto place = find_place(check.computation(), at);
    if (!place) return failure(place.error());
    row = *place;
  }
  std::vector<Explanation> all, others;
  const auto& properties = check.report().properties;
  for (std::uint32_t i = 0; i < properties.size(); ++i) {
    if (is_explained(properties[i])) {
      all.push_back(explain(check, i, row));
    } else if (row && !properties[i].is_global && properties[i].verdict != Verdict::unknown) {
      others.push_back(explain(check, i, row));
    }
  }
  all.insert(all.end(), std::make_move_iterator(others.begin()),
             std::make_move_iterator(others.end()));
  return all;
}

const Explanation* find_explanation(const std::vector<Explanation>& all, std::uint32_t property) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Explanation& explanation) {
    return explanation.property == property;
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
  const EventPlace place = place_of(computation, row);
  return fmt::format("{}:{}", process_words(computation, place.process), place.rank);
}

}  // namespace lightcone
